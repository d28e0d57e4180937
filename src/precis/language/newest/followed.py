"""Which newer sentence says what became of an older one: off, back, another day or price, a new home.

Surer than ``slots.taken_up`` is: the newer one says by a word of its own that something is otherwise, and both are
about one thing. So the older one is told with the newer, and not without it; nothing is lost for that. ``overtaken``
reads signs in which languages are alike. Pure.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS, is_past
from precis.language.newest.signs import DAYS_ELSEWHERE, TIMES, is_present, months_of
from precis.language.newest.slots import Said, Told, changes, over_or_again, read_slot
from precis.language.newest.taken_back import laughs
from precis.language.script import is_foreign, is_frequent, languages_of, spoken_in, without_small
from precis.language.sentences import is_question, sentences
from precis.language.values import unit_of
from precis.language.words import LETTERED, MARKS, STOP_WORDS, kept, normal, spoken_names, stem, words


def _any_of(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{tables.in_every_language(*names)})(?![\w-])", re.IGNORECASE)


_OFF = _any_of("followed.off", "standing.ends_of")
_ON = _any_of("followed.on")
_MOVED = _any_of("followed.moved")
#: "May" is a month.
_UNSURE = re.compile(_any_of("followed.unsure").pattern)
#: These say of an appointment that it is off or moves, and nothing else.
_WILL_NOT = re.compile(
    r"\b(?:can['\u2019]t|cannot|not happening|(?:won['\u2019]t|will not) (?:happen|take place))\b", re.IGNORECASE
)
#: A text of more sentences tells of more than one thing.
_MOST = 4
#: So many words in common make two sentences speak of one thing, whatever words these are.
_ENOUGH = 2
_WORD = re.compile(LETTERED)
_TIMED, _TIMES = frozenset({"date", "weekday", "time"}), TIMES | DAYS_ELSEWHERE

#: The number of a line, and of a sentence in it.
Spot = tuple[int, int]


class _Part(NamedTuple):
    """A sentence as it is compared: what it is about, and what it says became of that."""

    slot: Told
    terms: frozenset[str]
    #: Stems that have a capital in it, of which one may be somebody.
    proper: frozenset[str]
    off: bool
    on: bool
    moved: bool
    #: Whether it names nothing but who is concerned: "Olga again, it's the 29th now".
    alone: bool
    #: Stems of what somebody does or may do in it: of "moving" "the move" may be off.
    doing: frozenset[str]


def reverses(sentence: str) -> bool:
    """Whether it says that something is off, on again, or moved to another day."""
    if not is_sure(sentence) or _ON.search(sentence) or _OFF.search(sentence):
        return is_sure(sentence)
    ended, resumes = over_or_again(sentence)
    moves = _MOVED.search(sentence) is not None or changes(sentence)
    if ended or not (resumes or moves):
        return ended
    figures = _dated(sentence).figures
    return (resumes and not figures) or (moves and not _TIMED.isdisjoint(figures))


def followed(lines: Sequence[Said]) -> dict[Spot, Spot]:
    """For each sentence of a line that a newer line says to be otherwise now the newest sentence that does."""
    return newest_of(lines, _pairs(lines))


def _pairs(lines: Sequence[Said]) -> Iterator[tuple[Spot, Spot]]:
    """Each sentence of which a newer line says what became, and the sentence that does."""
    readings = [_parts(line.text) for line in lines]
    holders: dict[str, set[int]] = defaultdict(set)
    for at, parts in enumerate(readings):
        for term in frozenset().union(*(part.terms for part in parts)) if parts else ():
            holders[term].add(at)
    for newer, parts in enumerate(readings):
        for place, part in enumerate(parts):
            if not (part.on or part.off or part.moved):
                continue
            names = frozenset(stem(name) for name in spoken_names(lines[newer].speaker))
            near = {other for term in part.terms - names for other in holders[term]}
            for older in sorted(other for other in near if may_follow(lines[newer], lines[other])):
                for at, old in enumerate(readings[older]):
                    if _tells_what_became(part, old, names):
                        yield (older, at), (newer, place)


def may_follow(newer: Said, older: Said) -> bool:
    """Whether it is newer and perhaps of the same speaker."""
    return newer.rank > older.rank and (newer.speaker == older.speaker or None in {newer.speaker, older.speaker})


def newest_of(lines: Sequence[Said], pairs: Iterable[tuple[Spot, Spot]]) -> dict[Spot, Spot]:
    """For each older sentence of these pairs the newest, at the end of the chain: what was moved, and moved again."""
    newest: dict[Spot, Spot] = {}
    for older, newer in pairs:
        newest[older] = max(newest.get(older, newer), newer, key=lambda spot: (lines[spot[0]].rank, spot))

    def last(spot: Spot) -> Spot:
        while spot in newest:
            spot = newest[spot]
        return spot

    return {older: last(older) for older in newest}


@kept
def _parts(text: str) -> tuple[_Part, ...]:
    """The sentences of a text; one that names nothing, as "9 June now.", speaks of what the one before it does."""
    every = sentences(text)
    parts: list[_Part] = []
    for sentence in every if len(every) <= _MOST else ():
        part = _part(sentence)
        if parts and not part.terms:
            part = part._replace(terms=parts[-1].terms, proper=parts[-1].proper, alone=parts[-1].alone)
        parts.append(part)
    return tuple(parts)


def _part(sentence: str) -> _Part:
    slot, sure = _dated(sentence), is_sure(sentence)
    on = sure and (_ON.search(sentence) is not None or (slot.resumes and not slot.figures))
    every = frozenset(words(sentence))
    capitals = (word.casefold() for word in _WORD.findall(sentence) if word[:1].isupper())
    proper = frozenset(stem(word) for word in capitals if not (word in STOP_WORDS or word in TIMES))
    verbs = frozenset(stem(word) for word in every if word in FORMS or word in AMBIGUOUS_FORMS)
    return _Part(
        slot=slot, terms=slot.terms, proper=proper, on=on, alone=slot.terms - verbs <= proper,
        off=sure and not on and (bool(slot.ended) or _OFF.search(sentence) is not None),
        moved=sure and bool(slot.figures) and (_MOVED.search(sentence) is not None or changes(sentence)),
        doing=frozenset(stem(FORMS[word].lemma) for word in every if word in FORMS and not is_past(word)),
    )  # fmt: skip


def _dated(sentence: str) -> Told:
    """The sentence as it is compared, with its months where it names no day: "moved to May"."""
    slot = read_slot(sentence)
    if "date" in slot.figures or not (months := months_of(sentence))["date"]:
        return slot
    return replace(slot, figures={**slot.figures, **months}, holds=slot.holds or is_present(sentence))


def is_sure(sentence: str) -> bool:
    """Whether it neither asks nor laughs, and is no guess."""
    if is_question(sentence) or laughs(sentence):
        return False
    return _UNSURE.search(_WILL_NOT.sub(" ", sentence[:1].lower() + sentence[1:])) is None


def _tells_what_became(new: _Part, old: _Part, names: frozenset[str]) -> bool:
    shared = (new.terms & old.terms) - names
    if new.off and not new.on and not old.off and new.slot.deed.calls_off(old.doing, shared):
        return True
    common = shared - (new.proper & old.proper)
    if not common and len(shared) < _ENOUGH and not (shared and new.alone and new.moved):
        return False
    if len(shared) < _ENOUGH and new.proper and old.proper and new.proper.isdisjoint(old.proper):
        return False  # the hall of somebody else
    if old.off:
        return new.on
    if new.off and not new.on:
        return old.on or old.slot.appointed or old.slot.holds or old.slot.present
    kinds = new.slot.figures.keys() & old.slot.figures.keys()
    kinds = kinds & _TIMED if new.alone and not common else kinds
    differs = any(new.slot.figures[kind].isdisjoint(old.slot.figures[kind]) for kind in kinds)
    return new.moved and (old.slot.appointed or old.slot.holds) and differs


def _sign(place: str, *more: str) -> re.Pattern[str]:
    spaced = tables.in_every_language(f"overtaken.{place}", *more)
    unspaced = tables.in_every_language(f"overtaken.{place}_unspaced")
    return re.compile(rf"(?<![\w{MARKS}-])(?:{spaced})(?![\w{MARKS}-])|{unspaced}", re.IGNORECASE)


DENIED, _IS_OFF, _NOW = _sign("denied"), _sign("off", "followed.off"), _sign("now")
_HOME, _MOVED_HOME = _sign("home"), _sign("moved", "renewed.home_left")
_WHAT = r"(?P<what>[^,.;:!?()\s]+(?: [^,.;:!?()\s]+){0,3})"
_INSTEAD = [
    re.compile(tables.choices(f"overtaken.instead.{name}").replace("{what}", _WHAT), re.IGNORECASE)
    for name in tables.section("overtaken.instead")
]
_OTHERS = re.compile(tables.in_every_language("overtaken.others_unspaced"))
_STATES = "|".join(
    word for name in tables.section("overtaken.states") for word in tables.words(f"overtaken.states.{name}")
)
_STATE = re.compile(
    rf"(?P<what>[^\W\d_][^,.;:!?]{{0,40}}?) (?:{tables.choices('overtaken.is.all')})"
    rf" (?:now |still |already |wieder |jetzt )*(?P<state>{_STATES})\b",
    re.IGNORECASE,
)
#: A figure, with the spaces inside it and the signs for thousands behind it.
FIGURE = re.compile(r"\d(?:[\d.,]|[ \u00a0\u202f](?=\d{3}(?!\d)))*(?:[万千百億亿][\d万千百]*)?")
_ADDED = re.compile(r"\s?\([^()]*\b(?:19|20)\d\d[^()]*\)")
#: Words where they are set apart, and where not signs that name a thing: two ideographs, a word of katakana.
_A_WORD = re.compile(rf"[^\W\d_][\w{MARKS}'\u2019-]*")
_PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
_KANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
#: Letters that a word has at least that names a thing; and so many are alike in two forms of one name.
_LONG, _ALIKE = 4, 5
_SIGNS = frozenset(" ".join(tables.section("overtaken.no_things").values()).split())


class _Read(NamedTuple):
    """A sentence as it is compared."""

    things: frozenset[str]
    #: Those that are names, in a language in which not every noun has a capital.
    named: frozenset[str]
    figures: frozenset[str]
    #: Its months and days of the week.
    days: frozenset[str]
    timed: bool
    denied: bool
    #: The things that are off; of English, ``followed`` knows by their words what is off or moves.
    off: frozenset[str]
    now: bool
    home: bool
    moved: bool
    #: What was chosen before.
    instead: frozenset[str]
    #: What is told to be in which state.
    state: tuple[str, str] | None


def overtaken(lines: Sequence[Said]) -> dict[Spot, Spot]:
    """For each sentence of a line that a newer line overtakes the newest sentence that does."""
    return newest_of(lines, _pairs_overtaken(lines))


def _pairs_overtaken(lines: Sequence[Said]) -> Iterator[tuple[Spot, Spot]]:
    read = [(at, number, part) for at, line in enumerate(lines) for number, part in enumerate(_read_parts(line.text))]
    for at, number, new in read:
        if new.denied or new.off or new.now or new.moved or new.state or new.instead:
            for older, place, old in read:
                if may_follow(lines[at], lines[older]) and _overtakes(new, old):
                    yield (older, place), (at, number)


@kept
def _read_parts(text: str) -> tuple[_Read, ...]:
    return tuple(map(_read, sentences(text)))


def _read(sentence: str) -> _Read:
    bare = _ADDED.sub("", sentence)
    says = not (is_question(bare) or laughs(bare))
    state = _STATE.search(bare) if says else None
    return _Read(
        things=(things := frozenset(things_in(bare))),
        named=frozenset(
            thing for thing in things if f"{thing[:_ALIKE]}\u2026" in things and "German" not in spoken_in(bare)
        ),
        figures=frozenset(re.sub(r"[^\d万千百億亿]", "", figure[0]) for figure in FIGURE.finditer(bare)),
        days=(days := frozenset(words(bare)) & DAYS_ELSEWHERE),
        timed=bool(days) or any(map(str.isdigit, bare)) or untimed(bare) != normal(bare),
        denied=says and DENIED.search(bare) is not None,
        off=_off_in(bare) if says and is_foreign(bare) else frozenset(),
        now=says and is_foreign(bare) and _NOW.search(bare) is not None,
        home=_HOME.search(bare) is not None and not _OTHERS.search(bare),
        moved=says and _MOVED_HOME.search(bare) is not None and not _OTHERS.search(bare),
        instead=frozenset(_instead_in(bare)) if says else frozenset(),
        state=(state["what"].casefold(), state["state"].casefold()) if state else None,
    )


def _off_in(sentence: str) -> frozenset[str]:
    """What is off, between the commas where that is said; all things of the sentence where nothing stands there."""
    match = _IS_OFF.search(sentence)
    if match is None:
        return frozenset()
    before, behind = sentence[: match.start()].rpartition(",")[2], sentence[match.end() :].partition(",")[0]
    return frozenset(things_in(f"{before} {behind}")) or frozenset(things_in(sentence))


def things_in(sentence: str) -> Iterator[str]:
    """What may name a thing in it."""
    yield from (pair for pair in _PAIR.findall(sentence) if pair not in _SIGNS)
    yield from _KANA.findall(sentence)
    for word in _A_WORD.findall(without_small(sentence, next(iter(languages_of(sentence)[0]), None))):
        low, *more = re.split(r"['\u2019]", word.casefold())
        low = more[0] if more and len(low) < len(more[0]) else low  # "l'appuntamento", and "Leo's"
        if low[:1] < "\u0e00" and not (low in STOP_WORDS or low in _TIMES or is_frequent(low) or unit_of(low)):
            if len(low) >= _LONG:
                yield stem(low)
            if word[:1].isupper() and len(low) >= _ALIKE:
                yield f"{low[:_ALIKE]}\u2026"


def _instead_in(sentence: str) -> Iterator[str]:
    for pattern in _INSTEAD:
        for match in pattern.finditer(sentence):
            yield from things_in(match["what"])


def _overtakes(new: _Read, old: _Read) -> bool:
    """Whether the newer sentence says what became of the older."""
    if new.state and old.state and new.state[0] == old.state[0]:
        return new.state[1] != old.state[1]
    if (new.moved and old.home and not old.moved) or _gives_another(new, old):
        return True
    shared = new.things & old.things
    if not shared or (old.off and not new.now):
        return False
    differs = (new.figures, new.days) != (old.figures, old.days)
    # Of whom alone both are, a figure takes the place of a figure: "Rex weighs 9 kilos now" of no "Rex came yesterday".
    of_kind = not (shared <= new.named & old.named) or bool((new.figures and old.figures) or (new.days and old.days))
    return (not new.off.isdisjoint(old.things) and not old.denied) or (
        new.now and new.timed and old.timed and differs and of_kind
    )


def _gives_another(new: _Read, old: _Read) -> bool:
    """Whether it denies a figure of the older one and gives another, or names what that chose as given up."""
    if new.instead and new.instead <= old.things and not new.instead & old.instead:
        return True
    same = any(len(figure) > 1 for figure in new.figures & old.figures)
    if not (new.denied and same and new.figures - old.figures) or old.denied:
        return False
    return not new.things.isdisjoint(old.things) or len(new.figures) <= len(old.figures) + 1
