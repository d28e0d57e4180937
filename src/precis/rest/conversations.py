"""The resource /v1/conversations."""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, model_validator

from precis.app.messages import Context, MessageInput, Turned, restored
from precis.conversation import Address, Extraction, Message, Remembering, Strategy
from precis.engine.forgetting import Receipt
from precis.mcp.wording import Calling, own_calls
from precis.rest import answers, auth, summary_answers
from precis.store.conversation_rows import Sessions
from precis.typed import AnyId, Label, Plain, Storable, StrictBody, Word

router = auth.keyed_router("/v1/conversations", tag="conversations")
#: Null where there is none, as a query leaves it out.
_Environment = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]


class _Named(StrictBody):
    """Whose conversation, where its name alone does not say it."""

    user_id: AnyId | None = None
    namespace: Label | None = None
    project_id: Word | None = None
    environment: _Environment | None = None

    def address(self, session_id: str) -> Address:
        """Of the conversation; what was not sent stays open."""
        return Address(session_id=session_id, **{name: getattr(self, name) for name in _Named.model_fields})


#: What is not sent is any.
_OrNone = Annotated[Storable, Field(max_length=512, description="empty: one that has none")]


class _Sought(_Named):
    """The same of one that is there."""

    namespace: _OrNone | None = None
    project_id: _OrNone | None = None


class _Read(_Sought):
    """The same of one that is read: what goes is not nobody's by an oversight."""

    user_id: _OrNone | None = None


class ContextQuery(_Read):
    """How long the context may be."""

    token_budget: Annotated[int, Field(ge=1, le=10_000_000)] | None = None


class MessagesQuery(_Read):
    """A page of its messages."""

    before: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="seq of the first message of the page before"
    )
    limit: Annotated[int, Field(ge=1, le=1000)] = 50


class ListQuery(StrictBody):
    """A page of conversations."""

    user_id: AnyId | None = None
    namespace: Label | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 50
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class NewTurn(_Named):
    """One turn: what was said since the last one."""

    user_id: AnyId
    messages: Annotated[list[MessageInput], Field(min_length=1, max_length=1000)]
    project_id: Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")] = ""
    environment: _Environment = "production"
    recall: bool | None = Field(
        default=None, description="whether messages from this turn on take part in recall; as the settings have it"
    )
    extraction: Extraction | None = Field(
        default=None, description="who finds facts in messages from this turn on; as the settings have it"
    )
    strategy: Strategy | None = Field(default=None, description="which facts; discrete where nobody says")
    prompt: Annotated[Plain, Field(min_length=1, max_length=8000)] | None = Field(
        default=None, description="what the strategy custom asks the model"
    )

    def remembering(self) -> Remembering:
        """What it says of recall and of facts."""
        return Remembering(**{name.name: getattr(self, name.name) for name in fields(Remembering)})


def _recalled(messages: Sequence[MessageInput]) -> list[MessageInput]:
    """The messages as they are written: no recall answers what a memory tool of precis was asked, or showed."""
    own = own_calls([
        Calling(asks=row.called, answers={row.tool_call_id: row.content} if row.tool_call_id else {})
        for row in messages
    ])  # fmt: skip
    return [
        row.model_copy(update={"is_recalled": False})
        if ids and ids.issuperset({*row.opened, *row.closed}) and (row.closed or not row.content.strip())
        else row
        for row, ids in zip(messages, own, strict=True)
    ]


class MessageBody(answers.Answer):
    """A message."""

    id: str
    memory_id: str = Field(description="of the memory that it is; statements name it as their source")
    seq: int = Field(description="its place in the conversation, from 1")
    created_at: datetime
    tokens: int
    message: dict[str, Any] = Field(description="role, content, and what it was handed in with")
    shortened: bool = Field(description="only a part of the text fitted the budget")

    @model_validator(mode="before")
    @classmethod
    def _of(cls, value: Any) -> Any:
        if not isinstance(value, Message):
            return value
        return {
            "id": value.given, "memory_id": value.id, "seq": value.seq, "created_at": value.created_at,
            "tokens": value.tokens, "message": restored(value), "shortened": value.shortened,
        }  # fmt: skip


class TurnAnswer(answers.Answer):
    """What a turn did."""

    conversation_id: str
    version: int
    messages: list[MessageBody]
    forgotten: list[str] = Field(
        description="ids of messages that hold what a person has forgotten or edited away, messages.N without one: "
        "they were left out"
    )
    summarized: bool = Field(description="the summary was extended, in the transaction that wrote the messages")
    summary_id: str | None
    title: str | None
    degraded: bool = Field(description="a summary was needed and not made in time: what stood stays, a worker makes it")
    reason: str


class ConversationContext(answers.Answer):
    """What a model is to be given."""

    conversation_id: str
    session_id: str
    user_id: str
    version: int
    title: str | None
    summary_id: str | None
    summary: str
    statements: list[summary_answers.StatementBody]
    messages: list[MessageBody] = Field(description="oldest first")
    tokens: int = Field(description="of summary and messages")
    total: int = Field(description="messages of the conversation")
    covered: int = Field(description="of them, those the summary speaks for")
    set_aside: int = Field(description="of those, the ones no statement rests on")
    counts: summary_answers.CountsBody = Field(description="what became of what the summary has read")
    messages_left: int = Field(description="messages that are in neither summary nor list")
    statements_left: int = Field(description="statements that did not fit")
    degraded: bool = Field(description="a summary is overdue, or messages had to be left out")
    stale: bool = Field(description="a source of the summary changed since; what it says rests on living ones")


class MessageList(answers.Answer):
    """Messages, oldest first."""

    messages: list[MessageBody]


class AddressBody(answers.Answer):
    """Which conversation, in full: a request that sends all of this means no other. Empty is none."""

    session_id: str
    user_id: str
    namespace: str
    project_id: str
    environment: str


class ConversationList(answers.Answer):
    """Conversations, the latest written first."""

    conversations: tuple[str, ...] = Field(validation_alias="names", description="their names; several may share one")
    addresses: list[AddressBody] = Field(description="the same in full, in the same order")
    total: int


@router.get("", response_model=ConversationList)
async def page(app: auth.Tenant, query: Annotated[ListQuery, Query()]) -> Sessions:
    """List conversations by name, and in full: a name that several share is a 409 for the routes that read one."""
    return await app.conversations.sessions(
        user_id=query.user_id, namespace=query.namespace, limit=query.limit, offset=query.offset
    )


@router.post("/{session_id:anything}/turns", status_code=201, response_model=TurnAnswer)
async def turn(app: auth.Tenant, session_id: AnyId, body: NewTurn) -> Turned:
    """Write a turn: check, summarize within the deadline where it is due, and write all of it in one transaction.

    Send ids with the messages and the call may be repeated; the later version of a message counts. 409 for an id that
    is there with other content, 410 where no message is sent but those that a person has forgotten; beside others these
    are left out and named.
    """
    messages = _recalled(body.messages)
    return await app.conversations.turn(body.address(session_id), messages, remembering=body.remembering())


@router.get("/{session_id:anything}/context", response_model=ConversationContext)
async def context(app: auth.Tenant, session_id: AnyId, query: Annotated[ContextQuery, Query()]) -> Context:
    """Read the summary and the messages it does not speak for, within a budget of tokens."""
    return await app.conversations.context(query.address(session_id), token_budget=query.token_budget)


@router.get("/{session_id:anything}/messages")
async def messages(app: auth.Tenant, session_id: AnyId, query: Annotated[MessagesQuery, Query()]) -> MessageList:
    """Read the original messages, covered by the summary or not: the latest page, or the one before ``before``."""
    rows = await app.conversations.messages(query.address(session_id), before=query.before, limit=query.limit)
    return MessageList(messages=[MessageBody.of(message) for message in rows])


@router.delete("/{session_id:anything}")
async def forget(app: auth.Tenant, session_id: AnyId, query: Annotated[_Sought, Query()]) -> Receipt | None:
    """Forget a conversation: every message, the summary and the title. Null where it had no messages."""
    return await app.conversations.forget(query.address(session_id))
