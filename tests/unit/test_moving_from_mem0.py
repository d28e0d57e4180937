"""What is made of mem0's answers, whichever version gives them. A real mem0 is moved by ``make mem0``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from precis.app.redis.long_term import Recorded
from precis.errors import ConfigurationError, StoreUnavailable
from precis.ids import system_clock
from precis.moving.arrivals import LeftOut, MoveOptions
from precis.moving.mem0 import Mem0

pytestmark = pytest.mark.asyncio
ROWS: dict[str, dict[str, Any]] = {
    "a": {"data": "Liv moved to Bergen.", "user_id": "liv", "created_at": "2024-05-01T10:00:00+02:00", "color": "red"},
    "b": {"data": "Be brief.", "agent_id": "scribe", "run_id": "r1", "created_at": "2024-05-02T10:00:00"},
    "c": {"data": "Only now.", "run_id": "r2", "actor_id": "Per", "role": "user"},
    "d": {"data": "Over.", "user_id": "liv", "expiration_date": "2020-01-01"},
    "e": {"data": "Nobody's."},
}
OWN = ("data", "created_at", "user_id", "agent_id", "run_id", "actor_id", "role")
CHANGES = [
    {"event": "ADD", "old_memory": None, "new_memory": "Liv moved to Oslo.", "created_at": "2024-05-01T08:00:00Z"},
    {"event": "UPDATE", "old_memory": "Liv moved to Voss.", "new_memory": "Liv moved to Bergen.",
     "updated_at": "2024-05-03T00:00:00Z"},
    {"event": "UPDATE", "old_memory": "Liv moved to Oslo.", "new_memory": "Liv moved to Voss.",
     "updated_at": "2024-05-02T00:00:00Z"},
    {"event": "UPDATE", "old_memory": "Liv moved to Bergen.", "new_memory": "Liv moved to Bergen."},
]  # fmt: skip


@dataclass
class Point:
    """A row of a vector store."""

    id: str
    payload: Mapping[str, Any]


class Mem0Version1:
    """Owners are arguments, the number is ``limit``; its vector store answers a list in a list."""

    failure = ""

    def __init__(self) -> None:
        self.vector_store = self

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Mem0Version1:
        """Raises for an empty configuration, as mem0 does for one it cannot use."""
        if not config:
            raise ValueError("no vector store")
        return cls()

    def list(self, filters: object = None, limit: int = 100) -> Any:
        """Of the vector store."""
        del filters
        if self.failure:
            raise RuntimeError(self.failure)
        return [[Point(id=id_, payload=payload) for id_, payload in ROWS.items()][:limit]]

    def get_all(self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None,
                limit: int = 100) -> Any:  # fmt: skip
        """Of mem0."""
        asked_for = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
        return {"results": answered({name: value for name, value in asked_for.items() if value})[:limit]}

    def history(self, memory_id: str) -> Any:
        """Of mem0."""
        return CHANGES if memory_id == "a" else []


class Mem0Version2(Mem0Version1):
    """Owners are filters, the number is ``top_k``; its vector store answers rows and where to go on."""

    def list(self, filters: object = None, top_k: int = 100) -> Any:
        """Of the vector store."""
        return (*super().list(filters, top_k), None)

    def get_all(self, *, filters: Mapping[str, str], top_k: int = 20) -> Any:  # type: ignore[override]
        """Of mem0."""
        return {"results": answered(filters)[:top_k]}


def answered(owner: Mapping[str, str]) -> Sequence[dict[str, Any]]:
    """What mem0 shows of an owner: nothing that has expired."""
    return [
        {"id": id_, "memory": row["data"], **{name: row[name] for name in OWN if name in row and name != "data"},
         "metadata": {name: value for name, value in row.items() if name not in OWN}}
        for id_, row in ROWS.items()
        if "expiration_date" not in row and all(row.get(name) == value for name, value in owner.items())
    ]  # fmt: skip


@pytest.fixture(params=[Mem0Version1, Mem0Version2])
def version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Mem0Version1]:
    """That mem0 is installed."""
    module = ModuleType("mem0")
    vars(module)["Memory"] = request.param
    monkeypatch.setitem(sys.modules, "mem0", module)
    kind: type[Mem0Version1] = request.param
    return kind


def origin(folder: Path, config: str = "vector_store: {provider: fake}") -> Mem0:
    """A store with this configuration."""
    path = folder / "mem0.yaml"
    path.write_text(config)
    return Mem0(str(path), MoveOptions(now=system_clock(), user_id="ida"))


async def test_every_owner_is_asked_for_and_history_moves(version: type[Mem0Version1], tmp_path: Path) -> None:
    """Each text under an id of its own, replacing the one before it; what mem0 does not answer is named."""
    store = origin(tmp_path)
    arrivals = [arrival async for arrival in store.arrivals()]
    rows = {row.id: row.memory for row in arrivals if isinstance(row, Recorded)}
    assert [
        ("a", "Liv moved to Oslo.", "2024-05-01T08:00", None),
        ("a@2", "Liv moved to Voss.", "2024-05-02T00:00", ("a",)),
        ("a@3", "Liv moved to Bergen.", "2024-05-03T00:00", ("a@2",)),
    ] == [(id_, rows[id_].text, str(rows[id_].created_at).replace(" ", "T")[:16], rows[id_].supersedes)
          for id_ in ("a", "a@2", "a@3")]  # fmt: skip
    assert ("liv", "red", "a") == (rows["a"].user_id, rows["a"].metadata["color"], rows["a@3"].metadata["mem0_id"])
    assert ("ida", "scribe", "r1") == (rows["b"].user_id, rows["b"].agent_id, rows["b"].run_id)
    assert ("r2", "Per") == (rows["c"].run_id, rows["c"].metadata["speaker"])
    assert {"d", "e"} == {each.id for each in arrivals if isinstance(each, LeftOut)}
    assert 5 == store.total


async def test_what_mem0_raises_is_an_error_of_one_line(
    version: type[Mem0Version1], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its providers raise, at the start or while it is read."""
    with pytest.raises(ConfigurationError, match="no vector store"):
        await anext(origin(tmp_path, "{}").arrivals())
    monkeypatch.setattr(version, "failure", "the disk is gone")
    with pytest.raises(StoreUnavailable, match="the disk is gone"):
        await anext(origin(tmp_path).arrivals())
