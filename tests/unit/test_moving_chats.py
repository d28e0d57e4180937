"""Exports of chats with odd shapes: what they hold arrives, in order, under the same id each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from precis.app.inputs import UnownedInput
from precis.app.redis.long_term import Recorded
from precis.ids import system_clock
from precis.moving.arrivals import Arrival, MoveOptions, moment
from precis.moving.chat_exports import Export
from precis.moving.chats import ChatGPT, Claude


async def _arrivals(kind: type[Export], chats: list[Any], folder: Path) -> list[Arrival]:
    folder.mkdir(exist_ok=True)
    (folder / "conversations.json").write_text(json.dumps(chats))
    return [arrival async for arrival in kind(str(folder), MoveOptions(now=system_clock(), user_id="ida")).arrivals()]


def _memories(arrivals: list[Arrival]) -> list[UnownedInput]:
    return [arrival.memory for arrival in arrivals if isinstance(arrival, Recorded)]


def _node(name: str, parent: str | None, text: Any, at: Any) -> dict[str, Any]:
    message = {"id": name, "author": {"role": "user"}, "content": {"parts": [text]}, "create_time": at}
    return {"id": name, "parent": parent, "message": message}


async def test_a_message_without_a_date_lies_beside_its_neighbors(tmp_path: Path) -> None:
    """Words from years ago are not the newest because an export left their date out."""
    nodes = [
        _node("a", None, "Ida rows.", None),
        _node("b", "a", "Ida sails.", 1.6e9),
        _node("c", "b", "Ida dives.", None),
    ]
    chat = {"id": "1", "create_time": None, "mapping": {node["id"]: node for node in nodes}, "current_node": "c"}
    rows = _memories(await _arrivals(ChatGPT, [chat], tmp_path))
    assert [row.text for row in rows] == ["Ida rows.", "Ida sails.", "Ida dives."]
    dates = [row.created_at for row in rows]
    assert sorted(filter(None, dates)) == dates
    assert {date and date.year for date in dates} == {2020}


async def test_words_may_stand_where_blocks_do(tmp_path: Path) -> None:
    """A message whose content is a text has words."""
    message = {"uuid": "m", "sender": "human", "content": "Ida plays the lute.", "created_at": "2024-05-01T10:00:00Z"}
    (row,) = _memories(await _arrivals(Claude, [{"uuid": "k", "chat_messages": [message]}], tmp_path))
    assert row.text == "Ida plays the lute."


async def test_a_chat_without_a_name_of_its_own_has_the_same_ids_elsewhere(tmp_path: Path) -> None:
    """The next export lies in another folder, behind other chats."""
    chat = {"chat_messages": [{"sender": "human", "text": "Ida keeps owls."}]}
    other = {"chat_messages": [{"sender": "human", "text": "Ida keeps bees."}]}
    (first,) = _memories(await _arrivals(Claude, [chat], tmp_path / "a"))
    second = _memories(await _arrivals(Claude, [other, chat], tmp_path / "b"))
    assert first.id in {row.id for row in second}
    assert len({row.id for row in second}) == 2


@pytest.mark.parametrize(
    ("value", "year"),
    [(1.6e9, 2020), ("1600000000", 2020), ("1600000000.25", 2020), ("20240501", 2024), ("2024-05-01T10:00", 2024),
     (True, None), ("soon", None), (1e20, None), (-5, None), ("999999999999", None), (None, None)],
)  # fmt: skip
def test_dates_of_exports(value: Any, year: int | None) -> None:
    """Seconds as numbers or text, and ISO 8601; anything else is no date."""
    read = moment(value)
    assert (read.year if read else None) == year
