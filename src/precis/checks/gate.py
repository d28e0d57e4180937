"""The loop over the checks: every statement is judged, what a newer value displaced is kept unserved, the rest counts.

A draft that says nothing passes only where nothing is all there is to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.checks.evidence import Evidence
from precis.checks.fates import set_aside
from precis.checks.judging import REMAINS, Judged, judge
from precis.checks.newer import newest_values, slots_of
from precis.checks.verdicts import Checked, Thresholds, Verdict
from precis.lineage import Statement, flatten
from precis.makers import Draft, Item

_DEFAULTS = Thresholds()


def check(draft: Draft, items: Sequence[Item], *, thresholds: Thresholds = _DEFAULTS) -> Checked:
    """Judge a draft against the items it was made from. Pure: no model, no clock, no network."""
    evidence = Evidence(items)
    has_slots = any(slots_of(statement.text) for statement in draft.statements)
    newest = newest_values(items) if has_slots else None
    judged = [judge(statement, evidence, newest, thresholds) for statement in draft.statements]
    by = _displacing(judged)
    verdicts = tuple(_settle(one, by[place]) for place, one in enumerate(judged))
    failed = failures(verdicts, thresholds)
    if failed and items and set_aside(items):
        return Checked(verdicts=(), statements=(), coverage=1.0, score=1.0, passed=True, reasons=())
    found = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return Checked(
        verdicts=verdicts,
        statements=_statements(draft, verdicts, by, items),
        coverage=_coverage([v for v, newer in zip(verdicts, by, strict=True) if newer is None], items),
        score=overall(verdicts),
        passed=not failed,
        reasons=(*failed, *found),
    )


def overall(verdicts: Sequence[Verdict]) -> float:
    """The mean of the statements' scores, drawn a little towards the worst."""
    scores = [verdict.score for verdict in verdicts]
    return (3 * sum(scores) / len(scores) + min(scores)) / 4 if scores else 0.0


def _displacing(judged: Sequence[Judged]) -> list[int | None]:
    """For each statement with an older value, the kept statement that gives the newer one."""
    current: dict[str, int] = {}
    for place, one in enumerate(judged):
        if one.verdict.kept and one.displaced is None:
            current.update(dict.fromkeys((slot.name for slot in one.slots), place))
    return [current.get(one.displaced.name) if one.displaced and one.verdict.kept else None for one in judged]


def _settle(one: Judged, newer: int | None) -> Verdict:
    """An older value is kept beside the newer one, unserved; alone it is wrong, and dropped."""
    if one.displaced is None:
        return one.verdict
    reasons = (*one.verdict.reasons, "contradicts_newer")
    score = one.verdict.score * REMAINS["contradicts_newer"]
    if newer is not None:
        return replace(one.verdict, reasons=reasons)
    return replace(one.verdict, reasons=reasons, score=score, kept=False)


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
    held = {index for verdict in served if verdict.kept for index in verdict.sources}
    total = sum(item.importance for item in items)
    if total <= 0.0:
        return len(held) / len(items) if items else 0.0
    return sum(items[index].importance for index in held) / total
