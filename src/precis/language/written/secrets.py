"""Credentials in a text: no summary, insight or title repeats them, and the message keeps them. Pure.

In doubt a text has none: an order number, a code of a shop or of the post and a hash stay what they are.
"""

from precis import patterns as re
from precis.language import tables
from precis.language.sentences import sentences
from precis.language.words import kept_where_short
from precis.language.written.beside import beside
from precis.language.written.confided import confides
from precis.language.written.spoken import may_be_secret, opens_on_secret, tells_secret


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
