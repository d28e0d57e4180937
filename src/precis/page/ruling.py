"""Settings: views, zones and keys, which may be changed while the server runs; and what it was started with."""

from __future__ import annotations

from starlette.responses import Response

from precis.errors import InvalidInput, NotFound
from precis.page.visit import Visit

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
    days = visit.form.get("days", "").strip()
    if days and not (days.isascii() and days.isdecimal() and len(days) < 8):
        raise InvalidInput("days: give a whole number", field="days")
    fields = ("user_id", "namespace", "session_id", "memory_type")
    await visit.app.views.create(
        name=visit.form.get("name") or None, group_by=[name for name in fields if visit.form.get(name) == "yes"],
        time_window_days=int(days) if days else None, continuous=visit.form.get("continuous") == "yes",
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
    """Make a key, and show its secret this once."""
    return await _shown(visit, await visit.app.keys.create(visit.needed("name")))


async def revoke_key(visit: Visit) -> Response:
    """End a key, and with it the sessions that were begun with it."""
    await visit.app.keys.revoke(visit.needed("key"))
    return visit.go("settings", outcome="key-gone")
