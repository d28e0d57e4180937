"""What each of the first rows of an answer says of a change, by signs in its words. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from precis.language import tables
from precis.language.script import languages_of
from precis.language.values import typed
from precis.language.words import normal, stem
from precis.recall.newer.restated import moved_to_firm
from precis.recall.telling import Told, listed, matches, tells_of_change

#: Kinds of values: sums, and numbers of what has no unit.
_MONEY, NO_UNIT = "money", "amount"
_WORK = "work"
#: Stems of verbs that are said of anything, and of any change.
LIGHT = frozenset(map(stem, tables.words("overruled.light")))
#: A figure and what a medicine is counted in, by the name of that.
_DOSES = {
    name: re.compile(rf"(?<![\d.,])(\d+(?:[.,]\d+)?) ?(?:{units})", re.IGNORECASE)
    for name, units in tables.section("turned.doses").items()
}


_STANDS = re.compile(rf"\b(?:{tables.choices('questions.stands')})\b", re.IGNORECASE)
STOOD = re.compile(rf"\b(?:{tables.choices('questions.stood')})\b", re.IGNORECASE)
_ENGLISH = "English"


def asks_how_it_is(query: str) -> bool:
    """Whether a question asks how things are: in the present tense, and with no word of the past.

    What somebody booked or chose is so until they take another.
    """
    languages = languages_of(query)[0]
    if languages:
        return any(listed("turned.stood", name) for name in languages) and not asks_how_it_was(query)
    chosen = listed("turned.chosen", _ENGLISH)
    stands = _STANDS.search(query) is not None or (chosen is not None and chosen.search(query) is not None)
    return stands and not asks_how_it_was(query)


def asks_how_it_was(query: str) -> bool:
    """Whether a question has a word of the past, beside what was chosen: no newer value answers it."""
    languages = languages_of(query)[0]
    for language in languages or (_ENGLISH,):
        if chosen := listed("turned.chosen", language):
            query = chosen.sub("", query)
    return matches("stood", languages, query) if languages else STOOD.search(query) is not None


class Signs:
    """Which rows tell of a change, and of what sort; each is read once."""

    def __init__(self, told: Mapping[str, Told], languages: Sequence[str], topics: Collection[str]) -> None:
        self._told, self._languages, self._topics = told, languages, topics
        self._changing: dict[str, bool] = {}
        self._having: dict[tuple[str, str, str], bool] = {}
        self._numbers: dict[str, dict[str, frozenset[str]]] = {}
        #: Where it is told where somebody lives, who "moved to Gotha" may have moved house.
        self._tells_home = any(self._has(id_, "home_asked") for id_ in told) if _WORK in topics else False

    def _has(self, id_: str, key: str, table: str = "turned") -> bool:
        place = id_, key, table
        if place not in self._having:
            self._having[place] = matches(key, self._languages, self._told[id_].text, table)
        return self._having[place]

    def says_otherwise(self, id_: str) -> bool:
        """Whether a row says that something is otherwise than it was."""
        if id_ not in self._changing:
            self._changing[id_] = tells_of_change(self._told[id_].text, tuple(self._languages))
        return self._changing[id_]

    def became(self, id_: str) -> bool:
        """Whether it tells of what mostly changes something: of what is asked, where it has all words of that."""
        return self._has(id_, "became")

    def is_off(self, id_: str) -> bool:
        """Whether it says that something does not take place, or at another time."""
        return self._has(id_, "off")

    def ends(self, id_: str) -> bool:
        """Whether it says that something is over, or so no longer."""
        return any(self._has(id_, key, "standing") for key in ("ends", "ends_of")) or self._has(id_, "no_more")

    def is_of_topic(self, id_: str) -> bool:
        """Whether it tells where somebody lives or works, and so on, or what became of that."""
        return any(self._has(id_, f"{topic}_{end}") for topic in self._topics for end in ("asked", "turned"))

    def turns_topic(self, id_: str) -> bool:
        """Whether it has another value of what is asked for."""
        if any(self._has(id_, f"{topic}_turned") for topic in self._topics):
            return True
        return _WORK in self._topics and not self._tells_home and moved_to_firm(self._told[id_].text)

    def settles(self, id_: str) -> bool:
        """Whether it is asked where somebody lives, and a row tells that they stay or moved in somewhere."""
        return "home" in self._topics and self._has(id_, "home_settled")

    def amounts(self, id_: str) -> dict[str, frozenset[str]]:
        """How much a row tells, by what it counts in."""
        if id_ not in self._numbers:
            kinds = typed(self._told[id_].text)
            self._numbers[id_] = {kind: kinds[kind] for kind in kinds if kind == _MONEY or kind.startswith(NO_UNIT)}
        return self._numbers[id_]

    def doses(self, id_: str) -> dict[str, frozenset[str]]:
        """How much of a medicine a row tells, by what that is counted in."""
        text = normal(self._told[id_].text)
        figures = {
            name: frozenset(str(float(figure.replace(",", "."))) for figure in pattern.findall(text))
            for name, pattern in _DOSES.items()
        }
        return {name: found for name, found in figures.items() if found}
