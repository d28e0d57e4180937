"""app.conversations: check, summarize, load and persist; and a turn, which is all four."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from precis.app.conversing.chat_shapes import in_known_roles
from precis.app.conversing.growing import bring_up_to_date
from precis.app.conversing.matching import Sending
from precis.app.conversing.recognition import arranged, recognized, turned, unchanged
from precis.app.conversing.turns import context_of, degraded, extend, limits_of, living, tokens_of, verdict_on
from precis.app.inputs import checked_limit
from precis.app.messages import (
    CheckedTurn,
    Context,
    MessageInput,
    Named,
    Turned,
    address_of,
    exact,
    named,
    prepare,
    read_messages,
)
from precis.app.parts import Verbs
from precis.conversation import AS_SET, Address, Loaded, Message, Remembering, memory_id
from precis.engine.forgetting import Receipt
from precis.errors import Conflict, DraftFailed, Forgotten, InvalidInput, NoSlot, NotFound, PrecisError, SourceChanged
from precis.policies.conversations import Limits
from precis.store.conversation_rows import Computed, NewMessage, NewTurn, Persisted, Properties, Sessions
from precis.store.conversations import PostgresConversations
from precis.work import within

#: So often a message may be edited by others while a turn brings it up to date.
_RACES = 10


class Conversations(Verbs):
    """Verbs over the conversations of one tenant."""

    @property
    def _kept(self) -> PostgresConversations:
        return self._store.conversations

    def limits(self) -> Limits:
        """When a conversation is summarized and what stays, by the settings."""
        return limits_of(self._settings)

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
        return await self._kept.load(self._tenant_id, address, at_least=limits.at_least, now=self._now())

    async def check(
        self,
        address: Address,
        messages: Sequence[MessageInput | dict[str, Any]] = (),
        *,
        loaded: Loaded | None = None,
        limits: Limits | None = None,
        sending: Sending = Sending.TURN,
        remembering: Remembering = AS_SET,
    ) -> CheckedTurn:
        """The check step: whether the conversation with these messages wants a summary, and of what. Pure reading.

        A message that is stored already is recognized, as ``sending`` says, and is not new. Raises InvalidInput;
        Conflict for an id that is stored with other content.
        """
        if remembering.extraction == "model" and self._engine.offline:
            message = "extraction: model needs a model; set PRECIS_MODEL, or ask for rules"
            raise InvalidInput(message, field="extraction")
        limits = limits or self.limits()
        loaded = loaded or await self._load(exact(address), limits)
        address = exact(address) if loaded is None else address_of(loaded)
        handed_in = read_messages(messages, latest=self._now())
        wished = remembering.over(loaded.conversation.remembering if loaded else AS_SET)
        recalled, read = self._becomes(wished)
        known = await recognized(self._parts, loaded, address.conversation_id, handed_in, sending, is_read=read)
        inputs, lines = known.inputs, known.lines
        new = await prepare(
            self._engine, [message for message, line in zip(inputs, lines, strict=True) if line is None], address,
            self._tenant_id, recalled=recalled, read=read,
        )  # fmt: skip
        after = arranged(loaded, inputs, lines, new, sending, known.again.earlier)
        spoken = loaded.spoken if loaded else None
        tokens = tokens_of(spoken.statements if spoken else (), self._engine.count)
        verdict = await verdict_on(self._parts, after.open, limits, summary_tokens=tokens)
        return CheckedTurn(
            address=address, loaded=loaded, messages=after.messages, new=tuple(new), removed=after.removed,
            order=after.order, verdict=verdict, hand_over=tuple(stub.id for stub in after.open[: verdict.hand_over]),
            remembering=None if remembering == AS_SET else wished, forgotten=known.forgotten, grown=known.again.grown,
            bound=loaded.conversation.version if loaded and known.is_history else None,
        )  # fmt: skip

    def _becomes(self, wished: Remembering) -> tuple[bool, bool]:
        """Whether messages take part in recall, and are read for facts: what a caller keeps out is not read unasked."""
        settings = self._settings
        recalled = settings.conversations_in_recall if wished.recall is None else wished.recall
        extraction = "off" if wished.recall is False else settings.conversation_extraction
        return recalled, (wished.extraction or extraction) != "off"

    async def summarize(self, checked: CheckedTurn, *, limits: Limits | None = None) -> Computed:
        """The summarize step: computes the extended summary and its title, and writes nothing.

        Raises DraftFailed (and kin) and SourceChanged; TimeoutError past the deadline.
        """
        return await within((limits or self.limits()).deadline, extend(self._parts, checked))

    async def try_summarize(self, checked: CheckedTurn, *, limits: Limits | None = None) -> tuple[Computed | None, str]:
        """The summarize step where one is needed. A failure is told as a reason: the turn goes on with what stands."""
        if not checked.verdict.needed:
            return None, ""
        try:
            return await self.summarize(checked, limits=limits), checked.verdict.reason
        except (TimeoutError, DraftFailed, NoSlot, SourceChanged) as error:
            return None, degraded(checked, error)
        except PrecisError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the messages themselves can be written
            return None, degraded(checked, error)

    async def persist(
        self, checked: CheckedTurn, computed: Computed | None, *, properties: Properties | None = None,
        expected_version: int | None = None, also: Sequence[NewMessage] = (),
    ) -> Persisted:  # fmt: skip
        """The persist step: messages, summary and title in one transaction.

        Without a summary, or where a race has outdated it, the messages that wait for one are noted, and a worker
        makes it. ``also`` are messages that came after the check. Messages that say more by now are edited behind it.
        """
        engine, now = self._engine, self._now()
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
            remembering=checked.remembering,
            facts_due_at=now + timedelta(seconds=self._settings.conversation_extraction_wait),
            expected_version=expected_version,
        )
        written = await self._kept.persist(self._tenant_id, turn, now=now)
        await bring_up_to_date(self._parts, checked.grown)
        return written

    async def turn(
        self,
        conversation: Named,
        messages: Sequence[MessageInput | dict[str, Any]],
        *,
        limits: Limits | None = None,
        properties: Properties | None = None,
        expected_version: int | None = None,
        sending: Sending = Sending.TURN,
        remembering: Remembering = AS_SET,
        **where: str | None,
    ) -> Turned:
        """All steps at once, at the end of a turn: check, summarize within the deadline, persist.

        Messages that are stored already are recognized by their ids, and cost nothing; without ids the whole
        conversation may be handed in again with what is new behind it. What a person forgot is left out and named;
        Forgotten where nothing else is handed in. ``remembering`` says what becomes of messages from this turn on.
        Raises InvalidInput and Conflict, too; a summary that cannot be made is no error.
        """
        address, is_turn = named(conversation, where), sending is Sending.TURN
        if is_turn:
            messages = in_known_roles(messages)
        await self.sweep(exact(address).conversation_id)
        steps = partial(self._turn, address, limits, properties, expected_version, sending, remembering)
        try:
            return await steps(messages)
        except Forgotten as error:
            loaded = await self._load(exact(address), limits or self.limits())
            rest, left_out = living(read_messages(messages, latest=self._now()), loaded, address, error.ids)
            if not (is_turn and rest and left_out):
                raise
        written = await steps(rest)
        return replace(written, forgotten=(*left_out, *written.forgotten))

    async def _turn(
        self, address: Address, limits: Limits | None, properties: Properties | None, expected_version: int | None,
        sending: Sending, remembering: Remembering, messages: Sequence[MessageInput | dict[str, Any]],
    ) -> Turned:  # fmt: skip
        checked = await self.check(address, messages, limits=limits, sending=sending, remembering=remembering)
        for _ in range(_RACES if checked.grown and expected_version is None else 0):
            # First, so that a summary reads the later version; and the check sees what others made of it meanwhile.
            with suppress(Conflict):
                await bring_up_to_date(self._parts, checked.grown)
            checked = await self.check(address, messages, limits=limits, sending=sending, remembering=remembering)
            if not checked.grown:
                break
        if sending is Sending.TRANSCRIPT and checked.changes_nothing:
            return unchanged(checked)
        computed, reason = await self.try_summarize(checked, limits=limits)
        bound = checked.bound if expected_version is None else expected_version
        try:
            written = await self.persist(checked, computed, properties=properties, expected_version=bound)
        except Conflict as error:
            if bound == expected_version or error.ids:
                raise
            return await self._turn(address, limits, properties, None, sending, remembering, messages)
        return turned(checked, written, computed, reason)

    async def context(
        self, conversation: Named, *, token_budget: int | None = None, limits: Limits | None = None,
        **where: str | None,
    ) -> Context:  # fmt: skip
        """The load step, within ``token_budget`` tokens (the window, where none is given). Raises NotFound."""
        if token_budget is not None and token_budget < 1:
            raise InvalidInput(f"token_budget: {token_budget} is not at least 1", field="token_budget")
        limits = limits or self.limits()
        return await self.context_of(await self.load(conversation, limits=limits, **where), limits, token_budget)

    async def context_of(self, loaded: Loaded, limits: Limits, token_budget: int | None = None) -> Context:
        """The context of a conversation that was loaded."""
        return await context_of(self._parts, loaded, limits, token_budget)

    async def messages(
        self, conversation: Named, *, before: int | None = None, limit: int = 50, **where: str | None
    ) -> Sequence[Message]:
        """The originals, covered or not: a page before that place, oldest first. Raises NotFound, InvalidInput."""
        checked_limit(limit)
        loaded = await self.load(conversation, limits=None, **where)
        stubs = await self._kept.stubs(self._tenant_id, loaded.conversation.id, before=before, limit=limit)
        return await self._kept.read(self._tenant_id, [stub.id for stub in stubs])

    async def expand(self, conversation: Named, statement: int | None = None, **where: str | None) -> Sequence[Message]:
        """The messages that the summary, or one statement of it, rests on. Raises NotFound, InvalidInput."""
        loaded = await self.load(conversation, limits=None, **where)
        statements = loaded.spoken.statements if loaded.spoken else ()
        if statement is not None and not 0 <= statement < len(statements):
            raise InvalidInput(f"statement: {statement} is not within 0 to {len(statements) - 1}", field="statement")
        if statement is None:
            ids = await self._kept.message_ids(self._tenant_id, loaded.conversation.id)
            open_ = {message.id for message in loaded.open}
            return await self._kept.read(self._tenant_id, [id_ for id_ in ids if id_ not in open_])
        return await self._kept.read(self._tenant_id, statements[statement].source_ids)

    async def forget_messages(self, conversation: Named, given: Sequence[str], **where: str | None) -> Receipt:
        """Messages by the ids their writer gave; summary and title are corrected at once. Raises NotFound."""
        parts = self._parts
        loaded = await self.load(conversation, limits=None, **where)
        ids = [memory_id(loaded.conversation.id, name) for name in given]
        return await parts.store.memories.forget(parts.tenant_id, ids, now=parts.engine.clock())

    async def forget(self, conversation: Named, **where: str | None) -> Receipt | None:
        """Every message of it, its summary and title, and the conversation itself. Raises NotFound.

        None where it had no messages.
        """
        loaded = await self.load(conversation, limits=None, **where)
        return await self._forget(loaded.conversation.id)

    async def end(self, conversation: Named, **where: str | None) -> None:
        """Remove a conversation that nobody asked to forget: its messages may be written again. Raises NotFound."""
        loaded = await self.load(conversation, limits=None, **where)
        await self._forget(loaded.conversation.id, renewable=True)

    async def _forget(self, conversation_id: str, *, renewable: bool = False) -> Receipt | None:
        ids = await self._kept.message_ids(self._tenant_id, conversation_id)
        forget, now = self._store.memories.forget, self._now()
        receipt = await forget(self._tenant_id, ids, now=now, renewable=renewable) if ids else None
        await self._kept.delete(self._tenant_id, conversation_id)
        return receipt

    async def sweep(self, first: str = "") -> int:
        """End the conversations whose time is over, that of the id ``first`` before others; answers how many."""
        parts = self._parts
        ended = await self._kept.ended(parts.tenant_id, first=first, limit=100, now=parts.engine.clock())
        for conversation_id in ended:
            await self._forget(conversation_id, renewable=True)
        return len(ended)

    async def sessions(
        self, *, user_id: str | None = None, namespace: str | None = None, limit: int = 20, offset: int = 0
    ) -> Sessions:
        """Names of conversations, the latest written first. Raises InvalidInput."""
        if offset < 0:
            raise InvalidInput(f"offset: {offset} is less than 0", field="offset")
        return await self._kept.sessions(
            self._tenant_id, user_id=user_id, namespace=namespace, limit=checked_limit(limit), offset=offset,
            now=self._now(),
        )  # fmt: skip
