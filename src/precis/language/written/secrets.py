"""Credentials in a text, what is told in confidence, and what a sentence tells beside either. Pure.

No summary, insight or title repeats a credential, and the message keeps it. In doubt a text has none: an order number,
a code of a shop or of the post and a hash stay what they are. A clause is parted from the next at a word or mark that
joins two, where what stands behind begins with somebody or something of its own: "Ute's PIN is 4471 and Jan moves to
Gera". In doubt nothing is parted. "Please keep it quiet." is of the sentence before it, "Between us:" of its own.
"""

from collections.abc import Callable
from functools import cache

from precis import patterns as re
from precis.language import tables
from precis.language.newest.parallel import joining_words, joint
from precis.language.script import languages_of
from precis.language.sentences import sentences
from precis.language.words import MARKS, content, kept_where_short, normal
from precis.language.written.spoken import may_be_secret, opens_on_secret, tells_secret

_CONFIDES = re.compile(
    "|".join(tables.whole(tables.choices(f"confided.spaced.{name}")) for name in tables.section("confided.spaced"))
    + "|"
    + tables.in_every_language("confided.unspaced"),
    re.IGNORECASE,
)
#: Whoever asks it of others, or was asked, confides nothing here.
_DENIED = re.compile(rf"(?:{tables.choices('confided.denied')})\W*$", re.IGNORECASE)
_CLOSING = re.compile(r"[.!\u3002\uff01:]+\s*$")


@kept_where_short
def confides(text: str) -> bool:
    """Whether it says that what it tells is told in confidence."""
    plain = normal(text)
    return any(not _DENIED.search(plain[: match.start()]) for match in _CONFIDES.finditer(plain))


def with_confidences(text: str) -> str:
    """The text, each sentence that only asks for silence in brackets beside the one of which it asks that.

    Where it opens the text, it is of the sentence behind it, and stays before that. So neither is told without the
    other.
    """
    if not confides(text):
        return text
    parts: list[str] = []
    opening = ""
    for sentence in sentences(text):
        only_asks = confides(sentence) and not content(_CONFIDES.sub(" ", sentence))
        if only_asks and parts:
            parts[-1] = _behind(parts[-1], sentence)
        elif only_asks:
            opening = f"({_CLOSING.sub('', sentence).strip()}) "
        else:
            parts.append(f"{opening}{sentence}")
            opening = ""
    # Of scripts that put no space between sentences nothing is joined.
    return text if not parts or len(parts) == len(sentences(text)) else " ".join(parts)


def _behind(sentence: str, asks: str) -> str:
    """The sentence with the other in brackets before its closing mark."""
    bare = _CLOSING.sub("", sentence)
    mark = sentence[len(bare) :].strip() or "."
    asks = _CLOSING.sub("", asks).strip()
    return f"{bare} ({asks[:1].lower()}{asks[1:]}){mark}"


#: Where scripts set no words apart, a clause has so many signs; else so many words.
_MOST_SIGNS, _MOST_WORDS = 4, 3
#: In so many of its first words a clause says who is writing, and in so many that it goes on about somebody else.
_OPENING, _GOES_ON = 3, 2
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
#: "\u7531\u7f8e\u306f", "\uc740\uc815\uc774\ub294": of whom or what a Japanese and a Korean clause tells.
_TOPIC = re.compile("[^\u3001\u3002\u306f\u304c]{1,14}[\u306f\u304c]")
_TOPIC_OF_TWO = re.compile("(?:\\S+ )?\\S*[\uc740\ub294\uc774\uac00](?= )")
_BRACKETS = re.compile(r"\s?[(\[\uff08][^()\[\]\uff08\uff09]*[)\]\uff09]")
_END = re.compile(r"[.!?\u3002\uff01\uff1f\u0964\u2026]+[\"'\u201d\u00bb)]*$")
_WORD = re.compile(rf"[\w{MARKS}'\u2019-]+")
_IF = tables.whole_words(*(f"standing.unless.{language}" for language in tables.section("standing.unless")))


def beside(sentence: str, is_secret: Callable[[str], bool], is_known: Callable[[str], bool]) -> str:
    """The clauses of a sentence that are not secret, each as a sentence; "" where they cannot be parted for sure.

    ``is_known`` says of a clause whether its words make it one that tells the secret, and nothing that hangs on it.
    """
    bare = _BRACKETS.sub(lambda match: "" if is_secret(match.group()) else match.group(), sentence)
    if not is_secret(bare):
        return bare if len(_WORD.findall(bare)) >= _MOST_WORDS else ""
    languages = ("English", *languages_of(sentence)[0])
    pieces = _clauses(sentence, languages)
    secret = [piece for piece in pieces if is_secret(piece)]
    rest = [piece for piece in pieces if piece not in secret]
    is_sure = secret and all(map(is_known, secret)) and not _IF.match(pieces[0])
    if not is_sure or not all(_is_long(piece, languages) for piece in rest):
        return ""
    end = _END.search(sentence)
    mark = end.group() if end else "\u3002" if _UNSPACED.search(sentence) else "."
    told = " ".join(f"{piece[:1].upper()}{piece[1:]}{'' if _END.search(piece) else mark}" for piece in rest)
    return "" if is_secret(told) else told


def _is_long(piece: str, languages: tuple[str, ...]) -> bool:
    """Whether it may be a sentence, and does not go on about somebody who was named before."""
    if _UNSPACED.search(piece):
        return len(piece) >= _MOST_SIGNS
    words = _WORD.findall(piece)
    goes_on = any(_third(name).search(" ".join((*words[:_GOES_ON], "\n", words[-1]))) for name in languages)
    return len(words) >= _MOST_WORDS and not goes_on


def _clauses(sentence: str, languages: tuple[str, ...]) -> list[str]:
    """Its clauses, each of which but the first begins with somebody of its own."""
    pieces = []
    begin = 0
    for cut in joint(languages).finditer(sentence):
        if _opens(sentence[cut.end() :], languages):
            pieces.append(sentence[begin : cut.start()])
            begin = cut.end()
    return [_joined_on().sub("", piece.strip(" ,;")) for piece in (*pieces, sentence[begin:]) if piece.strip(" ,;")]


def _opens(clause: str, languages: tuple[str, ...]) -> bool:
    """Whether it begins with a name, whoever writes, somebody of theirs, or "the" and a noun."""
    if _UNSPACED.match(clause):
        return "Japanese" not in languages or _TOPIC.match(clause) is not None
    if _HANGUL.match(clause):
        return _TOPIC_OF_TWO.match(clause) is not None
    words = _WORD.findall(clause)[:_OPENING]
    low = [word.casefold() for word in words]
    if not words or words[0][0].isupper():
        return bool(words)
    if any(low[0] in _listed("parallel.articles", name) or low[0] in _listed("kin.my", name) for name in languages):
        return True
    mine = any(word in _listed("kin.first", name) for word in low for name in languages)
    return mine or any(_kin(name).match(clause) for name in languages)


@cache
def _joined_on() -> re.Pattern[str]:
    """A word of any language that joins two clauses, where a name is behind it."""
    return re.compile(rf"^\W*(?:{'|'.join(joining_words())})\s+(?![a-z\u00df-\u00ff\u0430-\u044f])")


@cache
def _listed(place: str, language: str) -> frozenset[str]:
    return frozenset(tables.section(place).get(language, "").split())


@cache
def _kin(language: str) -> re.Pattern[str]:
    endings = rf"(?:{tables.entry('kin.endings.nouns').replace('; ', '|')})\s" if language == "Turkish" else "(?!)"
    return re.compile(endings, re.IGNORECASE)


@cache
def _third(language: str) -> re.Pattern[str]:
    """A word for somebody or something that was named before."""
    known = language in tables.section("persons.third")
    return re.compile(
        tables.whole(f"it|{tables.choices(f'persons.third.{language}')}" if known else "it"), re.IGNORECASE
    )


def _named(*names: str) -> str:
    return "|".join(tables.choices(f"secrets.{name}") for name in names)


#: What stands where a secret would: "user:password@", "<token>", "${TOKEN}", "****", "your-key-here".
_PLACEHOLDER = re.compile(
    rf"(?:{_named('placeholders')}|[x.\u2026*\u2022_-]+|[<\[{{$%].*|.*\$\{{?\w+\}}?.*)[\"'`,;.)]*", re.IGNORECASE
)
#: A login in an address.
_IN_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@\"'`]*:(?P<value>[^\s/@\"'`]{3,})@", re.IGNORECASE)
#: A variable, a field or an option that is set: "DB_PASSWORD=...", "api_key: ...", "?token=...".
_SET = re.compile(
    rf"(?<![^\W_])[\"']?(?:[\w.-]*[_.-]|pg|db)?(?:{_named('keys')})(?:[_.-]\w+)?[\"']?(?:\s*=\s*|\s*:\s+[\"'`]|:(?=\S))"
    r"[\"'`]?(?P<value>[^\s\"'`,;&]{4,})",
    re.IGNORECASE,
)
#: A field that is named in words, or behind a colon alone: only what no word looks like counts there.
_LISTED = re.compile(
    rf"(?<![^\W_])(?:\w+[_ -])?(?:{_named('logins')})\s*(?::|=|\bis\b)\s*[\"'`]?(?P<value>[^\s\"'`,;]{{8,}})",
    re.IGNORECASE,
)
#: Tokens that say by their beginning whose they are.
_TOKEN = re.compile(rf"(?<![\w-])(?:{_named('tokens')})(?![\w-])")
_BEARER = re.compile(r"\bbearer\s+(?P<value>[\w.~+/=-]{16,})", re.IGNORECASE)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|\Z)", re.DOTALL
)
_CARD = re.compile(
    r"(?<![\d.,-])(?:[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -])\d{6}\2\d{5}|[3-6]\d{14,15})(?![\d-])"
)
_OF_A_CARD = re.compile(rf"(?<![^\W_])(?:{_named('cards')})", re.IGNORECASE)
_OF_ANOTHER = re.compile(rf"(?<![^\W_])(?:{_named('other_numbers')})", re.IGNORECASE)
#: Each of them has one of these.
_SIGNS = re.compile(r"[=:_]|--|\d{4}|bearer|\bis\b|[A-Z]{4}", re.IGNORECASE)
_DOUBLED, _TEN = 9, 10


@kept_where_short
def has_secret(text: str) -> bool:
    """Whether a credential stands in it: a password, the code of a lock, a login in an address, a token, a card."""
    if tells_secret(text):
        return True
    if not _SIGNS.search(text):
        return False
    if _TOKEN.search(text) or _PRIVATE_KEY.search(text) or any(map(_is_real, _IN_ADDRESS.finditer(text))):
        return True
    if any(_is_real(match) and _is_set(match) for match in _SET.finditer(text)):
        return True
    strong = (match for pattern in (_LISTED, _BEARER) for match in pattern.finditer(text))
    return any(_is_real(match) and _is_strong(match["value"]) for match in strong) or _has_card(text)


def without_secrets(text: str) -> str:
    """The text without its private keys and the clauses in which another credential stands.

    A sentence goes whole where these cannot be parted for sure from what it tells beside.
    """
    if not has_secret(text):
        return text
    rest = _PRIVATE_KEY.sub("", text)
    return "\n".join(" ".join(filter(None, map(_without, sentences(line)))) for line in rest.splitlines())


def _without(sentence: str) -> str:
    if not has_secret(sentence):
        return sentence
    return "" if confides(sentence) else beside(sentence, _may_tell_secret, opens_on_secret)


def _may_tell_secret(clause: str) -> bool:
    """Whether a credential stands in a clause beside another, or may: "and the old one was Kiesel77"."""
    return has_secret(clause) or may_be_secret(clause)


def _is_real(match: re.Match[str]) -> bool:
    return _PLACEHOLDER.fullmatch(match["value"]) is None


def _is_set(match: re.Match[str]) -> bool:
    """Whether it may be a value: no call, and of what is counted, as "max_tokens=4096", no number."""
    value = match["value"]
    counted = value.isdigit() and "pass" not in match.group().casefold()
    return not (counted or "(" in value or value.endswith(("[", "{"))) and any(map(str.isalnum, value))


def _is_strong(value: str) -> bool:
    """Whether no word and no number looks like it."""
    value = value.rstrip(".!?)")
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and len(set(value)) > _TEN // 2


def _has_card(text: str) -> bool:
    """Whether the number of a card is in it. Without a word for it, it has to be written in groups."""
    if _OF_ANOTHER.search(text) and not _OF_A_CARD.search(text):
        return False
    return any(
        _checks(match.group()) and (not match.group().isdigit() or _OF_A_CARD.search(text) is not None)
        for match in _CARD.finditer(text)
    )


def _checks(number: str) -> bool:
    """Whether its last digit is the one that the others ask for."""
    digits = [int(sign) for sign in reversed(number) if sign.isdigit()]
    doubled = (2 * digit - (_DOUBLED if 2 * digit > _DOUBLED else 0) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % _TEN == 0
