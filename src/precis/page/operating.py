"""What is operated from the page: work that waits or failed, views, zones and keys; plans, and what models took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.responses import Response

from precis.app.operating import Spend, State
from precis.app.summaries import Planned
from precis.errors import InvalidInput, NotFound
from precis.memory import Memory
from precis.page.visit import Visit, whole_number
from precis.summary import Summary

_JOBS, _PARTITIONS, _VIEWS = 100, 50, 50
#: What runs on a timetable, in words.
_PASSES = {
    "rollups": "rollups: days, weeks and months", "clusters": "subjects that begin are grouped anew",
    "clusters_soon": "the same of whoever has few memories",
    "archive": "archive: what is old is summarized",
}  # fmt: skip
_STATES: tuple[State, ...] = ("failed", "rejected", "retrying", "running", "waiting", "scheduled")
#: Plans of a page: each reads its group.
_PLANS = 10


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


@dataclass(frozen=True, kw_only=True)
class Bill:
    """What the models took in one month, by policy."""

    month: date
    spends: Sequence[Spend]

    @property
    def cost(self) -> float:
        """US dollars."""
        return sum(spend.cost for spend in self.spends)


@dataclass(frozen=True, kw_only=True)
class Named:
    """A plan, and what it is about."""

    planned: Planned
    #: What stands meanwhile.
    summary: Summary | None
    #: The oldest of its memories; it tells of whom and of what the first summary will be.
    oldest: Memory | None


def bills(spending: Sequence[Spend]) -> list[Bill]:
    """By month, the newest first."""
    months = dict.fromkeys(spend.month for spend in spending)
    return [Bill(month=month, spends=[spend for spend in spending if spend.month == month]) for month in months]


async def plan(visit: Visit) -> Response:
    """What waits to be made anew, by name, before anything is spent; and the bills."""
    app = visit.app
    user_id = visit.query.get("user") or None
    scope: dict[str, Any] = {} if user_id is None else {"user_id": user_id}
    planned = await app.summaries.plan(limit=_PLANS, **scope)
    return visit.show(
        "plan.html", plans=await _named(visit, planned), counts=await app.jobs.counts(),
        stats=await app.summaries.stats(**scope) if scope else None, budget=await app.costs.budget(),
        bills=bills(await app.costs.spending()), user_id=user_id, outcome=visit.query.get("outcome"), most=_PLANS,
        facts=await app.facts.plan(user_id=user_id), offline=app.parts.engine.offline,
    )  # fmt: skip


async def _named(visit: Visit, planned: Sequence[Planned]) -> list[Named]:
    plans = [each.plan for each in planned]
    standing = await visit.app.standing.get_many([plan.summary_id for plan in plans if plan.summary_id])
    oldest = await visit.app.memories.get_many([plan.leaves[0].id for plan in plans if plan.leaves])
    return [
        Named(
            planned=each, summary=standing.get(each.plan.summary_id or ""),
            oldest=oldest.get(each.plan.leaves[0].id) if each.plan.leaves else None,
        )
        for each in planned
    ]  # fmt: skip


async def refresh(visit: Visit) -> Response:
    """Make one thing of the plan now."""
    outcome = await visit.app.summaries.refresh_group(visit.needed("group"))
    return visit.go("plan", outcome=outcome.result.value, user=visit.form.get("user") or None)


#: Keys, zones and views of a page.
_ROWS = 50
#: Settings of the deployment that explain what the page shows, and what each is; none is a secret or a place.
_SHOWN = {
    "model": "the model that writes summaries; without one they are made offline",
    "extraction": "who finds type and subject of a memory: rules, or the model",
    "judge": "a model that checks drafts a second time, after the rules",
    "monthly_ceiling": "US dollars a month; past it no model is called",
    "min_cluster_items": "memories a subject has to have before it is summarized",
    "refresh_after": "new memories that a refresh of a subject waits for",
    "cluster_distance": "how far apart, 0 to 2, memories of one subject may be",
    "history_refreshes": "refreshes kept of each summary",
    "rollups_enabled": "whether days, weeks and months are made",
    "rollups_schedule_time": "when they are made, in the user's zone",
    "rollups_retain_days": "days after which notes become a day's summary",
    "archive_enabled": "whether old memories are summarized in batches",
    "archive_schedule": "how often that is",
    "archive_originals": "what becomes of the originals: ttl, deleted after their time; delete, at once; or keep",
    "archive_keep_original_days": "with ttl: days after which an original goes that a summary covers",
    "conversations_in_recall": "whether recall finds messages of conversations",
    "view_refresh_minutes": "minutes between two looks at a view that is kept current",
}


async def settings(visit: Visit) -> Response:
    """What may be changed, and what stands."""
    return await _shown(visit)


async def _shown(visit: Visit, secret: str | None = None) -> Response:
    app = visit.app
    names = [name for name in _SHOWN if name in type(app.parts.settings).model_fields]
    return visit.show(
        "settings.html", views=visit.some(await app.views.list(), _ROWS, "views"),
        zones=visit.some(list((await app.rollups.zones()).items()), _ROWS, "zones"),
        keys=visit.some(await app.keys.list(), _ROWS, "keys"),
        secret=secret, deployment={name: (getattr(app.parts.settings, name), _SHOWN[name]) for name in names},
        own_key=visit.seen.session.key_id, outcome=visit.query.get("outcome"),
    )  # fmt: skip


async def set_zone(visit: Visit) -> Response:
    """Set a time zone, or take it back."""
    await visit.app.rollups.set_zone(visit.form.get("zone", "").strip() or None, user_id=visit.form.get("user", ""))
    return visit.go("settings", outcome="zone")


async def create_view(visit: Visit) -> Response:
    """Declare a view."""
    written = visit.form.get("days", "").strip()
    days = whole_number(written)
    if written and days is None:
        raise InvalidInput("days: give a whole number", field="days")
    fields = ("user_id", "namespace", "session_id", "memory_type")
    await visit.app.views.create(
        name=visit.form.get("name") or None, group_by=[name for name in fields if visit.form.get(name) == "yes"],
        time_window_days=days, continuous=visit.form.get("continuous") == "yes",
        prompt=visit.form.get("prompt") or None,
    )  # fmt: skip
    return visit.go("settings", outcome="view")


async def delete_view(visit: Visit) -> Response:
    """Take a view away with its results."""
    id_ = visit.needed("id")
    if not await visit.app.views.delete(id_):
        raise NotFound(f"there is no view {id_!r}")
    return visit.go("settings", outcome="view-gone")


async def create_key(visit: Visit) -> Response:
    """Make a key, and show its secret this once. It ends with the key that the session was begun with."""
    made_with = visit.seen.session.key_id
    return await _shown(visit, await visit.app.keys.create(visit.needed("name"), made_with=made_with))


async def revoke_key(visit: Visit) -> Response:
    """End a key, and with it the sessions that were begun and the keys that were made with it."""
    await visit.app.keys.revoke(visit.needed("key"))
    return visit.go("settings", outcome="key-gone")
