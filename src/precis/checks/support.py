"""How much of a statement its sources hold, and how close together they hold it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from precis.checks.claims import WEIGHTS, Claim
from precis.checks.evidence import Evidence
from precis.checks.reading import Kind, Token
from precis.language.vocabulary import WEAK_NUMBERS

_NOBODY: frozenset[int] = frozenset()
#: Letters that a short form of a name has at least.
_SHORT_NAME = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Unknown:
    """Tokens of a statement that no item holds."""

    names: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]
    #: Content words neither general nor held.
    words: frozenset[str]
    #: General words.
    plain: frozenset[str]
    #: Share of the content words that are neither held nor general.
    share: float


def find_unknown(claim: Claim, evidence: Evidence) -> Unknown:
    """Sort what no item holds by what it would take to invent it."""
    missing: dict[Kind, set[str]] = {kind: set() for kind in Kind}
    for token in claim.content:
        if not _is_held(token, claim, evidence):
            missing[_severity(token, claim)].add(token.family)
    counted = {token.family for token in claim.content if token.kind in (Kind.WORD, Kind.NAME, Kind.PLAIN)}
    return Unknown(
        names=frozenset(missing[Kind.NAME]),
        numbers=frozenset(missing[Kind.NUMBER]),
        dates=frozenset(missing[Kind.CALENDAR]),
        words=frozenset(missing[Kind.WORD]),
        plain=frozenset(missing[Kind.PLAIN]),
        share=len(missing[Kind.WORD]) / max(1, len(counted)),
    )


def _is_held(token: Token, claim: Claim, evidence: Evidence) -> bool:
    if token.family in evidence.family or (token.kind is Kind.NAME and _is_short_form(token.family, evidence)):
        return True
    if token.family in claim.calendar:
        return claim.calendar[token.family] in evidence.dates
    return token.word in WEAK_NUMBERS


def _is_short_form(name: str, evidence: Evidence) -> bool:
    """``Jon`` for Jonathan, or the other way around."""
    return any(
        min(len(name), len(other)) >= _SHORT_NAME and (name.startswith(other) or other.startswith(name))
        for other in evidence.names
    )


def _severity(token: Token, claim: Claim) -> Kind:
    return Kind.CALENDAR if token.family in claim.calendar else token.kind


@dataclass(frozen=True, kw_only=True, slots=True)
class Support:
    """Shares of a statement, each 0..1."""

    #: Weight of its content words that its sources hold.
    held: float
    #: The same for its best passage.
    aligned: float
    #: Neighboring content tokens that one passage of the sources holds together.
    joined: float
    #: Neighboring tokens, function words included, that stand so in the sources: ROUGE-2 precision.
    phrased: float
    #: The weakest content token's share of neighbors it is joined with.
    weakest: float


def measure(claim: Claim, sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> Support:
    """Support of one statement by its sources."""
    weights = {
        key: weight for key, weight in claim.weights.items() if not _is_their_date(key, claim, sources, evidence)
    }
    total = sum(weights.values())
    if not total:
        return Support(held=0.0, aligned=0.0, joined=0.0, phrased=0.0, weakest=0.0)
    held = sum(weight for key, weight in weights.items() if evidence.family.get(key, _NOBODY) & sources)
    places = [place for place in overlap if evidence.passages[place].item in sources]
    best = max(
        (
            sum(weight for key, weight in weights.items() if place in evidence.postings.get(key, _NOBODY))
            for place in _top(places, overlap)
        ),
        default=0.0,
    )
    joined, weakest = _joined(claim, sources, evidence)
    return Support(
        held=held / total,
        aligned=best / total,
        joined=joined,
        phrased=_phrased(claim, sources, evidence),
        weakest=weakest,
    )


def _top(places: list[int], overlap: dict[int, float]) -> list[int]:
    """The passages with most of the statement, dates included."""
    return sorted(places, key=overlap.__getitem__, reverse=True)[:3]


def _is_their_date(key: str, claim: Claim, sources: frozenset[int], evidence: Evidence) -> bool:
    """Part of a date that a source has without saying it."""
    token = claim.calendar.get(key)
    return token is not None and key not in evidence.family and bool(evidence.dates.get(token, _NOBODY) & sources)


def _phrased(claim: Claim, sources: frozenset[int], evidence: Evidence) -> float:
    found = count = 0
    for sentence in claim.sentences:
        keys = [token.family for token in sentence.tokens]
        for pair in pairwise(keys):
            count += 1
            found += not sources.isdisjoint(evidence.pairs.get(pair, ()))
    return found / count if count else 1.0


def _joined(claim: Claim, sources: frozenset[int], evidence: Evidence) -> tuple[float, float]:
    """Share of neighboring content tokens (two and three apart too) that occur together, and the weakest token's."""
    got: dict[str, float] = {}
    asked: dict[str, float] = {}
    for sentence in claim.sentences:
        tokens = [token for token in sentence.content if token.family not in claim.calendar]
        for place, token in enumerate(tokens):
            for other in tokens[place + 1 : place + 3]:
                if token.family == other.family:
                    continue
                weight = min(WEIGHTS[token.kind], WEIGHTS[other.kind])
                together = weight * _together(token.family, other.family, sources, evidence)
                for key in (token.family, other.family):
                    asked[key] = asked.get(key, 0.0) + weight
                    got[key] = got.get(key, 0.0) + together
    if not asked:
        return 1.0, 1.0
    return sum(got.values()) / sum(asked.values()), min(got[key] / asked[key] for key in asked)


def _together(one: str, other: str, sources: frozenset[int], evidence: Evidence) -> float:
    """1 in one passage of the sources, less in neighboring passages or in one item."""
    ones = evidence.postings.get(one)
    others = evidence.postings.get(other)
    if not ones or not others:
        return 0.0
    passages = evidence.passages
    if any(passages[place].item in sources for place in ones & others):
        return 1.0
    near = {place + step for place in ones for step in (-1, 1)} & others
    if any(passages[place].item in sources for place in near):
        return 0.6
    return 0.3 if (evidence.family[one] & evidence.family[other]) & sources else 0.0
