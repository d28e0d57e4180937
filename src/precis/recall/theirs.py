"""Whose a note is where a question asks of somebody by name, or of a relative of whoever asks. Pure.

"My dentist appointment is cancelled" holds more words of "When is Ida's dentist appointment?" than "Dentist for Ida on
Tuesday", which is Ida's. So a note of whoever writes that does not name whom is asked of stands behind those that do
and hold some of what is asked. Who "my sister" is, another note may tell: "My sister Yara is a vegan". Then what is
told of Yara is hers, and that note, which tells nothing of what is asked, stands behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from precis.language import tables
from precis.language.script import languages_of, without_small
from precis.language.words import STOP_WORDS, led_by, stem
from precis.recall import persons
from precis.recall.question import Question
from precis.recall.ranking import Score
from precis.recall.telling import Told, with_more

_GERMAN, _TURKISH = "German", "Turkish"
_OF = frozenset(map(persons.folded, tables.words("kin.of.German")))
_ARTICLES = frozenset(tables.words("kin.subject.articles"))
_ENGLISH_ARTICLES = frozenset({"the", "a", "an"})
#: Letters with which a word may be a part of a longer one: "Zahnarzt" of "Zahnarzttermin".
_PART = 4
#: A row that is further behind answers something else; and by how much what is put before is before.
_FURTHEST, _BEFORE = 0.9, 0.001
#: A name in another case shares so many letters, at least, and has so many more, at most; a word between a name and
#: what somebody is has so many; and so many words stand between "my" and that.
_LEAST, _CASE, _LINK, _BETWEEN = 2, 2, 3, 3


class Resting(NamedTuple):
    """A summary: what it says, and the rows that it rests on."""

    id: str
    text: str
    sources: tuple[str, ...]

    def opens_with(self, text: str) -> bool:
        """Whether it opens with these words, but for a mark at their end."""
        return self.text.startswith(text.rstrip(" .!"))


class Theirs:
    """The first rows of an answer, and which of them are of whom is asked."""

    def __init__(self, question: Question, told: Mapping[str, Told], resting: Sequence[Resting]) -> None:
        self._told, self._resting = told, resting
        asked = _Asked.of(question, told)
        self._readings = {id_: asked.read(row) for id_, row in told.items()} if asked else {}
        #: Rows of whoever writes, beside which stand some of whom is asked.
        self.behind = frozenset(
            id_ for id_, reading in self._readings.items()
            if not reading.is_theirs and any(other.goes_before(reading) for other in self._readings.values())
        )  # fmt: skip

    def first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order, with those of whom is asked before those of whoever writes.

        A summary that rests on a row of theirs stands behind as well, unless it opens with what is asked.
        """
        read = [score.id for score in scores if score.id in self._readings]
        theirs = [id_ for id_ in read if self._readings[id_].is_theirs]
        pairs = [(id_, other) for id_ in theirs for other in read if self._goes_before(id_, other)]
        return before_these(scores, pairs, self._told, self._resting)

    def _goes_before(self, id_: str, other: str) -> bool:
        return self._readings[id_].goes_before(self._readings[other])


def before_these(
    scores: Sequence[Score], pairs: Sequence[tuple[str, str]], told: Mapping[str, Told], resting: Sequence[Resting]
) -> list[Score]:
    """The rows in order; of each pair the first is put before the second, and before summaries that open with that."""
    if not pairs:
        return list(scores)
    by_id = {score.id: score for score in scores}
    lifts: dict[str, float] = {}
    for worse in dict.fromkeys(other for _, other in pairs):
        better = sorted({id_ for id_, other in pairs if other == worse}, key=lambda id_: (by_id[id_].total, id_))
        for place, id_ in enumerate(better, start=1):
            opened = [of.id for of in resting if worse in of.sources and not of.opens_with(told[id_].text)]
            for other in (by_id[of_] for of_ in (worse, *opened) if of_ in by_id):
                behind = other.total - by_id[id_].total
                if 0 <= behind <= _FURTHEST:
                    lifts[id_] = max(lifts.get(id_, 0.0), behind + _BEFORE * place)
    return with_more(scores, "telling", lifts)


class _Reading(NamedTuple):
    """What a row has of the question: of whom it tells, and which words of what is asked it holds."""

    is_theirs: bool
    is_of_writer: bool
    holds: frozenset[str]
    #: It may tell who a relative of whoever asks is.
    introduces: bool

    def goes_before(self, other: _Reading) -> bool:
        """Whether this row is of whom is asked and tells of it, and the other is not, or does not."""
        if not self.is_theirs or not self.holds:
            return False
        if other.is_theirs:
            return other.introduces and not other.holds
        return other.is_of_writer and not self.holds.isdisjoint(other.holds)


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Whom a question asks of, by name or as a relative of whoever asks, and for what."""

    languages: tuple[str, ...]
    #: Names of theirs, in small letters; and what they are to whoever asks.
    names: frozenset[str]
    kin: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, question: Question, told: Mapping[str, Told]) -> Self | None:
        """None where it asks of whoever asks, or of nobody whose notes can be told."""
        if len(_speakers(told)) > 1:
            return None
        languages, tokens = _languages(question.text), persons.tokens_of(question.text)
        my = persons.small_words("my", languages)
        owned = [
            token for at, token in enumerate(tokens)
            if persons.is_kin(token, languages)
            and (_is_own_noun(token, languages) or _is_behind_my(tokens, at, my, languages))
        ]  # fmt: skip
        is_of_asker = any(persons.is_first(token, languages) or persons.folded(token) in my for token in tokens)
        if is_of_asker and not owned:
            return None
        kin = frozenset(map(persons.folded, owned))
        names = frozenset() if owned else frozenset(_names(tokens, languages))
        if owned:
            names = frozenset(
                name for row in told.values() for name in _called(persons.tokens_of(row.text), kin, languages)
            )
        is_of_user = any(stem(persons.bare(token).casefold()) in question.own | persons.USERS for token in tokens)
        if not (names or kin) or (is_of_user and not owned):
            return None
        large = persons.tokens_of(
            without_small(question.text, languages[0] if languages[0] != persons.ENGLISH else None)
        )
        spoken = {
            persons.folded(token)
            for token in large
            if token[0].isalpha() and persons.bare(token).casefold() not in STOP_WORDS
        }
        asked = cls(languages=languages, names=names, kin=kin, words=frozenset(spoken))
        words = {word for word in spoken - kin if not any(asked._is_case(word, name) for name in names)}
        return replace(asked, words=frozenset(words)) if words else None

    def read(self, row: Told) -> _Reading:
        """Of whom a row tells, and what of what is asked."""
        tokens = persons.tokens_of(row.text)
        my = persons.small_words("my", self.languages)
        by = row.speaker or led_by(row.text)
        is_theirs = any(map(self._is_theirs, (*tokens, *persons.tokens_of(by or ""))))
        is_theirs = is_theirs or any(
            persons.is_form(persons.folded(token), word)
            and (_is_own_noun(token, self.languages) or _is_behind_my(tokens, at, my, self.languages))
            for at, token in enumerate(tokens)
            for word in self.kin
        )
        is_of_writer = not is_theirs and (
            persons.tells_of_writer(row.text, self.languages) or any(map(self._is_owned, tokens))
        )
        holds = frozenset(
            word
            for word in self.words
            if any(
                persons.is_form(other, word) or _is_part(other, word) for other in persons.beginning_as(row.text, word)
            )
        )
        return _Reading(is_theirs, is_of_writer, holds, introduces=bool(self.kin))

    def _is_owned(self, token: str) -> bool:
        """Whether it is a word of what is asked with the Turkish ending for "my"."""
        spoken = persons.folded(token)
        if _TURKISH not in self.languages or not persons.OWN_ENDING.search(spoken):
            return False
        return any(persons.alike(spoken, word) >= _PART for word in self.words)

    def _is_theirs(self, token: str) -> bool:
        return not token[0].islower() and any(self._is_case(persons.folded(token), name) for name in self.names)

    def _is_case(self, spoken: str, name: str) -> bool:
        """Whether a word is this name, in whatever case."""
        if spoken in {name, f"{name}s"} or f"{spoken}s" == name:
            return True
        if persons.INFLECTING.isdisjoint(self.languages):
            return False
        shared = persons.alike(spoken, name)
        return shared >= max(_LEAST, min(len(spoken), len(name)) - 1) and max(len(spoken), len(name)) - shared <= _CASE


def _languages(text: str) -> tuple[str, ...]:
    names, _ = languages_of(text)
    return (*names, persons.ENGLISH)


def _speakers(told: Mapping[str, Told]) -> set[str]:
    """Who says these rows, as far as somebody is known to, but for assistants."""
    speakers = {(row.speaker or led_by(row.text) or "").casefold() for row in told.values()}
    return speakers - persons.ASSISTANTS - {""}


def _is_own_noun(token: str, languages: tuple[str, ...]) -> bool:
    """Whether it is somebody of whoever writes, as Turkish says it: "ablam"."""
    is_own = (
        persons.OWN_NOUN.fullmatch(token) is not None or persons.OWN_ENDING.search(persons.folded(token)) is not None
    )
    return is_own and _TURKISH in languages


def _is_behind_my(tokens: Sequence[str], at: int, my: Collection[str], languages: tuple[str, ...]) -> bool:
    """Whether "my" stands before this word, and between them nobody else."""
    for token in reversed(tokens[max(0, at - _BETWEEN) : at]):
        if persons.folded(token) in my:
            return True
        if not token[0].islower() or persons.is_kin(token, languages):
            return False
    return False


def _names(tokens: Sequence[str], languages: tuple[str, ...]) -> Iterator[str]:
    """Whom or what a question names, in small letters; in German, where any noun has a capital, only owners."""
    for at, token in enumerate(tokens):
        if not token[0].isupper() or persons.is_kin(token, languages) or persons.folded(token) in STOP_WORDS:
            continue
        before, behind = tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else "."
        if _GERMAN in languages:
            is_owner = persons.is_of(token) and behind[0].isupper() and persons.folded(before) not in _ARTICLES
            is_owner = is_owner or (persons.folded(before) in _OF and not behind[0].isupper())
        else:
            # "The Tidewatch server" is no server of somebody called so.
            is_owner = (bool(at) or token != persons.bare(token)) and before.casefold() not in _ENGLISH_ARTICLES
        if is_owner:
            yield persons.folded(token)


def _called(tokens: Sequence[str], kin: Collection[str], languages: tuple[str, ...]) -> Iterator[str]:
    """The names that a row gives to a relative of whoever writes: "my sister Yara", "Yara is my sister"."""
    my = persons.small_words("my", languages)
    for at, token in enumerate(tokens):
        is_theirs = persons.is_kin(token, languages) and any(
            persons.is_form(persons.folded(token), word) for word in kin
        )
        if not is_theirs or not (_is_own_noun(token, languages) or _is_behind_my(tokens, at, my, languages)):
            continue
        behind = [other for other in tokens[at + 1 : at + 3] if other != ","][:1]
        link = at - 1 - (at > 0 and persons.folded(tokens[at - 1]) in my)
        before = [tokens[link - 1]] if link > 0 and len(tokens[link]) <= _LINK else []
        before += [tokens[link]] if link >= 0 and _is_own_noun(token, languages) else []
        for other in (*behind, *before):
            if (
                other[0].isupper()
                and other == persons.bare(other)
                and not persons.is_kin(other, languages)
                and persons.folded(other) not in my
            ):
                yield persons.folded(other)


def _is_part(spoken: str, word: str) -> bool:
    """Whether a word is the beginning of another one, or the other way round."""
    return min(len(spoken), len(word)) >= _PART and (spoken.startswith(word) or word.startswith(spoken))
