"""Cognee's published interface over plain lists, for tests: as release 1.6 answers, and under its older names."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4, uuid5

_SPACE = UUID("00000000-0000-0000-0000-00000000c09e")


@dataclass(kw_only=True)
class _Row:
    """A row of a data set: what is said lies in a file."""

    id: UUID
    raw_data_location: str
    #: Without an offset, as its default database answers.
    created_at: datetime | None
    name: str = "text"
    external_metadata: dict[str, Any] = field(default_factory=dict)


class FakeCognee:
    """The module ``cognee`` with the calls that a pool needs.

    ``older`` names the calls as releases before 1.0 did.
    """

    def __init__(self, *, older: bool = False) -> None:
        self._rows: dict[str, list[_Row]] = {}
        self._files: dict[str, str] = {}
        #: Data sets in the order in which they were asked to be indexed.
        self.indexed: list[str] = []
        #: The time of rows that are added.
        self.now = datetime(2026, 3, 2, 12)  # noqa: DTZ001 - Cognee's rows have no offset
        names = ("get_data", "delete") if older else ("list_data", "delete_data")
        calls = {"list_datasets": self._list_datasets, names[0]: self._list_data, names[1]: self._delete_data}
        self.datasets = SimpleNamespace(**calls)

    async def add(self, data: str, dataset_name: str = "main_dataset") -> object:
        """A text that is there already stays one row."""
        if data not in self.texts(dataset_name):
            self.put(dataset_name, data, self.now)
        return SimpleNamespace(status="PipelineRunCompleted", dataset_name=dataset_name)

    async def cognify(self, datasets: list[str]) -> None:
        """Index them."""
        self.indexed += datasets

    def put(self, dataset: str, text: str, created_at: datetime | None) -> None:
        """A memory from some day."""
        row = _Row(id=uuid4(), raw_data_location="", created_at=created_at and created_at.replace(tzinfo=None))
        row.raw_data_location = f"file:///data/{row.id}.txt"
        self._files[row.raw_data_location] = text
        self._rows.setdefault(dataset, []).append(row)

    def texts(self, dataset: str) -> list[str]:
        """What a data set says."""
        return [self._files[row.raw_data_location] for row in self._rows.get(dataset, [])]

    async def read(self, location: str) -> str:
        """The file at a location."""
        return self._files[location]

    async def _list_datasets(self) -> list[Any]:
        return [SimpleNamespace(id=uuid5(_SPACE, name), name=name) for name in self._rows]

    async def _list_data(self, dataset_id: UUID) -> list[_Row]:
        return list(self._rows[self._name(dataset_id)])

    async def _delete_data(self, dataset_id: UUID, data_id: UUID) -> dict[str, str]:
        name = self._name(dataset_id)
        self._rows[name] = [row for row in self._rows[name] if row.id != data_id]
        return {"status": "success"}

    def _name(self, dataset_id: UUID) -> str:
        return next(name for name in self._rows if uuid5(_SPACE, name) == dataset_id)
