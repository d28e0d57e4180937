"""The resource /v1/conversations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from precis.app.contexts import Context, Turned
from precis.app.inputs import AnyId, Label, Word
from precis.app.messages import MessageInput, restored
from precis.engine.conversation import Address, Message
from precis.engine.forgetting import Receipt
from precis.rest.answers import CountsBody, StatementBody
from precis.rest.auth import Tenant
from precis.rest.bodies import NO_QUERY
from precis.rest.strict import StrictRoute

router = APIRouter(prefix="/v1/conversations", tags=["conversations"], route_class=StrictRoute)
_Environment = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class _Named(BaseModel):
    """Whose conversation, where its name alone does not say it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: AnyId | None = None
    namespace: Label | None = None
    project_id: Word | None = None
    environment: _Environment | None = None

    def address(self, session_id: str) -> Address:
        """As far as it is told."""
        return Address(
            session_id=session_id, user_id=self.user_id, namespace=self.namespace, project_id=self.project_id,
            environment=self.environment,
        )  # fmt: skip


class ContextQuery(_Named):
    """How much of it."""

    token_budget: Annotated[int, Field(ge=1, le=10_000_000)] | None = None


class MessagesQuery(_Named):
    """A page of its messages."""

    before: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="seq of the first message of the page before"
    )
    limit: Annotated[int, Field(ge=1, le=1000)] = 50


class ListQuery(BaseModel):
    """A page of conversations."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: AnyId | None = None
    namespace: Label | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class NewTurn(BaseModel):
    """One turn: what was said since the last one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: AnyId
    messages: Annotated[list[MessageInput], Field(min_length=1, max_length=1000)]
    namespace: Label | None = None
    project_id: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")] = ""
    environment: _Environment = "production"


class MessageBody(BaseModel):
    """A message."""

    id: str
    memory_id: str = Field(description="of the memory that it is; statements name it as their source")
    seq: int = Field(description="its place, from 1; 0 of a message that was just written")
    created_at: datetime
    tokens: int
    message: dict[str, Any] = Field(description="role, content, and what it was handed in with")
    shortened: bool = Field(description="only a part of the text fitted the budget")

    @classmethod
    def of(cls, one: Message) -> Self:
        """The body for a message."""
        return cls(
            id=one.given, memory_id=one.id, seq=one.seq, created_at=one.created_at, tokens=one.tokens,
            message=restored(one), shortened=one.shortened,
        )  # fmt: skip


class TurnAnswer(BaseModel):
    """What a turn did."""

    conversation_id: str
    version: int
    messages: list[MessageBody]
    summarized: bool = Field(description="the summary was extended, in the transaction that wrote the messages")
    summary_id: str | None
    title: str | None
    degraded: bool = Field(description="a summary was needed and not made in time: what stood stays, a worker makes it")
    reason: str

    @classmethod
    def of(cls, turned: Turned) -> Self:
        """The body for it."""
        fields = {name: getattr(turned, name) for name in cls.model_fields if name != "messages"}
        return cls(messages=[MessageBody.of(one) for one in turned.messages], **fields)


class ContextAnswer(BaseModel):
    """What a model is to be given."""

    conversation_id: str
    session_id: str
    user_id: str
    version: int
    title: str | None
    summary_id: str | None
    summary: str
    statements: list[StatementBody]
    messages: list[MessageBody] = Field(description="oldest first")
    tokens: int = Field(description="of summary and messages")
    total: int = Field(description="messages of the conversation")
    covered: int = Field(description="of them, those the summary speaks for")
    set_aside: int = Field(description="of those, the ones no statement rests on")
    counts: CountsBody = Field(description="what became of what the summary has read")
    messages_left: int = Field(description="messages that are in neither summary nor list")
    statements_left: int = Field(description="statements that did not fit")
    degraded: bool = Field(description="a summary is overdue, or messages had to be left out")
    stale: bool = Field(description="a source of the summary changed since; what it says rests on living ones")

    @classmethod
    def of(cls, context: Context) -> Self:
        """The body for it."""
        own = ("statements", "messages", "counts")
        fields = {name: getattr(context, name) for name in cls.model_fields if name not in own}
        return cls(
            statements=[
                StatementBody(text=one.text, importance=one.importance, source_ids=one.source_ids)
                for one in context.statements
            ],
            messages=[MessageBody.of(one) for one in context.messages],
            counts=CountsBody.of(context.counts),
            **fields,
        )


class MessageList(BaseModel):
    """Messages, oldest first."""

    messages: list[MessageBody]


class ConversationList(BaseModel):
    """Names, the latest written first."""

    conversations: tuple[str, ...]
    total: int


@router.get("")
async def page(app: Tenant, query: Annotated[ListQuery, Query()]) -> ConversationList:
    """List conversations by name."""
    found = await app.conversations.sessions(
        user_id=query.user_id, namespace=query.namespace, limit=query.limit, offset=query.offset
    )
    return ConversationList(conversations=found.names, total=found.total)


@router.post("/{session_id:anything}/turns", status_code=201, dependencies=NO_QUERY)
async def turn(app: Tenant, session_id: AnyId, body: NewTurn) -> TurnAnswer:
    """Write a turn: check, summarize within the deadline where it is due, and write all of it in one transaction.

    Send ids with the messages and the call may be repeated. 409 for an id that is there with other content.
    """
    address = Address(
        session_id=session_id, user_id=body.user_id, namespace=body.namespace, project_id=body.project_id,
        environment=body.environment,
    )  # fmt: skip
    return TurnAnswer.of(await app.conversations.turn(address, body.messages))


@router.get("/{session_id:anything}/context")
async def context(app: Tenant, session_id: AnyId, query: Annotated[ContextQuery, Query()]) -> ContextAnswer:
    """Read the summary and the messages it does not speak for, within a budget of tokens."""
    found = await app.conversations.context(query.address(session_id), token_budget=query.token_budget)
    return ContextAnswer.of(found)


@router.get("/{session_id:anything}/messages")
async def messages(app: Tenant, session_id: AnyId, query: Annotated[MessagesQuery, Query()]) -> MessageList:
    """Read the original messages, covered by the summary or not: the latest page, or the one before ``before``."""
    found = await app.conversations.messages(query.address(session_id), before=query.before, limit=query.limit)
    return MessageList(messages=[MessageBody.of(one) for one in found])


@router.delete("/{session_id:anything}")
async def forget(app: Tenant, session_id: AnyId, query: Annotated[_Named, Query()]) -> Receipt | None:
    """Forget a conversation: every message, the summary and the title. Null where it had no messages."""
    return await app.conversations.forget(query.address(session_id))
