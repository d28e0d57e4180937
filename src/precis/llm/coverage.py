"""Choosing for distinct facts: greedy weighted coverage of content words. After Lin and Bilmes (2011)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence

from precis.llm.standalone import Candidate
from precis.words import words

#: What a clause costs beside its words: short ones would else always win.
_OVERHEAD = 2
#: A clause that points back, or at the listener, is worth this share.
_DANGLING_SHARE = 0.85
#: What a picture shows is worth this share of as many words that were said.
_CAPTION_SHARE = 0.5
#: A clause with the value that stands, where others were changed, is worth this many times as much.
_STANDING = 2.5


def cover(found: Sequence[Candidate], weights: Mapping[str, float], take: Callable[[Sequence[int]], bool]) -> list[int]:
    """Indices in the order chosen: next is the candidate with most uncovered weight per (words + 2) that fits.

    A clause that points back is weighed and chosen together with what it points at. ``take`` says whether candidates
    fit and books them. Where room is left at the end, it goes to those whose words all stand in others already, and not
    together in one. Gains mostly fall as words are covered, so a stale gain is an upper bound and a heap finds the
    next one; where a choice makes its neighbors cheaper (their speaker is named now), those are put back anew.
    """
    state = _State(found, weights)
    heap = [(-state.gain(index), index) for index in range(len(found))]
    heapq.heapify(heap)
    tried: set[int] = set()
    while heap:
        stale, index = heapq.heappop(heap)
        gain = state.gain(index)
        if gain <= 0 or index in tried:
            continue
        if -stale > gain + 1e-12:
            heapq.heappush(heap, (-gain, index))
            continue
        tried.add(index)
        together = state.together(index)
        if take(together):
            for neighbor in state.choose(together):
                heapq.heappush(heap, (-state.gain(neighbor), neighbor))
    for index in range(len(found)):
        # "Kuno likes Ghent, Greta likes Porto" holds every word of "Kuno likes Porto", and not that.
        if index not in tried and not state.repeats(index) and take(together := state.together(index)):
            state.choose(together)
    return state.chosen


class _State:
    """What is covered so far."""

    def __init__(self, found: Sequence[Candidate], weights: Mapping[str, float]) -> None:
        self._found, self._weights = found, weights
        self._of_item: dict[int, list[int]] = {}
        for index, one in enumerate(found):
            self._of_item.setdefault(one.item, []).append(index)
        self._covered: set[str] = set()
        self._opened: set[int] = set()
        self._taken: set[int] = set()
        #: Words to the chosen candidates that hold them.
        self._holders: dict[str, set[int]] = {}
        self.chosen: list[int] = []

    def together(self, index: int) -> list[int]:
        """The candidate and before it what it points back at, as far as not chosen yet."""
        if index in self._taken:
            return []
        back = self._found[index].points_to
        return [*(self.together(back) if back is not None else []), index]

    def gain(self, index: int) -> float:
        """Uncovered weight for each word that choosing the candidate would add."""
        group = [self._found[one] for one in self.together(index)]
        if not group:
            return 0.0
        terms = frozenset().union(*(one.terms for one in group)) - self._covered
        lead = 0 if group[0].item in self._opened else group[0].lead_length
        seen = _CAPTION_SHARE if group[-1].caption else 1.0
        share = seen * (_DANGLING_SHARE if group[0].dangling else 1.0) * (_STANDING if group[-1].standing else 1.0)
        weight = sum(self._weights.get(term, 0.0) for term in sorted(terms))
        return share * weight / (sum(one.length for one in group) + lead + _OVERHEAD)

    def repeats(self, index: int) -> bool:
        """Whether a chosen candidate of the same speaker has each of its words."""
        holders = [self._holders.get(word, set()) for word in self._words(index)]
        return index in self._taken or not holders or bool(set.intersection(*holders))

    def _words(self, index: int) -> list[str]:
        one = self._found[index]
        return [f"{one.lead}:", *words(one.text)]

    def choose(self, together: Sequence[int]) -> Sequence[int]:
        """Book the candidates; the others of their item may be worth more now."""
        for index in together:
            self.chosen.append(index)
            self._taken.add(index)
            self._covered |= self._found[index].terms
            for word in self._words(index):
                self._holders.setdefault(word, set()).add(index)
        item = self._found[together[0]].item
        self._opened.add(item)
        return [index for index in self._of_item[item] if index not in self._taken]
