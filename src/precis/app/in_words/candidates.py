"""What is said of the memories that a request in words may mean, beside what the finder says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from precis.finding.values import Finding, Findings, Level
from precis.makers import Embedder, Proposal, Proposer
from precis.store.upkeep.previews import Candidate

#: What a model is asked about.
_DISPUTED = (Level.DOUBTFUL, Level.NEAR)


async def likened(
    candidates: list[Candidate], vectors: Sequence[Sequence[float]], embedder: Embedder
) -> list[Candidate]:
    """The candidates, the expired ones with how near they are to the phrases of the request."""
    expired = [candidate for candidate in candidates if candidate.expired]
    if not expired or not vectors:
        return candidates
    embedded = await embedder.embed([candidate.row.text for candidate in expired])
    likeness = np.asarray(embedded, dtype=np.float32) @ np.asarray(vectors, dtype=np.float32).T
    near = {candidate.row.id: tuple(map(float, each)) for candidate, each in zip(expired, likeness, strict=True)}
    return [
        replace(candidate, row=replace(candidate.row, likeness=near.get(candidate.row.id, candidate.row.likeness)))
        for candidate in candidates
    ]


def with_sealed(findings: Findings, candidates: Mapping[str, Candidate]) -> Findings:
    """Of these, what cannot be edited goes whole, or is in doubt."""
    return Findings(rows=tuple(_of(finding, candidates[finding.id]) for finding in findings.rows))


def _of(finding: Finding, candidate: Candidate) -> Finding:
    if candidate.expired:
        finding = replace(finding, why=f"{finding.why}; its text has expired, and this is what is still said of it")
    if not finding.keeps or not candidate.sealed:
        return finding
    why = "only a part of it is meant, and it cannot be edited"
    if candidate.expired:
        why = "only a part of what is still said of it is meant, and its text has expired"
    return replace(finding, keeps=(), level=min(finding.level, Level.DOUBTFUL), why=why)


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
