"""Cognee as a pool, over its published interface: ``cognee.add``, ``cognify``, and the calls of ``cognee.datasets``.

A data set is what Cognee keeps apart, so the user of a pool is the name of a data set: a summary goes into the one its
originals are in. Cognee keeps no metadata that is ours, so a summary is marked in its text. Ids are composite,
``<data set id>:<data id>``, because a data set must be named to delete from it.
"""

import importlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from inspect import isawaitable
from typing import Any
from uuid import UUID

from precis.errors import ConfigurationError
from precis.sources.reading import fields_of, read_date, read_flag, read_word
from precis.sources.source import PoolMemory, PoolUnusable, listed

#: How releases call the rows of a data set, and the deletion of one; the first that is there is used.
_LISTS = ("get_data", "get_dataset_data", "list_data")
_DELETES = ("delete_data", "delete")

#: The text behind ``raw_data_location``: a listed row does not hold it.
ReadText = Callable[[str], Awaitable[str]]


class CogneePool:
    """See precis.sources.source.Pool. ``library`` is the module cognee, or something with its calls."""

    name = "cognee"

    def __init__(
        self, library: Any, *, marker: str, marks: Callable[[str], bool], read_text: ReadText | None = None
    ) -> None:
        self._library = library
        self._marker = marker
        self._marks = marks
        self._read_text = read_text or _read_stored

    async def users(self) -> Sequence[str]:
        """The names of the data sets."""
        return sorted(await self._datasets())

    async def list(
        self, user_id: str, *, before: datetime | None = None, limit: int | None = None, agent_id: str | None = None,
        run_id: str | None = None, summaries: bool = False,
    ) -> Sequence[PoolMemory]:  # fmt: skip
        """Rows of a data set. Cognee knows no agents and runs: asked for one, it has none."""
        dataset = (await self._datasets()).get(user_id)
        rows = [] if dataset is None else await self._rows(user_id, dataset)
        return listed(rows, before=before, limit=limit, agent_id=agent_id, run_id=run_id, summaries=summaries)

    async def get(self, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Those that exist; their data sets are read for it."""
        memories: dict[str, PoolMemory] = {}
        requested = set(ids)
        datasets = {id_.partition(":")[0] for id_ in requested}
        for user_id, dataset in (await self._datasets()).items():
            if dataset in datasets:
                memories |= {row.id: row for row in await self._rows(user_id, dataset) if row.id in requested}
        return memories

    async def ready(self) -> None:
        """Raise PoolUnusable where a call is missing. The embedder is Cognee's own."""
        for owner, names in ((self._library, ("add",)), (self._calls, _LISTS), (self._calls, _DELETES)):
            _call(owner, names)

    async def add(self, memory: PoolMemory) -> str:
        """Add a summary and index it. Cognee keeps one row of a text, so that adding it again changes nothing."""
        text = f"{self._marker}{memory.text}"
        await _awaited(self._library.add(text, dataset_name=memory.user_id))
        cognify = getattr(self._library, "cognify", None)
        if cognify is not None:
            await _awaited(cognify(datasets=[memory.user_id]))
        ids = [row.id for row in await self.list(memory.user_id, summaries=True) if row.text == memory.text]
        if not ids:
            raise PoolUnusable(f"Cognee took a summary for {memory.user_id!r} and does not list it")
        return ids[-1]

    async def delete(self, ids: Sequence[str]) -> None:
        """Delete those that exist."""
        delete = _call(self._calls, _DELETES)
        for id_ in await self.get(ids):
            dataset_id, _, data_id = id_.partition(":")
            await _awaited(delete(dataset_id=_uuid(dataset_id), data_id=_uuid(data_id)))

    @property
    def _calls(self) -> Any:
        return getattr(self._library, "datasets", None)

    async def _datasets(self) -> Mapping[str, str]:
        """Ids of the data sets by name."""
        rows = [fields_of(row) for row in await _awaited(_call(self._calls, ("list_datasets",))()) or []]
        return {str(row["name"]): str(row["id"]) for row in rows}

    async def _rows(self, user_id: str, dataset: str) -> Sequence[PoolMemory]:
        answer = await _awaited(_call(self._calls, _LISTS)(_uuid(dataset))) or []
        rows = answer if isinstance(answer, list | tuple) else [answer]
        return [await self._memory(user_id, dataset, fields_of(row)) for row in rows]

    async def _memory(self, user_id: str, dataset: str, row: Mapping[str, Any]) -> PoolMemory:
        text = read_word(row, "text")
        if text is None:
            text = await self._read_text(str(row.get("raw_data_location") or row.get("rawDataLocation") or ""))
        marked = self._marks(text)
        own = row.get("metadata")
        return PoolMemory(
            id=f"{dataset}:{row['id']}",
            text=text.removeprefix(self._marker) if marked else text,
            user_id=user_id,
            created_at=read_date(row, "created_at"),
            is_summary=marked or (isinstance(own, Mapping) and read_flag(own, "is_summary")),
        )


def open_cognee(*, marker: str, marks: Callable[[str], bool]) -> CogneePool:
    """The pool of the Cognee that is installed and configured here."""
    try:
        library = importlib.import_module("cognee")
    except ImportError as error:
        raise ConfigurationError("a Cognee pool needs Cognee itself in this environment: pip install cognee") from error
    return CogneePool(library, marker=marker, marks=marks)


async def _read_stored(location: str) -> str:
    """What Cognee keeps at a location, read by Cognee."""
    files = importlib.import_module("cognee.infrastructure.files.utils.open_data_file")
    async with files.open_data_file(location) as file:
        stored = await _awaited(file.read())
    return stored.decode(errors="replace") if isinstance(stored, bytes) else str(stored)


def _call(owner: Any, names: Sequence[str]) -> Callable[..., Any]:
    """The first of these calls that a release has. Raises PoolUnusable."""
    for name in names:
        call = getattr(owner, name, None)
        if callable(call):
            return call  # type: ignore[no-any-return]
    raise PoolUnusable(f"this release of Cognee has none of: {', '.join(names)}")


async def _awaited(value: Any) -> Any:
    return await value if isawaitable(value) else value


def _uuid(id_: str) -> UUID | str:
    """As Cognee has it; releases differ in whether they take a string."""
    with suppress(ValueError):
        return UUID(id_)
    return id_
