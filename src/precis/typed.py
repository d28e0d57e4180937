"""Types of fields that every door shares: what is published is what is taken; a number is not a flag, nor a text.

And what a host is that a door listens on.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from ipaddress import ip_address
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from precis.errors import InvalidInput
from precis.ids import UNSEEN, storable

#: What pydantic puts before the words of a check of ours.
PYDANTICS = "Value error, "
_NUMBERS = frozenset({int, float})
#: ``1e9``, ``-5``, ``.5``: what reads as a number.
_COUNT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_PLAIN = frozenset({bool, int, float, NoneType})


class Published:
    """For an Annotated type: what its validator checks, in words of JSON Schema; generators and readers need it."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Called by pydantic when the schema is written."""
        return {**handler(schema), **self.keywords}


def one_of_them(schema: dict[str, Any]) -> None:
    """For ``json_schema_extra``: at least one field is given and is not null."""
    schema["anyOf"] = [
        {"type": "object", "required": [name], "properties": {name: {"not": {"type": "null"}}}}
        for name in schema["properties"]
    ]


class Or:
    """For an Annotated type with a validator that takes other forms, too: their JSON Schema."""

    def __init__(self, *others: dict[str, Any]) -> None:
        self._others = others

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Called by pydantic when the schema is written."""
        return {"anyOf": [handler(schema), *self._others]}


def not_counted(value: Any) -> Any:
    """For dates: pydantic would take a number, also one in a text, for the seconds since 1970."""
    if isinstance(value, bool | int | float) or (isinstance(value, str) and _COUNT.fullmatch(value.strip())):
        raise PydanticCustomError("wrong_type", "it is a number, where a date belongs")
    return value


def not_a_flag(value: Any) -> Any:
    """For numbers in a list or a mapping: pydantic would take ``true`` for 1."""
    if isinstance(value, bool | str):
        raise PydanticCustomError("wrong_type", "it is {sent}, where a number belongs", {"sent": _JSON[type(value)]})
    return value


class TypedBody(BaseModel):
    """pydantic would take ``true`` for 1 and ``"yes"`` for true, and a misplaced value would be believed."""

    #: Whether a number may come as a text, as some clients of the wire send it.
    numbers_as_text: ClassVar[bool] = False

    @field_validator("*", mode="before")
    @classmethod
    def _has_the_published_type(cls, value: Any, field: ValidationInfo) -> Any:
        kinds = _kinds_of(cls, field.field_name or "")
        if isinstance(value, bool | int | float | str) and not _fits(value, kinds, as_text=cls.numbers_as_text):
            expected = " or ".join(sorted({_JSON[kind] for kind in kinds}))
            sent = {"sent": _JSON[type(value)], "wanted": expected}
            raise PydanticCustomError("wrong_type", "it is {sent}, where {wanted} belongs", sent)
        return value


_JSON = {bool: "true or false", int: "a number", float: "a number", str: "a text", NoneType: "null"}


@cache
def _kinds_of(model: type[BaseModel], name: str) -> frozenset[Any]:
    return frozenset(_kinds(model.model_fields[name].annotation))


def _fits(sent: Any, kinds: frozenset[Any], *, as_text: bool) -> bool:
    if not kinds <= _PLAIN:
        return True
    if isinstance(sent, str):
        return as_text and bool(kinds & _NUMBERS)
    return bool in kinds if isinstance(sent, bool) else bool(kinds & _NUMBERS)


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types that an annotation names, at its top."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif origin in {Union, UnionType}:
        for part in get_args(annotation):
            yield from _kinds(part)
    else:
        yield annotation


def in_utc(value: datetime) -> datetime:
    """The same moment in UTC. Raises ValueError for the few that have none: the calendar ends before them."""
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("this date is outside the calendar once it is put in UTC") from error


When = Annotated[AwareDatetime, BeforeValidator(not_counted), AfterValidator(in_utc)]
#: Text without a null character, and without half a surrogate pair, which no pattern can say.
Storable = Annotated[str, AfterValidator(storable), Published(pattern=r"^[^\x00]*$")]
#: The same of a text of which something can be seen.
NOT_BLANK = Published(minLength=1, pattern=rf"^[^\x00]*[^\s{UNSEEN}][^\x00]*$")
Word = Annotated[Storable, Field(min_length=1, max_length=200)]


# --- ids, and what the queries and bodies of several resources share ---

#: A path of a URL loses these, however they are escaped: what had such an id could be reached by no route of its own.
_LOST = (".", "..")
NOT_LOST: dict[str, Any] = {"not": {"enum": [*_LOST]}}
_ID = re.compile(r"(?!\.\.?\Z)[^\s/\x00-\x1f\x7f-\x9f]{1,200}")
#: How an id of any caller may be spelled.
ANY_ID = re.compile(r"(?!\.\.?\Z)[^\x00-\x1f\x7f-\x9f]{1,512}")
#: Ids that an earlier version wrote have control characters of Latin-1, and must be forgettable by name.
_KNOWN_ID = re.compile(r"[^\x00-\x1f\x7f]{1,512}")


def _checked_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValueError(_misspelled(value, "1 to 200 characters without spaces, slashes or control characters"))
    return storable(value)


def _spelled(pattern: re.Pattern[str]) -> AfterValidator:
    def checked(value: str) -> str:
        if not pattern.fullmatch(value):
            raise ValueError(_misspelled(value, "1 to 512 characters without control characters"))
        return storable(value)

    return AfterValidator(checked)


def _misspelled(value: str, form: str) -> str:
    lost = "an id is not . or .., which the path of a URL cannot hold; give it another"
    return lost if value in _LOST else f"an id is {form}"


#: An id as precis takes it for something new; as it may come from the wire; and as it names what is there.
Id = Annotated[
    str,
    AfterValidator(_checked_id),
    Published(minLength=1, maxLength=200, pattern=r"^[^\s/\x00-\x1f\x7f-\x9f]+$", **NOT_LOST),
]
AnyId = Annotated[
    str,
    _spelled(ANY_ID),
    Published(minLength=1, maxLength=512, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$", **NOT_LOST),
]
KnownId = Annotated[str, _spelled(_KNOWN_ID), Published(minLength=1, maxLength=512, pattern=r"^[^\x00-\x1f\x7f]+$")]
#: The same as the wire has it.
Label = Annotated[Storable, Field(min_length=1, max_length=512)]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


#: One namespace, or several of which any will do.
Namespaces = Annotated[
    list[Label],
    Field(min_length=1, max_length=100, description="one, or a list of those of which any will do"),
    BeforeValidator(_listed),
    Or({"type": "string", "minLength": 1, "maxLength": 512, "pattern": r"^[^\x00]*$"}),
]
#: Any text without a null character, which PostgreSQL cannot compare with.
Plain = Annotated[str, Field(pattern=r"^[^\x00]*$")]
#: What a list answered as ``next_cursor``.
Cursor = Annotated[str, Field(max_length=1000, description="next_cursor of the page before")]
PageSize = Annotated[int, Field(ge=1, le=1000, description="rows of a page")]


#: Kinds of faults of a time that lacks its hours, its zone or the order of its parts.
TIMES = ("timezone_aware", "datetime_from_date_parsing", "datetime_parsing")
_WHOLE_TIME = "give a time with its zone, as 2025-03-01T09:00:00Z or 2025-03-01T09:00:00+01:00"


def _of_time(flaw: Mapping[str, Any], advice: str) -> str:
    """What is wrong with a time: a part that the calendar or the clock does not have, or one that is missing."""
    part, _, outside = str(flaw.get("ctx", {}).get("error", "")).partition(" value is outside")
    return f"there is no such {part}" if outside else advice


def told_by(flaw: Mapping[str, Any]) -> str:
    """What pydantic says is wrong, without the offending text; of a text it counts characters, and calls them items."""
    message = str(flaw["msg"]).removeprefix(PYDANTICS)
    counts_text = flaw["type"] in ("too_short", "too_long") and isinstance(flaw.get("input"), str)
    return re.sub(r"\bitem(s?)\b", r"character\1", message).replace("Value", "Text") if counts_text else message


def invalid(
    error: ValidationError, *, prefix: str = "", advice: Mapping[str, str] = MappingProxyType({})
) -> InvalidInput:
    """The first thing pydantic found wrong, or by its kind what to do about it, without the offending text."""
    first = error.errors(include_url=False)[0]
    # A step of the validation itself is no part of what was sent.
    places = [str(part) for part in first["loc"] if not str(part).startswith("function-")]
    field = ".".join([prefix, *places] if prefix else places)
    message = advice.get(first["type"])
    if first["type"] in TIMES:
        message = _of_time(first, message or _WHOLE_TIME)
    message = message or told_by(first)
    return InvalidInput(f"{field}: {message}", field=field)


Body = TypeVar("Body", bound=BaseModel)


def validated(kind: type[Body], values: Any) -> Body:
    """The values as that. Raises InvalidInput naming the first field that is wrong, without what was sent."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise invalid(error) from error


class StrictBody(BaseModel):
    """Sent by a caller: what it does not know is an error, so that a misspelled filter never widens an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches a server that listens there."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"
