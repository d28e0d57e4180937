"""Work: what waits, runs and failed; views, timetables, the embedder's renewal, and whether all is well."""

from __future__ import annotations

from starlette.responses import Response

from precis.app.costs import State
from precis.page.visit import Visit

_JOBS, _PARTITIONS = 100, 50
_STATES: tuple[State, ...] = ("failed", "rejected", "retrying", "running", "waiting", "scheduled")


async def work(visit: Visit) -> Response:
    """The work list and what feeds it."""
    app = visit.app
    state = next((name for name in _STATES if name == visit.query.get("state")), None)
    return visit.show(
        "work.html", counts=await app.jobs.counts(), jobs=await app.jobs.list(state=state, limit=_JOBS), most=_JOBS,
        again=visit.number("again", -1, 0, 1_000_000), state=state,
        states=_STATES, views=await app.views.list(), schedules=await app.archive.schedules(),
        embeddings=await app.embeddings.progress(), engine=app.parts.engine,
    )  # fmt: skip


async def retry(visit: Visit) -> Response:
    """Make a failed job due again, or all of them."""
    again = await visit.app.jobs.retry(visit.form.get("group") or None)
    return visit.go("work", again=len(again))


async def view(visit: Visit) -> Response:
    """A view with the results that stand, some at a time."""
    id_ = visit.needed("id")
    first = visit.number("from", 0, 0, 10_000_000)
    shown, partitions = await visit.app.views.get(id_), await visit.app.views.partitions(id_)
    some = partitions[first : first + _PARTITIONS]
    more = first + _PARTITIONS if first + _PARTITIONS < len(partitions) else None
    return visit.show("view.html", view=shown, partitions=some, first=first, more=more, total=len(partitions))


async def run_view(visit: Visit) -> Response:
    """Make every stale partition of a view current, in the background."""
    await visit.app.views.run(visit.needed("id"))
    return visit.go("view", id=visit.needed("id"))
