"""One statement through every check: what it rests on, what was found, what it scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from precis.checks.citation import closeness, misattributed, recite
from precis.checks.claims import Claim, read_claim
from precis.checks.evidence import Evidence
from precis.checks.newer import Known, Slot, displaced_slot, slots_of, speaker_of
from precis.checks.polarity import best_places, flips
from precis.checks.support import Support, Unknown, find_unknown, measure
from precis.checks.verdicts import Thresholds, Verdict
from precis.language.orders import is_order
from precis.language.visible import disarmed
from precis.makers import DraftStatement

#: What remains of a statement's score after each finding.
REMAINS = {
    "entity": 0.1,
    "number": 0.1,
    "date": 0.2,
    "unknown_word": 0.7,
    "negation": 0.2,
    "antonym": 0.6,
    "modality": 0.3,
    "speaker": 0.3,
    "instruction": 0.0,
    "contradicts_newer": 0.3,
}
#: A statement with one of these is dropped, whatever else supports it.
FATAL = frozenset({"empty", "entity", "number", "date", "unknown_word", "instruction"})


class Judged(NamedTuple):
    """A verdict before statements are compared with each other."""

    verdict: Verdict
    #: What it asserts.
    slots: tuple[Slot, ...] = ()
    #: What a newer item asserts in its place.
    displaced: Slot | None = None


def judge(statement: DraftStatement, evidence: Evidence, newest: Known | None, thresholds: Thresholds) -> Judged:
    """Check one statement by itself."""
    text = disarmed(statement.text).strip()
    claim = read_claim(text, evidence.names)
    if not claim.content:
        return Judged(Verdict(text=text, score=0.0, reasons=("empty",), kept=False, sources=()))
    overlap = evidence.overlap(claim.weights)
    closest = closeness(overlap, evidence)
    sources = recite(claim, statement.sources, evidence, closest=closest, rare=thresholds.rare)
    unknown = find_unknown(claim, evidence)
    reasons = _find(claim, sources, evidence, overlap, unknown, thresholds)
    score = _score(measure(claim, sources, evidence, overlap), unknown, reasons)
    if score < thresholds.statement and not reasons:
        reasons.append("unsupported")
    kept = bool(sources) and score >= thresholds.statement and FATAL.isdisjoint(reasons)
    verdict = Verdict(text=text, score=score, reasons=tuple(reasons), kept=kept, sources=tuple(sorted(sources)))
    slots = slots_of(text, speaker_of(sources, evidence.items)) if newest else []
    return Judged(verdict, tuple(slots), displaced_slot(slots, newest) if newest else None)


def _find(
    claim: Claim,
    sources: frozenset[int],
    evidence: Evidence,
    overlap: dict[int, float],
    unknown: Unknown,
    thresholds: Thresholds,
) -> list[str]:
    """Everything wrong with a statement, worst first."""
    reasons = _unknown_reasons(unknown, thresholds)
    places = best_places(sources, evidence, overlap)
    if is_order(claim.text) or _follows_order(claim, places, evidence, overlap):
        reasons.append("instruction")
    if not _is_verbatim(claim, evidence):
        reasons += flips(claim, places, sources, evidence)
        if misattributed(claim, sources, evidence, overlap):
            reasons.append("speaker")
    return reasons


def _unknown_reasons(unknown: Unknown, thresholds: Thresholds) -> list[str]:
    """What no item holds, as far as no paraphrase explains it."""
    found = {
        "entity": bool(unknown.names),
        "number": bool(unknown.numbers),
        "date": bool(unknown.dates),
        "unknown_word": unknown.share > thresholds.unknown,
    }
    return [reason for reason, is_so in found.items() if is_so]


def _score(support: Support, unknown: Unknown, reasons: Sequence[str]) -> float:
    """Weighted support, lowered by each finding and by the share of words nobody holds."""
    score = (
        0.2 * support.held
        + 0.3 * support.aligned
        + 0.2 * support.joined
        + 0.25 * support.phrased**2
        + 0.05 * support.weakest
    )
    for reason in reasons:
        score *= REMAINS[reason]
    return min(1.0, score * (1.0 - unknown.share))


def _is_verbatim(claim: Claim, evidence: Evidence) -> bool:
    """Every sentence of the statement is a whole sentence of an item."""
    return all(tuple(token.family for token in sentence.tokens) in evidence.whole for sentence in claim.sentences)


def _follows_order(claim: Claim, places: Sequence[int], evidence: Evidence, overlap: dict[int, float]) -> bool:
    """Whether an order bears the statement out: a word of it stands nowhere else, or it is closest to the order.

    To write what a memory says should be written is to follow an order too, whoever was meant.
    """
    spoiled = evidence.spoiled
    if spoiled and any(spoiled.issuperset(evidence.postings.get(family) or {-1}) for family in claim.weights):
        return True
    if not places:
        return False
    best = places[0]
    commanded = evidence.commanded.get(best, frozenset())
    if best not in spoiled and not commanded.issuperset(claim.weights):
        return False
    ordered = spoiled | {best}
    return max((held for place, held in overlap.items() if place not in ordered), default=0.0) < overlap[best]
