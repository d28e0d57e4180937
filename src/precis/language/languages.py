"""In which other language than English a text is, which words say nothing there, and what other forms its words have.

A question of "Wohnungen" also asks for "Wohnung": by the endings of its language.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations

from precis.language import tables
from precis.language.script import is_common_in, is_english, spoken_in
from precis.language.words import STOP_WORDS, kept, kept_where_short, stem, stems_alike, words

_GENERAL = {name: frozenset(text.split()) for name, text in tables.section("keywords.general").items()}
#: The same of languages that set no words apart.
PASSING = {name: frozenset(tables.section("keywords.passing")[name].split()) for name in ("Chinese", "Japanese")}
_CODE = re.compile(r"[A-Z]{0,3}[-.]?\d[\w.-]*")


#: Letters that hardly another language has; a short text may have none of its small words.
_LETTERS = (
    ("Vietnamese", re.compile("[\u1ea0-\u1ef9\u01a1\u01b0]")),
    ("Turkish", re.compile("[\u011f\u0131\u0130]")),
    ("Ukrainian", re.compile("[\u0491\u0454\u0457]")),
    ("Russian", re.compile("[\u044b\u044d\u0451]")),
    ("Polish", re.compile("[\u0105\u0119\u0142\u017c\u015b\u0107]")),
)


@kept_where_short
def spoken_abroad(text: str) -> Sequence[str]:
    """The languages besides English that a text may be in; none where as many of its words are English."""
    names = () if is_english(text) else spoken_in(text)
    if not names:
        by_letters = told_by_letters(text)
        return (by_letters,) if by_letters else ()
    spoken = list(words(text))
    english = sum(word in STOP_WORDS for word in spoken)
    return names if sum(is_common_in(word, names[0]) for word in spoken) > english else ()


def told_by_letters(text: str) -> str | None:
    """The language that alone has some of its letters; None where there are none."""
    if text.isascii():
        return None
    return next((name for name, letters in _LETTERS if letters.search(text.casefold())), None)


def is_general(word: str, language: str) -> bool:
    """Whether a word, in small letters, names nothing a text would be about.

    Such are small words, light verbs, and words of time, number, size and worth.
    """
    return word in _GENERAL.get(language, ()) or is_common_in(word, language)


def names_nothing(name: str, language: str) -> bool:
    """Whether it may be said of anything, is a code, or what is counted: "B-218", "\u4e2a\u6708"."""
    if language in PASSING:
        return name in PASSING[language] or any(word in name for word in PASSING[language] if len(word) > 1)
    return is_general(name.casefold(), language) or _CODE.fullmatch(name) is not None


#: Letters of the beginning that stays, at least; and letters behind what changes within it, at most. A syllable of
#: Korean is one sign: of two that stay any ending may change, of a single one only that of a verb or a copula.
_BEGINNING, _LAST = 3, 3
_OF_ONE = frozenset(tables.words("endings.of_one.Korean"))
#: Letters of the last part of a noun that is made of several, at least, and of the first; and of either at most.
_HEAD, _FIRST, _LONGEST = 5, 4, 14
#: What is elided stands before one of these.
_VOWELS = frozenset("aàâeéèêëhiîoôuùœ")
#: What the tables write for no ending.
_NONE = "-"
_KOREAN = "Korean"


def forms_of(words: Iterable[str], languages: Iterable[str]) -> dict[str, str]:
    """The stems of what may be forms of these words in languages, by English names, each with the word's own stem.

    None for a language whose endings are not known. A word of them is no form of another.
    """
    own = {word: stem(word) for word in words}
    stems, languages = set(own.values()), tuple(languages)
    joined = {stem(noun): own[word] for language in languages for noun, word in _joined(tuple(own), language)}
    return {form: word for form, word in joined.items() if form not in stems} | {
        form: own[word]
        for language in languages
        for word in own
        for form in stems_of_forms((word, language))
        if form not in stems
    }


@kept
def stems_of_forms(word_in_language: tuple[str, str]) -> tuple[str, ...]:
    """The different stems of what may be forms of a word, in small letters; no such word need exist."""
    word, language = word_in_language
    endings = _endings(language)
    if not endings or not word[0].isalpha():
        return ()
    forms = dict.fromkeys([*_forms(word, language, endings), *_compounds(word, language)])
    least = 1 if language == _KOREAN else _BEGINNING
    return tuple(dict.fromkeys(stems_alike([form for form in forms if len(form) >= least])))


def _forms(word: str, language: str, endings: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    openings = _openings(language)
    bare = next((word[len(part) :] for part, behind in openings if word.startswith(part) and word.endswith(behind)), "")
    for base in (word, bare):
        least = 1 if language == _KOREAN else _BEGINNING
        for size in range(min(_longest(language), len(base) - least) + 1):
            beginning, ending = base[: len(base) - size], base[len(base) - size :]
            if ending not in endings or (least == 1 and size >= len(base) - 1 and ending not in _OF_ONE):
                continue
            for other in _changed(beginning, language):
                for form in (other + part for part in endings[ending]):
                    yield form
                    for part, behind in openings:
                        if form.endswith(behind) and (part[-1] != "'" or form[0] in _VOWELS):
                            yield part + form


def _compounds(word: str, language: str) -> Iterator[str]:
    """Of a language that joins nouns: what a long one may end in, and one with another first part of many things.

    "Röntgenkontrolle" asks for "Kontrolle", "Zweitschlüssel" for "Schlüssel" and "Ersatzschlüssel". What a noun begins
    with finds too much that is about something else.
    """
    firsts = _listed("compounds", language)
    if not firsts or len(word) < _HEAD:
        return
    rest = next((word[len(first) :] for first in firsts if word.startswith(first)), "")
    base = rest if len(rest) >= _HEAD else word
    yield from (first + base for first in firsts)
    yield from (word[at:] for at in range(_BEGINNING, len(word) - _HEAD + 1))
    for head in _listed("heads", language):
        first = word.removesuffix(head)
        if first != word and len(first) >= _FIRST:
            yield first
            yield from (first.removesuffix(joint) for joint in _listed("joints", "all") if first.endswith(joint))


def _joined(words: Sequence[str], language: str) -> Iterator[tuple[str, str]]:
    """Two words of a question as one noun, each with the first: "Öl" and "gewechselt" also ask for "Ölwechsel"."""
    if not _listed("heads", language):
        return
    bases = {word: [word, *_without_opening(word, language)] for word in words if len(word) <= _LONGEST}
    for first, second in permutations(bases, 2):
        for joint in ("", *_listed("joints", "all")):
            yield from ((first + joint + base, first) for base in bases[second] if len(base) >= _FIRST)


def _without_opening(word: str, language: str) -> list[str]:
    """A participle as the noun of what is done: "gewechselt"."""
    return [
        word.removeprefix(part)[: -len(behind)].removesuffix("e")
        for part, behind in _openings(language)
        if behind and word.startswith(part) and word.endswith(behind)
    ]


def _changed(beginning: str, language: str) -> list[str]:
    """The beginning of a word as it is, and with what changes in its last syllable."""
    others = [beginning]
    for pair in _listed("changes", language):
        for sound, other in (pair.split(":"), pair.split(":")[::-1]):
            at = beginning.rfind(sound)
            if at >= 0 and len(beginning) - at - len(sound) <= _LAST:
                others.append(beginning[:at] + other + beginning[at + len(sound) :])
    return others


@cache
def _endings(language: str) -> Mapping[str, tuple[str, ...]]:
    """For each ending those that may stand in its place."""
    others: dict[str, dict[str, None]] = {}
    for line in tables.section("endings.endings").get(language, "").splitlines():
        paradigm = ["" if ending == _NONE else ending for ending in line.split()]
        for ending in paradigm:
            others.setdefault(ending, {}).update(dict.fromkeys(paradigm))
    return {ending: tuple(group) for ending, group in others.items()}


@cache
def _longest(language: str) -> int:
    return max(map(len, _endings(language)))


@cache
def _openings(language: str) -> tuple[tuple[str, str], ...]:
    """What may stand before a word in one with it, each with what such a word ends in."""
    parts = (part.partition("...") for part in _listed("before", language))
    return tuple((part, behind) for part, _, behind in parts)


@cache
def _listed(place: str, language: str) -> tuple[str, ...]:
    return tuple(tables.section(f"endings.{place}").get(language, "").split())
