"""What somebody, an animal or a thing is called by a memory, and what tells of that name in others.

"Jo, my sister", "unser Hund Rex", "mi perra se llama Canela", "The tiler is Benedikt Stroh": the one row has the word
that was asked for and the name, the others only the name.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from precis.finding.about.kept import PEOPLE
from precis.finding.capitals import calendar
from precis.finding.doubts.bearers import is_firm
from precis.finding.grounded.spaced import translated
from precis.finding.kinds import is_animal
from precis.finding.names import Namesakes, match_name, survey
from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, is_caseless, read_words, words_before
from precis.finding.tables import all_words, name_words, sayings, words_of
from precis.finding.together.pronouns import names_introduced, places_of_names
from precis.finding.together.things import EVENTS, opens_with_another
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.caseless import is_given, may_be_word, standing_behind
from precis.finding.written.speaking import beings_of, is_being
from precis.language.words import STOP_WORDS

_Bounds = Callable[[Row], Iterable[Match]]
#: What Turkish writes behind a name.
_CASE = re.compile("['\u2019].*")
#: In Japanese a name behind a relative; and in Chinese what opens none.
_NAME_JA = re.compile(
    "\u306e(?P<name>[\u30a1-\u30fc]{2,8}|[\u3400-\u9fff]{1,3}|[\u3041-\u309f]{2,5}?)(?=\u3055\u3093|\u3061\u3083\u3093|[\u541b\u306f\u304c\u3092\u306b\u3068\u3082\u306e\u3001\u3002,.!?]|$)"
)
_NO_NAME_ZH = name_words("chinese_no_name")
_BY_LENGTH = sorted(words_of("ko", "behind"), key=len, reverse=True)
#: Why a row is sure that has the name of who was asked for.
NAMED = "it names whoever that is"
#: How likely what has a name is meant, where another may have that.
_NAMED = 0.8
#: So many words may stand between what was asked for and what says its name, and name somebody else who opens a row.
_BETWEEN = 3
#: So many characters has a full name in Chinese that goes on without its first as a given one.
_FULL_ZH = frozenset({3, 4})
#: What was in doubt for no more than that its words say not whose it is.
_OPEN, _THEIRS = ("it may be somebody else's", "it may go on about"), "it is somebody else's"
#: Behind a thing that is whose it is, in a language that tells so by an ending: the pay "of Gleb".
_OWNER = re.compile("[\u0400-\u04ff][\u0430\u044f\u044b\u0438]$")
#: Says with the word for somebody that they are so no more.
_EX = re.compile(r"\bex-\w", re.IGNORECASE)
_CLOSING = frozenset({",", ".", ")", ";", ":", "\u2013"})


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that rows give to what was asked for."""

    #: Whether each is surely its name.
    certain: Mapping[str, bool]
    known: Mapping[tuple[str, ...], Namesakes]

    def match(self, row: Row) -> tuple[Match, bool]:
        """Whether a row has one of them, and whether that is surely the name."""
        fits = [(match_name((name,), row, self.known[(name,)]), sure) for name, sure in self.certain.items()]
        for low, span, alone in places_of_names(row.text, self.certain):
            # What opens a sentence may else be a word and no name.
            fits += [(Match(level=Level.SURE, spans=(span,)), self.certain[low])] if alone else []
        best = max(fits, key=lambda fit: (fit[0].level, fit[1]))
        spans = tuple(sorted({span for match, _ in fits for span in match.spans}))
        return replace(best[0], spans=spans), best[1]


def take_introduced(
    rows: Sequence[Row],
    matches: dict[str, Match],
    subject: Subject,
    bounds: _Bounds,
    own_names: Collection[str],
    of_subject: Mapping[str, Match],
) -> None:
    """Raise what has the name that another row gives to what was asked for, by what is found of that alone.

    It is sure where that is surely the name and nobody else has it, of somebody or an animal; else it is in doubt.
    """
    if not subject.parts and len(subject.names) == 1 and not _is_somebody(subject):
        _doubt_theirs(rows, matches, {word for name in subject.names for word in name}, own_names)
        return
    names = _names_of(rows, of_subject, subject, own_names) if _is_whole(subject) else None
    if names is None:
        return
    shared = {
        low
        for row in rows
        if matches[row.id].level < Level.DOUBTFUL
        for low, _, alone in places_of_names(row.text, names.certain)
        if not alone
    }
    shared |= standing_behind(names.certain, [row.text for row in rows if matches[row.id].level < Level.SURE])
    for row in rows:
        match, (named, certain) = matches[row.id], names.match(row)
        if match.level is Level.SURE or named.level < Level.DOUBTFUL:
            continue
        # What is near tells of another, who may have the same doctor.
        plain = match.level is Level.NO or match.why.startswith(_OPEN)
        sure = certain and plain and named.level is Level.SURE and shared.isdisjoint(names.certain)
        sure = sure and not is_firm(row.text, named.spans)
        sure = sure and not opens_with_another(row.text, {*names.certain, *own_names})
        _raise(row, Level.SURE if sure else Level.DOUBTFUL, bounds, matches, named.spans)


def _doubt_theirs(
    rows: Sequence[Row], matches: dict[str, Match], asked: Collection[str], own_names: Collection[str]
) -> None:
    """Put in doubt what has the name of an animal of who was asked for: "Mrs Lindqvist's dog Bamse"."""
    named: set[str] = set()
    for row in rows:
        words = read_words(row.text) if matches[row.id].level is Level.SURE else ()
        for owner, animal, name in zip(words, words[1:], words[2:], strict=False):
            theirs = owner.owns and owner.low in asked and is_animal(animal.low)
            named |= {name.low} if theirs and name.capital and name.low not in own_names else set()
    for row in rows if named else ():
        spans = tuple(span for low, span, _ in places_of_names(row.text, named))
        if spans and matches[row.id].level < Level.DOUBTFUL:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="it has a name that may be theirs", spans=spans)


def _raise(row: Row, level: Level, bounds: _Bounds, matches: dict[str, Match], spans: tuple[Span, ...]) -> None:
    level = min([level, *(match.level for match in bounds(row))])
    if level >= Level.DOUBTFUL and matches[row.id].level < level:
        why = NAMED if level is Level.SURE else "it has a name that may be theirs"
        likelihood = 1.0 if level is Level.SURE else _NAMED
        matches[row.id] = Match(level=level, why=why, spans=spans, likelihood=likelihood)


def _is_whole(subject: Subject) -> bool:
    """Whether all about somebody, an animal or a thing is asked for, by what they are."""
    if subject.clause or subject.identifiers or subject.quotes or subject.numbered or subject.states:
        return False
    if subject.old and not _EX.search(subject.text):
        return False
    if _of_theirs(subject):
        return True
    if len(subject.parts) == 1:
        return not (beings := beings_of(subject.parts[0].word)) or bool(beings - EVENTS)  # "my wife", not "my wedding"
    return not subject.parts and len(subject.names) == 1 and _is_somebody(subject)


def _of_theirs(subject: Subject) -> bool:
    """Whether it is somebody of somebody's: "my daughter's boyfriend"."""
    return len(subject.parts) == 2 and all(part.is_of(PEOPLE) for part in subject.parts)


def _names_of(
    rows: Sequence[Row], matches: Mapping[str, Match], subject: Subject, own_names: Collection[str]
) -> _Names | None:
    """What rows that were asked for call it, and whether they surely do; of two who are called so neither is sure."""
    aside = {*map(folded, own_names), *(word for name in subject.names for word in name), *all_words("first")}
    being = _is_somebody(subject)
    rest = [row for row in rows if matches[row.id].level < Level.DOUBTFUL]
    certain: dict[str, bool] = {}
    bearers: list[set[str]] = []
    # What a whole field is about has no name, and who speaks is called by theirs all the time.
    plain = bool(subject.parts) and not any(part.field for part in subject.parts)
    talkers = tuple({word for row in rows if row.speaker for word in folded(row.speaker).split()})
    for row in rows:
        match = matches[row.id]
        theirs = match.level is Level.DOUBTFUL and match.why == _THEIRS
        if match.level < Level.DOUBTFUL or theirs or not match.spans or (subject.old and not _EX.search(row.text)):
            continue
        introduced = _introduced(row, match.spans, rest, being=being, plain=plain)
        told = {low: how for low, how in introduced if low not in aside and not calendar(low)}
        told = {
            low: how for low, how in told.items() if how is _How.SAID or not any(it.startswith(low) for it in talkers)
        }
        if _of_theirs(subject):  # beside one of the two stands their own name
            told = {low: how for low, how in told.items() if how is _How.SAID and match.level is Level.SURE}
        for low, how in told.items():
            # Without capitals a name may be a word as well.
            sure = match.level is Level.SURE and not may_be_word(low, row.text)
            sure = sure and (how is _How.SAID or (how is _How.BESIDE and being))
            certain[low] = certain.get(low, False) or sure
        if told and not any(bearer & told.keys() for bearer in bearers):
            bearers.append({*told})
    if not certain:
        return None
    if len(bearers) > 1 and not subject.each:
        certain = dict.fromkeys(certain, False)
    return _Names(certain, survey({(name,) for name in certain}, rows, subject.language, ()))


def _is_somebody(subject: Subject) -> bool:
    """Whether it is somebody or an animal that is asked for."""
    words = [part.word for part in subject.parts] or [word for name in subject.names for word in name]
    beings = any(is_being(word) or is_animal(translated(word) or "") for word in words)
    return beings or any(part.is_of(PEOPLE) for part in subject.parts)


class _How(Enum):
    """How a row gives a name: by saying that it is one, right beside what has it, or in a way that may mean another."""

    SAID = auto()
    BESIDE = auto()
    LIKELY = auto()


def _introduced(
    row: Row, spans: Sequence[Span], others: Sequence[Row], *, being: bool, plain: bool
) -> Iterator[tuple[str, _How]]:
    """The words of names that a row gives to what stands at these places, and how; the surest last.

    ``plain`` says that no word of those is taken for a name.
    """
    words = read_words(row.text)
    beside = [*names_introduced(row.text, spans), *_behind(row, words, spans, others)] if being else []
    if not being and plain:
        yield from ((low, _How.LIKELY) for low in _behind_thing(words, spans))
    yield from ((low, _How.BESIDE) for low in beside)
    yield from ((low, _How.BESIDE) for start, _ in spans for low in _said_to_be(words, words_before(words, start)))
    yield from _by_saying(row.text, words, spans)


def _by_saying(text: str, words: Sequence[Word], spans: Sequence[Span]) -> Iterator[tuple[str, _How]]:
    """What is said to be a name: "se llama Luna"; surely that of what stands right before."""
    for pattern in sayings("introducing"):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            name = folded(_CASE.sub("", match["name"]))
            if not (match["name"][0].isupper() or (not name.isascii() and is_caseless(name))):
                continue
            ahead = [end for _, end in spans if end <= match.start("name")]
            between = [it.low for it in words if ahead and max(ahead) <= it.start < match.start("name")]
            near = bool(ahead) and len(between) <= _BETWEEN and not any(map(is_being, between))
            yield name, _How.SAID if near else _How.LIKELY
            behind = next((it for it in words if it.start >= match.end("name")), None)
            if behind is not None and behind.capital and behind.gap == " ":
                yield behind.low, _How.SAID if near else _How.LIKELY
            if UNSPACED.match(name) and len(name) in _FULL_ZH:
                yield name[-2:], _How.LIKELY


def _behind(row: Row, words: Sequence[Word], spans: Sequence[Span], others: Sequence[Row]) -> Iterator[str]:
    """A name right behind somebody: "Kuzenim Berk"."""
    for _, end in spans:
        if UNSPACED.search(row.text[max(0, end - 1) : end]):
            yield from _behind_unspaced(row.text[end:], others)
            continue
        word = next((word for word in words if word.start >= end and word.gap == " "), None)
        if word is None or row.text[end : word.start].strip() or word.low in STOP_WORDS:
            continue
        if word.capital:
            yield word.low
        elif HANGUL.search(word.text):
            ending = next((it for it in _BY_LENGTH if word.low.endswith(it) and len(word.low) - len(it) > 1), "")
            yield word.low.removesuffix(ending)
        elif is_given(word):
            yield word.low


def _behind_unspaced(behind: str, others: Sequence[Row]) -> Iterator[str]:
    """A name right behind a relative, where no spaces part words: one that another memory has as well."""
    match = _NAME_JA.match(behind)
    if match:
        yield folded(match["name"])
        return
    for length in (3, 2):
        name = behind[:length]
        bare = len(name) == length and all(map(UNSPACED.match, name)) and name[0] not in _NO_NAME_ZH
        if bare and any(name in row.text for row in others):
            yield folded(name)
            return


def _behind_thing(words: Sequence[Word], spans: Sequence[Span]) -> Iterator[str]:
    """The name that stands right behind a thing: "Hotel Podewils"."""
    ends = {end for _, end in spans}
    aside = name_words("given") | name_words("titles") | name_words("prepositions") | STOP_WORDS
    for before, word in pairwise(words):
        plain = word.capital and word.gap == " " and before.low[:1].isalpha() and not calendar(word.low)
        is_owner = word.low[:-1] in aside or _OWNER.search(word.low)
        if before.end in ends and plain and not is_owner and aside.isdisjoint({before.low, word.low}):
            yield word.low


def _said_to_be(words: Sequence[Word], place: int) -> Iterator[str]:
    """Who or what is said to be what stands at a place: "Pepper is our cat", "Odile, my sister, ..."."""
    at = place - 1
    while at > 0 and words[at].low in name_words("introduces") | name_words("copulas") | all_words("first"):
        at -= 1
    if at < 0 or at + 1 >= place:
        return
    said = words[at + 1].low in name_words("copulas")
    closes = place + 1 >= len(words) or any(sign in words[place + 1].gap for sign in _CLOSING)
    apposed = "," in words[at + 1].gap and words[at + 1].low in all_words("first") and closes
    word = words[at]
    listed = STOP_WORDS - (name_words("words") if said else frozenset())
    named = word.capital and not (calendar(word.low) and not said) and word.low not in listed | all_words("third")
    if (said or apposed) and named and word.low not in name_words("pointing"):
        yield word.low
        if at and words[at - 1].capital and word.gap == " " and words[at - 1].low not in name_words("titles"):
            yield words[at - 1].low
