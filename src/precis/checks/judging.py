"""One statement through every check: what it rests on, what was found, what it scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from precis.checks.evidence import Claim, Evidence, read_claim
from precis.checks.polarity import changes_deed, flips, swaps_roles
from precis.checks.support import (
    Support,
    Unknown,
    best_places,
    close_places,
    closeness,
    find_unknown,
    measure,
    misattributed,
    recite,
)
from precis.language.assertions.assertion import Assertion
from precis.language.newest.timeline import Timeline
from precis.language.orders import is_order, unlabeled
from precis.language.reading import Line, read
from precis.language.written.markdown import disarmed
from precis.language.written.secrets import has_secret
from precis.makers import DraftStatement, Item, newness
from precis.trust import Voice, voice_of

#: What remains of a statement's score after each finding.
REMAINS = {
    "entity": 0.1,
    "number": 0.1,
    "date": 0.2,
    "unknown_word": 0.7,
    "negation": 0.2,
    "antonym": 0.6,
    "modality": 0.25,
    "speaker": 0.25,
    "roles": 0.2,
    "instruction": 0.0,
    "secret": 0.0,
    "contradicts_newer": 0.3,
}
#: A statement with one of these is dropped, whatever else supports it.
FATAL = frozenset({"empty", "entity", "number", "date", "unknown_word", "instruction", "secret"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Thresholds:
    """Where the checks draw their lines. Defaults come from the curves in docs/reference/checks.md."""

    #: A statement that scores less is dropped.
    statement: float = 0.3
    #: A draft that loses more than this share of its statements is rejected.
    dropped: float = 0.5
    #: Share of a statement's content words that no item holds and that a paraphrase may still bring along.
    #: Names, numbers and dates are never among them.
    unknown: float = 0.15
    #: A missing word held by at most this many items brings all of them into the lineage; one held by more
    #: brings the item closest to the statement.
    rare: int = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What the checks found about one statement of the draft."""

    text: str
    #: 0..1
    score: float
    #: Machine words: empty, unknown_word, number, entity, date, negation, modality, antonym, speaker,
    #: roles, unsupported, contradicts_newer, instruction, secret, judged_unsupported, judged_contradicted.
    reasons: tuple[str, ...]
    kept: bool
    #: Indices of the items it rests on after re-citation, sorted.
    sources: tuple[int, ...]


class Slot(NamedTuple):
    """What an assertion speaks of: whose, and which attribute or verb."""

    name: str
    assertion: Assertion
    #: Whether all that its text says is known. What is not known is never displaced.
    clear: bool


class Judged(NamedTuple):
    """A verdict before statements are compared with each other."""

    verdict: Verdict
    #: What it asserts.
    slots: tuple[Slot, ...] = ()
    #: What a newer item asserts in its place.
    displaced: Slot | None = None


def judge(statement: DraftStatement, evidence: Evidence, newest: Timeline | None, thresholds: Thresholds) -> Judged:
    """Check one statement by itself."""
    text = disarmed(statement.text).strip()
    claim = read_claim(text, evidence.names, evidence.units)
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
    slots = slots_of(text, _speaker_of(sources, evidence.items), _voice_of(sources, evidence.items)) if newest else []
    return Judged(verdict, tuple(slots), _displaced_slot(slots, newest) if newest else None)


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
    if is_order(unlabeled(claim.text)) or _follows_order(claim, places, evidence, overlap):
        reasons.append("instruction")
    if has_secret(claim.text):
        reasons.append("secret")
    if places and not _is_verbatim(claim, evidence):
        close = close_places(places, claim, overlap)
        reasons += flips(claim, close, sources, evidence)
        if "modality" not in reasons and changes_deed(claim, close, evidence):
            reasons.append("modality")
        if swaps_roles(claim, close, evidence):
            reasons.append("roles")
        if misattributed(claim, sources, evidence, overlap):
            reasons.append("speaker")
    return reasons


def _unknown_reasons(unknown: Unknown, thresholds: Thresholds) -> list[str]:
    """What no item holds, as far as no paraphrase explains it."""
    findings = {
        "entity": bool(unknown.names),
        "number": bool(unknown.numbers),
        "date": bool(unknown.dates),
        "unknown_word": unknown.share > thresholds.unknown,
    }
    return [reason for reason, is_so in findings.items() if is_so]


def _score(support: Support, unknown: Unknown, reasons: Sequence[str]) -> float:
    """Weighted support, lowered by each finding and by the share of words nobody holds."""
    support_sum = 0.12 * support.covered + 0.2 * support.aligned + 0.15 * support.joined + 0.53 * support.phrased**2
    # Phrases weigh most, and a paraphrase has few: the root keeps it above the threshold.
    score = float(support_sum**0.75)
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
    return max((weight for place, weight in overlap.items() if place not in ordered), default=0.0) < overlap[best]


# --- newest wins: a statement all of whose values a newer item has replaced ---


def timeline_of(items: Sequence[Item]) -> Timeline:
    """What the items assert, oldest first."""
    timeline = Timeline()
    ranks = newness(items)
    for index in sorted(range(len(items)), key=lambda at: (ranks[at], at)):
        item = items[index]
        for sentence in read(Line(text=item.text, speaker=item.speaker, voice=item.voice)):
            timeline.add((index, 0), sentence.assertions, ranks[index])
    return timeline


def slots_of(text: str, speaker: str | None = None, voice: Voice = Voice.VOUCHED) -> list[Slot]:
    """What a statement asserts, under each of the names it may be displaced by."""
    sentences = read(Line(text=text, speaker=speaker, voice=voice))
    clear = all(sentence.clear for sentence in sentences)
    return [
        Slot(name, assertion, clear)
        for sentence in sentences
        for assertion in sentence.assertions
        for name in _names(assertion)
    ]


def _speaker_of(sources: Iterable[int], items: Sequence[Item]) -> str | None:
    """The one speaker of these items, if they have one."""
    speakers = {items[index].speaker for index in sources}
    return speakers.pop() if len(speakers) == 1 else None


def _voice_of(sources: Iterable[int], items: Sequence[Item]) -> Voice:
    return voice_of(frozenset().union(*(items[index].classes for index in sources)))


def _displaced_slot(slots: Sequence[Slot], newest: Timeline) -> Slot | None:
    """What displaced the statement: nothing, where anything in it still holds or is not understood."""
    if not slots or not all(slot.clear for slot in slots):
        return None
    by = [newest.displacing(slot.assertion) for slot in slots]
    last = by[-1]
    return None if last is None or None in by else Slot(_names(last)[0], last, clear=True)


def _names(assertion: Assertion) -> list[str]:
    subject = " ".join(assertion.subject.key)
    return [f"{subject}|{name}" for name in (*sorted(assertion.attributes), f"verb {assertion.verb}")]
