"""What a row has to be for one subject of a request: named, owned, and about it; the worst of that decides."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from functools import partial
from itertools import pairwise

from precis.finding import scripts, tables
from precis.finding.about import clauses, denials, measures, old_values, tellings, times, topics
from precis.finding.about.told_of_user import asks_own_name, tells_own_name, told_of_user
from precis.finding.asked.firms import only_beside_institution
from precis.finding.doubts.bearers import is_firm
from precis.finding.doubts.clauses import owner_by_clause
from precis.finding.doubts.labels import labeled
from precis.finding.doubts.senses import tells_in_general
from precis.finding.doubts.whose import of_another_owner
from precis.finding.identifiers import identifiers_in, match_identifiers, names_number, tells_number
from precis.finding.names import Name, Namesakes, match_name
from precis.finding.owners import ANOTHERS, done_by_another, is_definite, match_owner, of_another
from precis.finding.parts import Subject
from precis.finding.reading import folded, is_caseless, places_of, read_words
from precis.finding.together.aliases import by_role, unless_another, unless_guessed, word_for_word
from precis.finding.together.two_people import in_so_many_words, without_theirs
from precis.finding.values import Kin, Level, Match, Row, Span
from precis.finding.written import speaking, unspaced
from precis.finding.written.forms import LIKE_NAME, is_subject, match_like, may_be_another, plain
from precis.finding.written.named import OTHER_TITLE, is_place, titled_otherwise
from precis.finding.written.told import ONLY_MEANS, only_means
from precis.language.words import kept
from precis.language.written.spoken import has_lock

#: Before somebody who is that no more.
#: What has a number of one or two digits.
_SHORT = frozenset({"shoe_size"})
#: A number of somebody's is that of a telephone, which has so many digits at least.
_PHONE, _DIGITS = frozenset({"phone"}), 5
_JOURNEY = frozenset({"travel"})
#: The number of a house, right before what is behind.
_NUMBER_BEFORE = re.compile(r"(?<![\w.,])(\d{1,4}[a-z]?),? $")
_FORMER = frozenset("old former previous ex ex-".split())


@dataclass(frozen=True, kw_only=True)
class Scope:
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
    #: How many people speak.
    people: int = 0
    #: Those who speak and are the user, folded.
    speakers: frozenset[str] = frozenset()
    #: Whether a row lies before or after what happened, where the request says so.
    event: times.Bound | None = None
    #: The day on which the first row was written.
    since: date = date.min

    @property
    def several(self) -> bool:
        """Whether more than one person speaks: then "my" is of whoever does."""
        return self.people > 1


def fit(subject: Subject, row: Row, at: int, scope: Scope) -> Match:
    """How well a row fits one subject."""
    verbatim = in_so_many_words(subject, row, scope.own_names) or measures.match_numbered(subject, row)
    verbatim = verbatim or told_of_user(subject, row, scope.own_names)
    if verbatim is not None:
        return verbatim
    parts = list(_conditions(subject, row, at, scope))
    worst = min(parts, key=lambda match: match.level, default=Match(level=Level.NO))
    if worst.level is Level.NO and max(part.level for part in parts) >= Level.DOUBTFUL and len(parts) > 1:
        named = subject.names and parts[0].level >= Level.DOUBTFUL
        if named and _is_journey(subject):
            why = "it may be of that journey" if subject.parts else "it has only one of the names"
            return Match(level=Level.DOUBTFUL, why=why)
        return Match(
            level=Level.NEAR, why="it is about something else of the same name" if named else "it is about another"
        )
    spans = tuple(span for part in parts for span in part.spans)
    if worst.level >= Level.DOUBTFUL and spans:
        spans = without_theirs(row, spans, partial(fit_row, subject, at, scope), several=len(subject.parts) > 1)
        if not spans:
            return Match(level=Level.DOUBTFUL, why="it has the words, each of something else")
    return Match(level=worst.level, why=worst.why, spans=spans)


def _is_journey(subject: Subject) -> bool:
    """Whether a journey to a place is asked for, and nobody's: "the Porto trip"; or several names and nothing else."""
    whose = any(word.owns or word.low in tables.name_words("given") for word in read_words(subject.text))
    return all(part.groups == _JOURNEY for part in subject.parts) and not (whose or subject.clause or subject.mine)


def fit_row(subject: Subject, at: int, scope: Scope, row: Row) -> Match:
    """The same, the row last."""
    return fit(subject, row, at, scope)


def fit_any(scope: Scope, row: Row) -> Match:
    """How well a row fits the one of all subjects that it fits best."""
    return max((fit(subject, row, at, scope) for at, subject in scope.subjects), key=lambda match: match.level)


def _conditions(subject: Subject, row: Row, at: int, scope: Scope) -> Iterator[Match]:
    low = folded(row.text) if subject.names or subject.quotes else ""
    subject, house = _house(subject)
    for name in subject.names:
        called = (name, *scope.aliases.get(name, ()))
        fits = ((each, _named(each, subject, row, low, scope)) for each in called)
        match = max((unless_guessed(name, each, fit) for each, fit in fits), key=lambda match: match.level)
        yield _of_house(house, row.text, match) if house else match
    yield from _owned(subject, row, low, scope)
    if subject.states and not (subject.parts or subject.identifiers or subject.quotes or len(subject.names) > 1):
        yield Match(level=Level.DOUBTFUL, why="it may tell something else of them")
    only_named = subject.names and subject.clause and subject.mine and not subject.parts
    if only_named and not _tells_of_user(subject, row, low, scope):  # "that I have never been to Japan"
        yield Match(level=Level.DOUBTFUL, why="the user may not be meant there")
    if subject.identifiers:
        yield labeled(match_identifiers(subject.identifiers, row.text), subject.text, subject.identifiers, row.text)
    for quote in subject.quotes:
        place = low.find(folded(quote))
        spans: tuple[Span, ...] = ((place, place + len(quote)),) if place >= 0 else ()
        spans = tuple(scripts.inflected_places(folded(quote), low)) if scripts.is_inflected(quote) else spans
        denied = bool(spans) and denials.denied_there(subject, row.text, spans)
        level = Level.DOUBTFUL if denied else Level.SURE if spans else Level.NO
        yield Match(level=level, why=denials.DENIED if denied else "it has these words", spans=spans)
    if subject.parts:
        match = _by_parts(subject, row, at, scope)
        yield match
        own = not subject.names or (subject.clause and subject.mine)
        if match.level >= Level.DOUBTFUL and own and (subject.others or not subject.each):
            meant = {root for part in subject.parts for root in part.roots}
            owner = owner_by_clause(row, match.spans, meant, scope.own_names, subject.language)
            if subject.others:
                yield denials.of_another(owner, called=_is_called_anothers(subject, row, match.spans))
                return
            yield replace(owner, level=max(owner.level, _least(subject, row, owner, match.spans)))


@kept
def _house(subject: Subject) -> tuple[Subject, str]:
    """The number before the name of a street, and the subject without it as a thing: "14 Ferry Road"."""
    numbers = (
        _NUMBER_BEFORE.search(subject.text[: match.start()])
        for name in subject.names
        if is_place(name)
        for match in re.finditer(r"\W".join(map(re.escape, name)), folded(subject.text))
    )
    house = next((number[1] for number in numbers if number), "")
    return (replace(subject, parts=tuple(it for it in subject.parts if it.word != house)) if house else subject), house


def _of_house(house: str, text: str, match: Match) -> Match:
    """The match of a street, by the number there: near where it is another, in doubt where there is none."""
    if match.level < Level.DOUBTFUL:
        return match
    numbers = [_NUMBER_BEFORE.search(text[:start]) for start, _ in match.spans]
    if any(number and number[1] == house for number in numbers):
        return match
    if all(numbers):
        return Match(level=Level.NEAR, why="it is another number of that street")
    return replace(match, level=Level.DOUBTFUL, why="it names the street, and not the number")


def _is_called_anothers(subject: Subject, row: Row, spans: Sequence[Span]) -> bool:
    """Whether what was asked for of others is called somebody's there who is not the user."""
    return of_another_owner(replace(subject, others=False, each=False, mine=True), row.text, spans)


def _tells_of_user(subject: Subject, row: Row, low: str, scope: Scope) -> bool:
    spans = tuple(match.span() for name in subject.names for match in scope.patterns[name].finditer(low))
    owner = match_owner(row, spans, set(), scope.own_names, subject.language)
    return owner.level is Level.SURE and clauses.speaks(read_words(row.text), scope.own_names)


def _by_parts(subject: Subject, row: Row, at: int, scope: Scope) -> Match:
    """How well what is asked for besides names fits, in doubt where it may be told of another."""
    likeness = row.likeness[at] if at < len(row.likeness) else 0.0
    match = topics.match_subject(subject, row, likeness, scope.kin, scope.own_names)
    doubt = _doubt(subject, row, match.spans, scope) if match.level is Level.SURE else ""
    if match.why == topics.NAMES_KIND and not doubt and tells_in_general(row.text, match.spans, scope.own_names):
        doubt = "it may tell that of no one"
    return replace(match, level=Level.DOUBTFUL, why=doubt) if doubt else match


def _doubt(subject: Subject, row: Row, spans: tuple[Span, ...], scope: Scope) -> str:
    """Why what fits may be told of another, if it may."""
    if subject.mine and not (subject.old or subject.names) and _is_of_former(row.text, spans):
        return "it may be of a former one"
    if subject.numbered and (doubt := _without_number(subject, row.text)):
        return doubt
    if subject.names and of_another(row, subject.names, spans):
        return "it may tell that of somebody of theirs"
    if subject.names and not (subject.states or subject.mine or subject.foreign):
        exact = {span for part in subject.parts for span in places_of(part.word, folded(row.text))}
        told = [span for span in spans if span not in exact]
        if told and exact.isdisjoint(spans) and not tellings.told_of_names(subject, row.text, told, scope.own_names):
            return "it may tell that of another"
    if subject.clause and subject.mine and done_by_another(subject.text, row.text, spans):
        return "somebody else may do that"
    return ""


def _without_number(subject: Subject, text: str) -> str:
    """Why a text does not tell the number that was asked for; nothing where it may."""
    phone = any(part.groups == _PHONE and names_number(part.word) for part in subject.parts)
    if phone and not has_lock(subject.text):
        long = any(len(mark.value) >= _DIGITS for mark in identifiers_in(text))
        return "" if long else "it tells no such number"
    short = any(part.groups == _SHORT for part in subject.parts) and any(map(str.isdigit, text))
    return "" if short or tells_number(text) else "it tells no number"


def _is_of_former(text: str, spans: Collection[Span]) -> bool:
    """Whether somebody who was asked for is called a former one: "my old boss", where it was the boss."""
    starts, roles = {start for start, _ in spans}, tables.name_words("had_one_by_one")
    return any(
        word.start in starts and before.low in _FORMER and word.low in roles
        for before, word in pairwise(read_words(text))
    )


def _least(subject: Subject, row: Row, owner: Match, spans: Collection[Span]) -> Level:
    """How surely it is meant whosever it is: what is asked for as nobody's is, where it is called nobody's.

    So it is where nobody is spoken of, in the very words or of a whole field.
    """
    plain = subject.definite and owner.level is Level.DOUBTFUL and is_definite(row.text, spans)
    nobodys = not (subject.mine or subject.names or subject.old or subject.current) and owner.why == ANOTHERS
    low = folded(row.text)
    told = any(part.field for part in subject.parts) or all(places_of(part.word, low) for part in subject.parts)
    plain = plain or (nobodys and told and speaking.names_nobody(row.text))
    return Level.SURE if plain else Level.NO if subject.mine else Level.DOUBTFUL


def _owned(subject: Subject, row: Row, low: str, scope: Scope) -> Iterator[Match]:
    """Whose it is what was taken for a name: without capitals that may be a thing of the user's."""
    if subject.value:
        yield old_values.match_value(subject, row, _named_places(subject, low, scope), scope.own_names)
        return
    if asks_own_name(subject, scope.own_names) and not tells_own_name(row.text, subject.names, scope.own_names):
        yield Match(level=Level.DOUBTFUL, why="it may be another's name there")
    caseless = subject.names and all(is_caseless(name[0]) for name in subject.names)
    if caseless and subject.mine and not (subject.parts or subject.clause):
        yield match_owner(row, _named_places(subject, low, scope), set(), scope.own_names, subject.language)


def _named_places(subject: Subject, low: str, scope: Scope) -> tuple[Span, ...]:
    return tuple(match.span() for name in subject.names for match in scope.patterns[name].finditer(low))


def _named(name: Name, subject: Subject, row: Row, low: str, scope: Scope) -> Match:
    """Whether a row names somebody by one of their names."""
    if scope.patterns[name].search(low) or row.speaker:
        match = _in_case(name, subject, row, match_name(name, row, scope.names[name], subject.not_titled), scope)
        told = subject.parts and match.level is Level.SURE and not subject.clause and only_means(low, match.spans)
        if told:
            match = replace(match, level=Level.DOUBTFUL, why=ONLY_MEANS)
        several = len(name) == 1 and len(scope.names[name].sharing(name[0])) > 1
        match = unless_another(subject, row, word_for_word(subject, name, row, match), several=several)
        person = scope.names[name].acts or name[0] in tables.name_words("given")
        firm = not subject.parts and name[0] not in tables.name_words("given") and is_firm(row.text, match.spans)
        firm = firm or only_beside_institution(row.text, match.spans, subject.text)
        if match.level is Level.SURE and person and firm:
            return replace(match, level=Level.DOUBTFUL, why="a place or thing may have that name there")
        if match.level is Level.SURE and titled_otherwise(name, subject.text, row.text, match.spans):
            return replace(match, level=Level.DOUBTFUL, why=OTHER_TITLE)
        return match
    role = by_role(subject, name, row, scope.own_names)
    return role or (Match(level=Level.NO) if scope.names[name].fulls else match_like(name, row))


def _in_case(name: Name, subject: Subject, row: Row, match: Match, scope: Scope) -> Match:
    """The match of a name, in doubt where it may be a word, or a Russian case of it of somebody else."""
    lone = len(subject.names) == 1 and not subject.parts and unspaced.is_part(name[0], row.text, match.spans)
    if match.level is Level.SURE and lone and folded(row.speaker or "") != name[0]:
        return replace(match, level=Level.DOUBTFUL, why="it may be a word and no name there")
    asked = read_words(subject.text) if subject.language == "ru" and len(name) == 1 else []
    form = next((word for word in asked if word.low == name[0]), None)
    if form is None or match.level is not Level.SURE or (form is asked[0] and len(asked) > 1):
        return match  # what opens a clause is no case
    words = read_words(row.text)
    told = [
        (word, word.opens and is_subject(behind.text, behind.gap))
        for word, behind in zip(words, (*words[1:], *words[:1]), strict=True)
        if word.capital and any(first <= word.start < last for first, last in match.spans)
    ]
    called = {full for known in scope.names[name].fulls for full in known}
    doubts = (may_be_another(plain(form.text), plain(word.text), called, acts=acts) for word, acts in told)
    doubtful = bool(told) and not any(row.speaker and len(row.text) == last for _, last in match.spans) and all(doubts)
    return replace(match, level=Level.DOUBTFUL, why=LIKE_NAME) if doubtful else match
