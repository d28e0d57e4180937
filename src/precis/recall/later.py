"""What is put before the first rows of an answer: newer notes on the same thing, or a summary that has them. Pure.

A newer value seldom has the words of the question: "We left Zendesk, every ticket goes into Freshdesk" is less like
"Which tool are tickets in?" than what it makes untrue. Found it is: among the first rows. So where a question asks how
things are, such a row is put before an older one of the first if it is of a later moment, says that something is
otherwise, and is about the same: it has all words of the question that the older one has, or a word that only these two
of the first rows have, or it tells of what is asked for (who "moved" lives elsewhere) of whom the older one tells.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from precis.language import tables
from precis.language.newest.slots import changes, turns
from precis.language.script import languages_of, without_small
from precis.language.words import content
from precis.recall.question import Candidate, Question, as_asked
from precis.recall.ranking import Score
from precis.recall.telling import ASKS, Told, Wanted
from precis.recall.users import USERS

_STANDS = re.compile(rf"\b(?:{tables.choices('questions.stands')})\b", re.IGNORECASE)
_STOOD = re.compile(rf"\b(?:{tables.choices('questions.stood')})\b", re.IGNORECASE)
_CHANGED = re.compile(rf"\b(?:{tables.choices('questions.changed')})\b", re.IGNORECASE)
#: What may be asked for so that a newer value is told in words of its own.
_TOPICS = ("home", "work")
#: A row that is further behind answers something else; by how much one that is put before is before; and before how
#: many of the first rows.
_FURTHEST, _BEFORE, _FIRST = 0.5, 0.001, 3
#: How far behind the first one a turn may be that says it anew; and one that tells of a change.
_NEXT, _NEAR = 0.15, 0.3
#: Letters with which a word may be a part of a longer one: "Zahnarzt" of "Zahnarzttermin".
_PART = 4
#: An older row and a newer one; and words that they have in common, of two or more of which it is sure.
_THESE = 2
_ENGLISH = "English"


@cache
def _turned(key: str, language: str) -> re.Pattern[str] | None:
    if language not in tables.section(f"turned.{key}"):
        return None
    return re.compile(rf"(?<!\w)(?:{tables.choices(f'turned.{key}.{language}')})(?!\w)", re.IGNORECASE)


def _matches(key: str, languages: Sequence[str], text: str) -> bool:
    return any(pattern.search(text) for language in languages if (pattern := _turned(key, language)))


def asks_how_it_is(query: str) -> bool:
    """Whether a question asks how things are: in the present tense, and with no word of the past."""
    languages = languages_of(query)[0]
    if languages:
        return any(_turned("stood", name) for name in languages) and not _matches("stood", languages, query)
    return _STANDS.search(query) is not None and _STOOD.search(query) is None


class Became:
    """The first rows of an answer, and which of them says what became of which."""

    def __init__(self, question: Question, told: Mapping[str, Told]) -> None:
        query = question.text
        languages = languages_of(query)[0]
        self._present, self._named, self._nouns = question.present, question.named, question.nouns_too
        self._told, self._languages = told, (*languages, _ENGLISH)
        spoken_in = languages[0] if languages else None
        #: Whom is asked of two rows may have in common, and nothing besides.
        of_whom = USERS.union(question.own)
        of_all = {id_: content(without_small(row.text, spoken_in)) for id_, row in told.items()}
        as_words = {id_: frozenset(as_asked(stems, question.forms)) for id_, stems in of_all.items()}
        asked = content(without_small(query, spoken_in))
        self._whom = {id_: stems & asked for id_, stems in of_all.items()}
        self._asked = asked - of_whom
        self._terms = {id_: stems - of_whom for id_, stems in of_all.items()}
        self._rows = Counter(term for stems in self._terms.values() for term in stems)
        #: The words of the question that each row holds, perhaps as a part of a longer one.
        self._held = {
            id_: {term for term in self._asked if term in as_words[id_] or _has(stems, term)}
            for id_, stems in self._terms.items()
        }
        self._topics = [topic for topic in _TOPICS if _matches(f"{topic}_asked", self._languages, query)]
        self._wanted = Wanted(query)
        self._changing: dict[str, bool] = {}

    def newer_first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order, with those before the first ones that say what became of them."""
        first = [score for score in scores if score.id in self._told][:_FIRST]
        lifts: dict[str, float] = {}
        for rank, older in enumerate(first):
            later = [
                score
                for score in scores
                if score.id in self._told
                and 0 <= older.total - score.total <= _FURTHEST
                and self._follows(score.id, older.id, sure=rank > 0)
            ]
            later.sort(key=lambda score: (self._told[score.id].said_at, score.total))
            for at, score in enumerate(later, start=1):
                lifts[score.id] = max(lifts.get(score.id, 0.0), older.total - score.total + _BEFORE * at)
        lifted = [
            replace(score, newest=score.newest + lifts[score.id]) if score.id in lifts else score for score in scores
        ]
        return sorted(lifted, key=lambda score: (-score.total, score.id))

    def newer_turn_first(self, scores: Sequence[Score]) -> list[Score]:
        """The rows in order; where the first one is a turn, the newest that says the same of its value is before it.

        That is a turn of a later day that has all words of the question that the first one has: of the same speaker and
        next to as good, or one that tells of a change. Of a chat nobody says what else is about the same.
        """
        first = next((score for score in scores if score.id in self._told), None)
        if first is None or first is not scores[0]:
            return list(scores)
        later = [score for score in scores if score.id in self._told and self._says_anew(score, first)]
        if not later:
            return list(scores)
        newest = max(later, key=lambda score: (self._told[score.id].said_at, score.total))
        lifted = replace(newest, newest=newest.newest + first.total - newest.total + _BEFORE)
        others = [score for score in scores if score is not newest]
        return sorted([*others, lifted], key=lambda score: (-score.total, score.id))

    def _says_anew(self, newer: Score, older: Score) -> bool:
        """Whether one turn has another value of what the other, older one tells."""
        then, now = self._told[older.id], self._told[newer.id]
        held = self._held[older.id]
        if now.said_at.date() <= then.said_at.date() or not held or not held <= self._held[newer.id]:
            return False
        behind = older.total - newer.total
        return (behind <= _NEXT and now.speaker == then.speaker) or (behind <= _NEAR and self._changes(newer.id))

    def followed(self) -> dict[str, str]:
        """The rows of which a later one says what became of them, each with the newest that does."""
        pairs = [
            (older, [newer for newer in self._told if self._follows(newer, older) and self._is_of_it(newer, older)])
            for older in self._told
        ]
        return {older: max(later, key=lambda id_: (self._told[id_].said_at, id_)) for older, later in pairs if later}

    def _follows(self, newer: str, older: str, *, sure: bool = True) -> bool:
        """Whether one row says what became of the other, older one; ``sure`` by more than one word in common."""
        if self._told[newer].said_at <= self._told[older].said_at:
            return False
        both, held = self._terms[older] & self._terms[newer], self._held[older]
        if self._topics and self._whom[older] & self._whom[newer] and self._tells_of_topic(newer):
            return True
        if not both and not held & self._held[newer]:
            return False
        has_all = bool(held) and held <= self._held[newer]
        # Who asks whether it is still so asks for a change, which seldom has the verb: "I am off ibuprofen".
        has_all = has_all or (self._present and self._has_half(held, newer))
        is_off = has_all and self._is_off(newer) and self._wanted.has_day(self._told[older])
        # What is said on one day mostly goes on with what was said before.
        if not is_off and self._told[newer].said_at.date() == self._told[older].said_at.date():
            return False
        rare = any(self._rows[term] == _THESE for term in both - self._asked)
        if not (has_all or rare) or not self._changes(newer):
            return False
        is_sure = bool(held) and len(held) + rare >= _THESE
        return is_sure or not sure or is_off

    def _has_half(self, held: Collection[str], newer: str) -> bool:
        """Whether a row has half of these words of the question, one of them no name: of somebody much is told."""
        shared = self._held[newer].intersection(held)
        things = (term for term in shared if term not in self._named or (self._nouns and self._rows[term] == _THESE))
        return any(things) and _THESE * len(shared) >= len(held)

    def _is_of_it(self, newer: str, older: str) -> bool:
        """Whether both are of what is asked for: the older has half of its words, and a rare one besides as the newer.

        Or the newer says that an appointment is off, or tells of the topic that is asked for.
        """
        held, both = self._held[older], self._terms[older] & self._terms[newer]
        if self._is_off(newer) or (self._topics and self._tells_of_topic(newer)):
            return held <= self._held[newer] or bool(self._topics)
        rare = any(self._rows[term] == _THESE for term in both - self._asked)
        return rare and _THESE * len(held) >= len(self._asked) and not held.isdisjoint(self._held[newer])

    def _changes(self, id_: str) -> bool:
        """Whether a row says that something is otherwise than it was."""
        if id_ not in self._changing:
            self._changing[id_] = _tells_of_change(self._told[id_].text, self._languages)
        return self._changing[id_]

    def _is_off(self, id_: str) -> bool:
        """Whether it says that something does not take place, or at another time."""
        return _matches("off", self._languages, self._told[id_].text)

    def _tells_of_topic(self, id_: str) -> bool:
        """Whether it has another value of what is asked for."""
        return any(_matches(f"{topic}_turned", self._languages, self._told[id_].text) for topic in self._topics)


def _has(stems: Collection[str], term: str) -> bool:
    """Whether a word is among these, perhaps as a part of a longer one, or with one of them as a part."""
    if term in stems or len(term) < _PART:
        return term in stems
    return any(stem.startswith(term) or (len(stem) >= _PART and term.startswith(stem)) for stem in stems)


def summary_first(scores: Sequence[Score], rows: Mapping[str, Candidate]) -> list[Score]:
    """These first rows, with a summary of the first one before it that rests on a newer row as well.

    What such a summary says first is what is so now. For a question for that.
    """
    first = next((score for score in scores if score.id in rows), None)
    if first is None or rows[first.id].is_summary:
        return list(scores)
    stood_at = rows[first.id].event_date or rows[first.id].created_at
    over = next((score for score in scores if score.id in rows and _is_newer(rows[score.id], first.id, stood_at)), None)
    if over is None:
        return list(scores)
    lifted = replace(over, newest=over.newest + first.total - over.total + _BEFORE)
    return sorted((lifted if score is over else score for score in scores), key=lambda score: (-score.total, score.id))


def _is_newer(row: Candidate, source: str, stood_at: datetime) -> bool:
    newest = row.newest_source_at
    return row.is_summary and source in row.sources and newest is not None and newest > stood_at


def _tells_of_change(text: str, languages: Sequence[str]) -> bool:
    """Whether it says that something is otherwise than it was."""
    if text.rstrip().endswith(ASKS):
        return False
    return _CHANGED.search(text) is not None or changes(text) or turns(text) or _matches("changed", languages, text)
