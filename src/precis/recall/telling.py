"""What a memory tells of the kind that a question asks for: a day, a number, a place; or whether it asks. Pure."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from precis.language import tables
from precis.language.dating.resolving import resolved
from precis.language.newest.signs import TIMES
from precis.language.newest.slots import changes, turns
from precis.language.script import languages_of, light_words, without_small
from precis.language.sentences import sentences
from precis.language.words import content, kept_where_short, led_by, stem, words
from precis.recall.persons import USERS, folded, small_words
from precis.recall.question import NOUNS_TOO, Pool, Question, without_now
from precis.recall.ranking import Score
from precis.recall.wishes import bounds, is_task

#: Of a day or a time, and not of how many: "on the 4th", "7:30", "12 May", but not "40 milliseconds", "$300".
_FIGURE = re.compile(
    r"(?<![$\u20ac\u00a3\d.,])\d[\d.,:]*(?![\d.,:%]| ?(?:%|percent\b|[cmk]?[mgl]\b|ms\b|(?!mars\b)[a-z]{3,}s\b))"
)
#: What a question asks for, and what a memory has that tells it: a day or a figure, a number, a place by its name.
_DATED = re.compile(rf"\W*(?:{tables.choices('questions.dated')})", re.IGNORECASE)
_DATED_UNSPACED, _DAY_UNSPACED = (
    re.compile(tables.choices(f"questions.dated_unspaced.{key}")) for key in ("asks", "tells")
)
_COUNTED = re.compile(rf"\b(?:{tables.choices('questions.counted')})\b", re.IGNORECASE)
_PLACED = re.compile(rf"\b(?:{tables.choices('questions.placed')})\b", re.IGNORECASE)
_SPAN = re.compile(rf"\b(?:{tables.choices('questions.span')})\b", re.IGNORECASE)
#: "Zero" and "one" are words of anything.
_NUMBERS = "|".join(tables.words("numbers.count")[2:] + tables.words("numbers.tens"))
_NUMBER = re.compile(rf"\d|\b(?:{_NUMBERS}|once|twice|half|couple|dozens?|every)\b", re.IGNORECASE)
_NUMBER_WORD = re.compile(rf"\b(?:{_NUMBERS}|half|couple|dozens?)\b", re.IGNORECASE)
_WHOLE_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
#: The same of other languages, each number word made of its parts.
_PARTS = tables.section("numbers.elsewhere")
_AGED = re.compile(rf"\b(?:{tables.choices('questions.aged')})\b", re.IGNORECASE)
_AGE = re.compile(rf"(?<!\w)(?:{tables.choices('questions.ages').replace('NUMBERS', _NUMBERS)})(?!\w)", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|at|to|from|near|by|through|around) (?:the )?[A-Z]")
#: How much likelier a memory that has it is to be evidence, in log-odds; and the share of that in its score.
_TELLS_DAY, _TELLS_NUMBER, _TELLS_PLACE, _TELLS_AGE = 1.5, 1.5, 1.0, 2.5
_SCORED = 0.2
#: What is taken from the score of a memory of at most so many words that ends with a question.
_ASKING, _SHORT = 0.1, 30
#: What is added for the words of a text, times how near they come to each word of the question.
_WORD_BY_WORD = 0.1
#: What is added where a task is given, to a memory that says what to keep to.
_BOUND = 0.3
#: What may be asked for so that a newer value is told in words of its own: ``turned.toml`` has those words.
TOPICS = ("home", "work", "phone", "partner")
_CAPITAL = re.compile(r"\b[^\W\d_a-z]\w*")
#: With whom somebody is, which words for relatives say too.
_PARTNER = TOPICS[-1]
ASKS = ("?", "\uff1f", "\u061f")
#: Of a longer question nobody knows what it asks for; of a memory of more sentences those count that it is found by.
_LONGEST_QUESTION, _LONGEST = 40, 6


class Told(NamedTuple):
    """What a row says, when it was said, and by whom, as far as that is known."""

    text: str
    said_at: datetime
    speaker: str | None = None


def names_of_caller(row: Told) -> tuple[str, ...]:
    """Who says a row, as far as that is known, and who leads its text: of one that begins "Ana: ..." Ana."""
    return tuple(filter(None, (row.speaker, led_by(row.text))))


def callers(told: Iterable[Told]) -> frozenset[str]:
    """The names, as stems, that call who says these rows."""
    return content(" ".join({name for row in told for name in names_of_caller(row)}))


class Wanted:
    """The kind of answer that a question asks for."""

    def __init__(self, query: str) -> None:
        is_short = len(query.split()) <= _LONGEST_QUESTION
        self._dated = is_short and bool(_DATED.match(query) or _DATED_UNSPACED.search(query))
        #: It asks how many or how much.
        self.counts = is_short and bool(_COUNTED.search(query))
        self._aged = is_short and bool(_AGED.search(query))
        #: It asks where something is, or was.
        self.asks_place = is_short and bool(_PLACED.search(query))
        self._is_task = is_short and is_task(query)
        # How long it took, or how often it was, is told by several memories, of which none has a number.
        self._is_span = bool(_SPAN.search(query))
        self._terms = content(query)
        self._languages = languages_of(query)[0]
        #: It asks for a kind at all: rows that are further down may have it.
        self.is_kind = self._is_task or (
            not self._is_span and (self._dated or self.counts or self.asks_place or self._aged)
        )

    def has_day(self, row: Told) -> bool:
        """Whether it asks for a day, and this row has one or a time."""
        if not self._dated:
            return False
        spoken = frozenset(words(row.text))
        # "montags", "on Mondays"
        spoken |= {word.removesuffix("s") for word in spoken}
        is_timed = (_FIGURE.search(row.text) or _DAY_UNSPACED.search(row.text)) is not None or not TIMES.isdisjoint(
            spoken
        )
        return is_timed or resolved(row.text, row.said_at.date()) != row.text

    def fitting(self, parts: Sequence[str], dated: Sequence[bool]) -> float:
        """What a memory has of it, in log-odds; ``dated`` are its sentences that name a day."""
        fitting = 0.0
        if self._dated and (any(dated) or any(map(_FIGURE.search, parts))):
            fitting += _TELLS_DAY
        if self._aged and any(map(_AGE.search, parts)):
            fitting += _TELLS_AGE
        elif self.counts and any(map(self._has_number, parts)):
            fitting += _TELLS_NUMBER
        if self.asks_place and any(map(_PLACE.search, parts)):
            fitting += _TELLS_PLACE
        return fitting

    def _has_number(self, part: str) -> bool:
        """Whether it has a figure or a number word, of English or of the language of the question."""
        return number_in(part, self._languages)

    def on_subject(self, question: Question, pool: Pool, told: Mapping[str, Told]) -> frozenset[str] | None:
        """The candidates that hold a word the question is about, or answer one that asks with it; None if none does.

        Neither numbers nor verbs of anything are such words.
        """
        besides = {stem(word) for name in self._languages for word in light_words(name)}
        about = [
            at
            for at, term in enumerate(question.terms[: len(pool.holding)])
            if term not in besides and not self._has_number(term)
        ]
        holding = {row.id for row in pool.rows.values() if any(row.frequencies[at] for at in about)}
        asking = (id_ for id_ in holding if id_ in told and told[id_].text.rstrip().endswith(ASKS))
        return frozenset(holding.union(pool.after[id_] for id_ in asking if id_ in pool.after)) or None

    def told_in(self, text: str, said_on: date, *, is_near: bool = True) -> float:
        """What of the score of a memory is for it; nothing where it is not ``is_near``, so tells of something else."""
        asking = _ASKING if text.rstrip().endswith(ASKS) and len(text.split()) <= _SHORT else 0.0
        if self._is_task:
            return (_BOUND if bounds(text) else 0.0) - asking
        if not self.is_kind or not is_near:
            return 0.0 - asking
        parts = sentences(text) or [text]
        if len(parts) > _LONGEST:
            parts = [part for part in parts if not self._terms.isdisjoint(content(part))]
        dated = [self._dated and resolved(part, said_on, whole=text) != part for part in parts]
        return _SCORED * self.fitting(parts, dated) - asking


def number_in(text: str, languages: Sequence[str]) -> bool:
    """Whether a text has a figure or a number word, of English or of these languages."""
    return bool(_NUMBER.search(text)) or any(number.search(text) for number in map(_number_of, languages))


def numbers_in(text: str, languages: Sequence[str]) -> Iterator[re.Match[str]]:
    """The figures of a text, each whole, and its number words."""
    yield from _WHOLE_FIGURE.finditer(text)
    for number in (_NUMBER_WORD, *map(_number_of, languages)):
        yield from number.finditer(text)


@cache
def _number_of(language: str) -> re.Pattern[str]:
    """A number word of this language; of another one that is not known, no word."""
    parts, _, between = _PARTS.get(language, "").rpartition("=")
    part, joint = ("|".join(listed.split()) or "(?!)" for listed in (parts, between))
    return re.compile(tables.whole(f"(?:{joint})*(?:{part})(?:{part}|{joint})*"), re.IGNORECASE)


def by_what_they_tell(
    wanted: Wanted,
    scores: Sequence[Score],
    told: Mapping[str, Told],
    nearness: Mapping[str, float],
    on_subject: Collection[str] | None = None,
) -> list[Score]:
    """These first rows of an answer in the order that what their texts tell gives them.

    ``nearness`` is how much nearer than others of them the words of a text come to those of the question, -1 to 1. Of
    rows that are not ``on_subject``, where that is known, what they tell is of something else.
    """
    telling = {id_: _WORD_BY_WORD * near for id_, near in nearness.items()}
    for id_, row in told.items():
        is_near = on_subject is None or id_ in on_subject
        telling[id_] = telling.get(id_, 0.0) + wanted.told_in(row.text, row.said_at.date(), is_near=is_near)
    weighed = [score._replace(telling=telling[score.id]) if telling.get(score.id) else score for score in scores]
    return sorted(weighed, key=lambda score: -score.total)


def with_more(scores: Sequence[Score], part: str, lifts: Mapping[str, float]) -> list[Score]:
    """The rows in order, some of them with so much more of a part; as they are where none has."""
    if not lifts:
        return list(scores)
    more = [
        score._replace(**{part: getattr(score, part) + lifts[score.id]}) if score.id in lifts else score
        for score in scores
    ]
    return sorted(more, key=lambda score: -score.total)


#: By how much a row is before the one that it is put before.
_BEFORE = 0.001


def put_before(
    scores: Sequence[Score], part: str, pairs: Iterable[tuple[Score, Iterable[Score]]], furthest: float = math.inf
) -> list[Score]:
    """The rows in order; of each pair the later ones, the last first, before the first, unless they are too far behind.

    What they lack is added to a part of theirs.
    """
    lifts: dict[str, float] = {}
    for before, better in pairs:
        for place, score in enumerate(better, start=1):
            if 0 <= (behind := before.total - score.total) <= furthest:
                lifts[score.id] = max(lifts.get(score.id, 0.0), behind + _BEFORE * place)
    return with_more(scores, part, lifts)


def raised(score: Score, part: str, above: Sequence[Score]) -> Score:
    """A row with so much more of a part that it is before the first of these; as it is where it is, or none is."""
    behind = max((other.total - score.total + _BEFORE for other in above[:1]), default=0.0)
    return score._replace(**{part: getattr(score, part) + behind}) if behind > 0 else score


# What notes say of a change, by language: patterns of ``turned.toml`` and ``standing.toml``.
_CHANGED = re.compile(rf"\b(?:{tables.choices('questions.changed')})\b", re.IGNORECASE)

#: Written without spaces, or with its grammar behind each word: a word of these begins and ends anywhere.
UNSPACED = frozenset({"Chinese", "Japanese", "Korean"})


@cache
def listed(place: str, language: str) -> re.Pattern[str] | None:
    """The pattern of a language at a place of the tables; None where it has none."""
    if language not in tables.section(place):
        return None
    choices = tables.choices(f"{place}.{language}")
    return re.compile(choices if language in UNSPACED else tables.whole(choices), re.IGNORECASE)


def matches(key: str, languages: Sequence[str], text: str, table: str = "turned") -> bool:
    """Whether a text has what a table lists under a key in any of these languages."""
    return any(pattern.search(text) for language in languages if (pattern := listed(f"{table}.{key}", language)))


def topics_of(query: str, languages: Sequence[str]) -> dict[str, frozenset[str]]:
    """Which of TOPICS a question asks for, each with the stems of the words that say so.

    "What does my wife do?" and "When is my wife's birthday?" do not ask with whom somebody is: that asks who it is, or
    whether it is so, and of nothing besides.
    """
    asking = {topic: phrases for topic in TOPICS if (phrases := _asking(topic, languages, query))}
    topics = {topic: content(" ".join(phrases)) for topic, phrases in asking.items()}
    if _PARTNER in topics:
        # Where any noun has a capital, one is a name beside what is none: "Ist Tamsin verlobt?".
        has_names = NOUNS_TOO not in languages or any(word.islower() for word in asking[_PARTNER])
        names = content(" ".join(_CAPITAL.findall(query))) if has_names else frozenset()
        is_other = matches("what_asked", languages, query) and not matches("who_asked", languages, query)
        my = small_words("my", tuple(languages))
        spoken = " ".join(word for word in without_now(query, languages).split() if folded(word) not in my)
        asked = content(without_small(spoken, languages[0]))
        if is_other or not asked <= topics[_PARTNER] | names | USERS:
            del topics[_PARTNER]
    return topics


def _asking(topic: str, languages: Sequence[str], query: str) -> list[str]:
    patterns = (listed(f"turned.{topic}_asked", language) for language in languages)
    return [match.group() for pattern in patterns if pattern for match in pattern.finditer(query)]


@kept_where_short
def tells_of_change(text: str, languages: tuple[str, ...]) -> bool:
    """Whether it says that something is otherwise than it was."""
    if text.rstrip().endswith(ASKS):
        return False
    return _CHANGED.search(text) is not None or changes(text) or turns(text) or matches("changed", languages, text)
