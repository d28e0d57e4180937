"""The loop over the checks: every statement is judged, what a newer value displaced is kept unserved, the rest counts.

A draft that says nothing passes only where nothing is all there is to say. Of what passed, a judge may drop more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from precis.checks import answering, fates, pasted
from precis.checks.evidence import Evidence
from precis.checks.judging import REMAINS, Judged, Thresholds, Verdict, judge, slots_of, timeline_of
from precis.language.dating.resolving import dated
from precis.language.sentences import sentences
from precis.makers import Draft, DraftStatement, Item, Ruling, TokenCounter
from precis.summary import Statement, flatten

_DEFAULTS = Thresholds()


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A draft after the checks."""

    #: One a draft statement, in order; none where no item tells anything.
    verdicts: tuple[Verdict, ...]
    #: The kept ones, resting on base memories.
    statements: tuple[Statement, ...]
    #: Share of the items' importance that served statements rest on, 0..1.
    coverage: float
    #: The draft as a whole, 0..1.
    score: float
    passed: bool
    #: Why it did not pass, or what was found on the way.
    reasons: tuple[str, ...]


def check(draft: Draft, items: Sequence[Item], *, thresholds: Thresholds = _DEFAULTS) -> Checked:
    """Judge a draft against the items it was made from. Pure: no model, no clock, no network."""
    evidence = Evidence(items)
    has_slots = any(slots_of(statement.text) for statement in draft.statements)
    newest = timeline_of(items) if has_slots else None
    judged = [judge(statement, evidence, newest, thresholds) for statement in draft.statements]
    by = _displacing(judged)
    verdicts = tuple(_settle(judgment, by[place]) for place, judgment in enumerate(judged))
    failed = failures(verdicts, thresholds)
    if failed and items and fates.says_nothing(items):
        return Checked(verdicts=(), statements=(), coverage=1.0, score=1.0, passed=True, reasons=())
    reasons = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return Checked(
        verdicts=verdicts,
        statements=_statements(draft, verdicts, by, items),
        coverage=_coverage([v for v, newer in zip(verdicts, by, strict=True) if newer is None], items),
        score=overall(verdicts),
        passed=not failed,
        reasons=(*failed, *reasons),
    )


def overall(verdicts: Sequence[Verdict]) -> float:
    """The mean of the statements' scores, drawn a little towards the worst."""
    scores = [verdict.score for verdict in verdicts]
    return (3 * sum(scores) / len(scores) + min(scores)) / 4 if scores else 0.0


def _displacing(judged: Sequence[Judged]) -> list[int | None]:
    """For each statement with an older value, the kept statement that gives the newer one."""
    current: dict[str, int] = {}
    for place, judgment in enumerate(judged):
        if judgment.verdict.kept and judgment.displaced is None:
            current.update(dict.fromkeys((slot.name for slot in judgment.slots), place))
    displaced = [judgment.displaced if judgment.verdict.kept else None for judgment in judged]
    return [current.get(slot.name) if slot else None for slot in displaced]


def _settle(judgment: Judged, newer: int | None) -> Verdict:
    """An older value is kept beside the newer one, unserved; alone it is wrong, and dropped."""
    if judgment.displaced is None:
        return judgment.verdict
    reasons = (*judgment.verdict.reasons, "contradicts_newer")
    score = judgment.verdict.score * REMAINS["contradicts_newer"]
    if newer is not None:
        return replace(judgment.verdict, reasons=reasons)
    return replace(judgment.verdict, reasons=reasons, score=score, kept=False)


def _statements(
    draft: Draft, verdicts: Sequence[Verdict], by: Sequence[int | None], items: Sequence[Item]
) -> tuple[Statement, ...]:
    kept = [place for place, verdict in enumerate(verdicts) if verdict.kept]
    position = {place: n for n, place in enumerate(kept)}
    return tuple(
        Statement(
            text=verdicts[place].text,
            importance=min(1.0, max(0.0, draft.statements[place].importance)),
            source_ids=flatten(items[index].source_ids for index in verdicts[place].sources),
            superseded_by=None if (newer := by[place]) is None else position[newer],
        )
        for place in kept
    )


def failures(verdicts: Sequence[Verdict], thresholds: Thresholds) -> tuple[str, ...]:
    """Why so many verdicts against it reject the draft as a whole; empty when they do not."""
    dropped = sum(not verdict.kept for verdict in verdicts)
    if dropped == len(verdicts):
        return ("nothing_left",)
    return ("too_much_dropped",) if dropped / len(verdicts) > thresholds.dropped else ()


def _coverage(served: Sequence[Verdict], items: Sequence[Item]) -> float:
    """Share of the items' importance that served statements rest on; of their number where none has any."""
    covered = {index for verdict in served if verdict.kept for index in verdict.sources}
    total = sum(item.importance for item in items)
    if total <= 0.0:
        return len(covered) / len(items) if items else 0.0
    return sum(items[index].importance for index in covered) / total


#: What remains of a statement's score after a judge's ruling.
_AFTER_RULING = {Ruling.UNSUPPORTED: 0.2, Ruling.CONTRADICTED: 0.1}


def overrule(
    checked: Checked, rulings: Mapping[int, Ruling], draft: Draft, items: Sequence[Item], *, thresholds: Thresholds
) -> Checked:
    """The checks' answer after the judge's, by position in the draft. A judge takes away and never brings back."""
    dropped = {place for place, ruling in rulings.items() if ruling in _AFTER_RULING and checked.verdicts[place].kept}
    if not dropped:
        return checked
    kept = [place for place, verdict in enumerate(checked.verdicts) if verdict.kept and place not in dropped]
    # Checked once more without them: an older value whose newer one is gone does not stand alone.
    rest = check(
        replace(draft, statements=tuple(draft.statements[place] for place in kept)), items, thresholds=thresholds
    )
    again = dict(zip(kept, rest.verdicts, strict=True))
    verdicts = tuple(
        _struck(verdict, rulings[place]) if place in dropped else again.get(place, verdict)
        for place, verdict in enumerate(checked.verdicts)
    )
    failed = failures(verdicts, thresholds)
    reasons = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return replace(rest, verdicts=verdicts, score=overall(verdicts), passed=not failed, reasons=(*failed, *reasons))


def _struck(verdict: Verdict, ruling: Ruling) -> Verdict:
    reasons = (*verdict.reasons, f"judged_{ruling}")
    return replace(verdict, reasons=reasons, score=verdict.score * _AFTER_RULING[ruling], kept=False)


# --- what may be quoted in place of a statement ---


def quotes(
    items: Sequence[Item], statements: Sequence[Statement], *, room: int, count: TokenCounter, strict: bool = True
) -> list[DraftStatement]:
    """Each item's sentences that have no fate in these statements, as far as ``room`` tokens go: what matters first.

    An answer that says nothing without its question stands behind that, and rests on both; unless it is ``strict``,
    the question takes no room there. Oldest first in the answer. What the checks refuse, as an order to a model, is not
    quoted.
    """
    open_ = fates.unsaid(items, statements)
    leads = _leads(items, open_)
    drafts = [_quote(items, at, parts, leads.get(at, ())) for at, parts in enumerate(open_) if parts]
    verdicts = check(Draft(statements=tuple(drafts), made_by=""), items).verdicts if drafts else ()
    order = sorted(range(len(verdicts)), key=lambda place: (-drafts[place].importance, place))
    quoted = set()
    for place in order:
        size = count(drafts[place].text) - (0 if strict else _free(drafts[place], items, count))
        if verdicts[place].kept and size <= room:
            room -= size
            quoted.add(place)
    return [drafts[place] for place in sorted(quoted)]


def quote_of(item: Item) -> str:
    """The whole item as a statement: who speaks, and the calendar date behind a relative one."""
    return _rendered(item, [item.text])


def _leads(items: Sequence[Item], open_: list[list[str]]) -> dict[int, Sequence[str]]:
    """What stands before the quote of each item that answers the one before it; that is taken out of ``open_``.

    All of an item that answers nothing itself goes before its answer: so it has one label.
    """
    leads: dict[int, Sequence[str]] = {}
    for at, parts in enumerate(open_):
        if lead := _asked(items, at, parts):
            others = [part for part in open_[at - 1] if part not in lead]
            leads[at], open_[at - 1] = (lead, others) if at - 1 in leads else ([*others, *lead], [])
    return leads


def _free(draft: DraftStatement, items: Sequence[Item], count: TokenCounter) -> int:
    """Tokens of the questions before an answer."""
    if len(draft.sources) == 1:
        return 0
    before, at = draft.sources
    asked = answering.asked_before(items, at)
    parts = sentences(items[before].text)
    return count(_rendered(items[before], [parts[place] for place in asked.asking])) if asked else 0


def _asked(items: Sequence[Item], at: int, parts: Sequence[str]) -> Sequence[str]:
    """What was asked right before the item, to its end, where a sentence that needs it is among these parts."""
    asked = answering.asked_before(items, at)
    own = sentences(items[at].text)
    if asked is None or not asked.told_apart or not any(own[place] in parts for place in asked.answering):
        return ()
    return sentences(items[at - 1].text)[asked.asking[0] :]


def _quote(items: Sequence[Item], at: int, parts: Sequence[str], lead: Sequence[str]) -> DraftStatement:
    item, text = items[at], _rendered(items[at], parts)
    if not lead:
        return DraftStatement(text=text, importance=item.importance, sources=(at,))
    importance = max(item.importance, items[at - 1].importance)
    return DraftStatement(text=f"{_rendered(items[at - 1], lead)} {text}", importance=importance, sources=(at - 1, at))


def _rendered(item: Item, parts: Sequence[str]) -> str:
    if item.derived:
        return " ".join(" ".join(parts).split())
    return " ".join(f"{lead}{dated(quoted, item.day, whole=item.text)}" for lead, quoted in _by_speaker(item, parts))


def _by_speaker(item: Item, parts: Sequence[str]) -> list[tuple[str, str]]:
    """What opens each part that another says, and the part: in a message with a pasted mail, whoever signed it."""
    every = pasted.parts_of_mail(item.text, item.speaker)
    text = " ".join(" ".join(parts).split())
    if len(every) == 1 and every[0].text == item.text:
        return [(f"{item.speaker}: " if item.speaker else "", text)]
    # A line that was merely wrapped is one sentence with the greeting above it.
    by = [(part.speaker, [each for each in sentences(part.text) if " ".join(each.split()) in text]) for part in every]
    if not any(quoted for _, quoted in by):
        by = [(next(part.speaker for part in every if part.speaker != item.speaker), [text])]
    return [(f"{speaker}: " if speaker else "", " ".join(" ".join(quoted).split())) for speaker, quoted in by if quoted]
