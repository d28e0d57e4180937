"""What goes along in a talk with what is meant, and what is nearest where nothing is meant."""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

from precis.finding.kinds import is_person
from precis.finding.names import people
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, places_of, read_words
from precis.finding.tables import any_group, name_words, words_of
from precis.finding.together.pronouns import MACHINES
from precis.finding.values import SPOKEN, Level, Match, Row
from precis.finding.written.speaking import RELATIONS, is_being, relations_of
from precis.language.words import STOP_WORDS

#: Why a row is near that has something of what was asked for: it may tell all of it in other words.
_NEAR = LIKE_IT, SAME_NAME = "it is about something like it", "it is about something else of the same name"
#: Why a row is near that somebody else spoke, of what was asked for of the user: it may answer them.
ELSE = "somebody else said it"
#: Cosine to the request from which on a memory may be meant where no words say so.
_LIKELY = 0.2
#: The share of the likeness of the best that others of the name have at least, and how likely the best is meant.
_LIKELIEST, _NEAREST = 0.6, 0.9
#: How likely what has words of the request is meant, or what stands beside what has, what more the rarest words make of
#: that and the vector; where more than so many are in doubt, words are counted.
_WORDS, _BESIDE, _WORTH, _VECTOR, _MANY = 0.9, 0.8, 0.06, 0.04, 12
#: So many are in doubt at most for having the rarest words of what was asked for of somebody.
_RAREST = 5
#: Before the firm at which somebody is, who is named within so many words.
_WITHIN = 6
_AT = frozenset("at of from with bei von chez presso de da di van hos en".split())
#: So many messages back a figure may be repeated from.
_BACK = 3
#: So many messages behind one about something it is told what somebody says of that.
_BEHIND = 2
#: A reply of fewer words than that only says that it was heard, and a figure of one digit is repeated by chance.
_REPLY, _FIGURE = 4, re.compile(r"(?<![\w.,])\d[\d.,:]*\d(?!\w)")


def take_nearest(
    rows: Sequence[Row],
    matches: dict[str, Match],
    spared: Collection[str],
    subjects: Sequence[Subject],
    *,
    bounded: bool,
) -> bool:
    """Where nothing is meant, put in doubt what is nearest, and say whether anything was.

    That is all else of somebody by name, what is near to the request by its vector, or what is nearest of somebody.
    Where the request is ``bounded`` by a time or a speaker, vectors say nothing. A number has to be the very one.
    """
    beings = [part for subject in subjects for part in subject.parts if is_being(part.word) or part.roots & RELATIONS]
    if any(match.level >= Level.DOUBTFUL for match in matches.values()) or any(it.numbered for it in subjects):
        return False
    rest = [row for row in rows if row.id not in spared and matches[row.id].level <= Level.NEAR]
    near = [row for row in rest if matches[row.id].why.partition(" and ")[0] in _NEAR]
    nearest = [row for row in near if any(_has(part, row) for part in beings)]
    named = [row for row in near if matches[row.id].why.startswith(SAME_NAME)]
    plain = [row for row in rest if row in near or matches[row.id].level is Level.NO]
    persons = any(part.roots & RELATIONS or is_person(part.word) for part in beings)
    for row in () if persons or bounded else plain:
        if row not in near and _likeness(row) >= _LIKELY and _is_of_stranger(row, subjects):
            matches[row.id] = Match(level=Level.NEAR, why=LIKE_IT)
    plain = [row for row in plain if row in near or matches[row.id].level is Level.NO]
    plain = [] if any(map(str.isdigit, "".join(it.text for it in subjects))) else plain
    best = max(map(_likeness, named), default=0.0)
    named = [row for row in named if _likeness(row) >= _LIKELIEST * best]
    likely = named or [row for row in plain if _likeness(row) >= _LIKELY]
    if nearest:
        likely = _rarest(near, rows, subjects, beings) or [max(nearest, key=_likeness)]
    elif bounded or not subjects:
        likely = []
    for row in likely:
        why = "nothing tells of that in these words, and it is nearest"
        matches[row.id] = Match(level=Level.DOUBTFUL, why=why, likelihood=_NEAREST * max(0.0, _likeness(row)))
    return bool(likely)


def _is_of_stranger(row: Row, subjects: Sequence[Subject]) -> bool:
    """Whether a memory tells of somebody, and has no word of what was asked for; of what may be a name in English."""
    english = all(subject.language == "en" for subject in subjects)
    named = _named(row) if english else _named(row) & name_words("given")
    return bool(named) and not any(_has(part, row) for subject in subjects for part in subject.parts)


def _rarest(
    near: Sequence[Row], rows: Sequence[Row], subjects: Sequence[Subject], beings: Collection[Part]
) -> list[Row]:
    """Those that have the most of what was asked for of somebody, where it is more than the word for them.

    A word is worth the more the fewer memories have it: of "my mum's penicillin" it is not "mum".
    """
    having = _having(rows, subjects)
    worth = _worth(near, rows, having)
    most = max(worth.values())
    told = {id_ for part, ids in having.items() if part not in beings for id_ in ids}
    asked = {id_ for part in beings for id_ in having[part]}
    rarest = [
        row for row in near
        if row.id in told and worth[row.id] >= _LIKELIEST * most
        if row.id in asked or not _tells_of_others(read_words(row.text), subjects[0].language)
    ]  # fmt: skip
    return sorted(rarest, key=lambda row: (-worth[row.id], -_likeness(row)))[:_RAREST]


def _tells_of_others(words: Sequence[Word], language: str) -> bool:
    """Whether a text speaks of the user, or of a relative of theirs."""
    return any(word.low in words_of(language, "first") or relations_of(word) for word in words)


def _having(rows: Sequence[Row], subjects: Sequence[Subject]) -> dict[Part, set[str]]:
    """Which memories have each word of what was asked for, or one that means the same."""
    parts = {part for subject in subjects for part in subject.parts}
    return {part: {row.id for row in rows if _has(part, row)} for part in parts}


def _worth(some: Sequence[Row], rows: Sequence[Row], having: Mapping[Part, set[str]]) -> dict[str, float]:
    """How much of what was asked for some of the memories have, each word by how few have it."""
    worth = {part: log((1 + len(rows)) / max(1, len(ids))) for part, ids in having.items()}
    return {row.id: sum(worth[part] for part, ids in having.items() if row.id in ids) for row in some}


def with_worth(rows: Sequence[Row], matches: dict[str, Match], subjects: Sequence[Subject]) -> None:
    """Make of what rules put in doubt those likelier that have more of what was asked for, where many are in doubt.

    What only stands beside what is meant is less likely than what has words of it; the vector decides between equals.
    """
    some = [row for row in rows if matches[row.id].level is Level.DOUBTFUL and matches[row.id].likelihood == 1]
    worth = _worth(some, rows, _having(rows, subjects)) if len(some) > _MANY else {}
    most = max(worth.values(), default=0.0) or 1.0
    for row in some:
        base = _WORDS if matches[row.id].spans else _BESIDE
        likelihood = base + _WORTH * worth.get(row.id, most) / most + _VECTOR * max(0.0, _likeness(row))
        matches[row.id] = replace(matches[row.id], likelihood=likelihood)


def _likeness(row: Row) -> float:
    """The cosine of a memory to what it is likest of what is asked for; 0 where it was compared with nothing."""
    return max(row.likeness, default=0.0)


def _has(part: Part, row: Row) -> bool:
    """Whether a memory has a word, or one that means the same."""
    low = folded(row.text)
    by_group = part.groups and any_group(part.groups, plain=low.isascii()).search(low)
    return bool(by_group or places_of(part.word, low))


def take_answers(rows: Sequence[Row], matches: dict[str, Match], spared: Collection[str]) -> None:
    """Put in doubt what answers in the same talk what is meant, and what repeats a figure of it.

    It names nobody who is not named there. What is near for being somebody else's stays.
    """
    talks: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.session_id is not None:
            talks[row.session_id].append(row)
    for talk in talks.values():
        for at, row in enumerate(talk):
            match = matches[row.id]
            if match.level is Level.NO or (match.level is Level.NEAR and match.why in {LIKE_IT, SAME_NAME, ELSE}):
                why = "" if row.id in spared or not at else _goes_along(row, talk[max(0, at - _BACK) : at], matches)
                matches[row.id] = Match(level=Level.DOUBTFUL, why=why) if why else match


def take_reports(
    rows: Sequence[Row], matches: dict[str, Match], about: Callable[[Row], Match], theirs: Callable[[Row], Match]
) -> None:
    """Put in doubt what somebody is told to have said right behind a message about what was asked for of them.

    ``about`` says whether a row is about that, ``theirs`` whether they said it: "And lifting?" "Beth says no more than
    15 kilos."
    """
    talks: dict[str, deque[Row]] = defaultdict(lambda: deque(maxlen=_BEHIND))
    for row in rows:
        if row.session_id is None:
            continue
        before = talks[row.session_id]
        if before and matches[row.id].level < Level.DOUBTFUL <= theirs(row).level:
            why = "it tells what they say behind a message about that"
            asked = any(about(it).level >= Level.DOUBTFUL for it in before)
            matches[row.id] = Match(level=Level.DOUBTFUL, why=why) if asked else matches[row.id]
        before.append(row)


def take_by_contacts(
    rows: Sequence[Row], matches: dict[str, Match], names: Callable[[Row], bool], told: Callable[[Row], Match],
    subject: Subject,
) -> None:  # fmt: skip
    """Put in doubt what is told of somebody who is at the firm of which it was asked for: of "Jonas Ek at Hellberg".

    ``names`` says whether a row names the firm, ``told`` whether it tells what was asked for, whosever it is.
    """
    own = {word for name in subject.names for word in name}
    contacts = {low for row in rows if names(row) for low in _contacts(row.text, own)} - own
    for row in rows if contacts else ():
        near = matches[row.id].level < Level.DOUBTFUL and not names(row)
        if near and not _capitals(row).isdisjoint(contacts) and told(row).level >= Level.DOUBTFUL:
            why = "it may tell that of them, by somebody who is there"
            matches[row.id] = Match(level=Level.DOUBTFUL, why=why)


def _contacts(text: str, own: Collection[str]) -> Iterator[str]:
    """The words of the names of those who are at a firm by a text, or have its name as theirs."""
    words = read_words(text)
    named = {start for start, _, low in people(text) if low not in own}
    for at, word in enumerate(words):
        if word.low in own and word.capital and at:
            within = _WITHIN if words[at - 1].low in _AT else 1
            near = words[max(0, at - within) : at + within + 1]
            yield from (it.low for it in near if it.start in named and it.capital)


def _goes_along(row: Row, before: Sequence[Row], matches: dict[str, Match]) -> str:
    """Why a message goes along with what is meant of those before it; nothing where it does not."""
    last = matches[before[-1].id].level
    meant = [it for it in before if matches[it.id].level >= Level.DOUBTFUL]
    figures = {figure for it in meant for figure in _figures(it.text)}
    if not figures.isdisjoint(_figures(row.text)):
        return "it repeats a figure of what is meant, in the same talk"
    if last < Level.DOUBTFUL or not (row.speaker and before[-1].speaker) or row.speaker == before[-1].speaker:
        return ""
    replies = folded(row.speaker) in MACHINES and len(read_words(row.text)) >= _REPLY
    # A long answer names much that the question did not.
    answers = replies and last is Level.SURE
    if not (answers or _named(row) <= {low for it in meant for low in _capitals(it)}):
        return ""
    replies = replies and (last is Level.SURE or not _capitals(row).isdisjoint(_capitals(before[-1])))
    # Who asks is not what the answer is about.
    asked = before[-1].text.rstrip().endswith(("?", "\uff1f", "\u061f")) and matches[before[-1].id].why != SPOKEN
    return "it answers what is meant, in the same talk" if replies or asked else ""


def _figures(text: str) -> set[str]:
    """The figures of a text, however their thousands are parted: "6,180.00" is "6180.00"."""
    return {re.sub(r"(?<=\d)[,.](?=\d{3}(?!\d))", "", figure) for figure in _FIGURE.findall(text)}


def _named(row: Row) -> set[str]:
    return {low for _, _, low in people(row.text)}


def _capitals(row: Row) -> set[str]:
    """The words of a row with a capital that may be names."""
    aside = STOP_WORDS | name_words("titles")
    return {word.low for word in read_words(row.text) if word.capital and word.low not in aside}
