"""What a request is wrapped in is taken off, wherever it stands: "I'd rather you didn't keep ...", "... can go".

A request says of something that it is to be gone, or that it is not to stay. What says so stands before it, behind it
or in a clause of its own, in words of a few sorts (``words/frames.toml``). What turns out to ask for keeping is no
request to forget.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import zip_longest

from precis.finding.reading import HANGUL, UNSPACED, folded, read_words
from precis.finding.tables import all_words, framed_languages, frames, ground_words, name_words, whole_words, words_of
from precis.language.tokens import tokens
from precis.language.verbs import form_of
from precis.language.words import MARKS

_WORD = re.compile(rf"[^\W_][\w{MARKS}]*(?:['\u2019-][^\W_]+)*['\u2019]?")
_LETTER = re.compile(r"[^\W\d_]")
CLAUSE = re.compile(
    r"[,;:\u060c\u061b]\s+(?!(?:dass|daß|чтобы|что|że|żebyś|abyś)\b)"
    r"|(?<!\b[MDSJ]r)(?<!\bMrs)(?<!\b[MS]s)(?<!\bSt)(?<!\bProf)(?<!\bSra)[.!?\u061f\u0964]\s+|\s+[-\u2013\u2014]+\s+"
)
_SORTS = ("forgets", "keeps", "stores", "denies", "tells", "judges", "first", "articles", "wraps")
#: "I'd", "you're": the word, and what says nothing.
_SHORT = re.compile(r"['\u2019](?:d|ve|ll|m|re|s)$")
#: Behind one of these at its beginning a clause tells what is kept, and asks nothing: "anything you stored".
_KEPT = re.compile(
    r"^\W*(?:please )?"
    r"(?:(?:anything|everything|all|what(?:ever)?|stuff|(?:the )?(?:things|notes|entries))(?: that| which)? )?"
    r"(?:you(?:'ve| have| had)?(?: ever| already| still)?|(?<=\w )(?:was|were|has been|had been|have been))$",
    re.IGNORECASE,
)
#: "Take Ana out": a verb and what belongs to it behind what it takes.
_PHRASAL = frozenset("take taking cut cutting throw toss leave strike clean clear pull wipe strip".split())
_PARTICLES = frozenset("out off away down clean".split())
_THAT = frozenset("that que qu che dass daß dat że що что att at at\u00e9".split())
_NO_MORE = frozenset("nothing no none".split())
#: Before the user they say of what kind it is: "what I drink".
_ASKING = frozenset("what whatever was que quoi o что co".split())
#: "(I got carried away when) I told you about (Grace) (was just a joke)".
_TOLD = re.compile(
    r"(?P<before>.*?)\b(?P<told>(?:(?:what(?:ever)?|everything|anything|all|(?:the )?(?:things|stuff)|that|which) )?"
    r"(?:i|we)(?:'ve| have| had|'d)?(?: \w+ly| ever| just| already| once)? "
    r"(?:told|said|mentioned|wrote|shared|spoke|talked|let slip|blurted out|revealed|confided)"
    r"(?: to| with)?(?: you)?(?: \w+thing| all this| (?:so|too) much)? (?:about|of|on|regarding) )"
    r"(?P<what>.+?)"
    r"(?P<after>,? (?:was|is|were|are|wasn't|isn't|weren't|aren't|should|must|needs?|has to|stays?)\b.*)?$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[a-z,;] )(?!I\b)[A-Z]")
_DENIED = re.compile(r"n['\u2019]t$|^(?:do|does|did|wo|ca|could|should|would|is|are|was|were|have|has|must)nt$")


class Asked(Enum):
    """What the words around a subject ask for."""

    NOTHING = "nothing"
    FORGET = "forget"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class _Term:
    low: str
    sort: str
    start: int
    end: int


@cache
def _expressions(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    listed = frames(language)
    return tuple((sort, whole_words(listed.get(sort, "").split())) for sort in _SORTS)


def unframed(text: str, language: str) -> tuple[str, Asked]:
    """A request without what it is wrapped in, and what that asks for; the text itself where nothing does."""
    if language not in framed_languages():
        return text, Asked.NOTHING
    clauses = [clause for clause in CLAUSE.split(text) if clause.strip()]
    purposes = {_bare(clause, language)[1] for clause in clauses}
    purposes |= {_asks(_terms(clause, language), alone=True) or Asked.NOTHING for clause in clauses}
    if Asked.KEEP in purposes and Asked.FORGET not in purposes:
        return _bare(text, language)[0], Asked.KEEP
    wraps = {clause: _asks(_terms(clause, language), alone=True) for clause in clauses} if len(clauses) > 1 else {}
    empty = {
        clause: purpose or Asked.NOTHING
        for clause, purpose in wraps.items()
        if purpose is not None or _only_wraps(_terms(clause, language))
    }
    if not empty or len(empty) == len(clauses):
        return _bare(_behind_reasons(text, clauses, language), language)
    if Asked.KEEP in empty.values():
        return text, Asked.KEEP
    for clause in empty:
        text = re.sub(rf"(?<!\w){re.escape(clause)}(?!\w)", "", text, count=1)
    text = " ".join(re.sub(r"^[\s,;:.!-]+|[\s,;:.!-]+$", "", text).split())
    return _bare(text, language)[0], Asked.FORGET


def _only_wraps(terms: Sequence[_Term]) -> bool:
    """Whether a clause says nothing at all: "all of it", "you know"."""
    return bool(terms) and all(term.sort in {"wraps", "keeps"} for term in terms)


def sorts_of(text: str, language: str) -> list[str]:
    """Of what sort each word is, by which requests are wrapped; empty for any other word."""
    return [term.sort for term in _terms(text, language)]


def only_asks(text: str, language: str, framed: str = "") -> bool:
    """Whether all words only wrap a request, as "to appear in here", and "the store" but for "said about the store"."""
    wraps = language in framed_languages() and all(sorts_of(text, language))
    *_, before = ["", *framed[: max(0, framed.casefold().rfind(text.casefold()))].split()]
    if not wraps or before.casefold() not in name_words("works_about"):
        return wraps
    whole = {*ground_words(language, "every"), *words_of(language, "first"), *words_of(language, "third")}
    return whole.issuperset(text.casefold().split())


def says_all(text: str, language: str) -> bool:
    """Whether it asks for everything by a word, and not only by naming nothing: "everything but", not "mind not"."""
    whole = {word for it in (language, "en") for word in ground_words(it, "every")}
    low = folded(text)
    unspaced = any(word in low for word in whole if UNSPACED.search(word) or HANGUL.search(word))
    return unspaced or not whole.isdisjoint(word.low for word in read_words(text))


def opens_denied(text: str) -> bool:
    """Whether it begins with what is not meant: "not my work email, the private one"."""
    return any(word.low in name_words("denials") for word in read_words(text)[:1])


def without_comment(text: str, language: str) -> str:
    """What the user says to have told of something, without what is said of the telling: "... was just a joke"."""
    match = _TOLD.match(text) if language == "en" else None
    if match is None:
        return text
    before, after = match["before"], match["after"] or ""
    asks = _polarity(_terms(before, language)) is not None or _NAMED.search(before) is not None
    after = after if _polarity(_terms(after, language)) is not None else ""
    return text if asks else f"{match['told']}{match['what']}{after}"


def _behind_reasons(text: str, clauses: Sequence[str], language: str) -> str:
    """The last clause where it asks by itself and begins so, and those before it only say why, or what is coming."""
    if len(clauses) < 2:
        return text
    *reasons, last = clauses
    rest, purpose = _bare(last, language)
    opens = any(term.sort in {"forgets", "denies", "keeps"} for term in _terms(last, language)[:3])
    if purpose is not Asked.FORGET or not opens or rest == last or not _LETTER.search(rest):
        return text
    if any(_bare(reason, language)[1] is not Asked.NOTHING for reason in reasons):
        return text
    announced = text[: text.find(last)].rstrip().endswith(":")
    return last if announced or all(map(_tells, reasons)) else text


def _tells(clause: str) -> bool:
    """Whether a clause has a verb, and is no name or thing of a list."""
    words = tokens(clause)
    return len(words) > 2 and any(word.small and form_of(word) is not None for word in words[1:])


def _bare(text: str, language: str) -> tuple[str, Asked]:
    terms = _terms(text, language)
    before = _opening(terms)
    if _polarity(terms[:before]) is None:
        before = max(before, _addressed(terms, language))
    settled = _polarity(terms[:before]) is not None
    behind = len(terms) - _parts_of_verb(terms, before) if settled else _closing(terms, before)
    purpose = _asks([*terms[:before], *terms[behind:]], alone=False)
    while before and before < behind and terms[before - 1].sort == "articles":
        before -= 1
    if settled:
        before -= _denying(terms[:before])  # "olvida que no bebo": what is forgotten is that it is not so
    if purpose is None or before == behind:
        return text, Asked.NOTHING
    start = terms[before - 1].end if before else 0
    end = terms[behind].start if behind < len(terms) else len(text)
    return text[start:end].strip(" ,;:.!"), purpose


def _denying(terms: Sequence[_Term]) -> int:
    """How many of the last words deny what a clause tells, right behind "that" or "that I": "que no me (gusta)"."""
    last = len(terms) - 1
    last -= last > 0 and terms[last].low in all_words("objects")
    at = last - 1
    at -= at > 0 and terms[at].sort in {"first", "wraps"} and terms[at].low not in _THAT
    denied = at >= 0 and terms[last].sort == "denies" and terms[at].low in _THAT
    return len(terms) - last if denied else 0


def _parts_of_verb(terms: Sequence[_Term], before: int) -> int:
    """How many of the last words belong to the verb in front: "take Ana out"."""
    verbs = {term.low for term in terms[:before] if term.sort == "forgets"}
    return int(bool(verbs & _PHRASAL) and before < len(terms) and terms[-1].low in _PARTICLES)


def _terms(text: str, language: str) -> list[_Term]:
    terms = [
        _Term(match.group().lower(), _sort(match.group(), language, opens=match.start() == 0), *match.span())
        for match in _WORD.finditer(text)
    ]
    return [
        replace(term, sort="wraps") if term.sort == "keeps" and _KEPT.match(text[: term.start].rstrip()) else term
        for term in terms
    ]


def _sort(word: str, language: str, *, opens: bool) -> str:
    low = word.lower().replace("\u2019", "'")
    if word[0].isupper() and not opens and language != "de" and low.removesuffix("'s") in name_words("words"):
        return ""  # "that Will lives next door"
    if language == "en" and _DENIED.search(low):
        return "denies"
    forms = [low, _SHORT.sub("", low)] if language == "en" else [low]
    listed = (sort for form in forms for sort, pattern in _expressions(language) if pattern.fullmatch(form))
    return next(listed, "")


def _opening(terms: Sequence[_Term]) -> int:
    """How many of the first words only wrap."""
    strong = False
    for at, term in enumerate(terms):
        if not term.sort:
            return at
        if term.sort == "first" and strong and not _goes_on(terms[at + 1 :]):
            return at - 1 if terms[at - 1].low in _ASKING else at
        strong = strong or term.sort in {"forgets", "keeps", "tells"}
    return len(terms)


def _addressed(terms: Sequence[_Term], language: str) -> int:
    """How many words say that whoever reads is not to know something: "It bothers me that you still know about ..."."""
    spoken_to = frames(language).get("you", "").split()
    for at in range(len(terms) - 1, -1, -1):
        if terms[at].low in spoken_to:
            end = next((place for place in range(at, len(terms)) if not terms[place].sort), len(terms))
            knows = any(term.sort in {"forgets", "keeps"} for term in terms[at:end])
            if knows and end < len(terms) and _polarity(terms[:end]) is Asked.FORGET:
                return end
    return 0


def _goes_on(terms: Sequence[_Term]) -> bool:
    """Whether the user is named only as who has told it: "what I have told you"."""
    follow = next((term.sort for term in terms if term.sort not in {"wraps", "denies"}), "")
    return follow == "tells"


def _closing(terms: Sequence[_Term], before: int) -> int:
    """Where the last words begin that only wrap; not behind the user or somebody who does it: "the keys I lost"."""
    at = len(terms)
    while at > before and terms[at - 1].sort not in {"", "first", "articles"}:
        at -= 1
    if at in (before, len(terms)):
        return len(terms)
    if terms[at - 1].sort == "first":
        if terms[at].sort != "tells":
            return len(terms)
        at -= 1
    strong = any(term.sort in {"forgets", "keeps", "judges", "stores"} for term in terms[at:])
    return at if strong else len(terms)


def _polarity(terms: Sequence[_Term]) -> Asked | None:
    """What the first verb asks for, turned around where it is denied."""
    denied = False
    for term, follow in zip_longest(terms, terms[1:]):
        if term.sort == "denies":
            denied = True
        elif term.sort in {"forgets", "keeps"}:
            # "You should know nothing about it."
            denied = denied or (term.sort == "keeps" and follow is not None and follow.sort == "denies")
            return Asked.FORGET if (term.sort == "forgets") != denied else Asked.KEEP
        elif term.sort == "stores" and denied:
            return Asked.FORGET
    return None


def _asks(terms: Sequence[_Term], *, alone: bool) -> Asked | None:
    """What words ask for that only wrap; None where they do not, or something else is among them."""
    if not terms or (alone and any(term.sort in {"", "articles"} for term in terms)):
        return None
    purpose = _polarity(terms)
    if len(terms) > 1 and terms[0].low in _NO_MORE and all(term.sort == "wraps" for term in terms[1:]):
        return Asked.FORGET
    if purpose is None and any(term.sort in {"tells", "judges"} for term in terms):
        return Asked.FORGET if not alone or any(term.sort == "judges" for term in terms) else None
    return purpose
