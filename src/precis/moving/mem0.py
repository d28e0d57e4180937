"""A mem0 store, read by mem0 itself from the configuration it was made with (``Memory.from_config``).

A memory that mem0 updated moves with its earlier texts, which it replaces: they stay readable for dates before.
"""

import asyncio
import inspect
import os
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import yaml

from precis.errors import ConfigurationError, InvalidInput, StoreUnavailable
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, memory, moment

#: More than any store holds: mem0 asks for a number.
_ALL = 1_000_000
#: Whose a memory may be, in the order in which they are asked for.
_OWNERS = ("user_id", "agent_id", "run_id")


class Mem0:
    """mem0's own calls block, so they run in a thread."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """``source`` is the configuration, as JSON or YAML. Raises InvalidInput."""
        self._options = options
        try:
            self._config = yaml.safe_load(existing(source).read_text(encoding="utf-8"))
        except (yaml.YAMLError, OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{source}: it is no configuration in JSON or YAML ({type(error).__name__})") from error
        if not isinstance(self._config, dict):
            raise InvalidInput(f"{source}: it should hold the configuration that Memory.from_config takes")
        self._store: Any = None
        #: How many its vector store lists.
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises ConfigurationError where mem0 is not installed or does not start."""
        payloads = await asyncio.to_thread(self._payloads)
        self.total = len(payloads)
        shown: set[str] = set()
        for filters in _filters(payloads.values()):
            for record in await asyncio.to_thread(self._of, filters):
                if record["id"] not in shown:
                    shown.add(record["id"])
                    for arrival in self._memories(record, await asyncio.to_thread(self._texts_before, record["id"])):
                        yield arrival
        for id_ in payloads.keys() - shown:
            yield LeftOut(id=id_, reason="mem0 lists it and does not answer it: it has expired, or is nobody's")

    def _opened(self) -> Any:
        if self._store is None:
            os.environ.setdefault("MEM0_TELEMETRY", "False")
            try:
                mem0 = import_module("mem0")  # only whoever has a mem0 store has it
            except ImportError as error:
                raise ConfigurationError(f"mem0 cannot be read here ({error}): pip install mem0ai") from error
            try:
                self._store = mem0.Memory.from_config(self._config)
            except Exception as error:  # whatever a provider of mem0 raises
                raise ConfigurationError(f"mem0 does not start with this configuration: {error}") from error
        return self._store

    def _payloads(self) -> dict[str, Mapping[str, Any]]:
        """What lies in the vector store, by id; its calls answer lists, or tuples with a list first."""
        lister = self._opened().vector_store.list
        rows = _asked(lister, **{_limit(lister): _ALL})
        while isinstance(rows, Sequence) and rows and isinstance(rows[0], list | tuple):
            rows = rows[0]
        return {str(row.id): row.payload or {} for row in rows or () if hasattr(row, "payload")}

    def _of(self, filters: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
        """All memories of somebody, as mem0 of this version wants to be asked."""
        getter = self._opened().get_all
        scope = {"filters": dict(filters)} if _limit(getter) == "top_k" else dict(filters)
        answer = _asked(getter, **scope, **{_limit(getter): _ALL})
        rows = answer.get("results", ()) if isinstance(answer, Mapping) else answer
        return [row for row in rows if isinstance(row, Mapping) and isinstance(row.get("id"), str)]

    def _texts_before(self, id_: str) -> list[Mapping[str, Any]]:
        """The changes of its text, oldest first."""
        changes = [change for change in _asked(self._opened().history, id_) or () if isinstance(change, Mapping)]
        updates = [
            change
            for change in changes
            if change.get("event") == "UPDATE" and change.get("old_memory") not in (None, "", change.get("new_memory"))
        ]
        return sorted(updates, key=lambda change: str(change.get("updated_at") or change.get("created_at") or ""))

    def _memories(self, record: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> Iterator[Arrival]:
        """The first text under mem0's id, later ones under numbers: an update since the last move is one more."""
        at = moment(record.get("created_at"))
        id_ = str(record["id"])
        older: tuple[str, ...] = ()
        for number, change in enumerate(changes, start=2):
            yield self._memory(record, id_, str(change["old_memory"]), at, supersedes=older)
            at = moment(change.get("updated_at")) or moment(change.get("created_at")) or at
            older, id_ = (id_,), f"{record['id']}@{number}"
        yield self._memory(record, id_, str(record.get("memory") or ""), at, supersedes=older)

    def _memory(self, record: Mapping[str, Any], id_: str, text: str, at: Any, **more: Any) -> Arrival:
        metadata = record.get("metadata")
        speaker = record.get("actor_id")
        return memory(
            id_,
            {
                "text": cleaned(text),
                "user_id": record.get("user_id") or self._options.user_id,
                "agent_id": record.get("agent_id"),
                "run_id": record.get("run_id"),
                "created_at": at,
                "metadata": {
                    **(metadata if isinstance(metadata, Mapping) else {}),
                    "from": "mem0",
                    "mem0_id": record["id"],
                    **({"role": record["role"]} if record.get("role") else {}),
                    **({"speaker": speaker} if isinstance(speaker, str) and speaker else {}),
                },
                **more,
            },
        )


def _asked(call: Callable[..., Any], *arguments: str, **named: Any) -> Any:
    """What mem0 answers. Raises StoreUnavailable for whatever its stores raise."""
    try:
        return call(*arguments, **named)
    except Exception as error:
        raise StoreUnavailable(f"mem0 cannot be read: {type(error).__name__}: {error}") from error


def _limit(call: Callable[..., Any]) -> str:
    """mem0 2 calls it top_k, mem0 1 limit."""
    return "top_k" if "top_k" in inspect.signature(call).parameters else "limit"


def _filters(payloads: Any) -> list[dict[str, str]]:
    """Every user; every agent of memories without a user; every run of those without either."""
    owners: dict[tuple[str, str], None] = {}
    for payload in payloads:
        name = next((name for name in _OWNERS if payload.get(name)), None)
        if name is not None:
            owners[(name, str(payload[name]))] = None
    return [{name: value} for name, value in owners]
