"""What the finder makes of memories that a request meets, for tests of requests in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from precis.finding.asked.asking import Request
from precis.finding.finder import find
from precis.finding.grounded.requests import grounded
from precis.finding.request import read_request
from precis.finding.values import Row
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
_embedder = StaticEmbedder()


def levels(ask: str, *texts: str, by_memories: bool = False, **fields: Any) -> list[str]:
    """How sure it is of each memory; "no" where it is not shown at all.

    With ``by_memories`` a request of which nothing is sure is read by what the memories say, as the app does.
    """
    request = read_request(ask, NOW.date())
    read = _levels(request, *texts, **fields)
    if "sure" in read or not by_memories:
        return read
    rows = [Row(id=str(at), text=text, created_at=NOW) for at, text in enumerate(texts)]
    grounds = grounded(ask, request, rows)
    return read if grounds is None else _levels(grounds[0], *texts, **fields)


def _levels(request: Request, *texts: str, **fields: Any) -> list[str]:
    vectors = _embedder.vectors(list(texts))
    likeness = vectors @ _embedder.vectors(list(request.phrases)).T if request.phrases else [()] * len(texts)
    rows = [
        Row(
            id=str(at), text=text, created_at=NOW - timedelta(days=90 - 20 * at), likeness=tuple(likeness[at]), **fields
        )
        for at, text in enumerate(texts)
    ]
    shown = {finding.id: finding.level.name.lower() for finding in find(request, rows, kin=kin_by(_embedder)).rows}
    return [shown.get(row.id, "no") for row in rows]
