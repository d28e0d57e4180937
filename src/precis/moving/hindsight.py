"""A Hindsight bank's transfer archive: the .zip of its export, with a JSON file for each document and its facts.

What follows from the facts (observations, mental models, knowledge pages) is made anew by precis in its own way, so it
stays behind, and is counted.
"""

import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from precis.errors import InvalidInput
from precis.moving.arrivals import Arrival, LeftOut, MoveOptions, cleaned, existing, labels, made_id, memory, moment
from precis.moving.chat_exports import elements, opened

_DOCUMENT = re.compile(r"(?:.*/)?documents/\d+\.json")
#: The layout that this reads.
SCHEMA_VERSION = 1
_DERIVED = {
    "observations.json": "derived from facts: an observation",
    "mental_models.json": "derived from facts: a mental model",
    "knowledge_pages.json": "derived from facts: a knowledge page",
    "data/invalidated_memory_units.json": "taken back in Hindsight",
}
_TYPES = {"world": "semantic", "experience": "episodic"}
#: Dates of a fact, that of the talk first.
_DATES = ("mentioned_at", "occurred_start", "event_date", "created_at")


class Hindsight:
    """Reads document by document."""

    def __init__(self, source: str, options: MoveOptions) -> None:
        """Raises InvalidInput."""
        self._path, self._options = existing(source), options
        #: As the archive says itself.
        self.total: int | None = None

    async def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Raises InvalidInput."""
        with opened(self._path) as unchecked:
            archive, manifest = _manifest(unchecked, str(self._path))
            bank = str(manifest.get("source_bank_id") or "")
            self.total = manifest["fact_count"] if isinstance(manifest.get("fact_count"), int) else None
            for name in archive.namelist():
                with archive.open(name) as content:
                    for arrival in self._read(name, content, bank):
                        yield arrival

    def _read(self, name: str, content: IO[bytes], bank: str) -> Iterator[Arrival]:
        if _DOCUMENT.fullmatch(name):
            yield from self._facts(_object(content, name), bank, name)
        elif name in _DERIVED:
            for number, row in enumerate(elements(content, name), start=1):
                id_ = str((row.get("source_id") or row.get("id")) if isinstance(row, Mapping) else "") or str(number)
                yield LeftOut(id=id_, reason=_DERIVED[name])

    def _facts(self, document: Mapping[str, Any], bank: str, name: str) -> Iterator[Arrival]:
        document_id = str(document.get("id") or name)
        facts = document.get("facts")
        if not isinstance(facts, list) or not facts:
            yield LeftOut(id=document_id, reason="a document of which Hindsight has no fact")
            return
        repeated: Counter[str] = Counter()
        for fact in facts:
            text = fact.get("text") if isinstance(fact, Mapping) else None
            if not isinstance(text, str) or not text.strip():
                yield LeftOut(id=document_id, reason="a fact without a text", refused=True)
                continue
            repeated[text] += 1
            # Facts of one archive are numbered, but the numbers change from one export to the next.
            id_ = made_id("hindsight", bank, document_id, text, str(repeated[text]))
            yield self._memory(id_, fact, document, bank)

    def _memory(self, id_: str, fact: Mapping[str, Any], document: Mapping[str, Any], bank: str) -> Arrival:
        dates = [moment(fact.get(name)) for name in _DATES]
        kept = {name: fact[name] for name in ("context", "source_id", "occurred_end", "metadata") if fact.get(name)}
        tags = [*(fact.get("tags") or ()), *(document.get("tags") or ())]
        return memory(
            id_,
            {
                "text": cleaned(fact["text"]),
                "user_id": self._options.user_id or bank,
                "memory_type": _TYPES.get(str(fact.get("fact_type")), "semantic"),
                "created_at": next(filter(None, [*dates, moment(document.get("created_at"))]), None),
                "event_date": moment(fact.get("occurred_start")) or moment(fact.get("event_date")),
                "entities": labels(fact.get("entities")),
                "topics": labels(tags),
                "metadata": {"from": "hindsight", "bank": bank, "document": str(document.get("id") or ""), **kept},
            },
        )


def _manifest(archive: ZipFile | None, where: str) -> tuple[ZipFile, Mapping[str, Any]]:
    """The archive with what it says of itself. Raises InvalidInput for no such archive, or one of another layout."""
    if archive is None or "manifest.json" not in archive.namelist():
        raise InvalidInput(f"{where}: this is no archive that Hindsight exported: it holds no manifest.json")
    with archive.open("manifest.json") as content:
        manifest = _object(content, "manifest.json")
    version = manifest.get("schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION:
        raise InvalidInput(f"{where}: it has version {version!r} of the layout; precis reads {SCHEMA_VERSION}")
    return archive, manifest


def _object(content: IO[bytes], name: str) -> Mapping[str, Any]:
    try:
        value = json.loads(content.read())
    except (ValueError, RecursionError, BadZipFile) as error:
        raise InvalidInput(f"{name}: it is no JSON ({type(error).__name__}); fetch the export again") from error
    if not isinstance(value, dict):
        raise InvalidInput(f"{name}: it holds no JSON object")
    return value
