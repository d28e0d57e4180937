"""How the model server misbehaves when told to: each kind of failure a real endpoint has shown."""

import random
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from precis.testing.model_answers import FACT_ID, Shown, Statement, lie, obey


class Kind(StrEnum):
    """What to do instead of, or to, the honest answer."""

    #: Ways to answer; each stays until another is chosen or the server is reset.
    EXTRACTIVE = "extractive"
    SCRIPTED = "scripted"
    ECHO = "echo"
    #: Answer with an HTTP status: ``status``, and ``retry_after`` seconds if given.
    STATUS = "status"
    #: Wait ``seconds``, then answer.
    STALL = "stall"
    #: Close the connection in the middle of the answer.
    DROP = "drop"
    #: Answer with status 200 and a page that is not JSON at all, as a proxy does.
    GARBAGE = "garbage"
    #: Stop in the middle of the JSON with finish_reason ``length``.
    TRUNCATED = "truncated"
    #: Answer in prose.
    NOT_JSON = "not_json"
    #: Refuse through ``message.refusal``.
    REFUSAL = "refusal"
    #: Refuse in the content, as plain text.
    REFUSAL_TEXT = "refusal_text"
    #: Apologize in a well-formed statement.
    APOLOGY = "apology"
    #: No content.
    EMPTY = "empty"
    #: Well-formed JSON without a statement.
    NO_STATEMENTS = "no_statements"
    #: Open with "Here is the summary:" in a well-formed statement.
    PREAMBLE = "preamble"
    #: Answer in ``language``: fr or ru.
    WRONG_LANGUAGE = "wrong_language"
    #: Cite an index that does not exist.
    BAD_CITATION = "bad_citation"
    #: Swap a name or a number.
    LIE = "lie"
    #: Do what an item orders.
    OBEY_INJECTION = "obey_injection"
    #: Refuse response_format json_schema with ``status``.
    NO_JSON_SCHEMA = "no_json_schema"
    #: Refuse tools with ``status``.
    NO_TOOLS = "no_tools"
    #: Take no notice of tools and answer in the content.
    IGNORE_TOOLS = "ignore_tools"
    #: Refuse max_tokens as the newest models do: max_completion_tokens is wanted.
    NO_MAX_TOKENS = "no_max_tokens"
    #: Leave ``usage`` out of the answer.
    NO_USAGE = "no_usage"


WAYS = frozenset({Kind.EXTRACTIVE, Kind.SCRIPTED, Kind.ECHO})
REFUSAL = "I'm sorry, but I can't help with that."
_FOREIGN = {
    "fr": "La personne est contente parce que les choses sont dans la maison avec une amie et elle le dit.",
    "ru": "Она сказала, что всё в порядке и что они поедут летом в горы.",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Behavior:
    """One instruction to the server."""

    kind: Kind
    #: Only the next so many calls; None is until reset.
    times: int | None = None
    #: Only this share of the calls, drawn from a seeded sequence.
    share: float = 1.0
    endpoint: Literal["chat", "embeddings"] = "chat"
    #: Only calls to this model.
    model: str | None = None
    status: int = 500
    #: Seconds, sent as the Retry-After header.
    retry_after: float | None = None
    #: Length of a stall.
    seconds: float = 0.0
    language: Literal["fr", "ru"] = "fr"
    #: Scripted: a str is sent as it stands, a list becomes the statements, labels or rulings; then extractive again.
    answers: tuple[str | list[Statement], ...] = ()
    #: Obey: words of items that give an order no pattern knows, each with what is said then.
    orders: tuple[tuple[str, str], ...] = ()
    #: Obey: say the honest statements too.
    beside: bool = False
    #: Echo: what a fact id looks like.
    pattern: str = FACT_ID
    #: Extractive: tokens of the answer's text; None follows the prompt.
    length: int | None = None
    #: Extractive: the length varies by this share up and down, from a seeded sequence.
    spread: float = 0.0
    #: Share of the input reported as cached.
    cached_share: float = 0.0


class Script:
    """Which behavior applies to which call."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.reset()

    def reset(self) -> None:
        """Back to honest answers, and the random sequence to its start."""
        self._random = random.Random(self._seed)
        self._pending: list[Behavior] = []
        self.way = Behavior(kind=Kind.EXTRACTIVE)
        self._answers: deque[str | list[Statement]] = deque()

    def add(self, behavior: Behavior) -> None:
        """Take one more instruction; a way to answer replaces the one before."""
        if behavior.kind in WAYS:
            self.way = behavior
            self._answers = deque(behavior.answers)
        else:
            self._pending.append(behavior)

    def take(self, endpoint: str, body: dict[str, Any]) -> list[Behavior]:
        """The behaviors of this call: every lasting one that applies, and the first of the counted ones."""
        taken: list[Behavior] = []
        for position, behavior in enumerate(self._pending):
            counted = any(b.times is not None for b in taken) and behavior.times is not None
            elsewhere = behavior.endpoint != endpoint or behavior.model not in {None, body.get("model")}
            if counted or elsewhere or not concerns(behavior.kind, body):
                continue
            if behavior.share >= 1.0 or self._random.random() < behavior.share:
                taken.append(behavior)
                if behavior.times is not None:
                    self._pending[position] = replace(behavior, times=behavior.times - 1)
        self._pending = [b for b in self._pending if b.times is None or b.times > 0]
        return taken

    def next_scripted(self) -> str | list[Statement] | None:
        """The next scripted answer, None when there is none left."""
        return self._answers.popleft() if self._answers else None

    def length(self, stated: int) -> int:
        """How long this extractive answer may be, in tokens."""
        tokens = self.way.length or stated
        vary = self.way.spread * self._random.uniform(-1.0, 1.0) if self.way.spread else 0.0
        return max(1, round(tokens * (1.0 + vary)))


def concerns(kind: Kind, body: dict[str, Any]) -> bool:
    """Whether a behavior has anything to say about this request."""
    schema = (body.get("response_format") or {}).get("type") == "json_schema"
    concerned = {
        Kind.NO_JSON_SCHEMA: schema,
        Kind.NO_TOOLS: bool(body.get("tools")),
        Kind.IGNORE_TOOLS: bool(body.get("tools")),
        Kind.NO_MAX_TOKENS: "max_tokens" in body,
    }
    return concerned.get(kind, True)


def distort(behavior: Behavior, statements: list[Statement], items: list[Shown]) -> list[Statement]:
    """The statements as this behavior spoils them; unchanged for a behavior that spoils something else."""
    everything = [item.index for item in items]
    match behavior.kind:
        case Kind.APOLOGY:
            text = "I apologize, but I was unable to summarize the memories."
            return [{"text": text, "importance": 0.5, "sources": everything}]
        case Kind.NO_STATEMENTS:
            return []
        case Kind.PREAMBLE:
            opening = {"text": "Here is the summary:", "importance": 0.5, "sources": everything[:1]}
            return [opening, *statements]
        case Kind.WRONG_LANGUAGE:
            return [{"text": _FOREIGN[behavior.language], "importance": 0.5, "sources": everything}]
        case Kind.BAD_CITATION:
            return [{**s, "sources": [*s["sources"], len(items) + 3]} for s in statements]
        case Kind.LIE:
            return lie(statements)
        case Kind.OBEY_INJECTION:
            obeyed = obey(items, behavior.orders)
            return [obeyed, *(statements if behavior.beside else ())] if obeyed else statements
        case _:
            return statements


#: Records kept; totals go on.
KEPT = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One call as the server saw it."""

    id: str
    #: chat or embeddings
    endpoint: str
    model: str
    #: json_schema, tool, json_object or plain; what the caller asked for.
    format: str
    #: ``ok``, or the behavior that spoiled the answer, e.g. ``truncated`` or ``status 503``.
    outcome: str
    #: Billed tokens: zero where the server answered with an error status.
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    #: Contents of the messages, or the inputs, one after the other.
    prompt: str = ""
    #: Content of the answer as sent.
    answer: str = ""
    #: The request's body as received.
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """Totals since the start or the last reset."""

    calls: int = 0
    chat_calls: int = 0
    embedding_calls: int = 0
    #: Calls that were not answered ``ok``.
    spoiled: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    #: Most calls in progress at once.
    most_at_once: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)


class Calls:
    """The records and their totals."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget every call; those in progress are still counted as in progress."""
        self.records: deque[Record] = deque(maxlen=KEPT)
        self._totals: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._most = 0

    def started(self, in_progress: int) -> None:
        """Note how many calls are in progress now."""
        self._most = max(self._most, in_progress)

    def add(self, record: Record) -> None:
        """One more call has ended."""
        self.records.append(record)
        self._outcomes[record.outcome] += 1
        self._totals["calls"] += 1
        self._totals["chat_calls" if record.endpoint == "chat" else "embedding_calls"] += 1
        self._totals["spoiled"] += record.outcome != "ok"
        self._totals["tokens_in"] += record.tokens_in
        self._totals["tokens_out"] += record.tokens_out
        self._totals["tokens_cached"] += record.tokens_cached

    @property
    def stats(self) -> Stats:
        """The totals now."""
        return Stats(**dict(self._totals), most_at_once=self._most, outcomes=dict(self._outcomes))
