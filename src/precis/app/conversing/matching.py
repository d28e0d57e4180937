"""Which lines of a list that somebody sends are the stored ones, and which of them a person forgot. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile

from precis.app.conversing.longest_run import common
from precis.conversation import Line

#: Roles of what a client tells the model, and nobody in the talk.
INSTRUCTS = frozenset({"system", "developer"})
#: Of so many lines of a repetition, one may be another than it was.
_ODD = 4
#: Bytes from which on nobody says the same to the letter by chance; and so many such lines tell a history: one that
#: goes on with the talk soon after it, and any other.
_LONG, _FEW, _SURE = 24, 2, 5


class Sending(StrEnum):
    """What a list of messages is that somebody sends."""

    #: The messages since the last turn. One without an id is new, even where its words are stored already, unless the
    #: list is a history: docs/why/sent-again.md.
    TURN = "turn"
    #: The conversation as the sender knows it, or only its end.
    TRANSCRIPT = "transcript"
    #: The whole conversation as it shall be from now on.
    SESSION = "session"


@dataclass(frozen=True, kw_only=True, slots=True)
class Buried:
    """What was forgotten of the lines of a list."""

    #: Places of lines in words that somebody forgot in this conversation.
    whole: Collection[int] = frozenset()
    #: Places of lines of which a part was forgotten, each with the place of the stored one that says the rest.
    lessened: Mapping[int, int] = field(default_factory=dict)

    def rests(self, sent: Sequence[Line], stored: Sequence[Line]) -> list[Line]:
        """The lines that were sent, those that say more than is left of them in the words of what is left."""
        return [
            line if at not in self.lessened else replace(line, mark=stored[self.lessened[at]].mark)
            for at, line in enumerate(sent)
        ]

    def left_out(
        self, places: Sequence[int | None], sent: Sequence[Line], stored: Sequence[Line], sending: Sending
    ) -> frozenset[int]:  # fmt: skip
        """Which lines stay out, by the stored line that each is: those up to where the stored ones end.

        Behind them anybody may say again what was forgotten before, and so may who sends no history: in a turn, a list
        of which no line is known by its words.
        """
        known = [at for at, place in enumerate(places) if place is not None]
        talk, is_turn = _talk(stored), sending is Sending.TURN
        told = [at for at in known if not is_turn or sent[at].given != stored[places[at] or 0].given]
        if len({places[at] for at in known} & set(talk)) < len(talk) and not told:
            return frozenset()
        gone = {at for at in self.whole if places[at] is None}
        end = max(known, default=-1)
        run = takewhile(gone.__contains__, (at for at in _talk(sent) if at > end))
        return frozenset((*(at for at in gone if at < end), *run))


#: Of most lists nothing was.
NOTHING = Buried()


def recognize(
    sent: Sequence[Line], stored: Sequence[Line], sending: Sending, buried: Buried = NOTHING, *, soon: bool = True
) -> tuple[int | None, ...]:
    """For each line that is sent, the place of the stored one that it is; None for what is new, and what stays out.

    In doubt a line is new: what is stored twice can be read, what was taken for a repetition is lost. A turn that does
    not come ``soon`` after the one before may be what somebody says each day.
    """
    sent = buried.rests(sent, stored)
    pinned = by_id(sent, stored, roles=sending is Sending.SESSION)
    if sending is Sending.SESSION:
        return _filled(sent, pinned, _living(_aligned, sent, stored, pinned, buried.whole))
    of_sent, of_stored = _talk(sent), _talk(stored)
    lines, there = [sent[at] for at in of_sent], [stored[place] for place in of_stored]
    gone = {new for new, at in enumerate(of_sent) if at in buried.whole}
    is_news, named = sending is Sending.TURN, by_id(lines, there)
    matched = _history(lines, there, gone, soon=soon, is_news=is_news) if is_news or not named else {}
    if not is_news:
        matched = max(_living(_repeated, lines, there, named, gone), matched, key=len)
    matched = {**matched, **_right_before(lines, there, named)}
    known = pinned | {of_sent[at]: of_stored[place] for at, place in matched.items()}
    return _filled(sent, known, _instructions(sent, stored, known) if known else {})


def _right_before(sent: Sequence[Line], stored: Sequence[Line], named: Mapping[int, int]) -> dict[int, int]:
    """Lines without ids that stand before one that is known by its id, in the words of what is stored before that."""
    places: dict[int, int] = {}
    for at, place in named.items():
        while at > 0 and place > 0 and sent[at - 1].given is None and _may_be(sent[at - 1], stored[place - 1]):
            at, place = at - 1, place - 1  # noqa: PLW2901 - one step back in both lists
            places[at] = place
    return places


def _talk(lines: Sequence[Line]) -> list[int]:
    """Places of what is said in a talk. What a client tells the model along with it may change with the hour."""
    return [at for at, line in enumerate(lines) if line.role.casefold() not in INSTRUCTS]


def _living(
    match: Callable[[Sequence[Line], Sequence[Line], Mapping[int, int]], Mapping[int, int]],
    sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int], gone: Collection[int],
) -> dict[int, int]:  # fmt: skip
    """What is matched of a list without the forgotten lines, as far as nobody has said them again."""
    kept = {line.words for line in stored}
    living = [at for at in range(len(sent)) if at not in gone or sent[at].words in kept]
    named = {new: pinned[at] for new, at in enumerate(living) if at in pinned}
    matched = match([sent[at] for at in living], stored, named)
    return {living[at]: place for at, place in matched.items()}


def _instructions(sent: Sequence[Line], stored: Sequence[Line], known: Mapping[int, int]) -> dict[int, int]:
    """Those of a history that are stored: in the same words; before the talk, one stands for another in its place."""
    of_sent, of_stored = _talk(sent), _talk(stored)
    ours = sorted({*range(len(sent))}.difference(of_sent, known))
    theirs = sorted({*range(len(stored))}.difference(of_stored, known.values()))
    pairs = {ours[at]: theirs[p] for at, p in common([sent[at] for at in ours], [stored[p] for p in theirs])}
    first = [at for at in ours if at not in pairs and at < min(of_sent, default=0)]
    others = [p for p in sorted({*theirs} - {*pairs.values()}) if p < min(of_stored, default=0)]
    return pairs | dict(zip(first, others, strict=False))


def _history(
    sent: Sequence[Line], stored: Sequence[Line], gone: Collection[int], *, soon: bool, is_news: bool
) -> dict[int, int]:  # fmt: skip
    """The stored line that each is, where a list is the conversation as its sender knows it, or the end of it.

    That is beyond doubt where it holds several whole sentences of the user, each to the letter and in their order.
    What was forgotten counts as well: a list that holds it among what is stored shall not bring it back.
    """
    begun = _begun(sent, stored, gone)
    if begun and (soon or gone):
        return begun
    starts = range(len(stored) if soon else 0)
    ends = (_begun(sent, stored, gone, start) for start in starts[1:])
    if end := next((end for end in ends if _weight(sent, end, end) >= _FEW), None):
        return end
    # Whoever sends all of the talk under new ids has done so before: a beginning of the list stands before it.
    ends = (_begun(_unnamed(sent, stored), stored, gone, start) for start in starts)
    if end := next((end for end in ends if _is_resent(sent, stored, end, gone)), None):
        return end
    run = _living(_in_order, sent, stored, by_id(sent, stored), gone)
    is_near = bool(run and gone) or (soon and _goes_on(set(run.values()), stored))
    # Who gives a line of news another id says that it is another.
    is_renamed = is_news and any(sent[at].given not in (None, stored[place].given) for at, place in run.items())
    if is_renamed and not is_near:
        return {}
    weight = _weight(sent, {*run, *gone}, {*run, *gone} if gone else _calls(sent, stored, run))
    return run if weight >= (_SURE if is_renamed or (is_news and not is_near) else _FEW) else {}


def behind(sent: Sequence[Line], stored: Sequence[Line]) -> range:
    """Places of what stands behind the talk in a list that reaches to its end with a sentence; else of nothing."""
    run = dict(common(sent, stored))
    spoken = [place for place, line in enumerate(stored) if line.spoken]
    reaches = spoken and spoken[-1] in run.values() and any(sent[at].size >= _LONG for at in run)
    return range(max(run) + 1 if reaches else len(sent), len(sent))


def _weight(sent: Sequence[Line], known: Collection[int], others: Collection[int] = ()) -> int:
    """How many different sentences of the user these lines are; those of ``others`` count whoever says them."""
    sentences = [*(at for at in known if sent[at].role.casefold() == "user"), *others]
    return len({sent[at].words for at in sentences if sent[at].size >= _LONG})


def _goes_on(places: Collection[int], stored: Sequence[Line]) -> bool:
    """Whether one of these is the last that was said, or of the last two questions: an answer, or both, come anew."""
    spoken = [place for place, line in enumerate(stored) if line.spoken]
    asked = [place for place in spoken if stored[place].role.casefold() == "user"]
    return not {*spoken[-1:], *asked[-2:]}.isdisjoint(places)


def _in_order(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """The longest run of lines that both have, with those of the list that were new when they were first sent.

    Behind a line that is new, a few words are what is said there, though they were said in that place before.
    """
    taken = {place: at for at, place in pinned.items()}
    run = {at: p for at, p in common(sent, stored) if pinned.get(at, p) == p and taken.get(p, at) == at}
    others = [at for at in range(max(run, default=0)) if at not in run and at not in pinned]
    elsewhere = _anywhere(sent, stored, others, {*run.values(), *taken})
    new = [at for at in others if at not in elsewhere]
    if new and not _weight(sent, [at for at in run if at > new[-1]]):
        run = {at: place for at, place in run.items() if at < new[-1]}
    return {} if sum(at < max(run, default=0) for at in new) * _ODD > len(run) else run | elsewhere


def _begun(
    sent: Sequence[Line], stored: Sequence[Line], forgotten: Collection[int], start: int = 0
) -> dict[int, int]:  # fmt: skip
    """The stored line that each is, where a list begins with all from ``start`` on, less what was forgotten of it."""
    places: dict[int, int] = {}
    passed: list[int] = []
    for at, line in enumerate(sent):
        if (place := start + len(places)) < len(stored) and _may_be(line, stored[place]):
            places[at] = place
        elif at in forgotten:
            passed.append(at)
        else:
            break
    # The same few words alone may be said once more; what was forgotten of them, nobody but a history says.
    tells = passed or len(sent) > len(places)
    several = len(places) + len(passed) > 1 or _weight(sent, places)
    return places if tells and several and start + len(places) == len(stored) else {}


def by_id(sent: Sequence[Line], stored: Sequence[Line], *, roles: bool = False) -> dict[int, int]:
    """The place of each sent line whose id is stored, with the stored place; with ``roles`` only for equal roles."""
    places = {line.given: place for place, line in enumerate(stored)}
    known = {at: places[line.given] for at, line in enumerate(sent) if line.given is not None and line.given in places}
    return {at: place for at, place in known.items() if not roles or sent[at].role == stored[place].role}


def _is_resent(
    sent: Sequence[Line], stored: Sequence[Line], end: Mapping[int, int], gone: Collection[int]
) -> bool:  # fmt: skip
    """Whether these lines are two exchanges: with two calls, or of which the first were sent before or forgotten.

    Two exchanges are two sentences of the user, or calls under their ids, and two answers.
    """
    calls, answers = _calls(sent, stored, end), _weight(sent, end, end) - _weight(sent, end)
    if min(_weight(sent, end, calls), answers) < _FEW:
        return False
    first, known = min(end.values()), [sent[at].words for at in sorted(end)]
    before = [line.words for line in stored[:first]]
    is_begun = any(at < max(end) for at in gone) or any(before[-n:] == known[:n] for n in range(1, len(known)))
    return is_begun or len(calls) >= _FEW


def _calls(sent: Sequence[Line], stored: Sequence[Line], run: Mapping[int, int]) -> list[int]:
    """Those of these lines that ask for calls or settle them, under their ids."""
    return [at for at, place in run.items() if sent[at].calls and sent[at].calls == stored[place].calls]


def _unnamed(sent: Sequence[Line], stored: Sequence[Line]) -> list[Line]:
    """The lines without ids that nobody knows, where no date says that they are others."""
    names, dates = {line.given for line in stored}, {None, *(line.created_at for line in stored)}
    return [line if line.given in names or line.created_at not in dates else replace(line, given=None) for line in sent]


def _may_be(sent: Line, stored: Line) -> bool:
    return sent.given == stored.given or (sent.given is None and sent.words is not None and sent.words == stored.words)


def _filled(sent: Sequence[Line], *known: Mapping[int, int]) -> tuple[int | None, ...]:
    places = {at: place for pairs in reversed(known) for at, place in pairs.items()}
    return tuple(places.get(at) for at in range(len(sent)))


def _aligned(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """Sent lines that no id identifies, matched to stored lines by role and content, in the order of both."""
    taken, named = set(pinned.values()), {line.given for line in sent if line.given is not None}
    unknown = [at for at in range(len(sent)) if at not in pinned]
    free = [p for p, line in enumerate(stored) if p not in taken and line.given not in named]
    pairs = common([sent[at] for at in unknown], [stored[place] for place in free])
    return {unknown[at]: free[place] for at, place in pairs}


def _repeated(sent: Sequence[Line], stored: Sequence[Line], pinned: Mapping[int, int]) -> dict[int, int]:
    """Sent lines that repeat stored lines under new ids.

    Lines before the last known id are matched in order. Lines after it count as a repetition if they reach the last
    stored line and nearly all of them up to there are stored. Where an id is known they must reach back to the first
    stored line, too: then they are a second copy of the conversation, and not the same few words said again.
    """
    end = max(pinned, default=-1) + 1
    before = _aligned(sent[:end], stored, {at: place for at, place in pinned.items() if at < end})
    # What follows the last known id in both lists, in the same words, is the answer to it.
    place = pinned.get(end - 1, -2) + 1
    if 0 < place < len(stored) and end < len(sent) and sent[end].words == stored[place].words:
        before, end = before | {end: place}, end + 1
    spoken = [place for place, line in enumerate(stored) if line.spoken] or list(range(len(stored)))
    run = {end + at: place for at, place in common(sent[end:], stored)}
    if not spoken or spoken[-1] not in run.values() or (end and (len(spoken) == 1 or spoken[0] not in run.values())):
        return before
    others = [at for at in range(end, max(run)) if at not in run]
    if len(others) * _ODD > len(run):
        return before
    return before | run | _anywhere(sent, stored, others, set(run.values()))


def _anywhere(
    sent: Sequence[Line], stored: Sequence[Line], places: Sequence[int], taken: Collection[int]
) -> dict[int, int]:
    """The sent lines at these places that are stored out of order, as they were new when they were first sent."""
    free = {line.words: place for place, line in enumerate(stored) if place not in taken and line.words is not None}
    return {at: free[words] for at in places if (words := sent[at].words) in free}
