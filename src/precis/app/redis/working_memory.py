"""app.working_memory: a conversation as a session of the wire, written whole and read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from precis.app.conversations import Conversations
from precis.app.conversing.growing import correct
from precis.app.conversing.matching import Sending
from precis.app.memories import Memories
from precis.app.messages import Context, MessageInput, Named, address_of, exact
from precis.app.parts import Parts, Verbs
from precis.conversation import AS_SET, CARRIED, Address, Loaded, Message, Remembering
from precis.errors import Conflict, NotFound
from precis.policies.conversations import Limits
from precis.sizes import Size, Unit
from precis.store.conversation_rows import Properties, Sessions

#: A session without a known window is summarized over this many tokens.
_TOKENS = Size(amount=4000, unit=Unit.TOKENS)
#: Among the properties: the session has had a summary of precis. A context that comes in is an echo of it from then on,
#: and may say what was forgotten since.
_SUMMARIZED = "summarized"

#: As the tag of what a writer has seen: whatever is there.
ANY = "*"


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
    properties: dict[str, Any] = field(default_factory=dict)
    ttl_seconds: int | None = None
    #: A summary that was made elsewhere; ignored once the session has had one of precis.
    carried: str | None = None
    #: The tags of what the writer may have read, or ANY; it writes over nothing else.
    seen: frozenset[str] | None = None
    remembering: Remembering = AS_SET


class WorkingMemory(Verbs):
    """Verbs over sessions: conversations that are written whole."""

    def __init__(self, parts: Parts, conversations: Conversations, memories: Memories) -> None:
        super().__init__(parts)
        self._conversations = conversations
        self._memories = memories

    def limits(self, window: int | None) -> Limits:
        """Summarized by share of the window, else by tokens, never by the number of messages; half of that stays."""
        limits = replace(self._conversations.limits(), least=0)
        if window is None:
            return replace(limits, triggers=(_TOKENS,), keep=_half(_TOKENS))
        share = Size(amount=self._settings.working_memory_threshold, unit=Unit.WINDOW)
        return replace(limits, triggers=(share,), keep=_half(share), window=window)

    async def get(self, named: Named, *, window: int | None = None, recent: int | None = None) -> Session:
        """A session; with a window, its newest messages that fit. Raises NotFound."""
        limits = self.limits(window)
        await self._conversations.sweep()
        loaded = await self._load(named, limits)
        return await self._session(loaded, limits, window=window, recent=recent)

    async def put(self, address: Address, written: Written, *, window: int | None = None) -> Session:
        """Make a session what is written, messages that the summary covers excepted: those stay covered.

        Messages are recognized by their ids, else by role and content in their order; one whose text is another gets
        that one, and one that is left out leaves. With ``seen``, a writer that saw something else gets Conflict, and
        nothing is written. Raises InvalidInput; Forgotten for what a person forgot.
        """
        limits, address = self.limits(window), exact(address)
        await self._conversations.sweep(address.conversation_id)
        standing = await self._standing(address, limits)
        if written.seen is not None and standing is None:
            raise Conflict("there is no such session: write it without If-Match")
        is_bound = written.seen is not None and ANY not in written.seen
        if standing is not None and is_bound and self._tag(standing) not in (written.seen or ()):
            raise Conflict("the session is not the one that was read: read it again")
        summarized = standing is not None and (standing.spoken is not None or _SUMMARIZED in _kept(standing))
        carried = await self._carried(standing) if summarized else _as_carried(written.carried)
        messages = [*carried, *written.messages]
        turned = await self._conversations.turn(
            address,
            messages,
            limits=limits,
            properties=Properties(
                values=written.properties | ({_SUMMARIZED: True} if summarized else {}),
                ttl_seconds=written.ttl_seconds,
            ),
            expected_version=standing.conversation.version if standing and is_bound else None,
            sending=Sending.SESSION,
            remembering=written.remembering,
        )
        await correct(self._parts, self._memories, turned, messages)
        return await self.get(address, window=window)

    async def delete(self, named: Named) -> None:
        """End a session; nothing where there is none. Its messages may be written again."""
        try:
            await self._conversations.end(address_of(await self._load(named, self.limits(None))))
        except (NotFound, Conflict):
            return

    async def sessions(self, *, user_id: str | None, namespace: str | None, limit: int, offset: int) -> Sessions:
        """Names, the latest written first."""
        return await self._conversations.sessions(user_id=user_id, namespace=namespace, limit=limit, offset=offset)

    async def _load(self, named: Named, limits: Limits) -> Loaded:
        """The session that has exactly this name, else the only one it may mean. Raises NotFound, Conflict."""
        address = named if isinstance(named, Address) else Address(session_id=named)
        exactly = await self._standing(exact(address), limits)
        return exactly or await self._conversations.load(address, limits=limits)

    async def _standing(self, address: Address, limits: Limits) -> Loaded | None:
        try:
            return await self._conversations.load(address, limits=limits)
        except NotFound:
            return None

    async def _carried(self, standing: Loaded | None) -> list[MessageInput]:
        """What was made elsewhere and is not covered yet: it stays, whatever summary the writer still has."""
        ids = [message.id for message in (standing.open if standing else ()) if message.role == CARRIED]
        stored = await self._store.conversations.read(self._tenant_id, ids) if ids else []
        return [MessageInput(id=message.given, role=CARRIED, content=message.text) for message in stored]

    async def _session(
        self, loaded: Loaded, limits: Limits, *, window: int | None = None, recent: int | None = None
    ) -> Session:
        context = await self._conversations.context_of(loaded, limits, window)
        carried = [message.text for message in context.messages if message.role == CARRIED]
        messages = tuple(message for message in context.messages if message.role != CARRIED)
        used = None if window is None else min(100.0, 100 * context.tokens / window)
        threshold = self._settings.working_memory_threshold
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
        conversation = loaded.conversation
        open_ = loaded.open
        covered = loaded.spoken.covered if loaded.spoken else 0
        return f"{conversation.version}-{covered}-{loaded.after}-{len(open_)}-{sum(message.seq for message in open_)}"


def _half(size: Size) -> Size:
    return replace(size, amount=size.amount / 2)


def _as_carried(context: str | None) -> list[MessageInput]:
    """A summary that somebody else made, as the first message of the session."""
    return [MessageInput(role=CARRIED, content=context)] if context and context.strip() else []


def _kept(loaded: Loaded) -> Mapping[str, Any]:
    return loaded.conversation.properties
