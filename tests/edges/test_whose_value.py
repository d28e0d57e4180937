"""Whose value an answer tells first, and what a context does with a question that was asked before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from precis.app import App
from precis.recall.question import read_question
from precis.recall.ranking import not_looked_for

BEGAN = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def add(app: App, *texts: str, user: str, **fields: Any) -> None:
    """A note a day."""
    rows = [
        {"text": text, "user_id": user, "created_at": BEGAN + timedelta(days=at), **fields}
        for at, text in enumerate(texts)
    ]
    await app.memories.add(rows, summarize="deferred")


async def test_the_value_of_whom_is_asked_comes_first(app: App) -> None:
    """Not that of a sister, nor that of somebody else; a context with room for one note has that one."""
    notes = ("Tom drives a Skoda.", "I drive a Fiat.", "Hanne's sister Pia drives a Volvo.")
    await add(app, *notes, user="hanne")
    results = await app.recall.search("What car does Hanne drive?", user_id="hanne")
    assert results[0].memory.text == notes[1]
    context = await app.context.assemble("What car does Hanne drive?", user_id="hanne", token_budget=50)
    assert notes[1] in context.text


async def test_a_cancelled_appointment_is_no_appointment(app: App) -> None:
    """The newest is first, and the older one says that there is a later one."""
    await add(app, "Dentist on Tuesday 3 pm", "I like tea.", "The dentist appointment is cancelled.", user="ole")
    results = await app.recall.search("When is my dentist appointment?", user_id="ole")
    assert results[0].memory.text == "The dentist appointment is cancelled."
    by_text = {result.memory.text: result for result in results}
    assert by_text["Dentist on Tuesday 3 pm"].later == results[0].memory.id
    context = await app.context.assemble("When is my dentist appointment?", user_id="ole", token_budget=250)
    line = next(line for line in context.lines if "Tuesday" in line.text)
    number = next(other.number for other in context.lines if "cancelled" in other.text)
    assert line.text == f"[{line.number}] (later: [{number}]) Dentist on Tuesday 3 pm"


@pytest.mark.parametrize("answer", ["Let me look.", "On 4 May, the people of Brenner come at nine."])
async def test_a_chat_in_which_it_was_asked_leaves_the_room_to_others(app: App, answer: str) -> None:
    """Its small talk is no company of an answer; what follows the question may be one."""
    talk = ("It rains and the kids are loud.", "That sounds long.", "When is the boiler serviced?", answer)
    rows = [
        {
            "text": text, "user_id": "nora", "session_id": "talk", "memory_type": "message",
            "created_at": BEGAN + timedelta(minutes=at), "metadata": {"role": ("user", "assistant")[at % 2]},
        }
        for at, text in enumerate(talk)
    ]  # fmt: skip
    await app.memories.add(rows, summarize="deferred")
    await add(app, "The boiler man comes on the 4th.", "Olga wants a cat.", user="nora")
    context = await app.context.assemble("When is the boiler serviced?", user_id="nora", token_budget=60)
    assert "The boiler man comes on the 4th" in context.text
    assert "Olga" in context.text or "Brenner" in context.text
    wide = await app.context.assemble("When is the boiler serviced?", user_id="nora", token_budget=250)
    assert ("Brenner" in wide.text) == ("Brenner" in answer)


def test_a_name_of_the_user_is_left_out_where_hardly_a_row_has_it() -> None:
    """In a context as in an answer, in any script."""
    question = read_question("Where does Hanne keep the key?", user_id="hanne")
    assert question.own == {"hann"}
    assert not_looked_for(question, [frozenset({"key"})] * 11 + [frozenset({"hann"})]) == {"hann"}
    assert not_looked_for(question, [frozenset({"key"}), frozenset({"hann"})]) == frozenset()
    assert read_question("Где живёт Ханна?", user_id="ханна").own
