"""What other memories tell of a thing: "the knee" is the user's, and which messages are one talk about a topic."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from precis.finding import framing, kinds, names, nouns, tables
from precis.finding.about.clauses import bare_thing
from precis.finding.halves import Places
from precis.finding.parts import Subject
from precis.finding.reading import folded, is_caseless, joined_spans, places_of, read_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.clauses import clauses_of
from precis.finding.written.named import is_place
from precis.finding.written.speaking import RELATIONS, is_being, relations_of

#: So many first words may name somebody else.
_OPENING = 4


def take_known(rows: Sequence[Row], matches: dict[str, Match], subject: Subject, own_names: Collection[str]) -> None:
    """Make sure what has the word of a thing of the user's with "the" before it, where another row calls it theirs.

    Nobody else may be named in it, and nothing may say which one it is: "the car in front of me".
    """
    plain = subject.parts and subject.mine and not subject.names
    if not plain or subject.clause or subject.foreign or subject.old or subject.current:
        return
    if not any(matches[row.id].level is Level.SURE and matches[row.id].spans for row in rows):
        return
    for row in rows:
        match = matches[row.id]
        low = folded(row.text)
        exact = {span for part in subject.parts for span in places_of(part.word, low)}
        whole = all(not {*match.spans}.isdisjoint(places_of(part.word, low)) for part in subject.parts)
        known = whole and match.level is Level.DOUBTFUL and bool(match.spans) and exact.issuperset(match.spans)
        places = joined_spans(low, sorted(match.spans))
        if known and bare_thing(row.text, places) and not _names_another(row.text, places, own_names):
            why = "another memory says that it is the user's"
            matches[row.id] = replace(match, level=Level.SURE, why=why)


def leave_other_words(
    rows: Sequence[Row], matches: dict[str, Match], subject: Subject, besides: Sequence[Subject]
) -> None:
    """Put in doubt what has another word of the same group, where a memory has the very word: a loan is no mortgage.

    Only where that word names something by which people ask as well: what it is told by ("we owe the bank") stays, and
    so does what those ``besides`` it in the request name.
    """
    if len(subject.parts) > 1 and not (subject.each or subject.clause or subject.names):
        theirs = [part.word for other in besides for part in other.parts]
        _leave_others_of_another(rows, matches, subject, theirs)
    if subject.foreign or subject.each or subject.clause or len(subject.parts) != 1:
        return
    part = subject.parts[0]
    if part.field or not part.groups or part.word in part.groups:
        return
    meant = [row for row in rows if matches[row.id].level >= Level.DOUBTFUL and matches[row.id].spans]
    exact = {row.id for row in meant if places_of(part.word, folded(row.text))}
    others = [row for row in meant if exact and row.id not in exact and matches[row.id].level is Level.SURE]
    same = nouns.same_as(part.word)
    for row in others:
        low = folded(row.text)
        words = [low[slice(*span)] for span in matches[row.id].spans]
        asked_by = all(any(tables.groups()[name][0].fullmatch(word) for name in part.groups) for word in words)
        if asked_by and not any(nouns.is_form_of(word, same) for word in words):
            why = "it has another word of that kind, and a memory has the very word"
            matches[row.id] = replace(matches[row.id], level=Level.DOUBTFUL, why=why)


def take_owned(rows: Sequence[Row], matches: dict[str, Match], subjects: Sequence[Subject], text: str) -> None:
    """Where all about something of a thing was asked for and nothing tells of it, put in doubt what has the thing.

    Of "everything about the theft of my bike" a memory of the bike may be one.
    """
    if len(subjects) != 1 or any(match.level >= Level.DOUBTFUL for match in matches.values()):
        return
    subject = subjects[0]
    owned = _owned(subject)
    if not owned or subject.clause or subject.names or not framing.says_all(text, subject.language):
        return
    for row in rows:
        if matches[row.id].level is Level.NEAR and (places := places_of(owned, folded(row.text), subject.language)):
            why = "it has the thing, and may tell of that"
            matches[row.id] = Match(level=Level.DOUBTFUL, why=why, spans=tuple(places))


def _owned(subject: Subject) -> str:
    """The thing of the user's that something else was asked of; nothing where that is somebody."""
    words = read_words(subject.text)
    parts = {part.word for part in subject.parts}
    own = tables.all_words("first")
    listed = [word.low for before, word in pairwise(words) if before.low in own and word.low in parts]
    return listed[0] if len(parts) > 1 and len(listed) == 1 and not is_being(listed[0]) else ""


def _leave_others_of_another(
    rows: Sequence[Row], matches: dict[str, Match], subject: Subject, theirs: Sequence[str]
) -> None:
    """Put in doubt what has only other words for all of it, one of two senses, where a memory has the very words."""
    sure = [row for row in rows if matches[row.id].level is Level.SURE and matches[row.id].spans]
    exact = {
        row.id: [bool(places_of(part.word, folded(row.text), subject.language)) for part in subject.parts]
        for row in sure
    }
    for row in sure if any(map(all, exact.values())) else ():
        low = folded(row.text)
        weak = any(tables.weak_words().fullmatch(low[slice(*span)]) for span in matches[row.id].spans)
        if weak and not any(exact[row.id]) and not any(places_of(word, low, subject.language) for word in theirs):
            why = "it has other words for that, and a memory has the very words"
            matches[row.id] = replace(matches[row.id], level=Level.DOUBTFUL, why=why)


def _names_another(text: str, places: Sequence[Span], own_names: Collection[str]) -> bool:
    """Whether somebody else is named or taken up in the same clause, or somebody of the user's."""
    clauses = Places([piece for piece in clauses_of(text) if Places(places).touch(piece)] or [(0, len(text))])
    beside, itself = Places(places), [word for word in read_words(text) if clauses.touch((word.start, word.end))]
    words = [word for word in itself if not beside.touch((word.start, word.end)) and word.low not in own_names]
    named = {start for start, _, low in names.people(text) if low not in own_names}
    return any(
        word.start in named
        or word.low in tables.all_words("third")
        or word.low in tables.name_words("others")
        or word.owns
        or relations_of(word)
        for word in words
    )


#: A talk that rests so long begins anew, though its session goes on for months.
_RESTS = timedelta(hours=36)
#: What happens between people, and is nobody.
EVENTS = frozenset({"partner.divorce", "partner.wedding", "partner.marriage"})
#: Groups of what is told in one sentence: a figure, a name or a place.
_FACTS = frozenset(
    "salary home phone email birthday age code secret wifi price rent amount naming surname birth_name legal_name"
    " origin confidence passport plate identity_card shoe_size grades".split()
)


def talks_of(rows: Sequence[Row]) -> list[Row]:
    """The rows in their order, a session that rested for long as another one from there on."""
    last: dict[str, tuple[Row, int]] = {}
    parted = []
    for row in rows:
        if row.session_id is not None:
            before, number = last.get(row.session_id, (row, 0))
            number += row.created_at - before.created_at > _RESTS
            last[row.session_id] = row, number
            parted.append(replace(row, session_id=f"{row.session_id}\n{number}") if number else row)
        else:
            parted.append(row)
    return parted


def is_topic(subject: Subject) -> bool:
    """Whether it may be told in several memories, and is no figure or fact of which each says the whole."""
    fact = subject.numbered or subject.clause or subject.states or subject.value or subject.identifiers or subject.each
    fact = fact or subject.old or subject.current or any(part.roots & _FACTS for part in subject.parts)
    return not (fact or subject.others or subject.empty)


def is_person_asked(subject: Subject) -> bool:
    """Whether all about somebody is asked for; in a script without capitals a name may be that of a thing."""
    caseless = not subject.parts and all(is_caseless(name[0]) for name in subject.names)
    kin = all(part.roots & (RELATIONS | {"role"}) and not part.groups <= EVENTS for part in subject.parts)
    return not caseless and kin


def opens_with_another(text: str, own: Collection[str]) -> bool:
    """Whether it tells of somebody else first, who may have the same one: "Tom goes to Dr. Okafor, too"."""
    words = read_words(text)
    place = next((at for at, word in enumerate(words) if word.low in own), len(words))
    before = words[: min(place, _OPENING)]
    given = tables.name_words("given")
    return any(
        (word.capital and word.low in given and not is_place((word.low,)))
        or kinds.is_person(word.low)
        or is_being(word.low)
        for word in before
        if word.low not in own and word.low not in tables.name_words("titles")
    )
