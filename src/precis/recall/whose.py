"""Of whom a row tells where a question asks of somebody: of them, of a relative of theirs, or of somebody else. Pure.

"Hanne's sister Pia drives a Volvo" holds more words of "What car does Hanne drive?" than "I drive a Fiat", which is
what Hanne wrote. So a row that names whom the question asks of only as whose relative somebody is stands behind one
that tells of them and holds as many words of what is asked. So does, where the question asks of the user, a row with
another name for a subject. Nothing is told apart where the question asks of a relative, or who does something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple, Self

from precis.language import tables
from precis.language.script import languages_of, without_small
from precis.language.words import STOP_WORDS, led_by, stem
from precis.recall.persons import (
    ENGLISH,
    OWN_NOUN,
    USERS,
    WITHOUT_I,
    bare,
    beginning_as,
    folded,
    is_first,
    is_form,
    is_genitive,
    is_inflected,
    is_kin,
    is_named,
    is_of,
    small_words,
    tells_of_kin,
    tokens_of,
)
from precis.recall.question import Question
from precis.recall.ranking import Score
from precis.recall.telling import Told, put_before

_FIRST_VERB = re.compile(tables.entry("kin.endings.verbs"), re.IGNORECASE)
_OF = frozenset(tables.words("kin.of.all"))
_WHO = re.compile(rf"\W*(?:{tables.entry('kin.subject.asks')})(?!\w)", re.IGNORECASE)
#: In German it asks how.
_WHO_DUTCH = re.compile(rf"\W*(?:{tables.entry('kin.subject.asks_dutch')})(?!\w)", re.IGNORECASE)
#: So many words stand between a relative and whose they are.
_BETWEEN = 3
#: A row that is further behind answers something else.
_FURTHEST = 0.9
#: Languages of which something is said below: in one verbs end with who does it; and what stands for the user.
_DUTCH, _TURKISH, _USER = "Dutch", "Turkish", ""
#: What the user is called who writes to an agent.
_USERS = frozenset(tables.words("kin.subject.users"))


class OfWhom:
    """The first rows of an answer, and which of them are of whom is asked or of a relative of theirs."""

    def __init__(self, question: Question, told: Mapping[str, Told]) -> None:
        asked = _Asked.of(question)
        if asked is not None and not (asked.is_user or any(asked.names_a_relative(row.text) for row in told.values())):
            asked = None
        self._is_subject = asked is not None and asked.is_subject
        self._readings = {id_: asked.read(row) for id_, row in told.items()} if asked else {}
        behind = [reading for reading in self._readings.values() if reading.behind]
        self._readings = self._readings if behind else {}
        #: Rows of relatives, beside which stand some of whom is asked.
        self.behind = frozenset(
            id_
            for id_, another in self._readings.items()
            if another.is_of_relative and any(self._goes_before(row, another) for row in self._readings.values())
        )

    def first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows, in order, with those of whom is asked before those of their relatives."""
        read = [score for score in scores if score.id in self._readings]

        def theirs(other: Score) -> list[Score]:
            near = (score for score in reversed(read) if 0 <= other.total - score.total <= _FURTHEST)
            return [s for s in near if self._goes_before(self._readings[s.id], self._readings[other.id])]

        return put_before(scores, "telling", ((other, theirs(other)) for other in read))

    def _goes_before(self, reading: _Reading, another: _Reading) -> bool:
        """Whether a row is of whom is asked and holds what another, of a relative of theirs, holds of what is asked."""
        # What the user does another does in another form: "pago", "paga".
        words = ((another.same if self._is_subject else frozenset()) or another.holds) - another.behind
        is_theirs = not another.behind.isdisjoint(reading.tells_of)
        return bool(words and another.behind) and is_theirs and words <= reading.holds


class _Reading(NamedTuple):
    """Of whom a row tells, as words of the question; the user is ``_USER``."""

    tells_of: frozenset[str]
    #: Whom it names only as whose relative somebody is, or not at all though somebody else does what is asked for.
    behind: frozenset[str]
    #: The words of what is asked for that it holds, in whatever form.
    holds: frozenset[str]
    #: Those of them that it holds in the form that is asked.
    same: frozenset[str]
    #: It tells of somebody by whose relative they are.
    is_of_relative: bool


class _Owner(NamedTuple):
    """Whose relative somebody is: where that stands, and the word of the question for it; none for whoever writes."""

    at: int
    word: str | None


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Whom a question asks of, and for what."""

    languages: tuple[str, ...]
    #: Its words that say something, as they are compared; and the names of the user among them.
    words: tuple[str, ...]
    own: frozenset[str]
    #: What may tell its words in other words, as stems, each with the stem of the word; and the words by these.
    forms: Mapping[str, str]
    stems: Mapping[str, str]
    #: It asks of the user; and for what they do, not for something of theirs.
    is_user: bool
    is_subject: bool

    @classmethod
    def of(cls, question: Question) -> Self | None:
        """None where it asks of a relative, or who does something."""
        names, _ = languages_of(question.text)
        tokens = tokens_of(question.text)
        languages = (*names, ENGLISH)
        if not names and STOP_WORDS.isdisjoint(map(folded, tokens)):
            languages = tuple(tables.section("kin.people"))
        asks_who = _WHO.match(question.text) or (names[:1] == (_DUTCH,) and _WHO_DUTCH.match(question.text))
        if asks_who or any(is_kin(token, languages) for token in tokens):
            return None
        large = tokens_of(without_small(question.text, names[0] if names else None))
        spoken = [token for token in large if token[0].isalpha() and bare(token).casefold() not in STOP_WORDS]
        own = frozenset(folded(token) for token in spoken if stem(bare(token).casefold()) in question.own)
        is_own = any(is_first(token, languages) for token in tokens)
        is_open = not any(token[0].isupper() for token in tokens[1:]) and not WITHOUT_I.isdisjoint(names)
        return cls(
            languages=languages, words=tuple(dict.fromkeys(map(folded, spoken))), own=own,
            forms=question.forms, stems={stem(bare(token).casefold()): folded(token) for token in spoken},
            is_user=bool(own) or is_own or is_open,
            is_subject=is_own or is_open or any(folded(token) in own and token == bare(token) for token in spoken),
        )  # fmt: skip

    def names_a_relative(self, text: str) -> bool:
        """Whether a row names who may be somebody to somebody else."""
        return tells_of_kin(text, self.languages)

    def read(self, told: Told) -> _Reading:
        """Of whom a row tells, and what of what is asked for."""
        tokens = tokens_of(told.text)
        by = frozenset(map(folded, tokens_of(told.speaker or led_by(told.text) or "")))
        owners = [owner for at, token in enumerate(tokens) for owner in self._owners(at, token, tokens)]
        places = {owner.at for owner in owners}
        rest = [token for at, token in enumerate(tokens) if at not in places]
        spoken = frozenset(map(folded, rest))
        tells_of = {word for word in self.words if word in spoken or f"{word}s" in spoken}
        behind = {owner.word for owner in owners if owner.word is not None} - tells_of
        # Who says it is who writes "I"; where nobody knows who does, the user.
        is_own = by <= _USERS or not by.isdisjoint(self.own)
        of_writer = {word for word in self.words if word in by} | ({_USER} if self.is_user and is_own else set())
        is_of_writer = any(self._is_of_writer(token) for token in rest)
        if is_own:
            is_of_writer = is_of_writer or not self.own.isdisjoint(tells_of)
            behind -= self.own if is_of_writer else frozenset()
        is_behind = any(owner.word is None for owner in owners) or not behind.isdisjoint(self.own)
        is_of_another = is_own and (self._is_of_a_relative(tokens) or (self.is_subject and self._names_another(tokens)))
        is_behind = is_behind or (self.is_user and is_of_another)
        # A note may leave out of whom it tells: of who writes it.
        (behind if is_behind and not is_of_writer else tells_of).update(of_writer)
        asked = (word for word in self.words if word not in self.own)
        holds = frozenset(word for word in asked if any(is_form(it, word) for it in beginning_as(told.text, word)))
        told_as = (self.stems.get(self.forms.get(stem(bare(token).casefold()), "")) for token in set(tokens))
        holds |= {word for word in told_as if word is not None and word not in self.own}
        same = holds.intersection(map(folded, tokens))
        is_of_relative = bool(owners) or self._is_of_a_relative(tokens)
        return _Reading(frozenset(tells_of - behind), frozenset(behind), holds, same, is_of_relative)

    def _owners(self, at: int, token: str, tokens: Sequence[str]) -> Iterator[_Owner]:
        """Whose relative this word names, as far as it is of somebody in the question, or of who writes."""
        if not is_kin(token, self.languages):
            return
        my = small_words("my", self.languages)
        before = list(
            takewhile(lambda place: tokens[place][0].isalpha(), range(at - 1, max(-1, at - 1 - _BETWEEN), -1))
        )
        behind = list(range(at + 1, min(len(tokens), at + 2 + _BETWEEN)))
        if OWN_NOUN.fullmatch(token):
            yield _Owner(at, None)
        yield from (_Owner(place, None) for place in (*before, *behind[:1]) if folded(tokens[place]) in my)
        for word in self.words:
            yield from (_Owner(place, word) for place in before if is_genitive(tokens[place], word))
            # "siostra Hanny", "сестра Ханны"
            yield from (_Owner(place, word) for place in behind[:1] if is_inflected(tokens[place], word))
            yield from (
                _Owner(place, word)
                for place in behind[1:]
                if tokens[place - 1].casefold() in _OF
                and not tokens[place][0].islower()
                and is_named(tokens[place], word)
            )

    def _is_of_writer(self, token: str) -> bool:
        """Whether a word says that somebody writes of themselves."""
        does = self.languages[0] == _TURKISH and _FIRST_VERB.fullmatch(token) and not OWN_NOUN.fullmatch(token)
        return bool(does) or is_first(token, self.languages) or folded(token) in small_words("my", self.languages)

    def _is_of_a_relative(self, tokens: Sequence[str]) -> bool:
        """Whether it opens with somebody who is somebody to another: "Brenda's husband", "el marido de Brenda"."""
        opening = tokens[: _BETWEEN + 1]
        at = next((at for at, token in enumerate(opening) if is_kin(token, self.languages)), None)
        if at is None:
            return False
        owners = [token for token in opening[:at] if token[0].isupper() and is_of(token)]
        if at + 2 < len(tokens) and tokens[at + 1].casefold() in _OF:
            owners += [token for token in tokens[at + 2 : at + 3] if token[0].isupper()]
        return bool(owners) and not any(folded(token) in self.own or stem(folded(token)) in USERS for token in owners)

    def _names_another(self, tokens: Sequence[str]) -> bool:
        """Whether it opens with another name that does what is asked for; in Turkish the verb is the last word.

        In English a verb has another form there: "drives" of "drive", while "desk" of "Which desk" is a noun.
        """
        spoken = [token for token in tokens if token[0].isalpha()]
        names = list(takewhile(lambda token: token[0].isupper() and token == bare(token), spoken))
        opens = folded(spoken[0]) if names and len(names) < len(spoken) else ""
        if not opens or opens in STOP_WORDS or stem(opens) in USERS or not without_small(spoken[0], self.languages[0]):
            return False
        verb = folded(spoken[-1] if self.languages[0] == _TURKISH else spoken[len(names)])
        asked = [word for word in self.words if word not in self.own]
        does = any(is_form(verb, word) and (verb != word or len(self.languages) > 1) for word in asked)
        # A verb of two letters shares too few with its other forms; the last word has no ending that says "I".
        does = does or (
            self.languages[0] == _TURKISH and not OWN_NOUN.fullmatch(spoken[-1]) and len(spoken) > len(names) + 1
        )
        return does and not any(is_form(opens, word) for word in asked)
