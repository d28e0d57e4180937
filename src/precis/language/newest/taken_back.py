"""What somebody takes back, or may, where it is not plain what counts instead: both are told, or neither. Pure.

"Quatsch, am Mittwoch." after two days that were named: whoever reads one of them without that reads something false.
"""

from collections.abc import Sequence

from precis.language.newest.corrections import Settled, Turn, own_before
from precis.language.newest.signs import Sign, has_a_value_for, is_of_the_same, only_opens, says_mistaken, sign_of
from precis.language.sentences import is_question, sentences
from precis.language.words import kept


@kept
def taking_back(parts: tuple[str, ...]) -> frozenset[int]:
    """The places of those sentences of a text that take back the one before them, and are told with it or not at all.

    Where one only excuses, the next belongs to it: "Sorry. Not the 13th, the 20th.".
    """
    places = set[int]()
    for at in range(1, len(parts)):
        if _takes_back(parts[at - 1], parts[at : at + 2]):
            places |= {at, at + 1} if only_opens(parts[at]) and at + 1 < len(parts) else {at}
        elif at - 1 in places and says_mistaken(parts[at]):
            places.add(at)
    return frozenset(places)


def _takes_back(before: str, parts: Sequence[str]) -> bool:
    """Whether a sentence, right behind another of its speaker, takes that back; the next of its text may help."""
    if is_question(before):
        return False
    bare = only_opens(parts[0])
    sentence = " ".join(parts) if bare else parts[0]
    sign = sign_of(sentence, before)
    # Behind "No." or "Wait." anything may follow.
    same = has_a_value_for if bare and sign is Sign.OPENS else is_of_the_same
    return sign >= Sign.SURE or (sign > Sign.NONE and same(sentence, before))


def bound(turns: Sequence[Turn], *, surely: bool = False) -> list[Settled]:
    """The turns, each with what takes back some of it right behind that; of a turn that does so nothing is left.

    Where turns may be missing, what takes back is to say ``surely`` that it does.
    """
    talk = _Bound(turns, surely=surely)
    for at, turn in enumerate(turns):
        if turn.speaker is not None and turn.text:
            talk.bind(at)
    return [
        Settled(turn.text if len(of) == 1 and parts else " ".join(parts), tuple(of))
        for turn, parts, of in zip(turns, talk.parts, talk.of, strict=True)
    ]


def beyond_doubt(turns: Sequence[Turn], meant: Sequence[Settled]) -> list[Settled]:
    """The turns as they are meant; nothing is left of what is taken back and of what takes it back, where that is all.

    So nothing certain is read in either.
    """
    talk = [turn._replace(text=settled.text) for turn, settled in zip(turns, meant, strict=True)]
    results = []
    for settled, joined in zip(meant, bound(talk), strict=True):
        if len(joined.of) == 1 and joined.text:
            results.append(settled)
            continue
        parts = sentences(joined.text)
        back = taking_back(tuple(parts))
        text = " ".join(part for at, part in enumerate(parts) if at not in back and at + 1 not in back)
        results.append(Settled(text, tuple(dict.fromkeys(of for at in joined.of for of in meant[at].of))))
    return results


class _Bound:
    """The turns of a talk as far as they are bound to each other."""

    def __init__(self, turns: Sequence[Turn], *, surely: bool) -> None:
        self._turns, self._surely = turns, surely
        self.parts = [sentences(turn.text) for turn in turns]
        self.of = [[at] for at in range(len(turns))]
        #: Where a turn went, and behind which of the sentences there.
        self._into: dict[int, tuple[int, int]] = {}

    def bind(self, at: int) -> None:
        """Put a turn behind what it takes back, where it does."""
        before = own_before(self._turns, at, self._turns[at].speaker)
        if before is None or not (self.parts[before] or before in self._into):
            return
        target, places = before, list(range(len(self.parts[before])))
        if before in self._into:
            target, last = self._into[before]
            places = [last]
        place = self._taken_back(target, places, at, between=range(before + 1, at))
        if place is None:
            return
        self.parts[target][place + 1 : place + 1] = self.parts[at]
        self._into[at] = (target, place + len(self.parts[at]))
        self.of[target].append(at)
        self.parts[at] = []

    def _taken_back(self, target: int, places: Sequence[int], at: int, *, between: range) -> int | None:
        """The place of the last sentence that a turn takes back, or, where it surely takes back something, of the last.

        What others said in between is perhaps what it answers.
        """
        bare = only_opens(self.parts[at][0])
        sentence = " ".join(self.parts[at][:2] if bare else self.parts[at][:1])
        telling = [place for place in places if not is_question(self.parts[target][place])]
        asked = any(is_question(part) for other in between for part in self.parts[other])
        is_next = not (between or self._surely or self._turns[at].speaker == "")
        for place in reversed(telling):
            before = self.parts[target][place]
            sign = sign_of(sentence, before)
            if sign is Sign.DENIES:
                return place
            if sign > Sign.NONE and (is_next or sign >= Sign.SURE) and is_of_the_same(sentence, before):
                return place
            if sign is Sign.EXCUSES and not asked and has_a_value_for(sentence, before):
                return place
        return telling[-1] if telling and is_next and sign_of(sentence, "") is Sign.SURE else None
