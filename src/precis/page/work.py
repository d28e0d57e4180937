"""Work: what waits, runs and failed; views, timetables, the embedder's renewal, and whether all is well."""

from __future__ import annotations

from starlette.responses import Response

from precis.app.operating import State
from precis.page.visit import Visit

_JOBS, _PARTITIONS, _VIEWS = 100, 50, 50
#: What runs on a timetable, in words.
_PASSES = {
    "rollups": "rollups: days, weeks and months", "clusters": "subjects that begin are grouped anew",
    "archive": "archive: what is old is summarized",
}  # fmt: skip
_STATES: tuple[State, ...] = ("failed", "rejected", "retrying", "running", "waiting", "scheduled")


async def work(visit: Visit) -> Response:
    """The work list and what feeds it."""
    app = visit.app
    state = next((name for name in _STATES if name == visit.query.get("state")), None)
    return visit.show(
        "work.html", counts=await app.jobs.counts(), jobs=await app.jobs.list(state=state, limit=_JOBS), most=_JOBS,
        again=visit.number("again", -1, 0, 1_000_000), state=state,
        states=_STATES, views=visit.some(await app.views.list(), _VIEWS), schedules=await app.archive.schedules(),
        embeddings=await app.embeddings.progress(), engine=app.parts.engine, passes=_PASSES,
        wrong=await visit.door.wrong(),
    )  # fmt: skip


async def retry(visit: Visit) -> Response:
    """Make a failed job due again, or all of them."""
    again = await visit.app.jobs.retry(visit.form.get("group") or None)
    return visit.go("work", again=len(again))


async def view(visit: Visit) -> Response:
    """A view with the results that stand, some at a time."""
    id_ = visit.needed("id")
    shown = await visit.app.views.get(id_)
    partitions = visit.some(await visit.app.views.partitions(id_), _PARTITIONS)
    return visit.show("view.html", view=shown, partitions=partitions)


async def run_view(visit: Visit) -> Response:
    """Make every stale partition of a view current, in the background."""
    await visit.app.views.run(visit.needed("id"))
    return visit.go("view", id=visit.needed("id"))
