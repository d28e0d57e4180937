"""Of several values the old ones, or the one of now: "my old address", "the current password"."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.about.old_values import tells_earlier
from precis.finding.capitals import calendar
from precis.finding.identifiers import Identifier, identifiers_in, match_identifiers
from precis.finding.owners import match_owner
from precis.finding.reading import Word, read_words
from precis.finding.tables import name_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.clauses import clauses_of
from precis.language import tables, tokens, verbs
from precis.language.newest.slots import changes, turns
from precis.language.values import typed

#: "Until June Mr. Okafor was my boss", "the code was 4410"; "it was moved to May" is of now.
_UNTIL, _PAST = frozenset({"until", "till"}), frozenset({"was", "were"})
#: Says in English that something was so earlier.
_EARLIER = re.compile(
    r"\b(?:in those days|back then|at (?:the|that) time|originally|initially|at first|used to|no longer|in the past"
    r"|first (?:set|planned|booked|agreed|arranged|scheduled))\b|^(?:\w+: )?before (?:the|my|our|we|i|that|\w+ing)\b",
    re.IGNORECASE,
)
#: The user has begun something else: "I started as a pastry chef", "we moved to a flat".
BEGUN = re.compile(
    r"^(?:(?:and|so|well),? )?(?:user|i|we)(?:['\u2019]ve| have| had| has)?(?: (?:just|now|since|recently|then))?"
    r" (?:(?:started|began|begun)(?: work(?:ing)?)?(?= (?:as|at|in|for|with)\b)|joined|switched to|moved (?:in)?to)\b",
    re.IGNORECASE,
)
#: It has another value now: "was extended to May".
_CHANGED = re.compile(
    r"\b(?:was|were|is|are|been|got) "
    rf"(?:{'|'.join(each[3:] for each in tables.phrases('things.change') if each.startswith('be '))})\b",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:is|are)\b|'s\b", re.IGNORECASE)
_IN_YEAR = re.compile(r"(?:19|20)\d\d")
#: The number of a house and the street, or the other way round.
_HOUSE = re.compile(r"\b\d{1,4}[a-z]? [A-Z][\w'-]+ [A-Z][a-z]+\b|\b[A-Z][\w'-]*[a-z] \d{1,3}[a-z]?\b(?![.,:]\d)")
_WHOSE = frozenset("my our the a an".split())
#: Why a row is in doubt that has all that was asked for.
_EITHER = "it may tell of the old one or of the one of now"
#: Of a single value, which is not held against others for that.
_UNSETTLED = "it does not say whether it is of now or older"
_NEWEST = "it is the newest"
_MEANT = frozenset({"it has the words, perhaps in another sense", _EITHER})
#: A shorter number may be of two things; so many characters stand between a thing and its number, and none of these.
_LONG, _BETWEEN, _PARTED = 6, 30, re.compile(r"[,;.]|\b(?:and|but|or|with)\b")
_FIGURE = re.compile(r"(?<![\w@.:/-])(?:\d{1,3}(?:[.,'\u2019 ]\d{3})+|\d+)(?![\w@:/-])")
#: So many first words make two rows alike.
_ALIKE = 2


def by_age(
    rows: Sequence[Row],
    matches: dict[str, Match],
    *,
    old: bool,
    named: bool = False,
    counted: bool = False,
    own_names: Collection[str] = frozenset(),
) -> None:
    """Of the rows that are meant, the oldest first, those that tell an old value, or the value of now, stay meant.

    What says of itself that it is of now or of earlier is that. Else the newest row that states a value ("... is ...",
    "I live in ...") is the one of now, and what comes after it tells of that one. Beside a row that says that it is of
    earlier ("my former husband") one that says nothing of it is in doubt. A single row is meant where the request has
    ``named`` the value itself: "I used to drive a Saab". Of what is ``counted``, a salary, only a figure is a value.
    """
    meant = [row for row in rows if matches[row.id].level >= Level.DOUBTFUL]
    sure = [row for row in meant if matches[row.id].level is Level.SURE]
    # What may be of something else says nothing of which is the newest.
    one = not old and len(sure) == 1 and _says(sure[0].text) is True
    was = old and any(tells_earlier(row.text, matches[row.id].spans) for row in meant if row not in sure)
    meant = sure if (len(sure) > 1 and not was) or one else meant
    found = {row.id: matches[row.id] for row in meant}
    by_owner: dict[frozenset[str], list[Row]] = defaultdict(list)
    for row in meant:
        owners = (word.low for word in read_words(row.text) if word.owns and word.low not in own_names)
        by_owner[frozenset(owners)].append(row)
    for rows_of_one in by_owner.values():
        _aged(rows_of_one, matches, old=old, named=named, counted=counted)
    if old and all(matches[row.id].level <= Level.NEAR for row in meant):
        for row in meant[:-1]:
            matches[row.id] = replace(found[row.id], level=Level.DOUBTFUL, why=_EITHER)
    for row in meant if old else ():
        match = matches[row.id]
        if match.level is Level.DOUBTFUL and match.why in _MEANT and _is_former(row, match, own_names):
            matches[row.id] = replace(match, level=Level.SURE, why="it says that it is an older one")


def _is_former(row: Row, match: Match, own_names: Collection[str]) -> bool:
    """Whether it says of the user's that it is no longer so: "until May the user went to dentist Dr. Haddad"."""
    former = _says(row.text) is False and not changes(row.text)
    return former and bool(match.spans) and match_owner(row, match.spans, set(), own_names).level is Level.SURE


def with_value(rows: Sequence[Row], matches: dict[str, Match], own_names: Collection[str]) -> None:
    """Make sure what has the number or the address of an old value: "come in with 2290", of the old code.

    Only of the user's own, and what no memory of the newest value has.
    """
    old = [row for row in rows if matches[row.id].level is Level.SURE]
    others = [row for row in rows if matches[row.id].level is not Level.SURE]
    newest = " ".join(row.text for row in others if _says(row.text) is True)
    marks = [mark for row in old for mark in identifiers_in(row.text) if not _IN_YEAR.fullmatch(mark.value)]
    marks = [mark for mark in marks if match_identifiers([mark], newest).level is not Level.SURE]
    houses = {match.group() for row in old for match in _HOUSE.finditer(row.text)}
    houses = {house for house in houses if house not in newest and not any(map(calendar, house.lower().split()))}
    for row in others:
        spans = _valued(row.text, marks, houses)
        if spans and match_owner(row, spans, set(), own_names).level is Level.SURE and _says(row.text) is not True:
            matches[row.id] = Match(level=Level.SURE, why="it has the old value", spans=spans)


def with_number(rows: Sequence[Row], matches: dict[str, Match], own_names: Collection[str]) -> None:
    """Make sure what has the long number or the address that a sure row calls what was asked for, and is the user's."""
    told = [
        mark
        for row in rows
        if matches[row.id].level is Level.SURE
        for mark in identifiers_in(row.text)
        if len(mark.value) >= _LONG and any(_is_called(row.text[end : mark.start]) for _, end in matches[row.id].spans)
    ]
    for row in rows if told else ():
        spans = match_identifiers(told, row.text).spans if matches[row.id].level is not Level.SURE else ()
        if spans and match_owner(row, spans, set(), own_names).level is Level.SURE:
            matches[row.id] = Match(level=Level.SURE, why="it has the same number", spans=spans)


def _is_called(between: str) -> bool:
    """Whether what stands between a thing and a number says that it is that: "my license plate is"."""
    return 0 < len(between) <= _BETWEEN and _PARTED.search(between) is None


def _valued(text: str, marks: Sequence[Identifier], houses: Collection[str]) -> tuple[Span, ...]:
    """Where one of these values stands."""
    places = [(match.start(), match.end()) for house in houses for match in re.finditer(re.escape(house), text)]
    return (*match_identifiers(marks, text).spans, *places) if marks else tuple(places)


def _aged(meant: Sequence[Row], matches: dict[str, Match], *, old: bool, named: bool, counted: bool) -> None:
    """The same of the values of one owner: the rent of the studio says nothing of that of the flat."""
    if len(meant) == 1:
        if not named:
            _alone(meant, matches, old=old)
        return
    valued = [row for row in meant if figures_in(row.text)] if counted else []
    if len(valued) == 1:
        _alone(meant if old else valued, matches, old=old)
        return
    ages = {row.id: _age_of(row, matches[row.id]) for row in meant}
    for row in [row for row in meant if ages[row.id]][:-1]:
        ages[row.id] = None  # "since the wedding" was so until the next "since"
    states = [row for row in meant if ages[row.id] is not False and _states(row, matches[row.id])]
    figured = [row for row in states or meant if figures_in(row.text)] if counted else []
    newest = _newest(figured or states, ages) if states else (figured or meant)[-1]
    begun = [row for row in meant if BEGUN.search(row.text) and _is_sure(matches, row)]
    newest = _newest_begun(meant, newest, begun)
    formerly = any(age is False for age in ages.values())
    later = (row for row in meant[meant.index(newest) + 1 :] if matches[row.id].why in _MEANT or _is_sure(matches, row))
    anew = any(_says(row.text) is True for row in later)
    for at, row in enumerate(meant):
        past = ages[row.id] is False or (ages[row.id] is None and at < meant.index(newest))
        same = (
            counted and past and ages[row.id] is None and figures_in(row.text) == figures_in(newest.text) != frozenset()
        )
        if row is newest and anew and ages[row.id] is None:
            matches[row.id] = replace(matches[row.id], level=Level.DOUBTFUL, why=_EITHER)
        elif same and old:
            matches[row.id] = replace(matches[row.id], level=Level.DOUBTFUL, why="it has the value of now")
        elif past != old:
            why = "it is an older one" if past else _NEWEST
            matches[row.id] = Match(level=Level.NEAR, why=why)
        elif (
            past
            and ages[row.id] is None
            and (formerly or (states and row not in states and not (ages[newest.id] and _alike(row, newest))))
        ):
            matches[row.id] = replace(matches[row.id], level=Level.DOUBTFUL, why=_EITHER)


def _newest_begun(meant: Sequence[Row], newest: Row, begun: Sequence[Row]) -> Row:
    """The newest row, or the last in which the user begins something else, where no later one states another value.

    "The flat in Leeds is damp" names what one before "User moved to York" does.
    """
    if not begun or meant.index(newest) < meant.index(begun[-1]):
        return begun[-1] if begun else newest
    words = [word for word in read_words(newest.text) if word.capital and not (word.opens or calendar(word.low))]
    names = {word.low for word in words} - {word.low for word in read_words(begun[-1].text)}
    before = [word for row in meant[: meant.index(begun[-1])] for word in read_words(row.text) if word.capital]
    return begun[-1] if any(word.low in names for word in before) else newest


def doubt_newest(rows: Sequence[Row], matches: dict[str, Match]) -> None:
    """Put in doubt what is called the newest where a later memory with a figure is in doubt: that may be the newest."""
    unsettled = False
    for row in reversed(rows):
        if unsettled and matches[row.id].why == _NEWEST:
            matches[row.id] = Match(level=Level.DOUBTFUL, why=_EITHER)
        unsettled = unsettled or (matches[row.id].level is Level.DOUBTFUL and bool(figures_in(row.text)))


def _is_sure(matches: Mapping[str, Match], row: Row) -> bool:
    return matches[row.id].level is Level.SURE


def figures_in(text: str) -> frozenset[str]:
    """The numbers of a text, without what parts their thousands: "33.800" is "33,800"."""
    return frozenset(re.sub(r"[.,'\u2019 ]", "", figure) for figure in _FIGURE.findall(text))


def values_in(text: str) -> dict[str, set[str]]:
    """The values of a text by their kind, addresses of mail among them."""
    values = {kind: {*listed} for kind, listed in typed(text).items()}
    for mark in identifiers_in(text):
        if mark.kind == "address":
            values.setdefault(mark.kind, set()).add(mark.value)
    return values


def _alone(rows: Sequence[Row], matches: dict[str, Match], *, old: bool) -> None:
    """Each of these is in doubt, unless it says of itself that it is old where the old one was asked for."""
    former = name_words("past") | name_words("former")
    for row in rows:
        match = matches[row.id]
        says = _age_of(row, match)
        past = says is False or (says is None and any(word.low in former for word in read_words(row.text)))
        pieces = (it for it in clauses_of(row.text) if any(it[0] <= at < it[1] for at, _ in match.spans))
        told = " ".join(
            row.text[slice(*it)] for it in pieces
        )  # "My coach is Pike, and Runa's was Lund", of the old one
        past = past and not (old and told and _says(told) is not False and _NOW.search(told))
        if past != old or match.level < Level.SURE:
            matches[row.id] = replace(match, level=Level.DOUBTFUL, why=_UNSETTLED)


def _age_of(row: Row, match: Match) -> bool | None:
    return False if (says := _says(row.text)) is None and tells_earlier(row.text, match.spans) else says


def _says(text: str) -> bool | None:
    """Whether a text says of what it tells that it is so now, or was so earlier (False); None where it says nothing."""
    words = read_words(text)
    lows = {word.low for word in words}
    changed = _CHANGED.search(text) is not None or turns(text)
    if lows & name_words("present") or (changed and not lows & name_words("former")):
        return True
    states = [behind for word, behind in pairwise(words) if word.low in _PAST and _is_value(behind)]
    ended = states and (lows & _UNTIL or not changes(text))
    ended = ended or (lows & _UNTIL and any(map(_is_past, words))) or _EARLIER.search(text) is not None
    former = lows & name_words("former") or any(low.startswith("ex-") for low in lows)
    return False if former or ended else None


def _is_past(word: Word) -> bool:
    """Whether it is a verb in the past."""
    form = verbs.form_of(tokens.token(word.low))
    return word.low in _PAST or (form is not None and "past" in form.kinds)


def _newest(states: Sequence[Row], ages: Mapping[str, bool | None]) -> Row:
    """The last one that states a value; not one put otherwise than two that begin alike: "I live above a bakery"."""
    last = states[-1]
    alike = [row for row in states[:-1] if any(_alike(row, other) for other in states[:-1] if other is not row)]
    return alike[-1] if alike and not ages[last.id] and not _alike(alike[-1], last) else last


def _is_value(word: Word) -> bool:
    """Whether what follows "was" is a figure, a name or somebody's: not of "was hard to find", "was corrected"."""
    return word.text[0].isdigit() or word.capital or word.low in _WHOSE


def _alike(first: Row, second: Row) -> bool:
    """Whether two rows begin alike, with whom or what they tell of and a second word: "I drive a ..."."""
    aside = name_words("articles") | name_words("present") | name_words("denials")
    openings = [
        [word.low for word in read_words(row.text) if word.low not in aside][:_ALIKE] for row in (first, second)
    ]
    return len(openings[0]) == _ALIKE and openings[0] == openings[1]


def _states(row: Row, match: Match) -> bool:
    """Whether it states a value: behind what was asked for stands "is" or a sign of it, or it is told by a verb."""
    if not match.spans:
        return True
    words = read_words(row.text)
    for start, end in match.spans:
        behind = next((word for word in words if word.start >= end), None)
        within = [word for word in words if word.start >= start and word.end <= end]
        told = len(within) > 1 and any(word.low in name_words("prepositions_of_places") for word in within[-1:])
        if told or (behind is not None and (behind.low in name_words("copulas") or ":" in behind.gap)):
            return True
    return False
