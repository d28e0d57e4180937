"""Re-citation: a model's citation is a claim, the lineage is what the words say."""

from __future__ import annotations

from collections.abc import Iterable

from precis.engine.checks.claims import Claim
from precis.engine.checks.evidence import Evidence


def recite(
    claim: Claim, cited: Iterable[int], evidence: Evidence, *, closest: dict[int, float], rare: int
) -> frozenset[int]:
    """The items a statement rests on: the cited ones that exist, and the holders of every term those lack.

    A rare term brings every holder, since any of them may be where it came from; a common one brings the holder
    closest to the statement. A statement that cites nothing starts from the closest item of all.
    """
    sources = {index for index in cited if 0 <= index < len(evidence.items)}
    if not sources and closest:
        sources = {max(closest, key=lambda index: (closest[index], index))}
    lacking = [holders for term in claim.terms if (holders := evidence.holders(term)) and not holders & sources]
    for holders in lacking:
        if len(holders) <= rare:
            sources |= holders
    for holders in lacking:
        if not holders & sources:
            sources.add(max(holders, key=lambda index: (closest.get(index, 0.0), index)))
    return frozenset(sources)


def closeness(overlap: dict[int, float], evidence: Evidence) -> dict[int, float]:
    """For each item, how much of the statement its best passage holds."""
    best: dict[int, float] = {}
    for place, weight in overlap.items():
        item = evidence.passages[place].item
        best[item] = max(best.get(item, 0.0), weight)
    return best
