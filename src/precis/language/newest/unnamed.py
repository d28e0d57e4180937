"""What a talk says became of what it told before, without naming that: "So it's 105 each.", "We found him!". Pure.

The nearest earlier sentence of the same kind is meant: what each pays, an hour or a day, what was lost or broken. That
is told with the newer and not without it; nothing is lost for that. Who names another thing says nothing of it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import untimed
from precis.language.grammar import FORMS
from precis.language.newest.followed import DENIED, FIGURE, Spot, is_sure, may_follow, newest_of, things_in
from precis.language.newest.signs import figures_of, values_in
from precis.language.newest.slots import Said
from precis.language.newest.taken_back import laughs
from precis.language.sentences import is_question, sentences
from precis.language.values import unit_of
from precis.language.words import MARKS, STOP_WORDS, kept, stem, words


def _sign(place: str) -> re.Pattern[str]:
    spaced, unspaced = map(tables.in_every_language, (f"unnamed.{place}", f"unnamed.{place}_unspaced"))
    return re.compile(rf"(?<![\w{MARKS}-])(?:{spaced})(?![\w{MARKS}-])|{unspaced}", re.IGNORECASE)


_EACH, _ANOTHER, _LOST, _BACK = map(_sign, ("each", "another", "lost", "back"))
#: Right before or behind such a word stands how much, with a sign or a word of money at most between the two.
_SUM = rf"(?:{FIGURE.pattern}|[一二三四五六七八九十百千万]{{2,}})"
_BEFORE = re.compile(rf"(?P<sum>{_SUM})\s?(?P<unit>[^\W\d_]*|[^\w\s])\s?$")
_BEHIND = re.compile(rf"[\s:,]*(?:[^\w\s]\s?)?(?P<sum>{_SUM})(?:\s?(?P<unit>[^\W\d_]+))?")
_MONEY = re.compile(tables.choices("unnamed.money"), re.IGNORECASE)
_HOUR = re.compile(
    tables.in_every_language("unnamed.hour").replace("{h}", r"(?<![\d.,:])(?:[01]?\d|2[0-4])(?:[:.h]\d\d)?(?![\d%])"),
    re.IGNORECASE,
)
_HOUR_ITSELF = re.compile(r"\d{1,2}(?:[:.h]\d\d)?|[一二三四五六七八九十]{1,3}")
_TIMED = frozenset({"date", "weekday", "time"})
#: A sum has more digits than one; "she's 52 now" is none.
_PRICE, _THOUSANDS = re.compile(r"\d[\d.,]*\d"), re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
_AGE = re.compile(
    r"\b(?:s?he|i|they|we)(?:['\u2019](?:s|m|re)| is| am| are| was| were| turn(?:s|ed)?)(?: \w+)? \d", re.IGNORECASE
)


class _Read(NamedTuple):
    """A sentence as it is compared."""

    #: What may name a thing in it, and in the sentences of its text before it.
    things: frozenset[str]
    before: frozenset[str]
    #: What each pays.
    each: str
    #: Its hours and days, by kind; whether it says that these are others than before.
    timed: dict[str, frozenset[str]]
    another: bool
    lost: bool
    back: bool


def unnamed(lines: Sequence[Said]) -> dict[Spot, Spot]:
    """For each sentence of a talk of which a newer one that does not name it says what became the newest that does."""
    return newest_of(lines, _pairs(lines))


def _pairs(lines: Sequence[Said]) -> Iterator[tuple[Spot, Spot]]:
    read = [
        ((at, number), part)
        for at, line in enumerate(lines)
        if line.speaker is not None
        for number, part in enumerate(_read_parts(line.text))
    ]
    for place, (spot, new) in enumerate(read):
        line = lines[spot[0]]
        for means in (rule for says, rule in _RULES if says(new)):
            for other, old in reversed(read[:place]):
                older = lines[other[0]]
                is_own = may_follow(line, older)
                if older.rank < line.rank and (differs := means(new, old, is_own)) is not None:
                    yield from [(other, spot)] if differs else []
                    break


def _pays_another(new: _Read, old: _Read, _: bool) -> bool | None:  # noqa: FBT001
    """Whether each pays another sum, of whoever speaks; None where the older sentence is not meant."""
    return old.each != new.each if old.each and _may_mean(new, old) else None


def _is_at_another(new: _Read, old: _Read, is_own: bool) -> bool | None:  # noqa: FBT001
    """The same of what a speaker sets for another hour or day."""
    if not is_own or not old.timed.keys() >= new.timed.keys():
        return None
    return any(new.timed[kind].isdisjoint(old.timed[kind]) for kind in new.timed)


def _is_back(new: _Read, old: _Read, is_own: bool) -> bool | None:  # noqa: FBT001
    """The same of what is here again, or works."""
    return True if is_own and old.lost and _may_mean(new, old) else None


#: What a sentence says, and of which earlier one.
_RULES: tuple[tuple[Callable[[_Read], object], Callable[[_Read, _Read, bool], bool | None]], ...] = (
    (lambda new: new.each, _pays_another),
    (lambda new: new.another and new.timed and not (new.things or new.before), _is_at_another),
    (lambda new: new.back, _is_back),
)


def _may_mean(new: _Read, old: _Read) -> bool:
    """Whether the newer sentence names nothing, or what the older one names."""
    return not new.things or not new.things.isdisjoint(old.things)


@kept
def _read_parts(text: str) -> tuple[_Read, ...]:
    parts: list[_Read] = []
    for sentence in sentences(text):
        part = _read(sentence)
        # "The court is free on Fridays. So Fridays at 8 now." is of one thing, which neither names.
        apart = (other.things for other in parts if part.timed.items().isdisjoint(other.timed.items()))
        parts.append(part._replace(before=frozenset().union(*apart)))
    return tuple(parts)


def _read(sentence: str) -> _Read:
    says = not (is_question(sentence) or laughs(sentence))
    bare = sentence
    for value in reversed(list(values_in(sentence, names=False))):
        bare = f"{bare[: value.start]} {bare[value.end :]}"
    for sign in (_EACH, _ANOTHER, _LOST, _BACK, _HOUR):
        bare = sign.sub(" ", bare)
    # "That makes it 75 each" names nothing by its verb.
    does = {stem(word) for word in words(bare) if word in FORMS and "base" not in FORMS[word].kinds}
    return _Read(
        things=frozenset(things_in(untimed(bare))) - does,
        before=frozenset(),
        each=_each(sentence) if says else "",
        timed=_timed(sentence) if says else {},
        another=says and _ANOTHER.search(sentence) is not None,
        lost=says and _LOST.search(sentence) is not None,
        back=says and _BACK.search(sentence) is not None and is_sure(sentence) and not DENIED.search(sentence),
    )


def _timed(sentence: str) -> dict[str, frozenset[str]]:
    timed = {kind: values for kind, values in figures_of(sentence).items() if kind in _TIMED}
    hour = _HOUR.search(sentence)
    itself = _HOUR_ITSELF.search(hour[0]) if hour else None
    return timed | ({"time": frozenset({itself[0]})} if itself else {}) | _price(sentence)


def _price(sentence: str) -> dict[str, frozenset[str]]:
    """A sum that is not what each pays; of several nobody knows which is meant."""
    rest = sentence if not (_AGE.search(sentence) or _each(sentence)) else ""
    rest = _THOUSANDS.sub("", _HOUR.sub(" ", rest))
    sums = [
        re.sub(r"\D", "", value.text)
        for value in values_in(rest, names=False)
        if value.kind == "number" and _PRICE.fullmatch(value.text.strip("$\u20ac\u00a3"))
        if not value.unit or value.unit in STOP_WORDS or unit_of(value.unit) or _MONEY.fullmatch(value.unit)
    ]
    return {"sum": frozenset(sums)} if len(sums) == 1 else {}


def _each(sentence: str) -> str:
    """What each pays or gets; empty where something is counted: "three bottles each"."""
    for match in _EACH.finditer(sentence):
        for amount in (_BEFORE.search(sentence[: match.start()]), _BEHIND.match(sentence, match.end())):
            unit = amount["unit"] if amount else None
            if amount and (not unit or not unit.isalpha() or unit_of(unit.casefold()) or _MONEY.fullmatch(unit)):
                return re.sub(r"\s", "", amount["sum"])
    return ""
