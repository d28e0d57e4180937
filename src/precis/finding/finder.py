"""The finder: every row of a scope against a request.

Of the conditions on a row (subject, words, time, session, source, owner) the worst one decides; of several subjects the
best. Then rows are looked at together: who "he" is, which of several values is the old one, what is to be left alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, tzinfo
from functools import partial

from precis.finding.about.conditions import Scope, fit, fit_any, fit_row
from precis.finding.about.kept import PEOPLE, asks_who
from precis.finding.about.sources import by_source
from precis.finding.about.times import by_event, match_period, match_times, with_newest
from precis.finding.asked.asking import Request
from precis.finding.asked.firms import is_firm
from precis.finding.asked.standing import knows_now
from precis.finding.asked.tellings import says_its_kind
from precis.finding.asked.unread import take_unread
from precis.finding.beyond.guards import guarded
from precis.finding.doubts.bearers import with_bearers
from precis.finding.doubts.of_subject import with_doubts
from precis.finding.grounded.findings import names_asked, shown
from precis.finding.kinds import is_person
from precis.finding.names import survey
from precis.finding.parts import Subject
from precis.finding.reading import folded, users_of
from precis.finding.surely.of_subject import raised, told_by_speaker
from precis.finding.together.ages import by_age, doubt_newest, with_number, with_value
from precis.finding.together.aliases import aliases_of, by_name
from precis.finding.together.answers import take_answers, take_by_contacts, take_nearest, take_reports, with_worth
from precis.finding.together.by_pronoun import is_told_of_somebody, take_up_told, words_of_names
from precis.finding.together.following import take_echoes, take_following
from precis.finding.together.introduced import NAMED, take_introduced
from precis.finding.together.pronouns import MACHINES, is_somebody, take_up
from precis.finding.together.staying import leave_kept
from precis.finding.together.things import leave_other_words, take_known, take_owned
from precis.finding.together.threads import take_threads
from precis.finding.together.told_by import asks_for_both, said_by, said_by_user, users_among
from precis.finding.together.two_people import VERBATIM
from precis.finding.values import Findings, Kin, Level, Match, Row
from precis.finding.written.forms import any_of
from precis.finding.written.speaking import RELATIONS
from precis.finding.written.users import Plain

#: Groups of what is told by a figure.
_COUNTED = frozenset({"salary", "rent", "price", "phone", "debt"})


def find(
    request: Request,
    rows: Sequence[Row],
    *,
    own_names: Collection[str] = (),
    zone: tzinfo = UTC,
    kin: Kin | None = None,
) -> Findings:
    """What goes, may go or is near, and nothing else; without ``kin`` nothing is known of the things of a kind."""
    request = by_source(request, rows) or request
    read = {row.id: Plain(row, request.language) for row in rows}
    given = sorted(rows, key=lambda row: (row.created_at, row.id))
    ordered = [read[row.id].row for row in given]
    users = users_of(own_names)
    scope = _scope(request, ordered, users, zone, kin)
    matches = {row.id: _match(request, row, scope) for row in ordered}
    for at, subject in enumerate(request.subjects):
        _together(request, subject, at, ordered, matches, scope)
    _by_ages(request, ordered, matches, scope)
    spared = frozenset[str]()
    if request.keeps:
        first = len(request.subjects)
        about = lambda at, row: fit(request.keeps[at], row, first + at, scope)  # noqa: E731 - it is said once
        spared = leave_kept(request, ordered, matches, about, scope.own_names)
    if request.unsure or request.partly:
        why = "the request may only speak of forgetting" if request.unsure else "the request may mean something else"
        matches = {id_: _in_doubt(match, why) for id_, match in matches.items()}
    if request.by is not None and request.subjects and request.period is None:
        take_reports(ordered, matches, partial(fit_any, scope), partial(said_by, request.by))
    take_owned(ordered, matches, request.subjects, request.text)
    take_echoes(ordered, matches, bounded=request.bounded)
    nearest = take_nearest(ordered, matches, spared, request.subjects, bounded=request.bounded)
    if not nearest and request.by is None and (request.subjects or not request.said or asks_for_both(request.text)):
        take_answers(ordered, matches, spared)
    take_threads(ordered, matches, request.subjects, spared, scope.own_names, bounded=request.bounded)
    if request.tellings:
        matches |= {row.id: _of_kind(matches[row.id], row, request.tellings) for row in ordered}
    if request.newest:
        with_newest(ordered, matches, request.newest)
    doubt_newest(ordered, matches)
    with_worth(ordered, matches, request.subjects)
    facts = any(map(_asks_facts, request.subjects))
    matches = {id_: replace(match, spans=tuple(map(read[id_].back, match.spans))) for id_, match in matches.items()}
    missing = _missing(request, ordered, scope) if len(request.subjects) > 1 else ()
    missing = take_unread(request, ordered, matches, partial(_bounds, request, scope=scope), scope) or missing
    names = words_of_names(request.subjects, [alias for others in scope.aliases.values() for alias in others])
    asked = () if facts else names_asked(request.text, request.subjects, request.keeps)
    listed = shown(given, matches, facts=facts, names=names, asked=asked)
    return guarded(request, given, Findings(rows=tuple(listed), missing=(*missing, *request.unread)))


def _by_ages(request: Request, ordered: Sequence[Row], matches: dict[str, Match], scope: Scope) -> None:
    """Of several values those of the age that is asked for; where none is, what has the number of a sure one."""
    aged = [subject for subject in request.subjects if subject.old or subject.current]
    if aged:
        named = all(subject.names and subject.clause for subject in aged) or knows_now(request, ordered)
        said = {row.id: matches[row.id] for row in ordered if matches[row.id].why in {VERBATIM, NAMED}}
        old = any(subject.old for subject in aged)
        # Of "my new number" what says that in so many words is the newest, and is none of several old ones.
        as_asked = [row for row in _of_aged(request, ordered, scope) if not (old and row.id in said)]
        by_age(as_asked, matches, old=old, named=named, counted=_is_counted(aged), own_names=scope.own_names)
        matches.update(said)
        if old and all(subject.mine and not subject.names for subject in request.subjects):
            with_value(as_asked, matches, scope.own_names)
    elif len(request.subjects) == 1 and not (request.keeps or request.bounded) and _is_mine(request.subjects[0]):
        with_number(ordered, matches, scope.own_names)


def _together(
    request: Request, subject: Subject, at: int, ordered: Sequence[Row], matches: dict[str, Match], scope: Scope
) -> None:
    """What all rows together say of one subject: whom a pronoun takes up, what somebody is called, whose a thing is."""
    if is_somebody(subject):
        called = (*subject.names, *(alias for name in subject.names for alias in scope.aliases.get(name, ())))
        own = {word for name in called for word in name} | scope.own_names
        take_up(
            ordered, matches, partial(fit_row, subject, at, scope),
            lambda row: _bounds(request, row, scope), own, subject.language,
        )  # fmt: skip
    if len(request.subjects) == 1 and not request.bounded:
        take_known(ordered, matches, subject, scope.own_names)
    if is_told_of_somebody(subject):
        patterns = [scope.patterns[each] for name in subject.names for each in (name, *scope.aliases.get(name, ()))]
        things = tuple(part for part in subject.parts if not part.modifies) or subject.parts
        told = partial(fit_row, replace(subject, names=(), parts=things), at, scope)
        take_up_told(ordered, matches, partial(_is_named_in, patterns), told)
        take_by_contacts(ordered, matches, partial(_is_named_in, patterns), told, subject)
    if subject.parts and not is_somebody(subject):
        take_following(ordered, matches, subject, lambda row: _bounds(request, row, scope), scope.kin)
    if not asks_who(subject):
        alone = _alone(request, subject, at, ordered, matches, scope)
        take_introduced(ordered, matches, subject, lambda row: _bounds(request, row, scope), scope.own_names, alone)
    leave_other_words(ordered, matches, subject, [other for other in request.subjects if other is not subject])
    with_bearers(ordered, matches, subject)


def _alone(
    request: Request, subject: Subject, at: int, rows: Sequence[Row], matches: dict[str, Match], scope: Scope
) -> dict[str, Match]:
    """The matches for one of several subjects: of "my brother and my aunt" the brother has no name of the aunt's."""
    if len(request.subjects) == 1:
        return matches
    return {row.id: min(matches[row.id], fit(subject, row, at, scope), key=lambda match: match.level) for row in rows}


def _is_named_in(patterns: Sequence[re.Pattern[str]], row: Row) -> bool:
    """Whether a row has any of these names."""
    low = folded(row.text)
    return any(pattern.search(low) for pattern in patterns)


def _of_aged(request: Request, rows: Sequence[Row], scope: Scope) -> Sequence[Row]:
    """The rows without those that tell of something else that was asked for besides, of which no age is meant."""
    others = [(at, it) for at, it in enumerate(request.subjects) if not (it.old or it.current)]
    return [row for row in rows if not any(fit(it, row, at, scope).level > Level.NEAR for at, it in others)]


def _missing(request: Request, rows: Sequence[Row], scope: Scope) -> tuple[str, ...]:
    """Which of several things that a request names no row may tell of, in its words."""
    known = set[int]()
    for at, subject in scope.subjects:
        if at not in known and any(fit(subject, row, at, scope).level > Level.NEAR for row in rows):
            known.add(at)
    return tuple(subject.text for at, subject in enumerate(request.subjects) if at not in known)


def _asks_facts(subject: Subject) -> bool:
    """Whether something of somebody is asked for, and not all of them: "my son's marks", and not "my son"."""
    whole = subject.mine and len(subject.parts) == 1 and subject.parts[0].is_of(PEOPLE)
    return bool(subject.parts) and not (whole and not (subject.clause or subject.states or subject.old))


def _is_counted(subjects: Sequence[Subject]) -> bool:
    """Whether what is asked for has a figure: a salary, a rent."""
    return any(not part.roots.isdisjoint(_COUNTED) for subject in subjects for part in subject.parts)


def _is_mine(subject: Subject) -> bool:
    """Whether a thing of the user's is asked for, and none of somebody's of theirs."""
    people = any(is_person(part.word) or not RELATIONS.isdisjoint(part.roots) for part in subject.parts)
    return subject.mine and bool(subject.parts) and not (people or subject.names or subject.clause)


def _scope(request: Request, rows: Sequence[Row], users: frozenset[str], zone: tzinfo, kin: Kin | None) -> Scope:
    """What all rows together tell, of whom and what the request names."""
    by_names = tuple(by_name(request.subjects, rows, users))
    subjects = (*request.subjects, *request.keeps, *(subject for _, subject in by_names))
    events = (request.event,) if request.event else ()
    names = {name for subject in (*subjects, *events) for name in subject.names}
    aliases = aliases_of(names, rows, request.aliases, [subject.text for subject in subjects])
    names |= {alias for others in aliases.values() for alias in others}
    firms = [name for subject in subjects for name in subject.names if is_firm(name, subject.text)]
    scope = Scope(
        names=survey(names, rows, request.language, firms),
        aliases=aliases,
        patterns={name: any_of([name]) for name in names},
        own_names=users,
        subjects=(*enumerate(request.subjects), *by_names),
        zone=zone,
        kin=kin,
        since=rows[0].created_at.astimezone(zone).date() if rows else date.min,
        speakers=users_among(rows, users),
        people=len({folded(row.speaker) for row in rows if row.speaker} - MACHINES),
    )
    return _with_event(scope, request, rows)


def _with_event(scope: Scope, request: Request, rows: Sequence[Row]) -> Scope:
    """The scope, with which rows lie before or after what happened, where the request says so."""
    if request.event is None:
        return scope
    about = partial(fit_row, request.event, len(request.subjects) + len(request.keeps), scope)
    return replace(scope, event=by_event(rows, request.event, about, before=request.before))


def _in_doubt(match: Match, doubt: str) -> Match:
    why = f"{match.why}; {doubt}"
    return replace(match, level=Level.DOUBTFUL, why=why) if match.level is Level.SURE else match


def _of_kind(match: Match, row: Row, kinds: Collection[str]) -> Match:
    """The match, in doubt unless the row is told to be of the kind that was asked for."""
    return match if says_its_kind(row.text, kinds) else _in_doubt(match, "it may be none of the kind that was meant")


def _match(request: Request, row: Row, scope: Scope) -> Match:
    bounds = list(_bounds(request, row, scope))
    outside = min(bounds, key=lambda match: match.level, default=None)
    if not request.subjects:
        everything = outside or Match(level=Level.SURE, why="everything in this scope was asked for")
        return replace(everything, spans=tuple(span for match in bounds for span in match.spans))
    about = max((_of_users(subject, row, at, scope) for at, subject in scope.subjects), key=lambda match: match.level)
    if outside is None:
        return about
    if outside.level is Level.SURE or about.level <= Level.NEAR:
        return replace(about, why=" and ".join(filter(None, (about.why, outside.why))))
    if outside.level is Level.NO:
        return Match(level=Level.NEAR, why=outside.why)
    return replace(about, level=min(about.level, outside.level), why=outside.why)


def _bounds(request: Request, row: Row, scope: Scope) -> Iterator[Match]:
    """The conditions besides the subject."""
    if request.period is not None:
        by_writing = bool(request.said) or not request.subjects
        yield match_period(
            request.period, row, scope.zone, by_writing=by_writing, said=bool(request.said), language=request.language,
            since=scope.since,
        )  # fmt: skip
    if request.times:
        yield match_times(request.times, row)
    if scope.event is not None:
        yield scope.event(row)
    if request.session is not None:
        yield _same("it is of that session", "it is of another session", row.session_id == request.session)
    if request.origin is not None:
        yield _same("it comes from there", "it comes from elsewhere", folded(request.origin) in row.origins)
    if request.by is not None:
        yield said_by(request.by, row, topic=bool(request.subjects))
    elif request.said:
        yield said_by_user(row, scope.speakers, request.said, request.text, people=scope.people)


def _same(yes: str, no: str, holds: bool) -> Match:  # noqa: FBT001 - the answer itself
    return Match(level=Level.SURE, why=yes) if holds else Match(level=Level.NO, why=no)


def _of_users(subject: Subject, row: Row, at: int, scope: Scope) -> Match:
    """The same, in doubt where somebody else than the user says of themselves what was asked for of the user."""
    match = raised(subject, row, fit(subject, row, at, scope), scope.own_names)
    match = told_by_speaker(subject, row, with_doubts(subject, row, match), scope.own_names | scope.speakers)
    other = (
        scope.several
        and row.speaker is not None
        and folded(row.speaker) not in scope.own_names | scope.speakers | MACHINES
    )
    if match.level is Level.SURE and other and subject.mine and not subject.names:
        return replace(match, level=Level.DOUBTFUL, why="somebody else may say it of themselves")
    return match
