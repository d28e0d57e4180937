"""What a judge's rulings change: the statements it does not find supported are dropped, and the draft scores less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.checks.gate import check, failures, overall
from precis.checks.verdicts import Checked, Thresholds, Verdict
from precis.makers import Draft, Item, Ruling

#: What remains of a statement's score.
_REMAINS = {Ruling.UNSUPPORTED: 0.2, Ruling.CONTRADICTED: 0.1}


def overrule(
    checked: Checked, rulings: Mapping[int, Ruling], draft: Draft, items: Sequence[Item], *, thresholds: Thresholds
) -> Checked:
    """The checks' answer after the judge's, by position in the draft. A judge takes away and never brings back."""
    struck = {place for place, ruling in rulings.items() if ruling in _REMAINS and checked.verdicts[place].kept}
    if not struck:
        return checked
    left = [place for place, verdict in enumerate(checked.verdicts) if verdict.kept and place not in struck]
    # Checked once more without them: an older value whose newer one is gone does not stand alone.
    rest = check(
        replace(draft, statements=tuple(draft.statements[place] for place in left)), items, thresholds=thresholds
    )
    again = dict(zip(left, rest.verdicts, strict=True))
    verdicts = tuple(
        _struck(verdict, rulings[place]) if place in struck else again.get(place, verdict)
        for place, verdict in enumerate(checked.verdicts)
    )
    failed = failures(verdicts, thresholds)
    found = dict.fromkeys(reason for verdict in verdicts for reason in verdict.reasons)
    return replace(rest, verdicts=verdicts, score=overall(verdicts), passed=not failed, reasons=(*failed, *found))


def _struck(verdict: Verdict, ruling: Ruling) -> Verdict:
    reasons = (*verdict.reasons, f"judged_{ruling}")
    return replace(verdict, reasons=reasons, score=verdict.score * _REMAINS[ruling], kept=False)
