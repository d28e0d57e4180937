"""The finder: every row of a scope against a request.

Of the conditions on a row (subject, words, time, session, source, owner) the worst one decides; of several subjects the
best. Then three steps look at rows together: who "he" is in the next message, which of several values is the old one,
and what was to be left alone. What is in doubt is said to be.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, tzinfo
from functools import partial

from precis.finding.about.clauses import speaks
from precis.finding.about.numbered import match_numbered
from precis.finding.about.old_values import match_value
from precis.finding.about.tellings import TOLD, told_of_names
from precis.finding.about.told_of_user import told_of_user
from precis.finding.about.topics import match_subject
from precis.finding.grounded.findings import shown
from precis.finding.identifiers import labeled, match_identifiers, tells_number
from precis.finding.names import Name, Namesakes, match_name, said_by, survey
from precis.finding.owners import done_by_another, is_definite, match_owner, of_another
from precis.finding.parts import Subject
from precis.finding.periods import match_period
from precis.finding.reading import folded, is_caseless, places_of, read_words, users_of
from precis.finding.request import Request
from precis.finding.scripts import inflected_places, is_inflected
from precis.finding.together.ages import by_age, with_value
from precis.finding.together.aliases import aliases_of
from precis.finding.together.events import Bound, by_event
from precis.finding.together.kin import by_name, by_role, unless_another, word_for_word
from precis.finding.together.pronouns import MACHINES, is_somebody, take_up
from precis.finding.together.things import leave_other_words, take_known
from precis.finding.together.two_people import VERBATIM, in_so_many_words, without_kept, without_theirs
from precis.finding.values import Findings, Kin, Level, Match, Row, Span
from precis.finding.written.forms import any_of, match_like
from precis.finding.written.spellings import times_of_day
from precis.finding.written.users import Plain


@dataclass(frozen=True, kw_only=True)
class _Scope:
    """What all rows together tell."""

    names: Mapping[Name, Namesakes]
    #: By what other names somebody goes.
    aliases: Mapping[Name, Sequence[Name]]
    patterns: Mapping[Name, re.Pattern[str]]
    own_names: frozenset[str]
    zone: tzinfo
    kin: Kin | None
    #: What is asked for, each with the place of its phrase: also by the name of whose it is.
    subjects: Sequence[tuple[int, Subject]]
    #: Whether more than one person speaks: then "my" is of whoever does.
    several: bool = False
    #: Whether a row lies before or after what happened, where the request says so.
    event: Bound | None = None
    #: The day on which the first row was written.
    since: date = date.min


def find(
    request: Request,
    rows: Sequence[Row],
    *,
    own_names: Collection[str] = (),
    zone: tzinfo = UTC,
    kin: Kin | None = None,
) -> Findings:
    """What goes, what may go, and what is near; rows that have nothing to do with it are not among them.

    Without ``kin`` nothing is known of the things of a kind.
    """
    read = {row.id: Plain(row) for row in rows}
    given = sorted(rows, key=lambda row: (row.created_at, row.id))
    ordered = [read[row.id].row for row in given]
    users = users_of(own_names)
    by_names = tuple(by_name(request.subjects, ordered, users))
    subjects = (*request.subjects, *request.keeps, *(subject for _, subject in by_names))
    events = (request.event,) if request.event else ()
    names = {name for subject in (*subjects, *events) for name in subject.names}
    aliases = aliases_of(names, ordered, request.aliases, [subject.text for subject in subjects])
    names |= {alias for others in aliases.values() for alias in others}
    scope = _Scope(
        names=survey(names, ordered, request.language),
        aliases=aliases,
        patterns={name: any_of([name]) for name in names},
        own_names=users,
        subjects=(*enumerate(request.subjects), *by_names),
        zone=zone,
        kin=kin,
        since=ordered[0].created_at.astimezone(zone).date() if ordered else date.min,
        several=len({folded(row.speaker) for row in ordered if row.speaker} - MACHINES) > 1,
    )
    scope = _with_event(scope, request, ordered)
    matches = {row.id: _match(request, row, scope) for row in ordered}
    for at, subject in enumerate(request.subjects):
        if is_somebody(subject):
            called = (*subject.names, *(alias for name in subject.names for alias in aliases.get(name, ())))
            own = {word for name in called for word in name} | scope.own_names
            take_up(
                ordered, matches, partial(_about_row, subject, at, scope),
                lambda row: _bounds(request, row, scope), own,
                whole=any(folded(subject.text).endswith(part.word) for part in subject.parts),
            )  # fmt: skip
        if len(request.subjects) == 1 and not request.bounded:
            take_known(ordered, matches, subject, scope.own_names)
        leave_other_words(ordered, matches, subject)
    aged = [subject for subject in request.subjects if subject.old or subject.current]
    if aged:
        named = all(subject.names and subject.clause for subject in aged)
        as_asked = [row for row in ordered if matches[row.id].why != VERBATIM]
        old = any(subject.old for subject in aged)
        by_age(as_asked, matches, old=old, named=named, own_names=scope.own_names)
        if old and all(subject.mine and not subject.names for subject in request.subjects):
            with_value(as_asked, matches, scope.own_names)
    if request.keeps:
        _without_kept(request, ordered, matches, scope)
    if request.unsure:
        matches = {id_: _in_doubt(match) for id_, match in matches.items()}
    facts = any(subject.parts for subject in request.subjects)
    matches = {id_: replace(match, spans=tuple(map(read[id_].back, match.spans))) for id_, match in matches.items()}
    return Findings(rows=tuple(shown(given, matches, facts=facts)))


def _with_event(scope: _Scope, request: Request, rows: Sequence[Row]) -> _Scope:
    """The scope, with which rows lie before or after what happened, where the request says so."""
    if request.event is None:
        return scope
    about = partial(_about_row, request.event, len(request.subjects) + len(request.keeps), scope)
    return replace(scope, event=by_event(rows, lambda row: about(row).level is Level.SURE, before=request.before))


def _in_doubt(match: Match) -> Match:
    why = f"{match.why}; the request may only speak of forgetting"
    return replace(match, level=Level.DOUBTFUL, why=why) if match.level is Level.SURE else match


def _match(request: Request, row: Row, scope: _Scope) -> Match:
    bounds = list(_bounds(request, row, scope))
    outside = min(bounds, key=lambda match: match.level, default=None)
    if outside is not None and outside.level is Level.NO and not request.subjects:
        return outside
    if not request.subjects:
        return outside or Match(level=Level.SURE, why="everything in this scope was asked for")
    about = max((_of_users(subject, row, at, scope) for at, subject in scope.subjects), key=lambda match: match.level)
    if outside is None:
        return about
    if outside.level is Level.SURE or about.level <= Level.NEAR:
        why = " and ".join(filter(None, (about.why, outside.why)))
        return replace(about, why=why)
    if outside.level is Level.NO:
        return Match(level=Level.NEAR, why=outside.why)
    return replace(about, level=min(about.level, outside.level), why=outside.why)


def _bounds(request: Request, row: Row, scope: _Scope) -> Iterator[Match]:
    """The conditions besides the subject."""
    if request.period is not None:
        by_writing = request.said or not request.subjects
        yield match_period(
            request.period, row, scope.zone, by_writing=by_writing, said=request.said, language=request.language,
            since=scope.since,
        )  # fmt: skip
    if request.times:
        yield _at(request.times, row)
    if scope.event is not None:
        yield scope.event(row)
    if request.session is not None:
        yield _same("it is of that session", "it is of another session", row.session_id == request.session)
    if request.origin is not None:
        yield _same("it comes from there", "it comes from elsewhere", folded(request.origin) in row.origins)
    if request.by is not None:
        yield said_by(request.by, row)
    elif request.said:
        other = row.speaker is not None and folded(row.speaker) in MACHINES
        yield _same("the user said it", "somebody else said it", not other)


def _at(times: Collection[tuple[int, int]], row: Row) -> Match:
    """Whether a row tells of one of these times of day, however it writes it; in doubt where it names none."""
    named = times_of_day(row.text)
    if not named:
        return Match(level=Level.DOUBTFUL, why="it names no time of day")
    return _same("it names that time of day", "it names another time of day", not named.isdisjoint(times))


def _same(yes: str, no: str, holds: bool) -> Match:  # noqa: FBT001 - the answer itself
    return Match(level=Level.SURE, why=yes) if holds else Match(level=Level.NO, why=no)


def _of_users(subject: Subject, row: Row, at: int, scope: _Scope) -> Match:
    """The same, in doubt where somebody else than the user says of themselves what was asked for of the user."""
    match = _about(subject, row, at, scope)
    other = scope.several and row.speaker is not None and folded(row.speaker) not in scope.own_names | MACHINES
    if match.level is Level.SURE and other and subject.mine and not subject.names:
        return replace(match, level=Level.DOUBTFUL, why="somebody else may say it of themselves")
    return match


def _about(subject: Subject, row: Row, at: int, scope: _Scope) -> Match:
    """How well a row fits one subject."""
    verbatim = in_so_many_words(subject, row, scope.own_names) or match_numbered(subject, row)
    verbatim = verbatim or told_of_user(subject, row, scope.own_names)
    if verbatim is not None:
        return verbatim
    parts = list(_conditions(subject, row, at, scope))
    worst = min(parts, key=lambda match: match.level, default=Match(level=Level.NO))
    if worst.level is Level.NO and max(part.level for part in parts) >= Level.DOUBTFUL and len(parts) > 1:
        named = subject.names and parts[0].level >= Level.DOUBTFUL
        return Match(
            level=Level.NEAR, why="it is about something else of the same name" if named else "it is about another"
        )
    spans = tuple(span for part in parts for span in part.spans)
    if worst.level >= Level.DOUBTFUL and spans:
        spans = without_theirs(row, spans, partial(_about_row, subject, at, scope), several=len(subject.parts) > 1)
        if not spans:
            return Match(level=Level.DOUBTFUL, why="it has the words, each of something else")
    return Match(level=worst.level, why=worst.why, spans=spans)


def _about_row(subject: Subject, at: int, scope: _Scope, row: Row) -> Match:
    return _about(subject, row, at, scope)


def _conditions(subject: Subject, row: Row, at: int, scope: _Scope) -> Iterator[Match]:
    low = folded(row.text) if subject.names or subject.quotes else ""
    for name in subject.names:
        called = (name, *scope.aliases.get(name, ()))
        yield max((_named(each, subject, row, low, scope) for each in called), key=lambda match: match.level)
    yield from _owned(subject, row, low, scope)
    if subject.states and not (subject.parts or subject.identifiers or subject.quotes or len(subject.names) > 1):
        yield Match(level=Level.DOUBTFUL, why="it may tell something else of them")
    only_named = subject.names and subject.clause and subject.mine and not subject.parts
    if only_named:  # "that I have never been to Japan"
        spans = tuple(match.span() for name in subject.names for match in scope.patterns[name].finditer(low))
        owner = match_owner(row, spans, set(), scope.own_names, subject.language)
        if owner.level is not Level.SURE or not speaks(read_words(row.text), scope.own_names):
            yield Match(level=Level.DOUBTFUL, why="the user may not be meant there")
    if subject.identifiers:
        yield labeled(match_identifiers(subject.identifiers, row.text), subject.text, subject.identifiers, row.text)
    for quote in subject.quotes:
        place = low.find(folded(quote))
        spans: tuple[Span, ...] = ((place, place + len(quote)),) if place >= 0 else ()
        spans = tuple(inflected_places(folded(quote), low)) if is_inflected(quote) else spans
        yield Match(level=Level.SURE if spans else Level.NO, why="it has these words", spans=spans)
    if subject.parts:
        match = _by_parts(subject, row, at, scope)
        yield match
        own = not subject.names or (subject.clause and subject.mine)
        if match.level >= Level.DOUBTFUL and own and not subject.each:
            meant = {root for part in subject.parts for root in part.roots}
            owner = match_owner(row, match.spans, meant, scope.own_names, subject.language)
            yield replace(owner, level=max(owner.level, _least(subject, row, owner, match.spans)))


def _by_parts(subject: Subject, row: Row, at: int, scope: _Scope) -> Match:
    """How well what is asked for besides names fits, in doubt where it may be told of another."""
    likeness = row.likeness[at] if at < len(row.likeness) else 0.0
    match = match_subject(subject, row, likeness, scope.kin, scope.own_names)
    if match.level is not Level.SURE:
        return match
    if subject.names and not (subject.states or subject.mine or subject.foreign):
        exact = {span for part in subject.parts for span in places_of(part.word, folded(row.text))}
        told = [span for span in match.spans if span not in exact]
        if told and exact.isdisjoint(match.spans) and not told_of_names(subject, row.text, told, scope.own_names):
            return replace(match, level=Level.DOUBTFUL, why="it may tell that of another")
    told_of_user = subject.clause and subject.mine
    if subject.numbered and not tells_number(row.text):
        return replace(match, level=Level.DOUBTFUL, why="it tells no number")
    if subject.names and of_another(row, subject.names, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="it may tell that of somebody of theirs")
    if told_of_user and done_by_another(subject.text, row.text, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="somebody else may do that")
    return match


def _least(subject: Subject, row: Row, owner: Match, spans: Collection[Span]) -> Level:
    """How surely it is meant whosever it is: what is asked for as nobody's is, where it is called nobody's."""
    plain = subject.definite and owner.level is Level.DOUBTFUL and is_definite(row.text, spans)
    return Level.SURE if plain else Level.NO if subject.mine else Level.DOUBTFUL


def _owned(subject: Subject, row: Row, low: str, scope: _Scope) -> Iterator[Match]:
    """Whose it is what was taken for a name: without capitals that may be a thing of the user's."""
    if subject.value:
        yield match_value(subject, row, _named_places(subject, low, scope), scope.own_names)
        return
    caseless = subject.names and all(is_caseless(name[0]) for name in subject.names)
    if caseless and subject.mine and not (subject.parts or subject.clause):
        yield match_owner(row, _named_places(subject, low, scope), set(), scope.own_names, subject.language)


def _named_places(subject: Subject, low: str, scope: _Scope) -> tuple[Span, ...]:
    return tuple(match.span() for name in subject.names for match in scope.patterns[name].finditer(low))


def _named(name: Name, subject: Subject, row: Row, low: str, scope: _Scope) -> Match:
    """Whether a row names somebody by one of their names."""
    if scope.patterns[name].search(low) or row.speaker:
        match = match_name(name, row, scope.names[name], subject.not_titled)
        return unless_another(subject, row, word_for_word(subject, name, row, match))
    role = by_role(subject, name, row, scope.own_names)
    return role or (Match(level=Level.NO) if scope.names[name].fulls else match_like(name, row))


def _without_kept(request: Request, rows: Sequence[Row], matches: dict[str, Match], scope: _Scope) -> None:
    """What was to be left alone stays; where it may be that, it is in doubt.

    Where everything was asked for but something that no row tells of, everything is: it may be told in other words.
    """
    first = len(request.subjects)
    kept = {
        row.id: max(
            (_about(subject, row, first + at, scope) for at, subject in enumerate(request.keeps)),
            key=lambda match: match.level,
        )
        for row in rows
    }
    plain = all(subject.known for subject in request.keeps)
    known = (bool(request.subjects) and plain) or any(match.level >= Level.DOUBTFUL for match in kept.values())
    for row in rows:
        match = matches[row.id]
        if match.level < Level.DOUBTFUL:
            continue
        if kept[row.id].level is Level.SURE:
            rest = without_kept(row, match, kept[row.id])
            matches[row.id] = rest or Match(level=Level.NEAR, why="it was to be left alone")
        elif kept[row.id].level is Level.DOUBTFUL:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="it may be what was to be left alone")
        elif match.why.startswith(TOLD):
            matches[row.id] = replace(match, level=Level.DOUBTFUL, why="it may be what was to be left alone")
        elif not known:
            matches[row.id] = replace(match, level=Level.DOUBTFUL, why="nothing tells of what was to be left alone")
