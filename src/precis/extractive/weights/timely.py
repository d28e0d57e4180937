"""Of a note and what became of it on another day, the later one is worth more."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.extractive.candidate import Candidate
from precis.makers import Item

#: A word that stands in more items than this is what all of them are about, and ties no two together.
_MOST_ITEMS = 3
#: Share of what the lighter of two clauses tells that they must have in common.
_IN_COMMON = 0.2
#: A clause after which the matter was taken up again is worth this share; the last one on it so many times as much.
_FOLLOWED, _LATEST = 0.8, 1.4


def timely(options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]) -> list[Candidate]:
    """The candidates, each with its share by what was said of its matter before and after it.

    A matter is what two items of different days speak of in words that hardly any other item has. Turns of one
    conversation are not compared: who answers there says less than who tells.
    """
    common = _in_common(options, items, weights)
    telling = [sum(weights.get(term, 0.0) for term in sorted(option.terms)) for option in options]
    tied = [pair for pair, weight in common.items() if weight >= _IN_COMMON * min(telling[at] for at in pair)]
    followed, following = {earlier for earlier, _ in tied}, {later for _, later in tied}
    return [
        replace(option, share=_FOLLOWED if at in followed else _LATEST) if at in followed | following else option
        for at, option in enumerate(options)
    ]


def _in_common(
    options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]
) -> Mapping[tuple[int, int], float]:
    """Weight of the rare words that two candidates share, by the place of the earlier and of the later."""
    holders: dict[str, list[int]] = {}
    for at, option in enumerate(options):
        for term in option.terms:
            holders.setdefault(term, []).append(at)
    common: dict[tuple[int, int], float] = {}
    for term in sorted(holders):
        places = holders[term]
        if len({options[at].item for at in places}) > _MOST_ITEMS:
            continue
        for earlier in places:
            for later in places:
                if _follows(options[later].item, options[earlier].item, items):
                    common[earlier, later] = common.get((earlier, later), 0.0) + weights.get(term, 0.0)
    return common


def _follows(later: int, earlier: int, items: Sequence[Item]) -> bool:
    newer, older = items[later], items[earlier]
    if newer.day is None or older.day is None:
        return earlier < later and newer.speaker is None and older.speaker is None
    return older.day < newer.day
