"""app.working_memory: a conversation as a session of the wire, written whole and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from precis.app.contexts import Context, Named, address_of, exact
from precis.app.conversations import Conversations
from precis.app.memories import Memories
from precis.app.messages import MessageInput
from precis.app.parts import Parts
from precis.engine.conversation import Address, Loaded, memory_id
from precis.engine.messages import CARRIED, Message
from precis.engine.sizes import Limits, Size, Unit
from precis.errors import Conflict, NotFound
from precis.store.turns import Properties, Sessions

#: A session without a known window is summarized over this many tokens.
_TOKENS = Size(amount=4000, unit=Unit.TOKENS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """A session as it is read: the context, and what its caller keeps beside it."""

    loaded: Loaded
    context: Context
    properties: Mapping[str, Any]
    #: Summary and what was carried over from before precis knew the session.
    summary: str
    messages: tuple[Message, ...]
    #: Share of the window that is taken, and of what triggers a summary; None without a known window.
    used: float | None
    until_summary: float | None
    #: Changes with anything that a reader of the session sees.
    tag: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What a caller puts into a session."""

    messages: Sequence[MessageInput] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
    ttl_seconds: int | None = None
    #: A summary made elsewhere; taken over where the session has none.
    carried: str | None = None
    #: The tag of what the caller last read: what it has left out since then is to go.
    seen: str | None = None


class WorkingMemory:
    """Verbs over sessions: conversations that are written whole."""

    def __init__(self, parts: Parts, conversations: Conversations, memories: Memories) -> None:
        self._parts = parts
        self._conversations = conversations
        self._memories = memories

    def limits(self, window: int | None) -> Limits:
        """Summarized by share of the window, else by tokens; never by the number of messages."""
        chosen = self._conversations.limits()
        if window is None:
            return replace(chosen, triggers=(_TOKENS,))
        share = Size(amount=self._parts.settings.working_memory_threshold, unit=Unit.WINDOW)
        return replace(chosen, triggers=(share,), window=window)

    async def get(self, named: Named, *, window: int | None = None, recent: int | None = None) -> Session:
        """A session; with a window, its newest messages that fit. Raises NotFound."""
        limits = self.limits(window)
        await self._conversations.sweep()
        loaded = await self._conversations.load(named, limits=limits)
        return await self._session(loaded, limits, window=window, recent=recent)

    async def put(self, address: Address, written: Written, *, window: int | None = None) -> Session:
        """Write messages by id, and the properties; what the summary covers or the writer never saw stays.

        With ``seen``, what the writer saw and has left out is forgotten. Raises Conflict where it saw something else,
        InvalidInput, Forgotten.
        """
        limits, address = self.limits(window), exact(address)
        standing = await self._standing(address, limits)
        version = None
        if written.seen is not None:
            version = await self._replace(standing, written, limits)
        await self._edit(standing, address, written.messages)
        carried = self._carried(standing, written.carried)
        await self._conversations.turn(
            address,
            [*carried, *await self._new(address, written.messages)],
            limits=limits,
            properties=Properties(values=written.properties, ttl_seconds=written.ttl_seconds),
            expected_version=version,
        )
        return await self.get(address, window=window)

    async def delete(self, named: Named) -> None:
        """Forget a session; nothing where there is none."""
        try:
            loaded = await self._conversations.load(named)
            await self._conversations.forget(address_of(loaded))
        except (NotFound, Conflict):
            return

    async def sessions(self, *, user_id: str | None, namespace: str | None, limit: int, offset: int) -> Sessions:
        """Names, the latest written first."""
        return await self._conversations.sessions(user_id=user_id, namespace=namespace, limit=limit, offset=offset)

    async def _standing(self, address: Address, limits: Limits) -> Loaded | None:
        try:
            return await self._conversations.load(address, limits=limits)
        except NotFound:
            return None

    async def _replace(self, standing: Loaded | None, written: Written, limits: Limits) -> int | None:
        """Forget what the writer saw and left out; answers the version it saw. Raises Conflict."""
        if standing is None:
            raise Conflict("the session is not there any more: read it again")
        session = await self._session(standing, limits)
        if session.tag != written.seen:
            raise Conflict("the session has changed since it was read: read it again")
        kept = {one.id for one in written.messages}
        gone = [one.given for one in session.messages if one.given not in kept]
        if gone:
            await self._conversations.forget_messages(address_of(standing), gone)
        return standing.conversation.version

    async def _edit(self, standing: Loaded | None, address: Address, messages: Sequence[MessageInput]) -> None:
        """Messages that are there with another text: the old one is forgotten."""
        if standing is None:
            return
        conversation_id = address.conversation_id
        told = {memory_id(conversation_id, one.id): one.told for one in messages if one.id is not None}
        found = await self._parts.store.conversations.read(self._parts.tenant_id, list(told)) if told else []
        for one in found:
            if one.text != told[one.id]:
                await self._memories.edit(one.id, {"text": told[one.id]})

    async def _new(self, address: Address, messages: Sequence[MessageInput]) -> list[MessageInput]:
        """Those that are not there yet."""
        ids = {one.id: memory_id(address.conversation_id, one.id) for one in messages if one.id is not None}
        known = await self._parts.store.conversations.known(self._parts.tenant_id, list(ids.values()))
        return [one for one in messages if one.id is None or ids[one.id] not in known]

    def _carried(self, standing: Loaded | None, text: str | None) -> list[MessageInput]:
        """A summary from elsewhere, as the first message of the session; a client's echo of ours is none."""
        if standing is not None or not (text or "").strip():
            return []
        return [MessageInput(id="context", role=CARRIED, content=text or "")]

    async def _session(
        self, loaded: Loaded, limits: Limits, *, window: int | None = None, recent: int | None = None
    ) -> Session:
        context = await self._conversations.context_of(loaded, limits, window)
        carried = [one.text for one in context.messages if one.role == CARRIED]
        messages = tuple(one for one in context.messages if one.role != CARRIED)
        used = None if window is None else min(100.0, 100 * context.tokens / window)
        threshold = self._parts.settings.working_memory_threshold
        return Session(
            loaded=loaded,
            context=context,
            properties=loaded.conversation.properties,
            summary="\n".join(part for part in (*carried, context.summary) if part),
            messages=messages if recent is None else messages[max(0, len(messages) - recent) :],
            used=used,
            until_summary=None if used is None else min(100.0, used / threshold),
            tag=self._tag(loaded),
        )

    def _tag(self, loaded: Loaded) -> str:
        found = loaded.conversation
        open_ = loaded.open
        covered = loaded.spoken.covered if loaded.spoken else 0
        return f"{found.version}-{covered}-{loaded.after}-{len(open_)}-{sum(one.seq for one in open_)}"
