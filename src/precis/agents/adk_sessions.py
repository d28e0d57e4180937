"""Sessions for Google's ADK, in precis itself: events, state, and summaries that keep a long session short.

runner = Runner(app_name="shop", agent=agent, session_service=PrecisSessionService(app))
"""

from collections.abc import Mapping, Sequence
from math import inf, nextafter
from typing import Any

from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions, EventCompaction
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from google.genai import types
from pydantic_core import to_jsonable_python

from precis.agents import loop, person
from precis.agents.adk_memory import entry_of, event_of, input_of, loaded_by, showing
from precis.app import App
from precis.conversation import Address, Loaded, Message
from precis.errors import Conflict, NotFound
from precis.ids import new_id
from precis.store.conversation_rows import Properties

#: What belongs to a user or to an application is kept beside a conversation of this name, which has no messages.
_STATE = "state"
_PAGE = 1000
#: The version of a conversation that nobody has written yet.
_NEW = 0
#: How often a change of state is tried against writers that come between.
_RACES = 10


class PrecisSessionService(BaseSessionService):
    """Made inside the event loop that the app was opened in; a runner may be in another.

    A long session is summarized as it goes. ``get_session`` answers every event, and with ``summarized`` one more in
    ADK's own form, by which an agent reads the summary in place of what it covers.
    """

    def __init__(self, app: App, *, summarized: bool = True) -> None:
        self._app = app
        self._conversations = app.conversations
        self._summarized = summarized
        self._loop = loop.AppLoop()

    async def create_session(
        self,
        *,
        app_name: str,
        user_id: str,
        state: dict[str, Any] | None = None,
        session_id: str | None = None,
    ) -> Session:
        """A new session; raises AlreadyExistsError for an id that this user has."""
        session_id = (session_id or "").strip() or new_id()
        where = self._person(app_name, user_id).address(session_id)
        parts = _split(state or {})
        return await self._loop.run(self._create(where, parts))

    async def _create(self, where: Address, parts: Mapping[str, dict[str, Any]]) -> Session:
        if await self._load(where) is not None:
            raise AlreadyExistsError(f"Session with id {where.session_id} already exists.")
        await self._share(where, parts)
        properties = Properties(values={"state": parts["session"]})
        try:
            await self._conversations.turn(where, [], properties=properties, expected_version=_NEW)
        except Conflict as error:
            raise AlreadyExistsError(f"Session with id {where.session_id} already exists.") from error
        loaded = await self._conversations.load(where)
        return await self._session(where, loaded, [])

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """A session with its events; None where there is none."""
        where = self._person(app_name, user_id).address(session_id.strip())
        return await self._loop.run(self._get(where, config or GetSessionConfig()))

    async def _get(self, where: Address, config: GetSessionConfig) -> Session | None:
        loaded = await self._load(where)
        if loaded is None:
            return None
        latest = config.num_recent_events
        messages = await self._messages(where, latest) if latest != 0 else []
        events = await self._worded(where, messages)
        if config.after_timestamp is not None:
            events = [event for event in events if event.timestamp >= config.after_timestamp]
        if self._summarized and (compaction := await self._compaction(loaded, messages)):
            events.append(compaction)
        return await self._session(where, loaded, events)

    async def _worded(self, where: Address, messages: Sequence[Message]) -> list[Event]:
        """The events, and in those that show memories what these say now."""
        events = [event_of(message) for message in messages]
        shown = [entry["id"] for event in events for result in event.get_function_responses()
                 for entry in loaded_by(result) or ()]  # fmt: skip
        rows = await self._app.memories.get_many(shown)
        living = {
            row.id: row
            for row in rows.values()
            if (row.scope.user_id, row.scope.project_id) == (where.user_id, where.project_id)
        }

        def entry(kept: dict[str, Any]) -> dict[str, Any] | None:
            memory = living.get(kept["id"])
            if memory is None or not memory.text:
                return None
            return entry_of(memory, memory.text, kept["custom_metadata"]).model_dump(mode="json", exclude_none=True)

        return [showing(event, entry) for event in events]

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """The sessions of a user, or of all, without events; the one that was written last comes last."""
        sessions = await self._loop.run(self._list(app_name, user_id))
        return ListSessionsResponse(sessions=sorted(sessions, key=lambda session: session.last_update_time))

    async def _list(self, app_name: str, user_id: str | None) -> list[Session]:
        sessions: list[Session] = []
        while True:
            page = await self._conversations.sessions(
                user_id=user_id, namespace=app_name, limit=_PAGE, offset=len(sessions)
            )
            for name in page.names:
                where = Address(session_id=name, user_id=user_id, namespace=app_name, project_id=app_name)
                loaded = await self._conversations.load(where)
                sessions.append(await self._session(where, loaded, []))
            if len(sessions) >= page.total or not page.names:
                return sessions

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Forget a session and all that was said in it, in memory as well. Nothing where there is none."""
        where = self._person(app_name, user_id).address(session_id.strip())
        try:
            await self._loop.run(self._conversations.end(where))
        except NotFound:
            return

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """What belongs to a user in every session of an application, without the prefix."""
        return await self._loop.run(self._shared(app_name, self._person(app_name, user_id).user_id))

    async def append_event(self, session: Session, event: Event) -> Event:
        """Write an event with the changes of state that it brings, once. Raises SessionNotFoundError."""
        if event.partial:
            return event
        where = self._person(session.app_name, session.user_id).address(session.id)
        kept = {name: value for name, value in event.actions.state_delta.items() if not name.startswith("temp:")}
        stored = event.model_copy(update={"actions": event.actions.model_copy(update={"state_delta": kept})})
        if not await self._loop.run(self._append(where, stored)):
            return event
        event = await super().append_event(session=session, event=event)
        session.last_update_time = event.timestamp
        return event

    async def _append(self, where: Address, event: Event) -> bool:
        """Whether it was new."""
        parts = _split(event.actions.state_delta)
        for attempt in range(_RACES):
            loaded = await self._load(where)
            if loaded is None:
                raise SessionNotFoundError(f"Session {where.session_id} not found.")
            checked = await self._conversations.check(where, [input_of(event)], loaded=loaded)
            if not checked.new:
                if checked.grown:
                    await self._conversations.persist(checked, None)
                return False
            computed, _ = await self._conversations.try_summarize(checked)
            changes: dict[str, Any] = {}
            if parts["session"]:
                values = {"state": {**_state(loaded), **parts["session"]}}
                changes = {"properties": Properties(values=values), "expected_version": loaded.conversation.version}
            try:
                await self._conversations.persist(checked, computed, **changes)
                break
            except Conflict:
                # Somebody else appended meanwhile: their state is the one to change.
                if not changes or attempt == _RACES - 1:
                    raise
        await self._share(where, parts)
        return True

    async def _share(self, where: Address, parts: Mapping[str, dict[str, Any]]) -> None:
        """Write what belongs to the user and to the application."""
        for user_id, delta in ((where.user_id or "", parts["user"]), ("", parts["app"])):
            for attempt in range(_RACES if delta else 0):
                state = _shared_address(where.namespace or "", user_id)
                loaded = await self._load(state)
                known = {**(_state(loaded) if loaded else {}), **delta}
                version = loaded.conversation.version if loaded else _NEW
                try:
                    await self._conversations.turn(
                        state, [], properties=Properties(values={"state": known}), expected_version=version
                    )
                    break
                except Conflict:
                    if attempt == _RACES - 1:
                        raise

    async def _shared(self, app_name: str, user_id: str) -> dict[str, Any]:
        loaded = await self._load(_shared_address(app_name, user_id))
        return _state(loaded) if loaded else {}

    async def _load(self, where: Address) -> Loaded | None:
        try:
            return await self._conversations.load(where)
        except NotFound:
            return None

    async def _messages(self, where: Address, latest: int | None) -> list[Message]:
        """All of them, or the latest ones, oldest first."""
        messages: list[Message] = []
        while latest is None or len(messages) < latest:
            limit = _PAGE if latest is None else min(_PAGE, latest - len(messages))
            before = messages[0].seq if messages else None
            page = await self._conversations.messages(where, before=before, limit=limit)
            messages = [*page, *messages]
            if len(page) < limit:
                break
        return messages

    async def _compaction(self, loaded: Loaded, messages: Sequence[Message]) -> Event | None:
        """The summary, as ADK has it: with the times between which it stands for the events."""
        context = await self._conversations.context_of(loaded, self._conversations.limits())
        covered = [message for message in messages if message.seq <= loaded.after]
        if not context.summary or not covered:
            return None
        open_ = {message.id for message in loaded.open}
        times = [event_of(message).timestamp for message in covered if message.id not in open_]
        first_open = min((event_of(message).timestamp for message in messages if message.id in open_), default=inf)
        end = min(max(times, default=-inf), nextafter(first_open, -inf))
        if not times or end < min(times):
            return None
        content = types.Content(role="model", parts=[types.Part(text=context.summary)])
        compaction = EventCompaction(start_timestamp=min(times), end_timestamp=end, compacted_content=content)
        return Event(
            id=f"precis-{context.summary_id}-{context.version}", author="user", timestamp=end,
            invocation_id=event_of(covered[-1]).invocation_id, actions=EventActions(compaction=compaction),
        )  # fmt: skip

    async def _session(self, where: Address, loaded: Loaded, events: list[Event]) -> Session:
        app_name, user_id = where.namespace or "", loaded.conversation.scope.user_id
        user, shared = await self._shared(app_name, user_id), await self._shared(app_name, "")
        state = {
            **_state(loaded),
            **{State.APP_PREFIX + name: value for name, value in shared.items()},
            **{State.USER_PREFIX + name: value for name, value in user.items()},
        }
        return Session(
            id=where.session_id, app_name=app_name, user_id=user_id, state=state, events=events,
            last_update_time=loaded.conversation.updated_at.timestamp(),
        )  # fmt: skip

    def _person(self, app_name: str, user_id: str) -> person.Person:
        return person.Person(self._app, user_id, project_id=app_name, loop=self._loop)


def _shared_address(app_name: str, user_id: str) -> Address:
    return Address(
        session_id=_STATE, user_id=user_id, namespace=f"{app_name} ({_STATE})", project_id=app_name,
        environment="production",
    )  # fmt: skip


def _state(loaded: Loaded) -> dict[str, Any]:
    return dict(loaded.conversation.properties.get("state", {}))


def _split(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What belongs to the application, the user and the session, as JSON has it; what is temporary is left out."""
    parts: dict[str, dict[str, Any]] = {"app": {}, "user": {}, "session": {}}
    for name, value in to_jsonable_python(dict(state)).items():
        if name.startswith(State.APP_PREFIX):
            parts["app"][name.removeprefix(State.APP_PREFIX)] = value
        elif name.startswith(State.USER_PREFIX):
            parts["user"][name.removeprefix(State.USER_PREFIX)] = value
        elif not name.startswith(State.TEMP_PREFIX):
            parts["session"][name] = value
    return parts
