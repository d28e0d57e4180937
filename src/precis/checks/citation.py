"""Re-citation: a model's citation is a claim, the lineage is what the words say."""

from __future__ import annotations

from collections.abc import Iterable

from precis.checks.claims import Claim
from precis.checks.evidence import Evidence


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


_FIRST_PERSON = frozenset({"i", "i'm", "i've", "i'd", "i'll", "my", "me", "mine", "myself", "we", "our", "us"})
_SECOND_PERSON = frozenset({"you", "your", "you're", "you've", "you'll", "you'd", "yours", "yourself"})
#: Passages that hold this share of what the best one holds are as good a reading of the statement.
_AS_GOOD = 0.75


def misattributed(claim: Claim, sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> bool:
    """Every passage that matches the statement best is in the first person of somebody the statement does not name."""
    named = claim.weights.keys() & evidence.spoken.keys()
    if not named or len(evidence.spoken) < 2:
        return False
    bare: dict[int, float] = {}
    for place, weight in overlap.items():
        passage = evidence.passages[place]
        if passage.item in sources:
            bare[place] = weight - sum(claim.weights[name] for name in named if place in evidence.postings[name])
    best = max(bare.values(), default=0.0)
    if best <= 0.0:
        return False
    return all(_is_another_self(place, named, evidence) for place, weight in bare.items() if weight >= _AS_GOOD * best)


def _is_another_self(place: int, named: set[str], evidence: Evidence) -> bool:
    if any(place in evidence.postings[name] for name in named):
        return False
    said = {token.word for token in evidence.passages[place].sentence.tokens}
    return not said.isdisjoint(_FIRST_PERSON) and said.isdisjoint(_SECOND_PERSON)
