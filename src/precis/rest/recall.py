"""The resource /v1/recall."""

from __future__ import annotations

from fastapi import APIRouter

from precis.rest.answers import RecallAnswer, RecalledBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY, Question
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1", tags=["recall"], route_class=StrictRoute)


@router.post("/recall", dependencies=NO_QUERY)
async def recall(app: Tenant, body: Question) -> RecallAnswer:
    """Find what matters for a question, raw memories and summaries together, best first.

    ``parts`` are what the score is the sum of. ``source_ids`` of a summary are its source rows; with ``expand`` the
    rows themselves come along. With ``fold`` they are found in ``folded`` and count as rows of the answer.
    """
    results = await app.recall.search(
        body.query, limit=body.limit, expand=body.expand, folded=body.fold, summaries=body.mode, **body.fields()
    )
    return RecallAnswer(results=[RecalledBody.of(one, expand=body.expand) for one in results])
