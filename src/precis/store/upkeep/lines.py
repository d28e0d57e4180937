"""What a line of an export has to hold before a row is made of it.

Here stand the fields that precis itself reads while it makes rows, and those whose column takes what no reader opens.
Of the other fields the database says whether their column takes them. What a kind has besides is left alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError

from precis.conversation import Remembering
from precis.errors import InvalidInput
from precis.memory import MemoryType, RetentionState, Tier
from precis.store.rows import Attributes
from precis.trust import SourceClass
from precis.typed import KnownId, Storable, TypedBody, told_by, validated

#: The format that an export begins with, and the one before, which has no line for its end.
FORMAT, WITHOUT_END = 2, 1


def _readable_as(kind: type[Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A check that a sealed object opens as this dataclass; an unknown field would fail whoever opens it."""
    adapter, known = TypeAdapter(kind), {field.name for field in fields(kind)}

    def checked(value: dict[str, Any]) -> dict[str, Any]:
        if unknown := sorted(value.keys() - known):
            raise ValueError(f"it knows no {', '.join(unknown)}")
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {told_by(first)}") from error
        return value

    return checked


class _Line(TypedBody):
    model_config = ConfigDict(extra="allow", frozen=True)


class _Memory(_Line):
    memory_id: KnownId
    is_summary: bool
    has_vector: bool
    text: Storable | None
    summary: Storable | None
    attributes: Annotated[dict[str, Any], AfterValidator(_readable_as(Attributes))] | None
    memory_type: MemoryType
    retention_state: RetentionState
    tier: Tier
    source_class: SourceClass = SourceClass.USER


class _Conversation(_Line):
    conversation_id: str
    properties: dict[str, Any] | None
    remembering: Annotated[dict[str, Any], AfterValidator(_readable_as(Remembering))] | None


class _Message(_Line):
    memory_id: KnownId
    payload: dict[str, Any] | None


class _Node(_Line):
    node_id: str
    prose: Storable | None
    title: Storable | None


class _Statement(_Line):
    statement_id: str
    statement: Storable | None


class _Feedback(_Line):
    feedback_id: str
    note: Storable | None


class _Mark(_Line):
    feedback_id: str
    position: int
    text: Storable | None


class _PastStatement(_Line):
    statement_id: str
    text: Storable


class _Receipt(_Line):
    public_key: Storable
    receipt: dict[str, Any]


_KINDS: Mapping[str, type[_Line]] = {
    "memories": _Memory, "conversations": _Conversation, "messages": _Message, "nodes": _Node,
    "statements": _Statement, "feedback": _Feedback, "feedback_marks": _Mark, "past_statements": _PastStatement,
    "receipt": _Receipt,
}  # fmt: skip


def checked_line(kind: str, line: Mapping[str, Any], *, number: int) -> None:
    """Raises InvalidInput, naming the line (from 1) and its field, where no row can be made of it."""
    if kind not in _KINDS:
        return
    try:
        validated(_KINDS[kind], line)
    except InvalidInput as error:
        raise InvalidInput(f"line {number}, of the kind {kind}: {error}", field=error.field) from error
