"""What can be stored, or asked for, as text: no null character, and no half of a surrogate pair."""

from __future__ import annotations

from precis.errors import InvalidInput

#: What a text holds that cannot.
UNSTORABLE = "a null character or half a surrogate pair, which is not valid text"


def is_storable(value: str) -> bool:
    """Whether it can. Half a pair comes from bytes that are not UTF-8, as a command line hands them on."""
    return "\0" not in value and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value))


def storable(value: str) -> str:
    """The text, if it can be stored. Raises ValueError."""
    if not is_storable(value):
        raise ValueError(f"the text holds {UNSTORABLE}")
    return value


def checked_name(value: object, field: str) -> str:
    """An id or a name of something, if there can be one like it. Raises InvalidInput, which never repeats it."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field}: it is of type {type(value).__name__}; give it as text", field=field)
    if not is_storable(value):
        raise InvalidInput(f"{field}: it holds {UNSTORABLE}; leave that out", field=field)
    return value
