"""What a caller may hand in. One validation for every door: Python, REST, command line and files."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from precis import errors, ids, makers, trust, typed
from precis.memory import MemoryType, Scope
from precis.store.filtering import FILTERS, Filter

#: How far ahead of the clock a date may lie: clocks differ, but not by more than this.
FUTURE = timedelta(days=1)
MAX_METADATA_BYTES = 16_384
MAX_QUERY_CHARS = 32_000
#: Of a request in words to forget something: each of its clauses is read beside all others.
MAX_REQUEST_CHARS = 2_000


def _checked_text(value: str) -> str:
    if ids.is_blank(value):
        raise ValueError("the text is empty; a memory needs something to remember")
    return ids.storable(value)


Text = Annotated[str, AfterValidator(_checked_text), typed.NOT_BLANK]
Metadata = Annotated[dict[str, Any], AfterValidator(partial(ids.checked_json, limit=MAX_METADATA_BYTES))]


_SUPERSEDES = "what it replaces: ids, or a few words that name a memory of the same user, project and environment"
_CONFIRM = "the user agrees that it replaces what supersedes names, though a tool or a document says it"
_SOURCE_CLASS = (
    "from whom it is: user, agent, imported, document or tool, the most trusted first; when not given, by role or "
    "actor in metadata, else user"
)
_MIN_TRUST = "only what is from this source class or a more trusted one; of summaries those that rest on nothing else"
_AS_OF = "what was known and stood then: a day (2024-05-09, all of it), or a time with its zone"
#: Ids of memories, or words that name one.
Supersedes = (
    Annotated[tuple[typed.AnyId, ...], Field(max_length=100)]
    | Annotated[str, Field(max_length=1000), AfterValidator(_checked_text), typed.NOT_BLANK]
)


def _askable(value: str, most: int = MAX_QUERY_CHARS) -> str:
    if ids.is_blank(value):
        raise ValueError(f"it is empty; say what to {'look for' if most == MAX_QUERY_CHARS else 'forget'}")
    if len(value) > most:
        raise ValueError(f"it has {len(value)} characters; the limit is {most}. Say less")
    if not ids.is_storable(value):
        raise ValueError(f"it holds {ids.UNSTORABLE}; leave that out")
    return value


#: What is looked for, as a body has it.
Query = Annotated[str, AfterValidator(_askable), typed.NOT_BLANK, typed.Published(maxLength=MAX_QUERY_CHARS)]
#: What to forget, in words.
ToForget = Annotated[
    str,
    AfterValidator(partial(_askable, most=MAX_REQUEST_CHARS)),
    typed.NOT_BLANK,
    typed.Published(maxLength=MAX_REQUEST_CHARS),
]


def checked_query(text: str, *, field: str = "query", most: int = MAX_QUERY_CHARS) -> str:
    """What to look for, checked as in a body. Raises InvalidInput."""
    if not isinstance(text, str):
        raise errors.InvalidInput(f"{field}: it is of type {type(text).__name__}; give it as text", field=field)
    try:
        return _askable(text, most)
    except ValueError as error:
        raise errors.InvalidInput(f"{field}: {error}", field=field) from error


def checked_limit(limit: int, most: int = 1000) -> int:
    """How many rows are wanted. Raises InvalidInput."""
    if not isinstance(limit, int) or not 1 <= limit <= most:
        raise errors.InvalidInput(f"limit: {limit!r} is not within 1 to {most}", field="limit")
    return limit


def checked_share(share: float, name: str) -> float:
    """A figure of 0..1. Raises InvalidInput."""
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 <= share <= 1:
        raise errors.InvalidInput(f"{name}: {share!r} is not within 0 to 1", field=name)
    return share


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def _end_of_day(value: Any) -> Any:
    """A day stands for its last moment (UTC): for all that was known on it."""
    if isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):  # of a day that there is not, pydantic says so
            value = date.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time.max, tzinfo=UTC)
    return value


#: A moment in the past, or a day.
AsOf = Annotated[
    typed.When, BeforeValidator(_end_of_day), typed.Or({"type": "string", "format": "date"}), Field(description=_AS_OF)
]
_MOMENT = TypeAdapter(AsOf)


def moment_of(value: date | str) -> datetime:
    """The moment that a caller of Python names by a time with its zone, or by a day. Raises InvalidInput."""
    try:
        return _MOMENT.validate_python(value)
    except ValidationError as error:
        advice = dict.fromkeys(typed.TIMES, "give a day (2024-05-09), or a time with its zone")
        raise typed.invalid(error, prefix="as_of", advice=advice) from error


def with_fields(filter_: Filter, fields: Mapping[str, Any]) -> Filter:
    """The filter with these fields in place of its own. Raises InvalidInput."""
    for name in fields:
        if name not in FILTERS:
            raise errors.InvalidInput(f"{name}: a filter has no such field; it has {', '.join(FILTERS)}", field=name)
    moment = {} if fields.get("as_of") is None else {"as_of": moment_of(fields["as_of"])}
    return replace(filter_, **{**fields, **moment})


class MemoryInput(typed.TypedBody):
    """One memory as a caller writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Text
    user_id: typed.Id
    id: typed.Id | None = None
    project_id: Annotated[typed.Storable, Field(max_length=200)] = ""
    environment: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")] = "production"
    namespace: typed.Word | None = None
    session_id: typed.Word | None = None
    agent_id: typed.Word | None = None
    run_id: typed.Word | None = None
    memory_type: MemoryType = MemoryType.SEMANTIC
    type: typed.Word | None = Field(default=None, description="preference, fact, ...; extracted when not given")
    key: typed.Word | None = Field(default=None, description="the subject; extracted when not given")
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    created_at: typed.When | None = None
    event_date: typed.When | None = None
    pinned: bool = False
    topics: tuple[typed.Word, ...] = ()
    entities: tuple[typed.Word, ...] = ()
    metadata: Metadata = Field(default_factory=dict)
    revive: bool = Field(default=False, description="write although this id was forgotten")
    supersedes: Supersedes | None = Field(default=None, description=_SUPERSEDES)
    source_class: trust.SourceClass | None = Field(default=None, description=_SOURCE_CLASS)
    confirm: bool = Field(default=False, description=_CONFIRM)

    def scope_in(self, tenant_id: str) -> Scope:
        """Whose it will be, among the memories of a tenant."""
        return Scope(
            tenant_id=tenant_id, user_id=self.user_id, project_id=self.project_id, environment=self.environment
        )


class UnownedInput(MemoryInput):
    """The same as the wire has it, and where such a memory is edited: it need not be anybody's."""

    id: typed.AnyId | None = None
    user_id: typed.AnyId | Literal[""] = ""
    namespace: typed.Label | None = None
    session_id: typed.Label | None = None


class KeptInput(UnownedInput):
    """A memory with what it stands with already: the size of its metadata was measured where they came in."""

    metadata: dict[str, Any] = Field(default_factory=dict)


def _one_that_changes_something(schema: dict[str, Any]) -> None:
    """To confirm is to say more about ``supersedes``, and changes nothing by itself."""
    typed.one_of_them(schema)
    schema["anyOf"] = [option for option in schema["anyOf"] if option["required"] != ["confirm"]]


class MemoryChange(typed.TypedBody):
    """What an edit may replace; a field that is not given stays."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_one_that_changes_something)

    text: Text | None = None
    namespace: typed.Word | None = None
    session_id: typed.Word | None = None
    memory_type: MemoryType | None = None
    type: typed.Word | None = None
    key: typed.Word | None = None
    importance: Annotated[float, Field(ge=0, le=1)] | None = None
    event_date: typed.When | None = None
    pinned: bool | None = None
    topics: tuple[typed.Word, ...] | None = None
    entities: tuple[typed.Word, ...] | None = None
    metadata: Metadata | None = None
    supersedes: Supersedes | None = Field(default=None, description=f"{_SUPERSEDES}; an empty list takes it back")
    source_class: trust.SourceClass | None = None
    confirm: bool | None = Field(default=None, description=_CONFIRM)

    def changes(self) -> dict[str, Any]:
        """The fields that are replaced. Raises InvalidInput where none is."""
        changes = self.model_dump(exclude_none=True)
        if not changes.keys() - {"confirm"}:
            null = min(self.model_fields_set - {"confirm"}, default=None)
            what = "No fields provided for update" if null is None else f"{null}: null changes nothing; leave it out"
            raise errors.InvalidInput(what, field=null)
        return changes


Summarize = Literal["inline", "deferred"]
_ADVICE = {
    "extra_forbidden": "a memory has no such field; what is your own goes into metadata, and so does speaker",
    "dict_type": 'an object belongs here, as {"speaker": "Ana"}; leave the field out where there is none',
    "string_type": "a text belongs here; write it in quotes",
}


def read_inputs(
    rows: Sequence[MemoryInput | dict[str, Any]], *, clock: makers.Clock, max_text_chars: int, max_batch: int
) -> list[MemoryInput]:
    """Every row validated, or InvalidInput naming the first field that is wrong; nothing is written by then."""
    if len(rows) > max_batch:
        message = f"{len(rows)} memories in one call; the limit is {max_batch}. Send them in several calls."
        raise errors.InvalidInput(message, field="memories")
    inputs = []
    latest = clock().astimezone(UTC) + FUTURE
    for at, row in enumerate(rows):
        memory = row if isinstance(row, MemoryInput) else _read_one(row, at)
        _check_limits(memory, at, latest=latest, max_text_chars=max_text_chars)
        inputs.append(memory)
    return inputs


def _read_one(row: dict[str, Any], at: int) -> MemoryInput:
    try:
        return MemoryInput.model_validate(row)
    except ValidationError as error:
        raise typed.invalid(error, prefix=f"memories.{at}", advice=_ADVICE) from error


def _check_limits(memory: MemoryInput, at: int, *, latest: datetime, max_text_chars: int) -> None:
    if len(memory.text) > max_text_chars:
        message = (
            f"memories.{at}.text: {len(memory.text)} characters; the limit is {max_text_chars}. "
            "Split it into several memories."
        )
        raise errors.InvalidInput(message, field=f"memories.{at}.text")
    if memory.created_at is not None and memory.created_at > latest:
        message = f"memories.{at}.created_at: {memory.created_at.isoformat()} lies more than a day in the future"
        raise errors.InvalidInput(message, field=f"memories.{at}.created_at")


# --- what the queries and bodies of several resources of the API share ---

#: How far what is answered has to be trusted.
MinTrust = Annotated[trust.SourceClass, Field(description=_MIN_TRUST)]


class GroupFilter(typed.StrictBody):
    """Which groups or summaries; what is not given is not filtered by."""

    user_id: typed.KnownId | None = None
    project_id: Annotated[typed.Plain, Field(max_length=200)] | None = None
    environment: typed.Word | None = None
    extracted_type: typed.Word | None = None

    def fields(self) -> dict[str, Any]:
        """The fields that were sent, under the names of Filter."""
        values = ((name, getattr(self, name)) for name in _fields_of(type(self)))
        return {name: value for name, value in values if value is not None}


@cache
def _fields_of(kind: type[GroupFilter]) -> tuple[str, ...]:
    """The names of Filter that it has: to ask for one that it lacks takes pydantic long."""
    return tuple(field.name for field in fields(Filter) if field.name in kind.model_fields)


class RowFilter(GroupFilter):
    """Which rows."""

    namespace: typed.Namespaces | None = None
    session_id: typed.Label | None = None
    agent_id: typed.Word | None = None
    run_id: typed.Word | None = None
    memory_type: MemoryType | None = None
    min_trust: MinTrust | None = None
    as_of: AsOf | None = None
