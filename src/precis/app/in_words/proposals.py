"""A model's say about a preview: it may put what is near in doubt, and says of what is in doubt what it would do.

Only rows that are listed anyhow are shown to it. Nothing becomes sure by it and nothing leaves the list: a model that
is wrong, or that lies, makes doubt at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from precis.finding.values import Finding, Findings, Level
from precis.makers import Proposal, Proposer
from precis.store.upkeep.previews import Candidate

_DISPUTED = (Level.DOUBTFUL, Level.NEAR)


async def with_proposals(
    findings: Findings, candidates: Mapping[str, Candidate], proposer: Proposer | None, what: str, *, tenant_id: str
) -> tuple[Findings, Mapping[str, Proposal]]:
    """What was found, with what the model put in doubt; and what it proposes, by id."""
    disputed = [finding for level in _DISPUTED for finding in findings.of(level)]
    if proposer is None or not disputed:
        return findings, {}
    texts = [candidates[finding.id].row.text for finding in disputed]
    by_place = await proposer.propose(what, texts, tenant_id=tenant_id)
    proposals = {disputed[at].id: proposal for at, proposal in by_place.items()}
    return Findings(rows=tuple(_doubted(finding, proposals.get(finding.id)) for finding in findings.rows)), proposals


def _doubted(finding: Finding, proposal: Proposal | None) -> Finding:
    if proposal is None:
        return finding
    level = max(finding.level, Level.DOUBTFUL) if proposal is Proposal.FORGET else finding.level
    return replace(finding, level=level, why=f"{finding.why}; the model proposes to {proposal} it")
