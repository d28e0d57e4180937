"""Check a summary that somebody else wrote against its sources. Pure: no model, no database, no clock."""

from __future__ import annotations

from dataclasses import dataclass

from precis.app.texts import CheckInput, are_dated, items_of
from precis.app.undated import worst_of_both_days
from precis.checks import Verdict, check
from precis.checks.gate import overall
from precis.errors import InvalidInput
from precis.language.orders import is_order
from precis.language.sentences import sentences
from precis.makers import Draft, DraftStatement

#: Statements of one summary.
MAX_STATEMENTS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedStatement:
    """What the checks found about one sentence of the summary."""

    text: str
    #: 0..1; a statement of a draft would be dropped below 0.3.
    score: float
    #: What is wrong, in the words of docs/reference/checks.md; empty where nothing is.
    reasons: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedSummary:
    """A summary after the checks."""

    #: The summary as a whole, 0..1: the mean of its statements, drawn a quarter towards the worst.
    score: float
    #: One a sentence, in order.
    statements: tuple[CheckedStatement, ...]


def check_summary(given: CheckInput) -> CheckedSummary:
    """Each sentence of the summary against all sources. Raises InvalidInput for too many sentences."""
    said = sentences(given.summary)
    if len(said) > MAX_STATEMENTS:
        message = f"summary: {len(said)} sentences; the limit is {MAX_STATEMENTS}. Check it in parts."
        raise InvalidInput(message, field="summary")
    items = items_of(given.sources)
    everywhere = tuple(range(len(items)))
    draft = Draft(
        statements=tuple(DraftStatement(text=one, importance=0.5, sources=everywhere) for one in said), made_by=""
    )
    checked = check(draft, items)
    verdicts = checked.verdicts if are_dated(given.sources) else worst_of_both_days(checked, draft, items)
    return CheckedSummary(
        score=overall(verdicts),
        statements=tuple(CheckedStatement(text=v.text, score=v.score, reasons=_reasons(v)) for v in verdicts),
    )


def _reasons(verdict: Verdict) -> tuple[str, ...]:
    found = verdict.reasons
    return (*found, "instruction") if "instruction" not in found and is_order(verdict.text) else found
