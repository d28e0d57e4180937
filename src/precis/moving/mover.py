"""Writes what arrives: in batches, nothing twice, and whatever cannot be written is named with its reason."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from precis import conversation, errors, trust, typed
from precis.app import App
from precis.app.inputs import UnownedInput
from precis.app.messages import exact
from precis.app.redis.long_term import Recorded
from precis.ids import is_storable
from precis.moving.arrivals import Arrival, LeftOut, Origin, Report, SessionIn, ViewIn
from precis.rest.redis.summary_views import NewView, ViewBody
from precis.store.filtering import Filter

#: What says that this row cannot be written, and nothing of the others.
_REFUSED = (errors.InvalidInput, errors.Conflict, errors.Forgotten, errors.NotFound)
#: Characters of the rows that are held before they are written.
_HELD = 4_000_000
#: Rows that are looked up at once.
_AT_ONCE = 500
_ANY = Filter(turns=True)
DIFFERENT = "there already, with another text: changed there or here since it was moved; what is here stays"
ANOTHERS = "there already, under another user: forget it there first, if it was moved to the wrong one"
TWICE = "shown a second time under one id"


class Mover:
    """Moves one origin in, once."""

    def __init__(
        self, app: App, *, batch: int = 200, dry_run: bool = False, progress: Callable[[int, int | None], None] | None
    ) -> None:
        self._app, self._store, self._tenant_id = app, app.parts.store, app.parts.tenant_id
        self._batch, self._dry_run, self._progress = batch, dry_run, progress
        self._rows: list[Recorded] = []
        self._characters = 0
        self._seen: set[str] = set()
        #: Ids of memories that should be there in the end.
        self._expected: list[str] = []
        self.report = Report(dry_run=dry_run)

    async def move(self, origin: Origin) -> Report:
        """Everything it shows. Raises what the origin raises; what was written by then stays, and is known again."""
        async with aclosing(origin.arrivals()) as arrivals:
            async for arrival in arrivals:
                await self._take(arrival)
                # Where much is left out nothing waits, and whoever wants to stop it would.
                await asyncio.sleep(0)
                if self._progress:
                    self._progress(self.report.memories.shown, origin.total)
        await self._write_held()
        if not self._dry_run:
            await self._look_again()
        return self.report

    async def _take(self, arrival: Arrival) -> None:
        if isinstance(arrival, Recorded):
            await self._hold(arrival)
        elif isinstance(arrival, LeftOut):
            self.report.leave(arrival.id, arrival.reason, refused=arrival.refused)
        elif isinstance(arrival, SessionIn):
            await self._session(arrival)
        else:
            await self._view(arrival)

    # --- memories ---

    async def _hold(self, row: Recorded) -> None:
        if row.id in self._seen:
            self.report.leave(row.id, TWICE)
            return
        self._seen.add(row.id)
        self.report.memories.shown += 1
        self.report.users |= {row.memory.user_id} - {""}
        self._rows.append(row)
        self._characters += len(row.memory.text)
        if len(self._rows) >= self._batch or self._characters > _HELD:
            await self._write_held()

    async def _write_held(self) -> None:
        rows, self._rows, self._characters = self._rows, [], 0
        ids = [row.id for row in rows]
        forgotten = await self._store.memories.forgotten(self._tenant_id, ids)
        aliases = await self._store.long_term.resolve(self._tenant_id, ids)
        known = await self._app.memories.get_many([*ids, *aliases.values()])
        fresh = []
        for row in rows:
            standing = known.get(row.id) or known.get(aliases.get(row.id, ""))
            if standing is not None and (standing.scope.user_id or "") != row.memory.user_id:
                self.report.memories.refused += 1
                self.report.leave(row.id, ANOTHERS, refused=True)
            elif standing is not None:
                self.report.memories.already_there += 1
                self._expected.append(standing.id)
                if standing.text not in (None, row.memory.text):
                    self.report.leave(row.id, DIFFERENT)
            elif row.id in forgotten:
                self.report.memories.forgotten += 1
            else:
                fresh.append(row)
        await self._write(fresh)

    async def _write(self, rows: Sequence[Recorded]) -> None:
        """All of them, or all but those that cannot be: what is refused together is tried by halves."""
        if not rows:
            return
        try:
            await (self._app.long_term.check(rows) if self._dry_run else self._add(rows))
        except _REFUSED as error:
            if len(rows) > 1:
                half = len(rows) // 2
                await self._write(rows[:half])
                await self._write(rows[half:])
            elif rows[0].memory.supersedes:
                # What it replaces could not be moved: that is no reason to lose what holds today.
                alone = rows[0].memory.model_copy(update={"supersedes": None})
                await self._write([replace(rows[0], memory=alone)])
            else:
                self.report.memories.refused += 1
                self.report.leave(rows[0].id, str(error), refused=True)
        else:
            self.report.memories.written += len(rows)
            self._expected += [row.id for row in rows]

    async def _add(self, rows: Sequence[Recorded]) -> None:
        await self._app.long_term.add([replace(row, memory=_imported(row.memory)) for row in rows], deduplicate=False)

    # --- sessions ---

    async def _session(self, arrival: SessionIn) -> None:
        address, counts = exact(arrival.address), self.report.messages
        self.report.sessions.shown += 1
        self.report.users |= {address.user_id or ""} - {""}
        messages = {
            conversation.memory_id(address.conversation_id, message.id or ""): message
            for message in arrival.written.messages
        }
        forgotten = await self._store.memories.forgotten(self._tenant_id, messages)
        stored = await self._store.memories.among(self._tenant_id, _ANY, messages)
        fresh = [message for id_, message in messages.items() if id_ not in forgotten and id_ not in stored]
        counts.shown += len(messages)
        standing = await self._standing(address)
        try:
            if not self._dry_run and standing is None:
                living = [message for id_, message in messages.items() if id_ not in forgotten]
                await self._app.working_memory.put(address, replace(arrival.written, messages=living))
            elif not self._dry_run and fresh:
                # It has gone on here: nothing of it may leave because the other server does not know it.
                await self._app.conversations.turn(address, fresh, limits=self._app.working_memory.limits(None))
        except _REFUSED as error:
            self.report.sessions.refused += 1
            self.report.leave(address.session_id, f"session: {error}", refused=True)
            return
        self.report.sessions.written += standing is None
        self.report.sessions.already_there += standing is not None
        counts.written += len(fresh)
        counts.already_there += len(stored)
        counts.forgotten += len(forgotten)
        self._expected += [id_ for id_ in messages if id_ not in forgotten]
        for row in arrival.memories:
            await self._hold(row)

    async def _standing(self, address: conversation.Address) -> conversation.Loaded | None:
        try:
            return await self._app.conversations.load(address)
        except errors.NotFound:
            return None

    # --- views ---

    async def _view(self, arrival: ViewIn) -> None:
        counts = self.report.views
        counts.shown += 1
        try:
            view = NewView.model_validate(arrival.body)
            standing = [ViewBody.of(each).model_dump(exclude={"id"}) for each in await self._app.views.list()]
            if _declared(view) in standing:
                counts.already_there += 1
                return
            if not self._dry_run:
                await self._app.views.create(**view.model_dump())
        except (ValidationError, errors.InvalidInput) as error:
            reason = typed.invalid(error) if isinstance(error, ValidationError) else error
            counts.refused += 1
            self.report.leave(arrival.id, f"view: {reason}", refused=True)
        else:
            counts.written += 1

    # --- afterwards ---

    async def _look_again(self) -> None:
        """Count what is in precis of all that should be."""
        for start in range(0, len(self._expected), _AT_ONCE):
            ids = [id_ for id_ in self._expected[start : start + _AT_ONCE] if is_storable(id_)]
            stored = await self._store.memories.among(self._tenant_id, _ANY, ids)
            self.report.in_precis += len(stored)
            for id_ in ids:
                if id_ not in stored:
                    self.report.leave(id_, "written, and not there afterwards", refused=True)


def _declared(view: NewView) -> dict[str, Any]:
    """A view as precis answers it, but for the id."""
    wished = view.model_dump() | {"group_by": view.group_by or [], "filters": view.filters or {}}
    return wished | {"prompt": view.prompt or None, "model_name": view.model_name or None}


def _imported(memory: UnownedInput) -> UnownedInput:
    """What another memory does not say to be from somebody is imported, or less trusted where its role says so."""
    if memory.source_class is not None:
        return memory
    source_class = trust.least([trust.SourceClass.IMPORTED, trust.class_of(memory.metadata)])
    return memory.model_copy(update={"source_class": source_class})
