"""People: who is remembered, how much, and how that grows."""

from __future__ import annotations

from starlette.responses import Response

from precis.page.visit import Visit

_USERS = 20


async def people(visit: Visit) -> Response:
    """A page of the users of the tenant."""
    users = await visit.app.persons.list(limit=_USERS, cursor=visit.query.get("cursor"))
    counts = await visit.app.jobs.counts()
    return visit.show(
        "people.html", users=users, due=counts.waiting + counts.running + counts.retrying, failed=counts.failed
    )
