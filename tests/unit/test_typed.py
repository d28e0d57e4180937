"""Bodies keep the types that are published."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import pytest
from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from precis.app.inputs import MemoryChange, MemoryInput
from precis.typed import Id, TypedBody, When, not_a_flag, not_counted


class Body(TypedBody):
    """One field of each kind."""

    flag: bool = False
    maybe: bool | None = None
    count: Annotated[int, Field(ge=1)] = 1
    share: float | None = None
    text: str | None = None
    day: Annotated[date, BeforeValidator(not_counted)] | None = None
    shares: dict[str, Annotated[float, BeforeValidator(not_a_flag)]] = Field(default_factory=dict)
    anything: Any = None


class Lenient(Body):
    """The same where numbers come as texts."""

    numbers_as_text = True


@pytest.mark.parametrize(
    "wrong",
    [
        {"flag": 1}, {"flag": "true"}, {"maybe": 0}, {"maybe": 1.0}, {"count": True}, {"count": "2"}, {"share": False},
        {"share": "0.5"}, {"day": 0}, {"day": "1700000000"}, {"day": -1.5}, {"shares": {"month": True}},
        {"shares": {"month": "1"}},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_of_another_type_is_refused_by_its_field(wrong: dict[str, Any]) -> None:
    """pydantic would take each of them for something it is not."""
    with pytest.raises(ValidationError) as raised:
        Body.model_validate(wrong)
    (flaw,) = raised.value.errors()
    assert (next(iter(wrong)), "wrong_type") == (flaw["loc"][0], flaw["type"])


@pytest.mark.parametrize(
    "right",
    [
        {"flag": True}, {"maybe": None}, {"count": 2}, {"count": 2.0}, {"share": 1}, {"share": 0.5}, {"text": "1"},
        {"day": "2026-03-04"}, {"shares": {"month": 1}}, {"anything": True}, {"anything": "x"}, {"anything": 3},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_of_its_type_is_taken(right: dict[str, Any]) -> None:
    """A whole number may be written as 2.0, as in JSON Schema."""
    (name,) = right
    value = getattr(Body.model_validate(right), name)
    assert value == (date(2026, 3, 4) if name == "day" else right[name])


def test_the_wire_may_send_numbers_as_text() -> None:
    """A client of it does; flags it sends as flags."""
    assert (5, 0.5) == ((body := Lenient.model_validate({"count": "5", "share": "0.5"})).count, body.share)
    with pytest.raises(ValidationError):
        Lenient.model_validate({"flag": "true"})


@pytest.mark.parametrize("moment", [0, 1.5, "0", "1700000000", "-1e9", " 5 ", True])
def test_a_number_is_no_moment(moment: Any) -> None:
    """It would be taken for the seconds since 1970, and a memory dated by accident."""
    with pytest.raises(ValidationError):
        TypeAdapter(When).validate_python(moment)
    with pytest.raises(ValidationError):
        MemoryInput(text="A kayak.", user_id="ilse", event_date=moment)
    with pytest.raises(ValidationError):
        MemoryChange(event_date=moment)


def test_what_validators_check_is_published() -> None:
    """An id, a text and an edit say in the schema what they refuse."""
    schema = MemoryInput.model_json_schema()["properties"]
    assert TypeAdapter(Id).json_schema()["pattern"] == schema["user_id"]["pattern"]
    assert 1 == schema["text"]["minLength"]
    required = [branch["required"] for branch in MemoryChange.model_json_schema()["anyOf"]]
    assert ["text"] in required
