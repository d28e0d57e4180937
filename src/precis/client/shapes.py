"""What is sent to precis and what it answers.

Written by `make client`: change the server instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Action: TypeAlias = Literal["make", "nothing", "drop"]
Kind: TypeAlias = Literal["segment", "fold", "prefix", "frozen", "part", "root"]
MemoryType: TypeAlias = Literal["semantic", "episodic", "message"]
Proposal: TypeAlias = Literal["forget", "keep"]
Result: TypeAlias = Literal["committed", "unchanged", "dropped", "empty", "rejected", "discarded", "failed", "busy"]
RetentionState: TypeAlias = Literal["live", "expiring", "expired"]
Section: TypeAlias = Literal["insights", "summaries", "memories"]
SourceClass: TypeAlias = Literal["user", "agent", "imported", "document", "tool"]
Status: TypeAlias = Literal["pending", "running", "success", "failed"]
Tier: TypeAlias = Literal["raw", "cluster", "day", "week", "month", "archive", "view", "conversation"]


class AddressBody(TypedDict):
    """Which conversation, in full: a request that sends all of this means no other."""

    session_id: str
    user_id: str
    namespace: str
    project_id: str
    environment: str


class Begun(TypedDict):
    """Work that takes longer than this request."""

    task_id: str
    status: Status
    done: int
    total: int
    what: str | None


class CheckInput(TypedDict):
    """A summary and what it claims to rest on."""

    summary: str
    sources: Sequence[str | Mapping[str, Any]] | Sequence[Mapping[str, Any]]


class CheckedBody(TypedDict):
    """A summary after the checks."""

    score: float
    statements: list[CheckedStatementBody]


class CheckedStatementBody(TypedDict):
    """What the checks found about one sentence of the summary."""

    text: str
    score: float
    reasons: list[str]


class Receipt(TypedDict):
    """What a forget did."""

    id: str
    at: str
    forgotten: list[str]
    not_found: list[str]
    summaries: list[TouchedSummary]
    statements_removed: int
    segments_removed: int
    refreshes_queued: list[str]
    key_destroyed: bool
    external: list[External]
    number: int | None
    previous: str | None
    signature: str | None


class Confirmed(Receipt):
    """The receipt of a request in words: of what it forgot whole, or of the first memory that lost a part."""

    also: list[str]
    edited: list[str]
    changed: list[str]
    gone: int
    doubtful: list[str]


class ContextAnswer(TypedDict):
    """A context that fits its budget."""

    text: str
    tokens: int
    token_budget: int
    lines: list[LineBody]
    left_out: dict[str, int]
    already_said: int
    unsure: bool
    unknown: UnknownBody | None


class GroupFilter(TypedDict):
    """Which groups or summaries; what is not given is not filtered by."""

    user_id: NotRequired[str | None]
    project_id: NotRequired[str | None]
    environment: NotRequired[str | None]
    extracted_type: NotRequired[str | None]


class RowFilter(GroupFilter):
    """Which rows."""

    namespace: NotRequired[Sequence[str] | str | None]
    session_id: NotRequired[str | None]
    agent_id: NotRequired[str | None]
    run_id: NotRequired[str | None]
    memory_type: NotRequired[MemoryType | None]
    min_trust: NotRequired[SourceClass | None]
    as_of: NotRequired[str | datetime | None]


class ContextQuestion(RowFilter):
    """What the context is for, and where from."""

    query: str
    token_budget: NotRequired[int]
    quotas: NotRequired[QuotasBody]
    min_relevance: NotRequired[float | None]


class ConversationContext(TypedDict):
    """What a model is to be given."""

    conversation_id: str
    session_id: str
    user_id: str
    version: int
    title: str | None
    summary_id: str | None
    summary: str
    statements: list[StatementBody]
    messages: list[MessageBody]
    tokens: int
    total: int
    covered: int
    set_aside: int
    counts: CountsBody
    messages_left: int
    statements_left: int
    degraded: bool
    stale: bool


class ConversationList(TypedDict):
    """Conversations, the latest written first."""

    conversations: list[str]
    addresses: list[AddressBody]
    total: int


class ConversationsForgetQuery(TypedDict):
    """The query of conversations_forget."""

    user_id: NotRequired[str | None]
    namespace: NotRequired[str | None]
    project_id: NotRequired[str | None]
    environment: NotRequired[str | None]


class ConversationsContextQuery(ConversationsForgetQuery):
    """The query of conversations_context."""

    token_budget: NotRequired[int | None]


class ConversationsListQuery(TypedDict):
    """The query of conversations_list."""

    user_id: NotRequired[str | None]
    namespace: NotRequired[str | None]
    limit: NotRequired[int]
    offset: NotRequired[int]


class ConversationsMessagesQuery(ConversationsForgetQuery):
    """The query of conversations_messages."""

    before: NotRequired[int | None]
    limit: NotRequired[int]


class CountsBody(TypedDict):
    """What became of the sources of a summary: represented, set aside and left out add up to the total."""

    total: int
    read: int
    represented: int
    set_aside: dict[str, int]
    left_out: int
    capped: int


class Doubtful(TypedDict):
    """A memory that may be meant, and so is not replaced: its id says that it is."""

    id: str
    text: str | None


class EditAnswer(TypedDict):
    """The memory as it is now, and what left with its old text."""

    memory: MemoryBody
    receipt: Receipt


class Estimate(TypedDict):
    """Calls and tokens of a plan, and US dollars; offline the calls are drafts that cost nothing."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float


class External(TypedDict):
    """A place precis cannot or did not yet reach."""

    where: str
    state: Literal["pending", "confirmed", "out of reach"]


class FactsPlan(TypedDict):
    """What reading the waiting messages would take at most."""

    conversations: int
    messages: int
    calls: int
    tokens_in: int


class ForgetRequest(GroupFilter):
    """What to forget: memories by their ids, what a request in words means, or what a preview showed."""

    ids: NotRequired[Sequence[str] | None]
    what: NotRequired[str | None]
    preview_id: NotRequired[str | None]
    confirm: NotRequired[bool]
    include_doubtful: NotRequired[bool]
    most_doubtful: NotRequired[int]
    also: NotRequired[Sequence[str]]
    keep: NotRequired[Sequence[str]]
    namespace: NotRequired[str | None]
    session_id: NotRequired[str | None]
    agent_id: NotRequired[str | None]
    run_id: NotRequired[str | None]
    memory_type: NotRequired[MemoryType | None]
    since: NotRequired[str | datetime | None]
    until: NotRequired[str | datetime | None]


class HistoryAnswer(TypedDict):
    """The last refreshes of a summary, the newest first."""

    summary_id: str
    refreshes: list[RefreshedBody]


class Leaving(TypedDict):
    """What leaves a summary with the memories that go; more may leave that holds words of theirs alone."""

    summary_id: str
    statements: list[Statement]


class LineBody(TypedDict):
    """One line of the context and where it is from."""

    number: int
    section: Section
    tier: Tier
    id: str
    date: str
    text: str
    excerpt: bool
    subject: str | None
    source_ids: list[str]
    source_class: SourceClass
    score: float


class Looked(TypedDict):
    """One place that was searched."""

    where: str
    read: int
    hits: int
    places: list[str]
    note: str


class Meant(TypedDict):
    """A memory that goes, may go, or is near."""

    id: str
    text: str
    created_at: str
    why: str
    how_sure: Literal["sure", "doubtful", "near"]
    keeps: str | None
    shared: bool
    proposed: Proposal | None
    lifted: bool
    event_date: str | None
    chance: float | None


class MemoriesListQuery(RowFilter):
    """The query of memories_list."""

    is_summary: NotRequired[bool | None]
    limit: NotRequired[int]
    cursor: NotRequired[str | None]


class RowBody(TypedDict):
    """What memories and summaries tell alike; the id comes first."""

    id: str
    user_id: str
    project_id: str
    environment: str
    extracted_type: str | None
    extracted_key: str | None
    importance: float
    created_at: str
    updated_at: str
    tier: Tier
    source_class: SourceClass
    embedding_version: str | None
    parent_id: list[str]
    summarized_memory_ids: list[str] | None
    summarized_until: str | None


class MemoryBody(RowBody):
    """A memory."""

    namespace: str | None
    session_id: str | None
    agent_id: str | None
    run_id: str | None
    memory_type: MemoryType
    text: str | None
    event_date: str | None
    metadata: dict[str, Any]
    topics: list[str]
    entities: list[str]
    retention_state: RetentionState
    is_summary: bool
    pinned: bool
    supersedes: list[str]
    superseded_by: list[str]
    superseded_at: str | None
    access_count: int
    last_accessed: str | None


class MemoryChange(TypedDict):
    """What an edit may replace; a field that is not given stays."""

    text: NotRequired[str | None]
    namespace: NotRequired[str | None]
    session_id: NotRequired[str | None]
    memory_type: NotRequired[MemoryType | None]
    type: NotRequired[str | None]
    key: NotRequired[str | None]
    importance: NotRequired[float | None]
    event_date: NotRequired[str | datetime | None]
    pinned: NotRequired[bool | None]
    topics: NotRequired[Sequence[str] | None]
    entities: NotRequired[Sequence[str] | None]
    metadata: NotRequired[Mapping[str, Any] | None]
    supersedes: NotRequired[Sequence[str] | str | None]
    source_class: NotRequired[SourceClass | None]
    confirm: NotRequired[bool | None]


class MemoryInput(TypedDict):
    """One memory as a caller writes it."""

    text: str
    user_id: str
    id: NotRequired[str | None]
    project_id: NotRequired[str]
    environment: NotRequired[str]
    namespace: NotRequired[str | None]
    session_id: NotRequired[str | None]
    agent_id: NotRequired[str | None]
    run_id: NotRequired[str | None]
    memory_type: NotRequired[MemoryType]
    type: NotRequired[str | None]
    key: NotRequired[str | None]
    importance: NotRequired[float | None]
    created_at: NotRequired[str | None]
    event_date: NotRequired[str | None]
    pinned: NotRequired[bool]
    topics: NotRequired[list[str]]
    entities: NotRequired[list[str]]
    metadata: NotRequired[dict[str, Any]]
    revive: NotRequired[bool]
    supersedes: NotRequired[list[str] | str | None]
    source_class: NotRequired[SourceClass | None]
    confirm: NotRequired[bool]


class MemoryPage(TypedDict):
    """Some memories, newest first."""

    memories: list[MemoryBody]
    next_cursor: str | None


class MessageBody(TypedDict):
    """A message."""

    id: str
    memory_id: str
    seq: int
    created_at: str
    tokens: int
    message: dict[str, Any]
    shortened: bool


class MessageInput(TypedDict):
    """One message as a caller writes it."""

    role: str
    content: NotRequired[str | list[dict[str, Any]] | None]
    id: NotRequired[str | None]
    name: NotRequired[str | None]
    created_at: NotRequired[str | None]
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str | None]
    opens: NotRequired[list[str]]
    closes: NotRequired[list[str]]
    payload: NotRequired[dict[str, Any] | None]
    is_read: NotRequired[bool]
    is_recalled: NotRequired[bool]


class MessageList(TypedDict):
    """Messages, oldest first."""

    messages: list[MessageBody]


class NewTurn(TypedDict):
    """One turn: what was said since the last one."""

    user_id: str
    namespace: NotRequired[str | None]
    project_id: NotRequired[str]
    environment: NotRequired[str]
    messages: Sequence[MessageInput]
    recall: NotRequired[bool | None]
    extraction: NotRequired[Literal["off", "rules", "model"] | None]
    strategy: NotRequired[Literal["discrete", "summary", "preferences", "custom"] | None]
    prompt: NotRequired[str | None]


class Outcome(TypedDict):
    """What one refresh did."""

    group_id: str
    result: Result
    reason: str
    summary_id: str | None
    usage: Usage
    nodes_made: int


class PlanAnswer(TypedDict):
    """Plans of a scope, longest waiting first."""

    plans: list[PlanBody]
    facts: FactsPlan


class PlanBody(TypedDict):
    """What refreshing one group would do and take."""

    group_id: str
    policy: str
    action: Action
    reason: str
    rejected: bool
    summary_id: str | None
    steps: list[StepBody]
    estimate: Estimate


class Preview(TypedDict):
    """What a request in words would forget."""

    preview_id: str
    expires_at: str
    user_id: str
    understood: Understood
    forget: list[Meant]
    doubtful: list[Meant]
    near: list[Meant]
    summaries: list[Leaving]
    more_doubtful: int


class Proof(TypedDict):
    """What a search found."""

    words: int
    found: bool
    hits: int
    looked: list[Looked]


class PublicKey(TypedDict):
    """What verifies the receipts of a tenant."""

    public_key: str
    fingerprint: str


class Question(RowFilter):
    """What to recall, and where from."""

    query: str
    limit: NotRequired[int]
    min_relevance: NotRequired[float]
    expand: NotRequired[bool]
    fold: NotRequired[bool]
    summaries: NotRequired[Literal["with", "only", "without"] | None]
    include_summaries: NotRequired[bool | None]


class QuotasBody(TypedDict):
    """The largest shares of the budget; what one part does not use is left to the next."""

    insights: NotRequired[float]
    summaries: NotRequired[float]
    memories: NotRequired[float]
    tiers: NotRequired[dict[str, float]]


class RecallAnswer(TypedDict):
    """The best rows, best first."""

    results: list[RecalledBody]
    unsure: bool
    unknown: UnknownBody | None


class RecalledBody(TypedDict):
    """One row of an answer."""

    memory: MemoryBody
    dated_text: str | None
    score: float
    parts: ScoreParts
    relevance: float
    source_ids: list[str]
    sources: list[MemoryBody] | None
    folded: list[RecalledBody]


class ReceiptPage(TypedDict):
    """Some receipts, the latest first, as they were signed."""

    receipts: list[dict[str, Any]]
    next_cursor: str | None
    head: dict[str, Any]


class ReceiptsListQuery(TypedDict):
    """The query of receipts_list."""

    memory_id: NotRequired[str | None]
    user_id: NotRequired[str | None]
    limit: NotRequired[int]
    cursor: NotRequired[str | None]


class RefreshedBody(TypedDict):
    """One refresh of a summary."""

    number: int
    refreshed_at: str
    reason: str
    made_by: str
    fallback: bool
    came: list[str]
    went: list[str]
    added: list[StatementBody]
    dropped: list[StatementBody]
    counts: CountsBody
    calls: int
    tokens: int
    cost: float


class ScoreParts(TypedDict):
    """What a score is the sum of; a part is 0 where it does not apply."""

    keyword: float
    vector: float
    stretch: float
    shortness: float
    speaker: float
    named: float
    date: float
    summary: float
    newest: float
    importance: float
    recency: float
    preference: float
    telling: float


class SignedReceipt(TypedDict):
    """One receipt, and the one that completes it once a pool has confirmed."""

    receipt: dict[str, Any]
    completed_by: dict[str, Any] | None
    public_key: str


class SourceList(TypedDict):
    """The source rows of a summary, and what became of all that it rests on."""

    memories: list[MemoryBody]
    counts: CountsBody


class StatementBody(TypedDict):
    """One claim of a summary and the memories it rests on."""

    text: str
    importance: float
    source_ids: list[str]
    source_class: SourceClass


class Statement(StatementBody):
    """One sentence-sized claim of a summary."""

    superseded_by: int | None


class StepBody(TypedDict):
    """One node that a refresh would make."""

    kind: Kind
    sources: list[str]
    reason: str


class SummariesListQuery(GroupFilter):
    """The query of summaries_list."""

    policy: NotRequired[Literal["archive", "clusters", "conversations", "day", "month", "views", "week"] | None]
    min_trust: NotRequired[SourceClass | None]
    as_of: NotRequired[str | datetime | None]
    limit: NotRequired[int]
    cursor: NotRequired[str | None]


class SummariesPlanQuery(GroupFilter):
    """The query of summaries_plan."""

    policy: NotRequired[Literal["archive", "clusters", "conversations", "day", "month", "views", "week"] | None]
    all: NotRequired[bool]
    limit: NotRequired[int]


class SummarizeInput(TypedDict):
    """What is to be summarized, and how long the summary may be."""

    texts: Sequence[str | Mapping[str, Any]] | Sequence[Mapping[str, Any]]
    max_words: NotRequired[int | None]
    max_tokens: NotRequired[int | None]
    prompt: NotRequired[str | None]
    model: NotRequired[str | None]


class SummarizedBody(TypedDict):
    """A checked summary of texts that are not stored."""

    text: str
    statements: list[SummarizedStatementBody]
    quality: float
    made_by: str
    included: int
    total: int
    counts: CountsBody


class SummarizedStatementBody(TypedDict):
    """One claim of a summary."""

    text: str
    importance: float
    sources: list[int]


class SummaryBody(RowBody):
    """A summary with its statements."""

    policy: str
    group_id: str
    title: str | None
    text: str
    leaf_source_ids: list[str]
    statements: list[StatementBody]
    quality: float
    made_by: str
    fallback: bool
    stale: bool
    rejected: bool
    counts: CountsBody
    included: int
    total: int


class SummaryPage(TypedDict):
    """Some summaries, the newest refresh first."""

    summaries: list[SummaryBody]
    next_cursor: str | None


class TaskBody(TypedDict):
    """A request to run a view, or to summarize for longer than a request should take."""

    id: str
    type: str
    status: Status
    view_id: str | None
    created_at: str
    started_at: str | None
    completed_at: str | None
    error_message: str | None
    run_id: str
    done: int
    total: int
    what: str | None
    result: dict[str, Any] | None
    ungrouped_count: int | None


class TouchedSummary(TypedDict):
    """A summary that said something resting on what was forgotten, or might have."""

    id: str
    state: Literal["redacted", "deleted"]
    statements_removed: int


class TurnAnswer(TypedDict):
    """What a turn did."""

    conversation_id: str
    version: int
    messages: list[MessageBody]
    forgotten: list[str]
    summarized: bool
    summary_id: str | None
    title: str | None
    degraded: bool
    reason: str


class Understood(TypedDict):
    """How the request was read."""

    language: str
    about: list[str]
    but: list[str]
    not_found: list[str]
    first_day: str | None
    last_day: str | None


class UnknownBody(TypedDict):
    """What an answer as of a moment cannot know."""

    as_of: str
    expired: int
    summaries: int


class Usage(Estimate):
    """What a draft took."""

    tokens_cached: int


class WriteAnswer(TypedDict):
    """What a write did."""

    memories: list[WrittenBody]
    summaries: list[str]
    waiting: list[str]


class WrittenBody(TypedDict):
    """What became of one memory of a write."""

    id: str
    created: bool
    group_id: str | None
    supersedes: list[str]
    superseded_by: list[str]
    doubtful: list[Doubtful]
