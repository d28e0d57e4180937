"""Parallel facts of one text, each of somebody or something else: "Mia works at Siemens and Tom works at Bosch". Pure.

Two clauses are parallel where they begin differently and go on alike: behind "Mia" and "Tom" both have "works", and
behind "Pia works" and "Jonas", of "Pia works at Merck and Jonas at Linde", both have "at". What they begin with tells
which is which. So it needs no words of any language but those that join clauses.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from precis.language import tables
from precis.language.newest.signs import TIMES
from precis.language.script import languages_of, without_small
from precis.language.sentences import sentences
from precis.language.words import MARKS, STOP_WORDS, kept, normal, stem

#: A word of several may say which it is by any part: "dispatch-api". Where no spaces are, each character is a word.
_PART = rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*"
_WORD = re.compile(rf"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|{_PART}(?:-{_PART})*|['\u2019](?=\w)")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
#: So many words at most stand before those that both have; and so many more before one, which a verb is left out of.
_OPENING, _LEFT_OUT = 5, 2
#: The places of two words that may be those, nearest to the beginnings first.
_NEAR = sorted(
    (at for at in product(range(_OPENING), repeat=2) if abs(at[0] - at[1]) <= _LEFT_OUT), key=lambda at: (sum(at), at)
)
#: Letters that two forms of a word begin with at least, and that one has more at most; a name has no such forms.
_SHARED, _ENDING, _SHORT, _SURE = 4, 2, 2, 2
#: Of what stands behind a Korean noun, another form; and more clauses than so many are no two facts of a note.
_PARTICLES, _MOST, _MOST_OF = str.maketrans("은이을", "는가를"), 12, 2
_ARTICLES = {name: frozenset(listed.split()) for name, listed in tables.section("parallel.articles").items()}
_STANDING = frozenset(word for listed in tables.section("parallel.standing").values() for word in listed.split())
#: When something is or was so tells of no other: "since May", "since June".
_YEAR = re.compile(r"(?:19|20)\d\d")
_FIRST = {name: frozenset(listed.split()) for name, listed in tables.section("kin.first").items()}


@dataclass(frozen=True, slots=True)
class Fact:
    """A clause and the words that tell whom or what it is of from the others; none where there is no other."""

    text: str
    which: frozenset[str]


@kept
def _spoken(text: str) -> tuple[str, ...]:
    """The words of a text; characters where no spaces are."""
    return tuple(_WORD.findall(normal(text)))


def _named(text: str, which: Collection[str]) -> int:
    """How surely a text names whom these words tell: by one of them, or by what may be a form of one; 0 if not."""
    if not which:
        return 0
    low, spoken = text.casefold(), [word.casefold() for word in _spoken(text)]
    if any(word in spoken or (_UNSPACED.match(word) and word in low) for word in which):
        return _SURE
    return int(any(is_one(word, other) for word in which for other in spoken))


@kept
def parallels(text: str) -> tuple[Fact, ...]:
    """The facts of a text; those of which others are told in the same words have what tells them apart."""
    facts: list[tuple[str, frozenset[str]]] = []
    languages = languages_of(text)[0]
    clauses = list(_clauses(text, languages))
    if len(clauses) > _MOST:
        return (Fact(text, frozenset()),)
    for opens, clause in clauses:
        which: frozenset[str] = frozenset()
        spoken = _spoken(clause)
        for at, (before, others) in enumerate(facts):
            both = _apart(_spoken(before), spoken, languages)
            if both:
                facts[at] = (before, others | both[0])
                which |= both[1]
        if which or opens or not facts:
            facts.append((clause, which))
        else:
            facts[-1] = (f"{facts[-1][0]}, {clause}", facts[-1][1])
    return tuple(Fact(clause, which) for clause, which in facts)


@dataclass(frozen=True, slots=True)
class OfAsked:
    """What a text tells of whom or what is asked, the words that tell it from its parallel facts, and those facts."""

    whole: str
    text: str
    which: frozenset[str] = frozenset()
    others: tuple[Fact, ...] = ()

    def is_passed_by(self, later: str) -> bool:
        """Whether a later text tells of one of the others, or of a third in the same words, and not of this one."""
        if not self.others:
            return False
        mine, theirs = _named(later, self.which), max(_named(later, it.which) for it in self.others)
        if mine or theirs:
            return mine < theirs
        languages = languages_of(later)[0]
        return any(_apart(_spoken(self.text), _spoken(part), languages) for part in sentences(later))


def of_asked(text: str, question: str) -> OfAsked:
    """What a text tells of whom or what is asked; all of it, unless it has parallel facts, of which one is asked."""
    facts = [(fact, _named(question, fact.which)) for fact in parallels(text)]
    # "Hermano" may be a form of "hermana", where that is not there.
    most = max((sure for _, sure in facts), default=0)
    asked = [fact for fact, sure in facts if fact.which and sure == most > 0]
    others = [fact for fact, _ in facts if fact.which and fact not in asked]
    if not asked or not others:
        return OfAsked(text, text)
    mine = " ".join(fact.text for fact, _ in facts if fact not in others)
    which = frozenset().union(*(fact.which for fact in asked))
    return OfAsked(text, mine, which, tuple(others))


def says_again(newer: str, older: str) -> bool:
    """Whether a sentence says most of an older fact in its words, of the same one, and another value: "now on 5012"."""
    languages = languages_of(f"{older} {newer}")[0]
    old = _bare(_spoken(older), languages)
    for part in sentences(newer):
        new = _bare(_spoken(part), languages)
        # What has fewer than half of its words does not say most of it; a long text is not compared word by word.
        if not old or _MOST_OF * len(new) <= len(old) or not _is_alike(old[0], new[0]):
            continue
        again = [word for word in old if any(_is_alike(word, other) for other in new)]
        if _MOST_OF * len(again) > len(old) > len(again) and len(new) > len(again):
            return True
    return False


def is_one(word: str, other: str) -> bool:
    """Whether two words may be forms of one: "works" and "work", "Olega" and "Oleg"."""
    if word == other or stem(word) == stem(other):
        return True
    shortest, longest = sorted((word, other), key=len)
    return (
        len(shortest) >= _SHARED and longest.startswith(shortest[: max(_SHARED, len(shortest) - 1)])
        and len(longest) - len(shortest) <= _ENDING
    )  # fmt: skip


def _clauses(text: str, languages: tuple[str, ...]) -> Iterator[tuple[bool, str]]:
    """Clauses as they may be parallel, each with whether it opens a sentence."""
    for sentence in sentences(text):
        for at, clause in enumerate(joint(languages).split(sentence)):
            if bare := _opening().sub("", clause).strip():
                yield at == 0, bare


@cache
def joint(languages: tuple[str, ...]) -> re.Pattern[str]:
    """What joins two clauses in English and these languages."""
    listed = tables.section("parallel.joints")
    words = "|".join(word for name in ("English", *languages) for word in listed.get(name, "").split())
    ends = "|".join(rf"(?<=[\uac00-\ud7a3]{end})" for end in tables.words("parallel.ends.Korean"))
    return re.compile(rf",?\s+(?:{words})\s+|[,;]\s+|[\uff0c\uff1b\u3001]\s*|(?:{ends})[,\s]\s*", re.IGNORECASE)


@cache
def joining_words() -> tuple[str, ...]:
    """The words that join two clauses, of all languages, the longest first."""
    listed = {word for of_language in tables.section("parallel.joints").values() for word in of_language.split()}
    return tuple(sorted(listed, key=lambda word: (-len(word), word)))


@cache
def _opening() -> re.Pattern[str]:
    """What joins clauses, before a clause; a word of two letters of one language opens clauses of another."""
    words = "|".join(word for word in joining_words() if len(word) > _SHORT)
    return re.compile(rf"^\s*(?:{words})\s+", re.IGNORECASE)


def _apart(
    one: Sequence[str], other: Sequence[str], languages: Sequence[str]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words that two clauses begin differently with, where they go on alike; None where they do not."""
    bare, of_other = _bare(one, languages), _bare(other, languages)
    # "Hermana" and "hermano" are forms of one word, and two people.
    return _openings(bare, of_other, languages, _is_alike) or _openings(bare, of_other, languages, _is_same)


def by_others(one: str, other: str, languages: Sequence[str]) -> bool:
    """Whether two sentences tell the same of two by name: "The roofer Brandt asks 4,200", "Keller asks 3,900"."""
    apart = _apart(_spoken(one), _spoken(other), languages)
    if apart is None or any(word.isdigit() for words in apart for word in words):
        return False
    named = [{word for word in _spoken(text)[1:] if word[:1].isupper()} for text in (one, other)]
    return named[0] - set(_spoken(other)) != set() or named[1] - set(_spoken(one)) != set()


def _openings(
    one: Sequence[str], other: Sequence[str], languages: Sequence[str], is_alike: Callable[[str, str], bool]
) -> tuple[frozenset[str], frozenset[str]] | None:
    while one and other:
        alike = 0
        while alike < min(len(one), len(other)) and is_alike(one[alike], other[alike]):
            alike += 1
        # "The regatta is on 14 June", "The regatta is on 21 June": they begin with the same one.
        if any(_is_small(word, languages) for word in one[1:alike]):
            return None
        one, other = one[alike:], other[alike:]
        near = (at for at in _NEAR if at[0] < len(one) and at[1] < len(other) and is_alike(one[at[0]], other[at[1]]))
        first, second = next(near, (0, 0))
        if not first or not second:
            return None
        fewest = min(first, second)
        # "Her brother Ravi" is told by more than what "Tess" stands before.
        both = (
            _telling(one[:fewest], languages) or _telling(one[:first], languages),
            _telling(other[:fewest], languages) or _telling(other[:second], languages),
        )
        if all(both):
            return both
        one, other = one[first + 1 :], other[second + 1 :]
    return None


def _bare(words: Sequence[str], languages: Sequence[str]) -> list[str]:
    """Words without the articles of their language: "a" is none in Italian, nor "A" in "warehouse A"."""
    articles = frozenset[str]().union(*(_ARTICLES.get(name, frozenset()) for name in languages or ("English",)))
    return [word for at, word in enumerate(words) if word not in articles and (at or word.casefold() not in articles)]


def _is_alike(one: str, other: str) -> bool:
    """Whether both clauses have the word; of a name no other form, or of "Anton" and "Antonia" one would be none."""
    return _is_same(one, other) or (one.islower() and other.islower() and is_one(one, other))


def _is_same(one: str, other: str) -> bool:
    if one == other or one.casefold() == other.casefold():
        return True
    return not one.isascii() and one.translate(_PARTICLES) == other.translate(_PARTICLES)


def _telling(opening: Sequence[str], languages: Sequence[str]) -> frozenset[str]:
    """What may tell which of two it is; ideographs and the like together."""
    low = [word.casefold() for word in opening]
    if any(map(_UNSPACED.match, low)):
        return frozenset(["".join(low)])
    first = frozenset[str]().union(*(_FIRST.get(name, frozenset()) for name in ("English", *languages)))
    return frozenset(word.casefold() for word in opening if word.casefold() in first or not _is_small(word, languages))


def _is_small(word: str, languages: Sequence[str]) -> bool:
    """Whether it is a function word of English or of one of these languages; with a capital of all of them."""
    low = word.casefold()
    if len(word) == 1 and word.isupper():
        return False  # "warehouse A"
    if low in STOP_WORDS or low in _STANDING or low in TIMES or _YEAR.fullmatch(low) or not word[0].isalnum():
        return True
    small = [not without_small(low, name).strip() for name in languages]
    # "Tom" is a small word in five languages.
    return any(small) if word.islower() else bool(small) and all(small)
