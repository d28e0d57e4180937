"""What somebody takes back right after saying it: "no wait, it's Thursdays". The value they mean counts. Pure.

Only what is plain is taken: the same speaker within minutes, or their agreement to what another says instead; a
sentence that says nothing but the other value; and one value of its kind in what was said. Else both stand as they are.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from precis.language import tables
from precis.language.dates import A_MONTH_OR_SHORT, MONTHS_ELSEWHERE, NUMBERS, WEEKDAYS
from precis.language.sentences import is_question, sentences
from precis.language.words import STOP_WORDS, content, stem

#: Who corrects themselves does it within this time, with a word of many meanings at once, and not more than so many
#: turns of others later.
SOON, _AT_ONCE = timedelta(minutes=10), timedelta(minutes=1)
_BETWEEN = 2
#: A correction has at most so many words beside what opens it, and so has an answer that is given up.
_MOST = 8
_SHORT = 6


def _any_of(*names: str) -> str:
    places = [f"corrections.{name}" for name in names]
    return "|".join(tables.choices(f"{place}.{language}") for place in places for language in tables.section(place))


def _opening(*names: str) -> re.Pattern[str]:
    return re.compile(rf"^\W*(?:(?:{_any_of(*names)})(?!\w)[\s,.:;!\u2013\u2014-]*)+", re.IGNORECASE)


_OPENS, _AGREES = _opening("meant", "stops", "weak"), _opening("agrees")
_ENDS = re.compile(rf"[\s,;\u2013\u2014-]+(?:{_any_of('meant', 'stops')}|sorry)\W*$", re.IGNORECASE)
_MEANT, _SURE, _OBJECTS = (
    re.compile(rf"(?<!\w)(?:{_any_of(*names)})(?!\w)", re.IGNORECASE)
    for names in (("meant",), ("meant", "stops"), ("objects",))
)
_NOT = rf"(?:^|[\s,]+)(?:{tables.choices('corrections.denied.all')})\s+(?:\w{{1,3}}\s+)?"
_DENIES = re.compile(_NOT, re.IGNORECASE)
_BESIDE = frozenset(word for listed in tables.section("corrections.beside").values() for word in listed.split())
_DAYS = "|".join(
    day
    for name in tables.section("corrections.beside")
    for day in (WEEKDAYS if name == "English" else tables.entry(f"elsewhere.{name}.weekdays").split())
)
_MONTHS = "|".join(month for months in MONTHS_ELSEWHERE.values() for month in months)
_HALF = r"(?:[ap]m\b|[ap]\.m\.)"
#: Kinds of values in the order in which they are looked for.
_KINDS = {
    "time": rf"(?<![\d.:,])\d{{1,2}}[:h]\d\d(?:\s?{_HALF})?(?!\d)|\b\d{{1,2}}\s?{_HALF}|\bnoon\b|\bmidnight\b",
    "date": rf"\b(?:{A_MONTH_OR_SHORT})\.? \d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.|\u00ba)?(?: of| de)? (?:{A_MONTH_OR_SHORT}|{_MONTHS})\b",
    "weekday": rf"\b(?:{_DAYS})s?\b(?:-feira)?",
    "number": rf"[$\u20ac\u00a3]?(?<![\w.,])\d[\d.,'-]*(?<![.,'-])|\b(?:{'|'.join(NUMBERS[2:])})\b",
}
_VALUES = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()), re.IGNORECASE)
_NAME = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]+(?: [A-Z\u00c0-\u00de][\w'\u2019-]+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")


class Turn(NamedTuple):
    """What somebody says in a talk."""

    text: str
    #: Empty of a note of the user's, who has to say surely that it corrects; None of what nobody says.
    speaker: str | None
    at: datetime | None


class Settled(NamedTuple):
    """A turn as it counts: what is left of it, and the places of the turns that it rests on, its own first."""

    text: str
    of: tuple[int, ...]


class _Value(NamedTuple):
    kind: str
    start: int
    end: int
    text: str
    #: What a number counts.
    unit: str


def settled(turns: Sequence[Turn], *, surely: bool = False) -> list[Settled]:
    """The turns with what is meant in place of what was taken back; of a turn that does only that nothing is left.

    What is meant stands in the turn that is corrected, and rests on both. Where turns may be missing, what corrects is
    to say ``surely`` that it does.
    """
    talk = _Talk(turns, surely=surely)
    for at, turn in enumerate(turns):
        if turn.speaker is not None and not talk.corrects_itself(at):
            talk.agrees(at)
    return talk.settled()


def may_be_put_right(turns: Sequence[Turn]) -> bool:
    """Whether any has a sign that something is surely corrected, or agreed to; ``settled`` says whether it is."""
    return any(_SURE.search(turn.text) or _AGREES.match(turn.text) for turn in turns)


def corrected(sentence: str, correction: str, *, surely: bool = False) -> str | None:
    """A sentence with the value that a later one of the same speaker puts right; None where that is not plain.

    Where something stands between them that others said, it is to be ``surely`` a correction.
    """
    opening, ends = _OPENS.match(correction), _ENDS.search(correction)
    rest = correction[opening.end() if opening else 0 : ends.start() if ends else None].strip()
    values = list(_values(sentence))
    denied = next((value for value in values if _denial(value).search(rest)), None)
    signs = f"{opening[0] if opening else ''} {ends[0] if ends else ''}"
    if not (opening or ends or denied) or (surely and not _SURE.search(signs)):
        return None
    if is_question(correction) or is_question(sentence) or len(_WORD.findall(rest)) > _MOST:
        return None
    if denied:
        rest = _denial(denied).sub("", rest).strip()
    # "Sorry, Tom" calls somebody.
    new = list(_values(rest, opens=True, names=denied is not None or _MEANT.search(signs) is not None))
    return _replaced(sentence, rest, [denied] if denied else values, new)


def _may_correct(text: str) -> bool:
    """Whether it has a sign of a correction at all."""
    return any(sign.search(text) for sign in (_OPENS, _ENDS, _DENIES))


def _denial(value: _Value) -> re.Pattern[str]:
    """How a value is denied: "not on Wednesdays"."""
    return re.compile(rf"{_NOT}{re.escape(value.text)}(?!\w)", re.IGNORECASE)


def _replaced(sentence: str, rest: str, old: Sequence[_Value], new: Sequence[_Value]) -> str | None:
    """The sentence with other values, of kinds of which it has one, of a text that says nothing else."""
    if not new or not _is_bare(sentence, rest, new):
        return None
    swaps = []
    for value in new:
        near = [other for other in old if other.kind == value.kind and (not value.unit or other.unit == value.unit)]
        if any(other.text.casefold() == value.text.casefold() for other in near):
            continue
        if len(near) != 1:
            return None
        swaps.append((near[0].start, near[0].end, value.text))
    if not swaps:
        return None
    for start, end, text in sorted(swaps, reverse=True):
        sentence = sentence[:start] + text + sentence[end:]
    return sentence


def _is_bare(sentence: str, rest: str, values: Sequence[_Value]) -> bool:
    """Whether a text says its values alone, with words of the sentence that it corrects, or of none."""
    for value in sorted(values, key=lambda value: value.start, reverse=True):
        rest = rest[: value.start] + " " + rest[value.end :]
    own = frozenset(stem(word.casefold()) for word in _WORD.findall(sentence))
    spoken = [word.casefold().replace("\u2019", "'") for word in _WORD.findall(rest)]
    return all(word in _BESIDE or stem(word) in own for word in spoken)


def _values(text: str, *, opens: bool = False, names: bool = True) -> Iterator[_Value]:
    """The values of a text, with names where these are asked for; what a sentence opens on is known as none."""
    taken: list[tuple[int, int]] = []
    for match in _VALUES.finditer(text):
        kind = match.lastgroup or ""
        behind = _WORD.match(text, match.end() + 1) if kind == "number" else None
        taken.append(match.span())
        unit = stem(behind[0].casefold()) if behind and behind[0].casefold() not in _BESIDE else ""
        yield _Value(kind, *match.span(), match[0], unit)
    for match in _NAME.finditer(text if names else ""):
        overlaps = any(start < match.end() and match.start() < end for start, end in taken)
        spoken = any(word in STOP_WORDS for word in match[0].casefold().split())
        if not (overlaps or spoken) and (match.start() or opens):
            yield _Value("name", *match.span(), match[0], "")


class _Talk:
    """The turns of a talk as far as they are settled."""

    def __init__(self, turns: Sequence[Turn], *, surely: bool) -> None:
        self._turns, self._surely = turns, surely
        self._were = [sentences(turn.text) for turn in turns]
        self._parts = [list(parts) for parts in self._were]
        self._of = [[at] for at in range(len(turns))]

    def settled(self) -> list[Settled]:
        """Each turn as it counts."""
        return [
            Settled(turn.text if parts == were else " ".join(parts), tuple(dict.fromkeys(of)))
            for turn, parts, were, of in zip(self._turns, self._parts, self._were, self._of, strict=True)
        ]

    def corrects_itself(self, at: int) -> bool:
        """Take up what a turn puts right of its own sentences, and of what its speaker said before."""
        parts = self._parts[at]
        for number in range(len(parts) - 1, 0, -1):
            better = corrected(parts[number - 1], parts[number]) if _may_correct(parts[number]) else None
            if better:
                parts[number - 1 : number + 1] = [better]
        before = self._own_before(at) if parts and _may_correct(parts[0]) else None
        if before is None or self._is_in_doubt(before, at):
            return False
        surely = (
            self._surely or not self._turns[at].speaker or before < at - 1 or not self._is_soon(before, at, _AT_ONCE)
        )
        for number, sentence in reversed(list(enumerate(self._parts[before]))):
            better = corrected(sentence, parts[0], surely=surely)
            if better:
                self._parts[before][number] = better
                self._of[before].append(at)
                del parts[0]
                return True
        return False

    def _is_in_doubt(self, before: int, at: int) -> bool:
        """Whether somebody else asked something in between, or said a value of their own."""
        own = {value.text.casefold() for value in _values(self._turns[before].text, names=False)}
        return any(
            is_question(turn.text)
            or not own.issuperset(value.text.casefold() for value in _values(turn.text, names=False))
            for turn in self._turns[before + 1 : at]
        )

    def agrees(self, at: int) -> bool:
        """Take up another value that somebody else said and this turn agrees to."""
        other = self._other_before(at)
        own = self._own_before(other, speaker=self._turns[at].speaker) if other is not None else None
        opening = _AGREES.match(self._parts[at][0]) if self._parts[at] else None
        if other is None or own is None or opening is None:
            return False
        phrase = self._parts[at][0][opening.end() :].strip(" .!,")
        instead = self._instead(own, other, phrase)
        if instead is None:
            return False
        number, better = instead
        self._parts[own][number] = better
        self._of[own] += [other, at]
        del self._parts[at][0]
        return True

    def _instead(self, own: int, other: int, phrase: str) -> tuple[int, str] | None:
        """Which sentence of a turn is another one by what somebody else says and a phrase of agreement repeats."""
        values = list(_values(phrase, names=False))
        for number in reversed(range(len(self._parts[own]))):
            sentence = self._parts[own][number]
            if values:
                stated = {value.text.casefold() for value in _values(self._turns[other].text, names=False)}
                agreed = all(value.text.casefold() in stated for value in values)
                agreed = agreed and _OPENS.match(self._turns[other].text) is not None and not is_question(sentence)
                better = _replaced(sentence, phrase, list(_values(sentence)), values) if agreed else None
            else:
                better = self._other_answer(own, other, phrase)
            if better:
                return number, better
        return None

    def _other_answer(self, own: int, other: int, phrase: str) -> str | None:
        """The phrase as the answer to what somebody asked, where a short answer to that is given up for it."""
        answer, terms = self._turns[own].text, content(phrase)
        asked = own > 0 and bool(self._parts[own - 1]) and is_question(self._parts[own - 1][-1])
        if (
            not (asked and _OBJECTS.search(self._turns[other].text))
            or len(answer.split()) > _SHORT
            or len(self._parts[own]) != 1
            or not terms
            or not terms <= content(self._turns[other].text)
            or terms & content(answer)
            or not self._is_given_up(answer, other)
        ):
            return None
        return f"{phrase[:1].upper()}{phrase[1:]}."

    def _is_given_up(self, answer: str, other: int) -> bool:
        text = self._turns[other].text
        return bool(content(answer) & content(text)) or _OBJECTS.match(text) is not None

    def _own_before(self, at: int, *, speaker: str | None = None) -> int | None:
        """The last turn of the speaker before this one, where it is near."""
        speaker = self._turns[at].speaker if speaker is None else speaker
        for before in range(at - 1, max(-1, at - _BETWEEN - 2), -1):
            if self._turns[before].speaker == speaker:
                return before if self._is_soon(before, at) and self._parts[before] else None
        return None

    def _other_before(self, at: int) -> int | None:
        """The turn right before this one, of somebody else."""
        if not at or self._turns[at - 1].speaker in (None, self._turns[at].speaker):
            return None
        return at - 1 if self._is_soon(at - 1, at) else None

    def _is_soon(self, before: int, at: int, within: timedelta = SOON) -> bool:
        first, second = self._turns[before].at, self._turns[at].at
        if first is None or second is None:
            return first is second
        return timedelta(0) <= second - first <= within
