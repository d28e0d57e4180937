"""Which newer sentence says what became of an older one, by signs in which languages are alike. Pure.

It denies the older value, says that what was planned is off, gives another day or price of the same thing, tells that
who writes moved, or gives a thing another state. Like ``followed`` it is used to tell the older one with the newer, and
for nothing that is lost.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.newest.followed import Spot, may_follow, newest_of
from precis.language.newest.signs import TIMES
from precis.language.newest.slots import Said
from precis.language.newest.taken_back import laughs
from precis.language.script import is_foreign, is_frequent, languages_of, without_small
from precis.language.sentences import is_question, sentences
from precis.language.values import unit_of
from precis.language.words import MARKS, STOP_WORDS, kept, normal, stem


def _sign(place: str, *more: str) -> re.Pattern[str]:
    spaced = tables.in_every_language(f"overtaken.{place}", *more)
    unspaced = tables.in_every_language(f"overtaken.{place}_unspaced")
    return re.compile(rf"(?<![\w{MARKS}-])(?:{spaced})(?![\w{MARKS}-])|{unspaced}", re.IGNORECASE)


_DENIED, _OFF, _NOW = _sign("denied"), _sign("off", "followed.off"), _sign("now")
_HOME, _MOVED = _sign("home"), _sign("moved", "renewed.home_left")
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
_FIGURE = re.compile(r"\d(?:[\d.,]|[ \u00a0\u202f](?=\d{3}(?!\d)))*(?:[万千百億亿][\d万千百]*)?")
_ADDED = re.compile(r"\s?\([^()]*\b(?:19|20)\d\d[^()]*\)")
#: Words where they are set apart, and where not signs that name a thing: two ideographs, a word of katakana.
_WORD = re.compile(rf"[^\W\d_][\w{MARKS}'\u2019-]*")
_PAIR = re.compile(r"(?=([\u4e00-\u9fff]{2}))")
_KANA = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
#: Letters that a word has at least that names a thing; and so many are alike in two forms of one name.
_LONG, _ALIKE = 4, 5
_SIGNS = frozenset(" ".join(tables.section("overtaken.no_things").values()).split())


class _Read(NamedTuple):
    """A sentence as it is compared."""

    things: frozenset[str]
    figures: frozenset[str]
    timed: bool
    denied: bool
    #: Of English, ``followed`` knows by their words what is off or moves.
    off: bool
    now: bool
    home: bool
    moved: bool
    #: What was chosen before.
    instead: frozenset[str]
    #: What is told to be in which state.
    state: tuple[str, str] | None


def overtaken(lines: Sequence[Said]) -> dict[Spot, Spot]:
    """For each sentence of a line that a newer line overtakes the newest sentence that does."""
    return newest_of(lines, _pairs(lines))


def _pairs(lines: Sequence[Said]) -> Iterator[tuple[Spot, Spot]]:
    read = [(at, number, part) for at, line in enumerate(lines) for number, part in enumerate(_parts(line.text))]
    for at, number, new in read:
        if new.denied or new.off or new.now or new.moved or new.state or new.instead:
            for older, place, old in read:
                if may_follow(lines[at], lines[older]) and _overtakes(new, old):
                    yield (older, place), (at, number)


@kept
def _parts(text: str) -> tuple[_Read, ...]:
    return tuple(map(_read, sentences(text)))


def _read(sentence: str) -> _Read:
    bare = _ADDED.sub("", sentence)
    says = not (is_question(bare) or laughs(bare))
    state = _STATE.search(bare) if says else None
    return _Read(
        things=frozenset(_things_in(bare)),
        figures=frozenset(re.sub(r"[^\d万千百億亿]", "", figure[0]) for figure in _FIGURE.finditer(bare)),
        timed=any(map(str.isdigit, bare)) or untimed(bare) != normal(bare),
        denied=says and _DENIED.search(bare) is not None,
        off=says and is_foreign(bare) and _OFF.search(bare) is not None,
        now=says and is_foreign(bare) and _NOW.search(bare) is not None,
        home=_HOME.search(bare) is not None and not _OTHERS.search(bare),
        moved=says and _MOVED.search(bare) is not None and not _OTHERS.search(bare),
        instead=frozenset(_instead_in(bare)) if says else frozenset(),
        state=(state["what"].casefold(), state["state"].casefold()) if state else None,
    )


def _things_in(sentence: str) -> Iterator[str]:
    """What may name a thing in it."""
    yield from (pair for pair in _PAIR.findall(sentence) if pair not in _SIGNS)
    yield from _KANA.findall(sentence)
    for word in _WORD.findall(without_small(sentence, next(iter(languages_of(sentence)[0]), None))):
        low = re.split(r"['\u2019]", word.casefold())[0]
        if low[:1] < "\u0e00" and not (low in STOP_WORDS or low in TIMES or is_frequent(low) or unit_of(low)):
            if len(low) >= _LONG:
                yield stem(low)
            if word[:1].isupper() and len(low) >= _ALIKE:
                yield f"{low[:_ALIKE]}\u2026"


def _instead_in(sentence: str) -> Iterator[str]:
    for pattern in _INSTEAD:
        for match in pattern.finditer(sentence):
            yield from _things_in(match["what"])


def _overtakes(new: _Read, old: _Read) -> bool:
    """Whether the newer sentence says what became of the older."""
    if new.state and old.state and new.state[0] == old.state[0]:
        return new.state[1] != old.state[1]
    if (new.moved and old.home and not old.moved) or _gives_another(new, old):
        return True
    shared = new.things & old.things
    if not shared or (old.off and not new.now):
        return False
    return (new.off and not old.denied) or (new.now and new.timed and old.timed and new.figures != old.figures)


def _gives_another(new: _Read, old: _Read) -> bool:
    """Whether it denies a figure of the older one and gives another, or names what that chose as given up."""
    if new.instead and new.instead <= old.things and not new.instead & old.instead:
        return True
    same = any(len(figure) > 1 for figure in new.figures & old.figures)
    if not (new.denied and same and new.figures - old.figures) or old.denied:
        return False
    return not new.things.isdisjoint(old.things) or len(new.figures) <= len(old.figures) + 1
