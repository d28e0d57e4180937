"""What all of what was found is looked through for at last: secrets, answers of tools, and things told as one."""

from collections.abc import Sequence
from dataclasses import replace

from precis.finding.beyond.dropped import without_dropped
from precis.finding.beyond.neighbors import without_clauses
from precis.finding.beyond.secrets import with_secrets
from precis.finding.beyond.services import without_others
from precis.finding.beyond.tools import with_results
from precis.finding.request import Request
from precis.finding.values import Findings, Row

_STEPS = (without_dropped, without_clauses, with_secrets, without_others, with_results)


def guarded(request: Request, rows: Sequence[Row], findings: Findings) -> Findings:
    """The findings, with what no word of the request finds, and in doubt what would take more than was asked for."""
    known = {finding.id: finding for finding in findings.rows}
    for step in _STEPS:
        step(request, rows, known)
    listed = tuple(known[row.id] for row in rows if row.id in known)
    return replace(findings, rows=listed)
