"""Which memories a newer one says anew: of "the old tariff" those before the newest, in whatever words it is asked.

Two memories are versions of one thing where most of their words are the same and their values are not (a number, a
day, a name), and the newer says that something changed, or one of them has no other words than the other. The request
has to ask for what is old, or to keep what is new, and to name the thing in a word of one of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, tzinfo
from functools import partial

from precis.finding.about.times import match_period
from precis.finding.asked import corrections, standing
from precis.finding.asked.asking import Request
from precis.finding.doubts.whose import without_others
from precis.finding.framing import CLAUSE
from precis.finding.grounded.bearers import another_bears, telling
from precis.finding.grounded.clauses import forgets, sort_of, spoken
from precis.finding.grounded.findings import shown
from precis.finding.owners import match_owner
from precis.finding.periods import Period
from precis.finding.reading import UNSPACED, folded, read_words, users_of
from precis.finding.reasons import selects
from precis.finding.tables import all_words, ground_phrases, groups, languages, name_words, patterns, unspaced_groups
from precis.finding.together.ages import figures_in, values_in
from precis.finding.values import Findings, Level, Match, Row
from precis.finding.wording import only_speaks, with_ages
from precis.language.newest.slots import changes, turning
from precis.language.words import is_form, stem

#: A longer request, or memory, is not compared word by word.
_LONGEST = 2000
#: Words that begin alike in so many letters may be forms of one.
_BEGINS = 4
#: So large a part of the words of the one with fewer words two versions share.
_SHARED = 0.6
#: An older one whose words are so much less like those of the newest than another's tells of something else.
_LESS = 0.2
#: The newest memories that are compared, at most.
_MOST = 400


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Of what a request wants the old ones gone."""

    language: str
    words: tuple[str, ...]
    #: Those of them that are names: every version has them.
    names: frozenset[str]
    groups: frozenset[str]
    #: Only the oldest is meant.
    first: bool
    #: It says itself that something changed, or that the new one is to stay.
    changed: bool
    period: Period | None
    zone: tzinfo


@dataclass(frozen=True, kw_only=True)
class _Told:
    """A memory as it is compared with others."""

    row: Row
    #: All its words; those that tell something; those of them that are names.
    wording: frozenset[str]
    terms: frozenset[str]
    names: frozenset[str]
    figures: frozenset[str]
    kinds: frozenset[str]
    changes: bool
    #: So many words of the request it has.
    hits: int


def versions(
    what: str, request: Request, rows: Sequence[Row], own_names: Collection[str], zone: tzinfo = UTC
) -> Findings:
    """The old ones of what a request asks for are sure, and the newest is near; empty where nothing is clear."""
    before = request.period is not None and request.period.first == date.min  # "before 2018" is no older value
    asked = None if before else _asked(corrections.as_meant(what).text, request, zone)
    matches = without_others(request.subjects, rows, _versions(asked, rows, users_of(own_names)) if asked else {})
    listed = shown([row for row in rows if row.id in matches], matches, facts=True)
    return Findings(rows=standing.without_values(request, rows, listed))


def _versions(asked: _Asked, rows: Sequence[Row], own_names: Collection[str]) -> dict[str, Match]:
    ordered = sorted(rows, key=lambda row: (row.created_at, row.id))
    told = [each for each in (_told(row, asked, own_names) for row in _likely(ordered, asked)) if each.terms]
    whosever = _anew(told, asked, own_names, apart=False)
    of_one = _anew(told, asked, own_names, apart=True) if whosever else {}
    if of_one.keys() <= whosever.keys() and of_one:
        return of_one
    why = "it is called somebody else's"
    return {id_: replace(it, level=min(it.level, Level.DOUBTFUL), why=why) for id_, it in whosever.items()}


def _anew(told: Sequence[_Told], asked: _Asked, own_names: Collection[str], *, apart: bool) -> dict[str, Match]:
    """What is said anew; where it is kept ``apart`` only of what is not called anybody else's."""
    then = {each.row.id: _is_then(each.row, asked) for each in told if _is_known(each.row, asked, own_names)}
    chains, before = [], list[_Told]()
    for at, newest in enumerate(told):
        older = (
            _older(newest, before, asked, own_names if apart else None)
            if then.get(newest.row.id, True) in {None, False}
            else []
        )
        hits = max((each.hits for each in (newest, *older)), default=0)
        if older and hits:
            chains.append(((hits, newest.changes, at), older))
        if then.get(newest.row.id, False) is not False:
            before.append(newest)
    if not chains:
        return {}
    (most, _, place), older = max(chains, key=lambda chain: chain[0])
    chain = {told[place].row.id, *(each.row.id for each in older)}
    if any(hits == most and any(each.row.id not in chain for each in others) for (hits, _, _), others in chains):
        return {}  # several things are told anew
    matches = {each.row.id: _old(each, told[place]) for each in (older[:1] if asked.first else older)}
    return matches | {told[place].row.id: Match(level=Level.NEAR, why="it is the newest")}


def _old(older: _Told, newest: _Told) -> Match:
    shared = older.terms & newest.terms
    spans = tuple((word.start, word.end) for word in read_words(older.row.text) if stem(word.low) in shared)
    return Match(level=Level.SURE, why="a newer memory says it anew", spans=spans)


def _asked(what: str, request: Request, zone: tzinfo) -> _Asked | None:
    """What it asks for; None where it does not plainly ask for the old ones of something."""
    elsewhere = request.by or request.session or request.origin or request.event
    language = spoken(what[:_LONGEST])
    if len(what) > _LONGEST or elsewhere or language not in languages() or only_speaks(what, language):
        return None
    if any(map(selects, (*request.subjects, *request.keeps))) or _is_of_people(what, request):
        return None
    wordings = (
        [_read(clause, language) for clause in CLAUSE.split(text)] for text in (what, with_ages(what, language))
    )
    clauses = next((clauses for clauses in wordings if _asks_for_old(clauses, request)), None)
    if clauses is None:
        return None
    keeps_new = any(clause.keeps_new for clause in clauses)
    text = " ".join(clause.rest for clause in clauses)
    low = folded(text)
    things = [it for it in telling(text) if not (sort_of(it.low, language) or UNSPACED.search(it.low))]
    names = {low for subject in request.subjects for name in subject.names for low in name}
    names |= {word.low for word in things if word.capital and not word.opens and language != "de"}
    named = {name for name, (called, _) in groups().items() if called.search(low)}
    named |= {name for _, _, members in unspaced_groups(low) for name in members}
    return _Asked(
        language=language, words=tuple(word.low for word in things),
        names=frozenset(names.intersection(word.low for word in things)),
        groups=frozenset(named) & groups().keys(), first=any(clause.first for clause in clauses),
        changed=keeps_new or changes(what) or (language != "en" and turning(what)),
        period=None if any(clause.old for clause in clauses) else request.period, zone=zone,
    )  # fmt: skip


def _is_of_people(what: str, request: Request) -> bool:
    """Whether people are asked for and nothing of theirs: "my ex Penny" says who she is, and of no older value."""
    people = [it for it in request.subjects if it.names and not (it.parts or it.old or it.current)]
    named = bool(people) and len(people) == len(request.subjects)
    return named and name_words("ages").isdisjoint(word.low for word in read_words(what))


def _asks_for_old(clauses: Sequence[_Clause], request: Request) -> bool:
    old = request.period is not None or any(clause.old for clause in clauses)
    keeps_new = any(clause.keeps_new for clause in clauses)
    refused = request.refuses and not keeps_new
    return not refused and (old or keeps_new) and not any(clause.contrary for clause in clauses)


@dataclass(frozen=True, kw_only=True)
class _Clause:
    """A clause of a request: which of several values it speaks of, what it asks for, and what else it says."""

    old: bool
    first: bool
    keeps_new: bool
    #: Asks to keep what is old, or to forget what is new.
    contrary: bool
    rest: str


def _read(clause: str, language: str) -> _Clause:
    rest, first, opens_first = _without(clause, patterns(language, "first_one"))
    rest, old, opens_old = _without(rest, (*patterns(language, "old"), *patterns(language, "earlier")))
    rest, new, opens_new = _without(rest, patterns(language, "current"))
    old, before = old or first, min(opens_first, opens_old) < opens_new
    if ground_phrases(language):
        return _Clause(old=old, first=first, keeps_new=old and new and before, contrary=new and not old, rest=rest)
    purpose = forgets([sort_of(word.low, language) for word in read_words(clause)])
    both = old and new  # of "forget the old one and keep the new one" what is asked first is of what is named first
    keeps_new = (both and purpose is before) or (new and not old and purpose is False)
    contrary = (both and purpose is not None and purpose is not before) or (
        not both and ((old and purpose is False) or (new and purpose is True))
    )
    return _Clause(old=old, first=first, keeps_new=keeps_new, contrary=contrary, rest=rest)


def _without(text: str, expressions: Iterable[str]) -> tuple[str, bool, int]:
    """A text without what any of these match, whether any does, and where the first of it stands."""
    rest, first = text, len(text)
    for expression in filter(None, expressions):
        spaced = re.compile(
            expression if UNSPACED.search(expression) else rf"(?<!\w)(?:{expression})(?!\w)", re.IGNORECASE
        )
        match = spaced.search(rest)
        if match is not None:
            first, rest = min(first, match.start()), spaced.sub(" ", rest)
    return rest, rest != text, first


def _likely(rows: Sequence[Row], asked: _Asked) -> list[Row]:
    """The newest rows that a request may mean, and those that share a word with them."""
    short = [row for row in rows if len(row.text) <= _LONGEST]
    if len(short) <= _MOST:
        return short
    lows = {row.id: folded(row.text) for row in short}
    opening = re.compile("|".join([rf"(?<!\w){re.escape(word[:_BEGINS])}" for word in asked.words] or [r"(?!)"]))
    expressions = [opening, *(groups()[name][1] for name in asked.groups)]
    named = [row for row in short if any(each.search(lows[row.id]) for each in expressions)][-_MOST // 4 :]
    shared = {word.low[:_BEGINS] for row in named for word in telling(row.text)}
    near = {row.id for row in named}
    return [
        row for row in short
        if row.id in near or any(word[:_BEGINS] in shared for word in lows[row.id].split())
    ][-_MOST:]  # fmt: skip


def _told(row: Row, asked: _Asked, own_names: Collection[str]) -> _Told:
    words = [word for word in telling(row.text) if word.low not in {*own_names, *all_words("first")}]
    terms = {stem(word.low) for word in words if not UNSPACED.search(word.low)}
    runs = [word.low for word in words if UNSPACED.search(word.low)]
    terms |= {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    low = folded(row.text)
    hits = sum(any(is_form(thing, word.low, asked.language) for word in words) for thing in asked.words)
    matches = (match.group() for name in asked.groups for match in groups()[name][1].finditer(low))
    hits += any(word not in name_words("care_places") for word in matches)  # a clinic is no doctor
    figures = values_in(row.text)
    aside = name_words("present")
    return _Told(
        row=row, wording=frozenset(word.low for word in read_words(row.text) if word.low not in aside),
        terms=frozenset(terms), names=frozenset(stem(word.low) for word in words if word.capital and not word.opens),
        figures=frozenset(value for values in figures.values() for value in values),
        kinds=frozenset(kind.split()[0] for kind in figures),
        changes=changes(row.text) or (asked.language != "en" and turning(row.text)), hits=hits,
    )  # fmt: skip


def _older(newest: _Told, before: Sequence[_Told], asked: _Asked, own: Collection[str] | None) -> list[_Told]:
    """Those of the memories before it that it says anew; with names for the user only those of the same owner."""
    alike = [(_likeness(newest, each), each) for each in before if _is_version(newest, each, asked)]
    if own is not None:
        others = partial(another_bears, newest.row.text, asked=asked.words, own_names=own, language=asked.language)
        alike = [it for it in alike if not others(it[1].row.text, shared=it[1].wording & newest.wording)]
    most = max((likeness for likeness, _ in alike), default=0.0)
    # One without a word of the request that the others and the newest have is of something else.
    hits = min(newest.hits, max((each.hits for _, each in alike), default=0))
    return [each for likeness, each in alike if likeness > most - _LESS and each.hits >= hits]


def _likeness(first: _Told, second: _Told) -> float:
    one, other = first.terms - (first.names - second.terms), second.terms - (second.names - first.terms)
    return len(one & other) / max(1, len(one | other))


def _is_version(newest: _Told, older: _Told, asked: _Asked) -> bool:
    # What only one of them has as a name is a value, and no word that they could share.
    one, other = newest.terms - (newest.names - older.terms), older.terms - (older.names - newest.terms)
    shared = one & other
    if not shared or len(shared) < _SHARED * min(len(one), len(other)):
        return False
    figures = newest.kinds & older.kinds and newest.figures != older.figures
    same = figures_in(newest.row.text) == figures_in(older.row.text) != frozenset()
    if same or newest.wording == older.wording or ((newest.kinds or older.kinds) and not figures):
        return False
    if older.names and not (newest.names or newest.figures):
        return False  # "I live above a bakery" names no other place
    return newest.changes or asked.changed or (bool(newest.kinds) and (one <= other or other <= one))


def _is_then(row: Row, asked: _Asked) -> bool | None:
    """Whether it was written when the request says; None where it says nothing of that."""
    period = asked.period
    return None if period is None else match_period(period, row, asked.zone, by_writing=True).level > Level.NEAR


def _is_known(row: Row, asked: _Asked, own_names: Collection[str]) -> bool:
    """Whether it is of whom the request names, or else not of another than the user."""
    words = read_words(row.text)
    if asked.names:
        return all(any(is_form(name, word.low, asked.language) for word in words) for name in asked.names)
    return match_owner(row, (), asked.groups, own_names, asked.language).level is not Level.NEAR
