"""Who told something, and of what, in the languages in which no pattern says so: "민수가 이직에 대해 말한 거"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from precis.finding.asked.speech import JOINED, WORD, expression_of, sorts_of_word, without_particle
from precis.finding.reading import HANGUL, folded, is_caseless
from precis.finding.tables import name_words, speaking

#: What Korean writes behind whoever does something, and Japanese and Chinese behind a name.
_SUBJECT = re.compile("(?<=[\uac00-\ud7a3]{2})[\uc774\uac00]$")
_TITLED = frozenset("\uc528\uac00 \ub2d8\uc774".split())
#: Turkish sets one behind every name that it declines.
_APOSTROPHES = frozenset("'\u2019")
_ERGATIVE = "\u0928\u0947"
_JAPANESE = (
    "(?P<who>(?:(?!{persons})[^\\W\\d_]){{1,6}}?)(?:\u3055\u3093|\u304f\u3093|\u541b|\u3061\u3083\u3093|\u69d8|\u6c0f)?"
    "[\u304c\u306f\u3082](?P<topic>.*?)"
)
_CHINESE = (
    "(?P<who>(?:(?!{persons})[^\\W\\d_]){{2,4}}?)(?:\u4e4b\u524d|\u4e0a\u6b21|\u66fe\u7ecf)?"
    "(?:[\u8ddf\u548c\u5bf9\u5411\u7ed9](?:\u6211\u4eec|\u6211))?(?P<topic>)"
)
#: Behind a name that ends in a consonant, before what marks who does something.
_CALLED = re.compile("(?<=[\uac00-\ud7a3]{2})\uc774$")


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    sorts: frozenset[str]


def told_by_another(text: str, language: str, is_name: Callable[[str], bool]) -> tuple[str, str] | None:
    """Who told something, and the text of what, without the clause that says so; None where nobody is read as that."""
    if language not in speaking():
        return None
    found = _unspaced(text, language) if language in JOINED else _spaced(text, language)
    return found if found is not None and is_name(found[1]) else None


def _unspaced(text: str, language: str) -> tuple[str, str] | None:
    match = _clause(language).match(text)
    if match is None:
        return None
    light = expression_of(language, ("light", "talks", "persons"))
    pieces = (_trimmed(piece, light) for piece in (match["topic"], text[match.end() :]))
    return " ".join(filter(None, pieces)), match["who"]


@cache
def _clause(language: str) -> re.Pattern[str]:
    verbs = expression_of(language, ("forms", "others")).pattern
    who = _JAPANESE if language == "ja" else _CHINESE
    who = who.format(persons=expression_of(language, ("persons", "both")).pattern)
    return re.compile(rf"{who}(?:{verbs})(?:\u6211\u4eec|\u6211)?")


def _trimmed(piece: str, light: re.Pattern[str]) -> str:
    before = None
    while before != piece:
        before = piece
        match = light.match(piece)
        piece = piece[match.end() :] if match else piece
        last = next((each for each in light.finditer(piece) if each.end() == len(piece)), None)
        piece = piece[: last.start()] if last else piece
    return piece.strip()


def _spaced(text: str, language: str) -> tuple[str, str] | None:
    text = without_particle(text)
    tokens = [
        _Token(match.group(), *match.span(), frozenset(sorts_of_word(match.group(), language)))
        for match in WORD.finditer(text)
    ]
    verb = _verb(tokens)
    if verb is None or any(token.sorts & {"told", "persons", "both", "passive"} for token in tokens[: verb + 1]):
        return None
    named = next((at for at in range(len(tokens)) if _is_teller(tokens, at, verb, language)), None)
    if named is None or (language == "tr" and text[tokens[named].end :][:1] not in _APOSTROPHES):
        return None
    who = _CALLED.sub("", _SUBJECT.sub("", tokens[named].text))
    taken = {named, verb, *(at for at in (named + 1,) if at < len(tokens) and tokens[at].text in _TITLED | {_ERGATIVE})}
    pieces: list[list[_Token]] = [[]]
    for at, token in enumerate(tokens):
        if at in taken:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return " ".join(filter(None, (_without_edges(text, piece) for piece in pieces))), who


def _verb(tokens: Sequence[_Token]) -> int | None:
    """Where the verb of speaking stands; behind one that needs a noun of what is said, that does."""
    plain = [at for at, token in enumerate(tokens) if token.sorts & {"forms", "others"}]
    talks = any("talks" in token.sorts for token in tokens)
    return next(iter(plain or [at for at, token in enumerate(tokens) if talks and "does" in token.sorts]), None)


def _is_teller(tokens: Sequence[_Token], at: int, verb: int, language: str) -> bool:
    """Whether a word is the name of whoever speaks, and nobody of or to whom it is spoken."""
    token = tokens[at]
    if token.sorts:
        return False
    follow = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if HANGUL.search(token.text):
        return at < verb and (_SUBJECT.search(token.text) is not None or follow in _TITLED)
    if language == "hi":
        return follow == _ERGATIVE
    about = at > 0 and "about" in tokens[at - 1].sorts
    if is_caseless(token.text):
        return not about and abs(at - verb) <= 2 and folded(token.text) in name_words("given") | name_words("caseless")
    alone = language != "de" or all(each.sorts for each in tokens[:at])
    return token.text[0].isupper() and at < verb and not about and alone


def _without_edges(text: str, piece: Sequence[_Token]) -> str:
    """A piece of a clause without the words that only join it."""
    kept = [at for at, token in enumerate(piece) if not token.sorts]
    return text[piece[kept[0]].start : piece[kept[-1]].end] if kept else ""
