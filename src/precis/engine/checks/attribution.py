"""Who said it: a statement about one speaker that rests on what another says of himself."""

from __future__ import annotations

from precis.engine.checks.claims import Claim
from precis.engine.checks.evidence import Evidence

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
