"""app.conversations: check, summarize, load and persist; and a turn, which is all four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import structlog

from precis.app.contexts import Checked, Context, Named, Turned, address_of, exact, named
from precis.app.extending import extend
from precis.app.inputs import checked_limit
from precis.app.messages import MessageInput, prepare, read_messages
from precis.app.parts import Parts
from precis.app.recognition import arranged, recognized
from precis.engine.conversation import Address, Loaded, Message, memory_id
from precis.engine.forgetting import Receipt
from precis.engine.sizes import Limits, Size
from precis.engine.transcript import Sending
from precis.engine.window import check, fit
from precis.errors import DraftFailed, InvalidInput, NoSlot, NotFound, SourceChanged
from precis.lineage import Counts, Statement
from precis.stopping import within
from precis.store.conversation_rows import Computed, NewMessage, NewTurn, Persisted, Properties, Sessions
from precis.store.conversations import PostgresConversations
from precis.summary import assemble

_log = structlog.get_logger(__name__)


class Conversations:
    """Verbs over the conversations of one tenant."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def _store(self) -> PostgresConversations:
        return self._parts.store.conversations

    def limits(self) -> Limits:
        """When a conversation is summarized and what stays, by the settings."""
        settings = self._parts.settings
        return Limits(
            triggers=tuple(Size.parse(one) for one in settings.conversation_triggers),
            keep=Size.parse(settings.conversation_keep),
            window=settings.conversation_window,
            summary_tokens=settings.conversation_summary_tokens,
            deadline=settings.conversation_deadline,
        )

    async def load(self, conversation: Named, *, limits: Limits | None = None, **where: str | None) -> Loaded:
        """The conversation of that name: its summary, and its messages behind it without text. Raises NotFound.

        It is named by its session id, with user_id, namespace, project_id and environment as ``where`` as far as that
        alone does not say it, or by an Address.
        """
        address = named(conversation, where)
        loaded = await self._load(address, limits or self.limits())
        if loaded is None:
            raise NotFound(f"there is no conversation {address.session_id!r}")
        return loaded

    async def _load(self, address: Address, limits: Limits) -> Loaded | None:
        engine = self._parts.engine
        return await self._store.load(self._parts.tenant_id, address, at_least=limits.at_least, now=engine.clock())

    async def check(
        self,
        address: Address,
        messages: Sequence[MessageInput | dict[str, Any]] = (),
        *,
        loaded: Loaded | None = None,
        limits: Limits | None = None,
        sending: Sending = Sending.TURN,
    ) -> Checked:
        """The check step: whether the conversation with these messages wants a summary, and of what. Pure reading.

        A message that is stored already is recognized, as ``sending`` says, and is not new. Raises InvalidInput;
        Conflict for an id that is stored with other content.
        """
        chosen = limits or self.limits()
        loaded = loaded or await self._load(exact(address), chosen)
        address = exact(address) if loaded is None else address_of(loaded)
        given = read_messages(messages, latest=self._parts.engine.clock())
        lines = await recognized(self._store, self._parts.tenant_id, loaded, given, sending)
        new = await prepare(
            self._parts.engine, [message for message, line in zip(given, lines, strict=True) if line is None], address,
            self._parts.tenant_id, recalled=self._parts.settings.conversations_in_recall,
        )  # fmt: skip
        after = arranged(loaded, given, lines, new, sending)
        spoken = loaded.spoken if loaded else None
        verdict = check(after.open, chosen, summary_tokens=self._tokens(spoken.statements if spoken else ()))
        return Checked(
            address=address, loaded=loaded, messages=after.messages, new=tuple(new), removed=after.removed,
            order=after.order, verdict=verdict, hand_over=tuple(stub.id for stub in after.open[: verdict.hand_over]),
        )  # fmt: skip

    async def summarize(self, checked: Checked, *, limits: Limits | None = None) -> Computed:
        """The summarize step: computes the extended summary and its title, and writes nothing.

        Raises DraftFailed (and kin) and SourceChanged; TimeoutError past the deadline.
        """
        conversation_id = checked.address.conversation_id
        handed = set(checked.hand_over)
        new = [one for one in checked.new if one.message.id in handed]
        leaves = self._store.leaves(self._parts.tenant_id, new)
        extending = extend(
            self._parts.engine,
            checked.address.scope(self._parts.tenant_id),
            conversation_id,
            hand_over=checked.hand_over,
            unwritten=list(zip(new, leaves, strict=True)),
        )
        return await within((limits or self.limits()).deadline, extending)

    async def try_summarize(self, checked: Checked, *, limits: Limits | None = None) -> tuple[Computed | None, str]:
        """The same, with a failure as a reason: the turn goes on with what stands. None where none is needed."""
        if not checked.verdict.needed:
            return None, ""
        try:
            return await self.summarize(checked, limits=limits), checked.verdict.reason
        except TimeoutError:
            reason = "the summary was not made in time"
        except (DraftFailed, NoSlot, SourceChanged) as error:
            reason = str(error)
        _log.warning("conversation_degraded", conversation_id=checked.address.conversation_id)
        return None, reason

    async def persist(
        self,
        checked: Checked,
        computed: Computed | None,
        *,
        properties: Properties | None = None,
        expected_version: int | None = None,
        also: Sequence[NewMessage] = (),
    ) -> Persisted:
        """The persist step: messages, summary and title in one transaction.

        Without a summary, or where a race has outdated it, the messages that wait for one are noted, and a worker
        makes it. ``also`` are messages that came after the check.
        """
        engine = self._parts.engine
        now = engine.clock()
        turn = NewTurn(
            address=checked.address,
            messages=(*checked.new, *also),
            removed=checked.removed,
            order=checked.order,
            hand_over=checked.hand_over,
            after=checked.loaded.after if checked.loaded else 0,
            computed=computed,
            due_at=None if computed else now + engine.retry_after(0),
            properties=properties,
            expected_version=expected_version,
        )
        return await self._store.persist(self._parts.tenant_id, turn, now=now)

    async def turn(
        self,
        conversation: Named,
        messages: Sequence[MessageInput | dict[str, Any]],
        *,
        limits: Limits | None = None,
        properties: Properties | None = None,
        expected_version: int | None = None,
        sending: Sending = Sending.TURN,
        **where: str | None,
    ) -> Turned:
        """All steps at once, at the end of a turn: check, summarize within the deadline, persist.

        Messages that are stored already are recognized by their ids, and cost nothing; without ids the whole
        conversation may be handed in again with what is new behind it. Raises InvalidInput, Conflict and Forgotten; a
        summary that cannot be made is no error.
        """
        address = named(conversation, where)
        await self.sweep(exact(address).conversation_id)
        checked = await self.check(address, messages, limits=limits, sending=sending)
        if sending is Sending.TRANSCRIPT and checked.changes_nothing:
            return _unchanged(checked)
        computed, reason = await self.try_summarize(checked, limits=limits)
        written = await self.persist(checked, computed, properties=properties, expected_version=expected_version)
        summarized = written.summary_id is not None
        standing = checked.loaded.conversation.summary_id if checked.loaded else None
        return Turned(
            conversation_id=written.conversation_id,
            version=written.version,
            messages=checked.messages,
            created=written.created,
            summarized=summarized,
            summary_id=written.summary_id or standing,
            title=computed.root.title if computed and summarized else checked.loaded.title if checked.loaded else None,
            degraded=checked.verdict.needed and not summarized,
            reason=written.discarded or reason,
        )

    async def context(
        self,
        conversation: Named,
        *,
        token_budget: int | None = None,
        limits: Limits | None = None,
        **where: str | None,
    ) -> Context:
        """The load step, within ``token_budget`` tokens (the window, where none is given). Raises NotFound."""
        if token_budget is not None and token_budget < 1:
            raise InvalidInput(f"token_budget: {token_budget} is not at least 1", field="token_budget")
        chosen = limits or self.limits()
        return await self.context_of(await self.load(conversation, limits=chosen, **where), chosen, token_budget)

    async def context_of(self, loaded: Loaded, limits: Limits, token_budget: int | None = None) -> Context:
        """The context of a conversation that was loaded."""
        engine = self._parts.engine
        budget = token_budget or limits.window
        spoken = loaded.spoken
        statements = spoken.statements if spoken else ()
        stubs = (*loaded.recent, *loaded.open)
        wanted = fit(statements, stubs, budget=budget, count=engine.count)
        read = await self._texts(wanted.messages, stubs)
        fitted = fit(wanted.statements, read, budget=budget, count=engine.count)
        shown = {one.id for one in fitted.messages}
        left = sum(one.id not in shown for one in loaded.open)
        overdue = check(loaded.open, limits, summary_tokens=self._tokens(statements)).needed
        return Context(
            conversation_id=loaded.conversation.id,
            session_id=loaded.conversation.session_id,
            user_id=loaded.conversation.scope.user_id,
            version=loaded.conversation.version,
            title=loaded.title,
            summary_id=spoken.id if spoken else None,
            summary=assemble(fitted.statements),
            statements=fitted.statements,
            messages=fitted.messages,
            tokens=fitted.tokens,
            total=loaded.total,
            covered=spoken.covered if spoken else 0,
            set_aside=spoken.counts.read - spoken.counts.represented if spoken else 0,
            counts=spoken.counts if spoken else Counts(),
            messages_left=left,
            statements_left=len(statements) - len(fitted.statements),
            degraded=overdue or left > 0,
            stale=loaded.conversation.behind,
        )

    async def _texts(self, wanted: Sequence[Message], stubs: Sequence[Message]) -> Sequence[Message]:
        """The texts of these, in the order of the stubs; of the newest also where it is to be shortened."""
        ids = [one.id for one in wanted]
        found = {one.id: one for one in await self._store.read(self._parts.tenant_id, ids)} if ids else {}
        return [found[one.id] for one in stubs if one.id in found]

    async def messages(
        self, conversation: Named, *, before: int | None = None, limit: int = 50, **where: str | None
    ) -> Sequence[Message]:
        """The originals, covered or not: a page before that place, oldest first. Raises NotFound, InvalidInput."""
        checked_limit(limit)
        loaded = await self.load(conversation, limits=None, **where)
        stubs = await self._store.stubs(self._parts.tenant_id, loaded.conversation.id, before=before, limit=limit)
        return await self._store.read(self._parts.tenant_id, [one.id for one in stubs])

    async def expand(self, conversation: Named, statement: int | None = None, **where: str | None) -> Sequence[Message]:
        """The messages that the summary, or one statement of it, rests on. Raises NotFound, InvalidInput."""
        loaded = await self.load(conversation, limits=None, **where)
        said = loaded.spoken.statements if loaded.spoken else ()
        if statement is not None and not 0 <= statement < len(said):
            raise InvalidInput(f"statement: {statement} is not within 0 to {len(said) - 1}", field="statement")
        if statement is None:
            ids = await self._store.message_ids(self._parts.tenant_id, loaded.conversation.id)
            open_ = {one.id for one in loaded.open}
            return await self._store.read(self._parts.tenant_id, [id_ for id_ in ids if id_ not in open_])
        return await self._store.read(self._parts.tenant_id, said[statement].source_ids)

    async def forget_messages(self, conversation: Named, given: Sequence[str], **where: str | None) -> Receipt:
        """Messages by the ids their writer gave; summary and title are corrected at once. Raises NotFound."""
        parts = self._parts
        loaded = await self.load(conversation, limits=None, **where)
        ids = [memory_id(loaded.conversation.id, one) for one in given]
        return await parts.store.memories.forget(parts.tenant_id, ids, now=parts.engine.clock())

    async def forget(self, conversation: Named, **where: str | None) -> Receipt | None:
        """Every message of it, its summary and title, and the conversation itself. Raises NotFound.

        None where it had no messages.
        """
        loaded = await self.load(conversation, limits=None, **where)
        return await self._forget(loaded.conversation.id)

    async def end(self, conversation: Named, **where: str | None) -> None:
        """The same without anybody having asked to forget it: its messages may be written again. Raises NotFound."""
        loaded = await self.load(conversation, limits=None, **where)
        await self._forget(loaded.conversation.id, renewable=True)

    async def _forget(self, conversation_id: str, *, renewable: bool = False) -> Receipt | None:
        parts = self._parts
        ids = await self._store.message_ids(parts.tenant_id, conversation_id)
        receipt = None
        if ids:
            receipt = await parts.store.memories.forget(
                parts.tenant_id, ids, now=parts.engine.clock(), renewable=renewable
            )
        await self._store.delete(parts.tenant_id, conversation_id)
        return receipt

    async def sweep(self, first: str = "") -> int:
        """End the conversations whose time is over, that of the id ``first`` before others; answers how many."""
        parts = self._parts
        ended = await self._store.ended(parts.tenant_id, first=first, limit=100, now=parts.engine.clock())
        for conversation_id in ended:
            await self._forget(conversation_id, renewable=True)
        return len(ended)

    async def sessions(
        self, *, user_id: str | None = None, namespace: str | None = None, limit: int = 20, offset: int = 0
    ) -> Sessions:
        """Names of conversations, the latest written first. Raises InvalidInput."""
        if offset < 0:
            raise InvalidInput(f"offset: {offset} is less than 0", field="offset")
        return await self._store.sessions(
            self._parts.tenant_id, user_id=user_id, namespace=namespace, limit=checked_limit(limit), offset=offset,
            now=self._parts.engine.clock(),
        )  # fmt: skip

    def _tokens(self, statements: Sequence[Statement]) -> int:
        return sum(self._parts.engine.count(one.text) for one in statements)


def _unchanged(checked: Checked) -> Turned:
    """What a turn did that had nothing new to write."""
    loaded = checked.loaded
    return Turned(
        conversation_id=checked.address.conversation_id,
        version=loaded.conversation.version if loaded else 0,
        messages=checked.messages,
        created=(),
        summarized=False,
        summary_id=loaded.conversation.summary_id if loaded else None,
        title=loaded.title if loaded else None,
        degraded=False,
    )
