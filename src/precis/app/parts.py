"""What the verbs share: the store, the engine and the limits of this deployment, for one tenant."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from precis import ids
from precis.app.inputs import with_fields
from precis.engine.engine import Engine
from precis.engine.spending import Ledger, NoLedger
from precis.errors import InvalidInput
from precis.memory import Memory
from precis.settings import Settings
from precis.store.filtering import Filter
from precis.store.postgres import PostgresStore


class Background:
    """Work that goes on after its caller was answered. Whoever opens it closes it before the database."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._under_way: set[asyncio.Task[None]] = set()
        #: The event loop that the database was opened in, for callers in other threads.
        self.loop = loop

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Go on with this while the caller does something else; it has to deal with its own errors."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def aclose(self) -> None:
        """Stop what is under way and wait until it has stopped."""
        while self._under_way:
            for task in self._under_way:
                task.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)


@dataclass(kw_only=True, slots=True)
class Pressure:
    """How many requests of this process wait for their turn: what can be done later is done later."""

    waiting: int = 0


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Handed to every resource of the app."""

    tenant_id: str
    store: PostgresStore
    engine: Engine
    settings: Settings
    ledger: Ledger = field(default_factory=NoLedger)
    #: What goes on after its caller was answered.
    background: Background = field(default_factory=Background)
    #: How many requests wait for their turn.
    pressure: Pressure = field(default_factory=Pressure)


class Verbs:
    """What users call of one resource, for one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tenant_id, self._store = parts.tenant_id, parts.store
        self._engine, self._settings = parts.engine, parts.settings

    def _now(self) -> datetime:
        return self._engine.clock()


async def zone_of(parts: Parts, user_id: str) -> tzinfo:
    """The zone that a user lives in: the user's own, else the tenant's, else UTC."""
    zones = await parts.store.zones.of(parts.tenant_id, user_id)
    return ids.zone_of(zones, user_id)


def days_in(zones: Mapping[str, str], memories: Iterable[Memory]) -> Mapping[str, datetime]:
    """When each of these was written, by its id, in the zone of its user: its day is the day that it was there."""
    rows = list(memories)
    of_user = {user: ids.zone_of(zones, user) for user in {row.scope.user_id for row in rows}}
    return {row.id: row.created_at.astimezone(of_user[row.scope.user_id]) for row in rows}


# --- which rows recall looks at ---


def rows_looked_at(settings: Settings, filter_: Filter | None = None, **fields: Any) -> Filter:
    """Fields of Filter, over ``filter_`` or over all rows that are recalled. Raises InvalidInput."""
    return of_somebody(settings, with_fields(filter_ or recalled_by(settings), fields))


async def lessened(parts: Parts, said: Mapping[str, str]) -> set[str]:
    """Those of these memories of which a part of just the text that is given with them was forgotten."""
    names = {ids.as_said(id_, text): id_ for id_, text in said.items()}
    forgotten = await parts.store.memories.forgotten(parts.tenant_id, names) if names else ()
    return {names[name] for name in forgotten}


def recalled_by(settings: Settings) -> Filter:
    """All rows but messages that are kept out of recall."""
    return Filter(turns=settings.conversations_in_recall, recalled=True)


def of_somebody(settings: Settings, filter_: Filter) -> Filter:
    """The same filter. Raises InvalidInput where it names no user and the settings want one."""
    words = filter_.words.get("user_id")
    if settings.recall_needs_user and filter_.user_id is None and not (words and words.any):
        message = "user_id: say whose memories; this deployment reads no others (PRECIS_RECALL_NEEDS_USER)"
        raise InvalidInput(message, field="user_id")
    return filter_
