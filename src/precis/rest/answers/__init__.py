"""What every answer is.

Each field is read off the frozen value that a verb answers: by its own name, or by the name that the field gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import AliasPath, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Answer(BaseModel):
    """A route returns a value, and its ``response_model`` is the answer that is read off the value."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True)

    @classmethod
    def of(cls, value: object, **more: Any) -> Self:
        """The answer for a value; ``more`` are fields that the value does not have, or not like this."""
        return cls.model_validate(_Completed(value, more) if more else value)


class _Completed:
    """A value with more attributes than it has."""

    def __init__(self, value: object, more: Mapping[str, Any]) -> None:
        self.__dict__.update(more)
        self._value = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)


def found_at(part: str, *names: str, **more: Any) -> Any:
    """A field that is read off a part of the value."""
    return Field(validation_alias=AliasPath(part, *names), **more)


class Camel(BaseModel):
    """Named as the document names it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, from_attributes=True, frozen=True)
