"""What a request says of itself to hold now: "forget my old employer, I work at Corvane now".

Such a clause asks for nothing and names what is to stay: no memory that has its name, place or number is meant.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from precis.finding.about.denials import denials
from precis.finding.about.old_values import says_age
from precis.finding.asked.asking import Request
from precis.finding.asked.refusals import has_verb
from precis.finding.beyond.tables import listed
from precis.finding.capitals import calendar
from precis.finding.framing import CLAUSE, Asked, sorts_of, unframed
from precis.finding.grounded.clauses import sort_of, spoken
from precis.finding.halves import written
from precis.finding.reading import HANGUL, UNSPACED, folded, is_caseless, read_words
from precis.finding.tables import framed_languages, groups, languages, name_words, unspaced_groups, words_of
from precis.finding.together.ages import BEGUN
from precis.finding.values import SO_NOW, Finding, Level, Row
from precis.finding.wording import EDGE, FORGETS
from precis.finding.written.alike import tells_now
from precis.language.words import STOP_WORDS

#: Between two clauses, also where no space parts words.
JOINT = re.compile(rf"(?:{CLAUSE.pattern})|[\uff0c\u3001\uff1b\u3002]\s*")
#: Says in English that something is so now; and who such a clause opens with.
_NOW, _USER = frozenset("now currently nowadays".split()), frozenset("i we my our i'm we're i've".split())
#: Point at something in English, and name nothing.
_ONE = frozenset("one ones memory fact".split())
#: So many letters or digits are a value by themselves.
_LETTERS, _DIGITS = 2, 3
#: What stands behind a Korean noun where somebody is or goes, and what says that it is that.
_KOREAN = re.compile(r"(?:에서|에게|에|으로|로|이야|야|이에요|예요|입니다|은|는|이|가|을|를|와|과|랑)$")


def without_now(text: str) -> tuple[str, tuple[str, ...]]:
    """A request without the clauses that say what is so now, and the values that they name."""
    pieces = [piece for piece in JOINT.split(text) if piece.strip()]
    language = spoken(text) if len(pieces) > 1 else "en"
    if len(pieces) < 2 or not any(names_thing(piece, language) for piece in pieces if asks(piece, language)):
        return text, ()
    old = any(says_age(piece, language, "old") for piece in pieces if asks(piece, language))
    told = dict[str, str]()  # each clause that is left out, and the part of it that names what is so now
    for piece in pieces:
        if asks(piece, language):
            continue
        elsewhere = _new_of(piece, language) if old else None
        if elsewhere is not None or _is_of_now(piece, language):
            told[piece] = piece if elsewhere is None else elsewhere
    for piece in told:
        text = re.sub(rf"(?:{JOINT.pattern})?{re.escape(piece)}(?:\s*(?:{JOINT.pattern}))?", " ", text, count=1)
    named = ((value, part) for piece, part in told.items() for value in _values(piece, language))
    return " ".join(text.split()), tuple(value for value, part in named if value in folded(part))


def _new_of(piece: str, language: str) -> str | None:
    """Where the user lives by now, of a clause that says that they moved there; None where it says nothing so.

    Nothing, where it only says that "it" was changed.
    """
    bare = piece.strip(EDGE)
    moved = (re.fullmatch(pattern, bare, re.IGNORECASE) for pattern in listed("moved", language))
    elsewhere = next((match["new"] for match in moved if match), None)
    if elsewhere is not None:
        return elsewhere
    return "" if any(re.fullmatch(it, bare, re.IGNORECASE) for it in listed("other_now", language)) else None


def asks(piece: str, language: str) -> bool:
    """Whether a clause has a verb that forgets."""
    if FORGETS.search(piece) is not None or (language in languages() and has_verb(piece, language)):
        return True
    return language in framed_languages() and unframed(piece, language)[1] is Asked.FORGET


def names_thing(piece: str, language: str) -> bool:
    """Whether a clause names what it asks for, and does not only point at it: "forget that"."""
    if UNSPACED.search(piece) or HANGUL.search(piece):
        return any(unspaced_groups(folded(piece)))
    aside = _ONE | name_words("former") | name_words("present") | name_words("selecting")
    return any(not (sort_of(word.low, language) or word.low in aside) for word in read_words(piece))


def _is_of_now(piece: str, language: str) -> bool:
    """Whether it says of the user, and of no one of several, that something is so now."""
    words = read_words(piece)
    lows = {word.low for word in words}
    english = language == "en" and (bool(lows & _NOW) or BEGUN.search(piece) is not None)
    if not (tells_now(piece) or english) or denials(words):
        return False
    if language in framed_languages() and {"keeps", "denies"}.intersection(sorts_of(piece, language)):
        return False
    if language == "en":
        return words[0].text.lower() in _USER
    return not lows & (others_in(language) | name_words("selecting"))


def others_in(language: str) -> frozenset[str]:
    """Words for somebody who neither speaks nor is spoken to, which are no articles; none of a language without."""
    if language not in languages():
        return frozenset()
    return frozenset(words_of(language, "third")) - frozenset(words_of(language, "articles"))


def _values(piece: str, language: str) -> Iterator[str]:
    """The names, places and numbers in it: words that no table knows."""
    low = folded(piece)
    for word in read_words(piece):
        if sum(map(str.isdigit, word.text)) >= _DIGITS:
            yield word.low
        elif UNSPACED.search(word.text) or HANGUL.search(word.text) or is_caseless(word.text):
            yield from _caseless(word.low, low, language)
        elif word.capital and not word.opens and not (word.low in _aside() or calendar(word.low)):
            known = any(pattern.fullmatch(word.low) for pattern, _ in groups().values())
            if not known and (language != "de" or not sort_of(word.low, language)):
                yield word.low


@cache
def _aside() -> frozenset[str]:
    """Words with a capital that are no value by themselves: "Dr." before a name."""
    return STOP_WORDS | name_words("titles")


def _caseless(word: str, low: str, language: str) -> Iterator[str]:
    """What is left of a word without what tables know: of a town and the Korean particle behind it the town."""
    if HANGUL.search(word):
        bare = _KOREAN.sub("", word)
        if bare != word and len(bare) >= _LETTERS and not tells_now(bare) and not any(unspaced_groups(bare)):
            yield bare
        return
    if not UNSPACED.search(word):
        known = sort_of(word, language) or tells_now(word) or word in name_words("prepositions")
        placed = re.search(
            rf"(?:\u0641\u064a|\u0645\u0639|\u0625\u0644\u0649|\u0627\u0644\u0649)\s+{re.escape(word)}", low
        )
        if not known and len(word) > _LETTERS and (placed or language != "ar"):
            yield word
        return
    spans = [(first, last) for first, last, _ in unspaced_groups(word)]
    cut = "".join(" " if any(first <= at < last for first, last in spans) else sign for at, sign in enumerate(word))
    small = {*name_words("alike_now"), *words_of(language, "first"), *words_of(language, "behind")}
    for other in sorted(filter(None, small), key=len, reverse=True):
        cut = cut.replace(other, " ")
    yield from re.findall("[\u30a0-\u30ff]{2,}|[\u3400-\u9fff]{2,}", cut)


def leave_now(request: Request, rows: Sequence[Row], known: dict[str, Finding]) -> None:
    """Leave what has a value that the request says to be that of now, unless just that is to stay of it."""
    asked = {word for subject in request.subjects for name in subject.names for word in name}
    values = [value for value in request.now if value not in asked]
    if not values or any(subject.current for subject in request.subjects):
        return
    for row in rows:
        finding = known.get(row.id)
        going = finding is not None and finding.level >= Level.DOUBTFUL and _has(row.text, values)
        if finding and going and not (finding.keeps and _has(written(row.text, finding.keeps), values)):
            known[row.id] = replace(finding, level=Level.NEAR, why=SO_NOW, keeps=(), shared=False)


def without_values(request: Request, rows: Sequence[Row], findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, with what has such a value left."""
    known = {finding.id: finding for finding in findings}
    leave_now(request, rows, known)
    return tuple(known.values())


def knows_now(request: Request, rows: Sequence[Row]) -> bool:
    """Whether a memory has what the request says to be so now: any other value is an old one then."""
    return any(_has(row.text, request.now) for row in rows)


def _has(text: str, values: Collection[str]) -> bool:
    low, lows = folded(text), {word.low for word in read_words(text)}
    return any(value in lows or (not value.isascii() and is_caseless(value) and value in low) for value in values)
