"""What belongs to a topic whose word it does not have: by its session, by words that go with it, by when it was noted.

A topic is told in a few memories by its word, and in the others by what came with it: who treats the knee, what the
trip costs. Of each word that memories share it is counted how often it stands with the topic and how often elsewhere,
against what chance would make (the expected number of ties as strong, as in Altschul et al. 1990); no list says what
belongs to what.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from math import comb, inf

from precis.finding.beyond.tables import any_language
from precis.finding.parts import Subject
from precis.finding.reading import folded, unelided
from precis.finding.tables import any_group, fields, groups
from precis.finding.together.pronouns import MACHINES, persons
from precis.finding.together.things import is_person_asked, is_topic, talks_of
from precis.finding.values import Level, Match, Row
from precis.finding.written.speaking import RELATIONS
from precis.language import chitchat, languages, sharing, tables, values
from precis.language.words import STOP_WORDS, kept_where_short, stemmed_in, words

#: Of the memories that share a word so many have to be of the topic, and chance may make so many ties as strong.
_SHARE, _CHANCE = 0.5, 1.0
#: So few memories say nothing of what is told together; and a topic that so many have by its words needs no thread.
_LEAST, _PLENTY = 5, 20
#: So many memories that share no word with the topic are added to those there are: a few say little of what is rare.
_UNTOLD = 20
#: So often what was brought in brings in more, and each time it is so much less likely; so many are brought in at most,
#: the likeliest, since a person reads them.
_STEPS, _FADING, _MOST = 4, 0.8, 12
#: Notes right behind the topic are of it within so much time, where so few tell of it by its words; so many at most.
_SOON, _FEW, _BEHIND = timedelta(days=7), 3, 4
#: How likely what goes on in a session, what was noted behind the topic and what names whom it named first are of it.
_IN_SESSION, _NOTED, _NAMED = 0.8, 0.4, 0.7
#: A name is of a topic where at most so many times as many memories have it as have it of the topic.
_OFTENER = 3
#: A session is about the topic where it has this share of its memories.
_DENSE = 1 / 6
#: Signs of Chinese and Japanese that hold words together and are none themselves.
_SMALL = re.compile(f"[\u3040-\u309f{''.join(tables.words('words.ideographs'))}]")
#: Words that begin alike in so many letters may be forms of one.
_ALIKE = 5
#: Why something is near that a session or a word may bring in after all.
_OPEN = ("it is about something like it", "it is about another")


@dataclass(frozen=True, slots=True)
class _Tie:
    """What ties a memory to a topic, and how likely it makes that it is of it."""

    likelihood: float
    why: str


@dataclass(slots=True)
class _Topic:
    """The memories of a topic as they are brought in."""

    rows: Sequence[Row]
    #: Stems by which each memory may be tied.
    terms: Mapping[str, frozenset[str]]
    #: Those of them that are of names.
    names: frozenset[str]
    #: What is of the topic so far.
    within: set[str]
    #: What nothing ties to it.
    closed: Collection[str]
    #: Whether its sessions may be of it, since it is a thing and nobody; and notes behind it.
    talked: bool
    noted: bool
    having: Mapping[str, set[str]] = field(init=False)
    fields: set[str] = field(init=False)
    #: The place of each memory in the order of time.
    order: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.order = {row.id: at for at, row in enumerate(self.rows)}
        self.having = defaultdict(set)
        for id_, terms in self.terms.items():
            for term in terms:
                self.having[term].add(id_)
        self.fields = {name for row in self.rows if row.id in self.within for name in _fields_of(row.text)}

    def names_of_it(self) -> Iterator[str]:
        """Names that were told first with the topic, and not much oftener elsewhere."""
        for term in self.names:
            having = self.having.get(term, set())
            inside = having & self.within
            if inside and len(having) <= len(inside) * _OFTENER and min(having, key=self.order.__getitem__) in inside:
                yield term

    def is_open(self, row: Row) -> bool:
        """Whether a row may be brought in, and is not yet."""
        return not (row.id in self.within or row.id in self.closed)

    def ties(self, row: Row) -> tuple[float, bool]:
        """How many rows chance would tie as well, and whether more of its words are told elsewhere alone.

        Of a word that ``of`` other rows have, ``inside`` of them of the topic, chance makes as many or more by the
        share of the topic of all rows, as by throwing a coin.
        """
        base = len(self.within) / (len(self.rows) + _UNTOLD)
        expected, own, elsewhere = float(len(self.rows) - len(self.within)), 0, 0
        for term in self.terms[row.id]:
            others = self.having[term] - {row.id}
            inside, of = len(others & self.within), len(others)
            if inside and inside >= of * _SHARE:
                expected *= sum(comb(of, k) * base**k * (1 - base) ** (of - k) for k in range(inside, of + 1))
                own += 1
            elsewhere += bool(others) and not inside
        return expected if own else inf, elsewhere > own


def take_threads(
    rows: Sequence[Row],
    matches: dict[str, Match],
    subjects: Sequence[Subject],
    spared: Collection[str],
    own_names: Collection[str],
    *,
    bounded: bool,
) -> None:
    """Put in doubt what belongs to the topic of what is meant, with how likely it does.

    What is ``spared``, what a rule knows to be of another, and what tells something else by the words of the request
    stay as they are; so does all of a request for a fact that is told in one sentence, for an old or new value, and of
    one that is ``bounded`` by a time, a source or a speaker.
    """
    meant = {row.id for row in rows if matches[row.id].level >= Level.DOUBTFUL}
    if bounded or not 0 < len(meant) <= _PLENTY or len(rows) < _LEAST or not all(map(is_topic, subjects)):
        return
    rows = talks_of(rows)
    is_of_person = any(map(is_person_asked, subjects))
    terms, asked = _terms_of(rows, subjects, {*own_names, *(_named_in(rows) if is_of_person else ())})
    topic = _Topic(
        rows=rows,
        terms={id_: listed - asked for id_, listed in terms.items()},
        names=frozenset() if is_of_person else _terms_of_names(rows),
        within=meant,
        closed={
            row.id
            for row in rows
            if row.id in spared or terms[row.id] & asked or _names_owner(row, subjects) or not _is_open(matches[row.id])
        },
        talked=not is_of_person,
        noted=len(meant) <= _FEW and not is_of_person,
    )
    brought: dict[str, Match] = {}
    for step in range(_STEPS):
        fresh = {row.id: tie for row, tie in _tied(topic, first=not step)}
        for id_, tie in fresh.items():
            likelihood = tie.likelihood * _FADING ** (step + 1)
            brought[id_] = Match(level=Level.DOUBTFUL, why=tie.why, likelihood=likelihood)
        topic.within |= fresh.keys()
    matches |= sorted(brought.items(), key=lambda tied: -tied[1].likelihood)[:_MOST]


def _named_in(rows: Sequence[Row]) -> frozenset[str]:
    """Words of the names in them: who is told of beside somebody is somebody else."""
    named = (row.text[start:end] for row in rows for start, end, _ in persons(row.text))
    return frozenset(folded(word) for name in named for word in words(name))


def _terms_of_names(rows: Sequence[Row]) -> frozenset[str]:
    """The stems of the words of names in them."""
    language = next(iter(languages.spoken_abroad("\n".join(row.text for row in rows))), "")
    named = _named_in(rows)
    return frozenset(stem for row in rows for low, stem in _telling(row.text, language) if low in named)


def _is_open(match: Match) -> bool:
    return match.level is Level.NO or match.why.startswith(_OPEN)


def _terms_of(
    rows: Sequence[Row], subjects: Sequence[Subject], own_names: Collection[str]
) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The stems of each row that may say what it is about, and which of all of them the request has itself."""
    language = next(iter(languages.spoken_abroad("\n".join(row.text for row in rows))), "")
    terms = {row.id: _terms(row.text, language, own_names) for row in rows}
    joined = sharing.parts_of({term for listed in terms.values() for term in listed}, language)
    terms = {id_: listed.union(*(joined.get(term, ()) for term in listed)) for id_, listed in terms.items()}
    called = {term for subject in subjects for term in _terms(subject.text, language, own_names)}
    known = {term for listed in terms.values() for term in listed}
    return terms, frozenset(term for term in known if any(_is_alike(term, it) for it in called))


def _terms(text: str, language: str, own_names: Collection[str]) -> frozenset[str]:
    """Stems of the words that may say what a text is about, without those for the user, money and measures."""
    return frozenset(stem for low, stem in _telling(text, language) if low not in own_names)


@kept_where_short
def _telling(text: str, language: str) -> tuple[tuple[str, str], ...]:
    """Words that may say what a text is about, as they are compared, each with its stem in a language."""
    listed = (word for word in words(chitchat.topical(text)) if word not in STOP_WORDS and len(word) > 1)
    return tuple(
        (unelided(folded(word)), stemmed_in(word, language))
        for word in listed
        if not (languages.is_general(word, language) or values.unit_of(word) or _SMALL.search(word))
    )


def _is_alike(first: str, second: str) -> bool:
    return first == second or (min(len(first), len(second)) >= _ALIKE and first[:_ALIKE] == second[:_ALIKE])


def _names_owner(row: Row, subjects: Sequence[Subject]) -> bool:
    """Whether a row names somebody whose something was asked for: it tells something else of them."""
    owners = {
        group for subject in subjects for part in subject.parts if part.roots & RELATIONS for group in part.groups
    }
    low = folded(row.text)
    return bool(owners) and any_group(frozenset(owners), plain=low.isascii()).search(low) is not None


@kept_where_short
def _fields_of(text: str) -> frozenset[str]:
    """The fields, and kinds in none of them, of which a text has words."""
    low = folded(text)
    roots = {name.partition(".")[0] for name, (_, said) in groups().items() if said.search(low)}
    within = {root: name for name, (_, listed) in fields().items() for root in listed}
    return frozenset(within.get(root, root) for root in roots)


def _tied(topic: _Topic, *, first: bool) -> Iterator[tuple[Row, _Tie]]:
    """The rows that the topic, as it is now, brings in; the likelier of two ties last."""
    if first and topic.noted:
        yield from _noted_behind(topic)
    first_named = frozenset(topic.names_of_it())
    for row in topic.rows:
        if first_named & topic.terms[row.id] and topic.is_open(row) and folded(row.speaker or "") not in MACHINES:
            yield row, _Tie(_NAMED, "it names who or what was first told of with that")
        expected, more = (
            topic.ties(row) if topic.is_open(row) and folded(row.speaker or "") not in MACHINES else (inf, False)
        )
        if expected <= _CHANCE and not more:
            yield row, _Tie(1 / (1 + expected / _CHANCE), "it has a word that is told with that, and hardly elsewhere")
    talks: dict[str, list[Row]] = defaultdict(list)
    for row in topic.rows:
        if first and topic.talked and row.session_id is not None:
            talks[row.session_id].append(row)
    for talk in talks.values():
        if sum(row.id in topic.within for row in talk) >= len(talk) * _DENSE:
            yield from _in_session(topic, talk)


def _in_session(topic: _Topic, talk: Sequence[Row]) -> Iterator[tuple[Row, _Tie]]:
    """What stands behind the topic in a session, until something else begins, or what was told before it."""
    order, goes_on = topic.order, False
    for row in talk:
        if row.id in topic.within:
            goes_on = True
            continue
        others = {id_ for term in topic.terms[row.id] for id_ in topic.having[term]} - topic.within
        elsewhere = any(order[id_] < order[talk[0].id] for id_ in others)
        goes_on = goes_on and not elsewhere and any_language("turns_away").match(row.text) is None
        if goes_on and topic.is_open(row):
            yield row, _Tie(_IN_SESSION, "it goes on in a session that is about that")


def _noted_behind(topic: _Topic) -> Iterator[tuple[Row, _Tie]]:
    """The notes that follow one of the topic, until one is of another field, or goes on about something older."""
    order = topic.order
    fields_, before, since, behind = set(topic.fields), None, 0, _BEHIND
    for row in topic.rows:
        if row.session_id is not None:
            continue
        if row.id in topic.within:
            since, behind = (order[row.id] if behind == _BEHIND else since), 0
        elif before is not None and behind < _BEHIND:
            told = _fields_of(row.text)
            tied = [order[id_] for term in topic.terms[row.id] for id_ in topic.having[term] if id_ != row.id]
            alone = row.created_at.date() - before.created_at.date() > _SOON or any(at < since for at in tied)
            another = told and (told.isdisjoint(fields_) if fields_ else not tied)
            behind = _BEHIND if alone or another else behind + 1
            if behind <= _BEHIND and not (alone or another) and (tied or told) and topic.is_open(row):
                fields_ |= told
                yield row, _Tie(_NOTED, "it was noted right behind what is about that")
        before = row
