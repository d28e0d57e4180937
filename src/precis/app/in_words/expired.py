"""What cannot be read or edited like other memories: expired ones, and messages kept as their library has them.

Of an expired memory the text is gone; what is still said of it is read in its place, and has no vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from precis.finding.values import Finding, Findings, Level
from precis.makers import Embedder
from precis.store.upkeep.previews import Candidate


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
