"""What somebody takes back right after saying it: "no wait, it's Thursdays". The value they mean counts. Pure.

Only what is plain is taken: the same speaker within minutes, or their agreement to what another says instead; a
sentence that says nothing but the other value; and one value of its kind in what was said. Else both stand as they are.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from precis.language.newest.signs import (
    may_correct,
    may_surely_correct,
    only_opens,
    opening,
    said_anywhere,
    says_mistaken,
    starts_correction,
    values_in,
)
from precis.language.newest.swapping import corrected, replaced
from precis.language.sentences import is_question, sentences
from precis.language.words import content

#: Who corrects themselves does it within this time, with a word of many meanings at once, and not more than so many
#: turns of others later.
SOON, _AT_ONCE = timedelta(minutes=10), timedelta(minutes=1)
_BETWEEN = 2
#: An answer that is given up has at most so many words.
_SHORT = 6


_AGREES, _OBJECTS = opening("agrees"), said_anywhere("objects")


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
    return any(may_surely_correct(turn.text) or _AGREES.match(turn.text) for turn in turns)


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
            better = corrected(parts[number - 1], parts[number]) if may_correct(parts[number]) else None
            if better:
                parts[number - 1 : number + 1] = [better]
        before = self._own_before(at) if parts and may_correct(parts[0]) else None
        if before is None or self._is_in_doubt(before, at):
            return False
        surely = (
            self._surely or not self._turns[at].speaker or before < at - 1 or not self._is_soon(before, at, _AT_ONCE)
        )
        # "Sorry. Not the 13th, the 20th."
        size = 2 if len(parts) > 1 and only_opens(parts[0]) else 1
        for number, sentence in reversed(list(enumerate(self._parts[before]))):
            better = corrected(sentence, " ".join(parts[:size]), surely=surely)
            if better:
                self._parts[before][number] = better
                self._of[before].append(at)
                del parts[: size + 1 if says_mistaken("".join(parts[size : size + 1])) else size]
                return True
        return False

    def _is_in_doubt(self, before: int, at: int) -> bool:
        """Whether somebody else asked something in between, or said a value of their own."""
        own = {value.text.casefold() for value in values_in(self._turns[before].text, names=False)}
        return any(
            is_question(turn.text)
            or not own.issuperset(value.text.casefold() for value in values_in(turn.text, names=False))
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
        values = list(values_in(phrase, names=False))
        for number in reversed(range(len(self._parts[own]))):
            sentence = self._parts[own][number]
            if values:
                stated = {value.text.casefold() for value in values_in(self._turns[other].text, names=False)}
                agreed = all(value.text.casefold() in stated for value in values)
                agreed = agreed and starts_correction(self._turns[other].text) and not is_question(sentence)
                better = replaced(sentence, phrase, list(values_in(sentence)), values) if agreed else None
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
        """The last turn of the speaker before this one, where it is near and something is left of it."""
        before = own_before(self._turns, at, self._turns[at].speaker if speaker is None else speaker)
        return before if before is not None and self._parts[before] else None

    def _other_before(self, at: int) -> int | None:
        """The turn right before this one, of somebody else."""
        if not at or self._turns[at - 1].speaker in (None, self._turns[at].speaker):
            return None
        return at - 1 if self._is_soon(at - 1, at) else None

    def _is_soon(self, before: int, at: int, within: timedelta = SOON) -> bool:
        return _is_soon(self._turns[before].at, self._turns[at].at, within)


def own_before(turns: Sequence[Turn], at: int, speaker: str | None) -> int | None:
    """The place of the last turn of a speaker before the one at a place, where it is near."""
    for before in range(at - 1, max(-1, at - _BETWEEN - 2), -1):
        if turns[before].speaker == speaker:
            return before if _is_soon(turns[before].at, turns[at].at, SOON) else None
    return None


def _is_soon(first: datetime | None, second: datetime | None, within: timedelta) -> bool:
    """Whether the second moment comes so soon after the first; where nobody says when, what comes next does."""
    if first is None or second is None:
        return first is second
    return timedelta(0) <= second - first <= within
