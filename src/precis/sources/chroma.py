"""Chroma as a pool: an embedded store that an assistant keeps beside itself, as its client library reads it.

No embedding function of the library is ever asked without need: its default one fetches a model when it is used. What
precis adds is embedded by the function the vectors there were made with; where that is not at hand, nothing is added.
"""

import asyncio
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from precis.errors import ConfigurationError
from precis.sources.reading import SPELLINGS, like, read, read_date, read_flag, read_ids, read_word, spelled
from precis.sources.source import PoolEmbedder, PoolMemory, PoolUnusable, listed

#: Rows read at once: the library sends them through one SQL statement.
_PAGE = 1_000
#: Rows looked at to learn how the store is written, and whose vectors are compared.
_EXAMPLES = 3
#: Two vectors of one text by one model differ by rounding only.
_SAME = 0.95
#: What the library looks for before it fetches its default model.
_MODEL_FILES = (
    "config.json", "model.onnx", "special_tokens_map.json", "tokenizer_config.json", "tokenizer.json", "vocab.txt",
)  # fmt: skip
#: Whether a text says of itself that it is a summary.
Marks = Callable[[str], bool]
#: A row with its document, its fields and its vector.
_Row = tuple[str | None, Mapping[str, Any], Any]


def _never(text: str) -> bool:
    del text
    return False


class ChromaPool:
    """A collection of a persistent Chroma store. See precis.sources.source.Pool."""

    def __init__(self, collection: Any, *, embed: PoolEmbedder | None = None, marks: Marks = _never) -> None:
        self._collection = collection
        self._embed = embed or built_in_embedder(collection)
        self._marks = marks
        self.name = f"chroma:{collection.id}"

    async def users(self) -> Sequence[str]:
        """Everybody whose id stands in a row."""
        return await asyncio.to_thread(lambda: sorted({_user_of(fields) for _, fields in self._metadata(None)}))

    async def list(
        self, user_id: str, *, before: datetime | None = None, limit: int | None = None, agent_id: str | None = None,
        run_id: str | None = None, summaries: bool = False,
    ) -> Sequence[PoolMemory]:  # fmt: skip
        """Rows of a user."""

        def work() -> Sequence[PoolMemory]:
            ids = [id_ for id_, fields in self._metadata(user_id) if _user_of(fields) == user_id]
            return listed(
                self._read(ids).values(), before=before, limit=limit, agent_id=agent_id, run_id=run_id,
                summaries=summaries,
            )  # fmt: skip

        return await asyncio.to_thread(work)

    async def get(self, ids: Sequence[str]) -> Mapping[str, PoolMemory]:
        """Those that exist."""
        return await asyncio.to_thread(self._read, ids)

    async def ready(self) -> None:
        """Raise PoolUnusable where there is no embedder, or the vectors in the store were made by another one."""
        if self._embed is None:
            raise PoolUnusable(
                "this collection does not say how its vectors were made, or by something that is not at hand: name its "
                "embedding model (--embed-model, --embed-url), or keep the summaries in precis (--keep-in-precis)"
            )
        examples = await asyncio.to_thread(self._examples)
        texts = [_text_of(document, fields) for document, fields, _ in examples]
        try:
            vectors = await self._embed([text or "summary" for text in texts] or ["summary"])
        except Exception as error:
            # Whatever it raises is its own; its message may hold the text.
            message = f"the embedder of this pool does not answer ({type(error).__name__}); nothing was written"
            raise PoolUnusable(message) from error
        _refuse_strangers([vector for _, _, vector in examples], vectors, texts)

    async def add(self, memory: PoolMemory) -> str:
        """Embed and add a summary; again it takes the place of the same."""
        if self._embed is None:
            raise PoolUnusable("this pool has no embedder")
        vectors = await self._embed([memory.text])
        await asyncio.to_thread(self._upsert, memory, vectors[0])
        return memory.id

    async def delete(self, ids: Sequence[str]) -> None:
        """Delete them, so many at once."""
        for at in range(0, len(ids), _PAGE):
            await asyncio.to_thread(self._collection.delete, ids=list(ids[at : at + _PAGE]))

    def _metadata(self, user_id: str | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every row of a user (of everybody for None) without its vector; rows without a user are the user ""'s."""
        offset = 0
        while True:
            page = self._collection.get(where=_where(user_id), include=["metadatas"], limit=_PAGE, offset=offset)
            yield from zip(page["ids"], (fields or {} for fields in page["metadatas"]), strict=True)
            if len(page["ids"]) < _PAGE:
                return
            offset += _PAGE

    def _read(self, ids: Sequence[str]) -> dict[str, PoolMemory]:
        rows: dict[str, PoolMemory] = {}
        for at in range(0, len(ids), _PAGE):
            page = self._collection.get(ids=list(ids[at : at + _PAGE]), include=["documents", "metadatas"])
            for id_, document, fields in zip(page["ids"], page["documents"], page["metadatas"], strict=True):
                rows[id_] = self._memory(id_, document, fields or {})
        return rows

    def _memory(self, id_: str, document: str | None, fields: Mapping[str, Any]) -> PoolMemory:
        text = _text_of(document, fields)
        return PoolMemory(
            id=id_,
            text=text,
            user_id=_user_of(fields),
            agent_id=read_word(fields, "agent_id"),
            run_id=read_word(fields, "run_id"),
            created_at=read_date(fields, "created_at"),
            is_summary=read_flag(fields, "is_summary") or self._marks(text),
            summarized_memory_ids=read_ids(fields, "summarized_memory_ids"),
            summarized_until=read_date(fields, "summarized_until"),
        )

    def _examples(self) -> Sequence[_Row]:
        """Document, fields and vector of a few raw rows."""
        page = self._collection.get(limit=4 * _EXAMPLES, include=["documents", "metadatas", "embeddings"])
        rows = zip(page["documents"], page["metadatas"], page["embeddings"], strict=True)
        full = [(document, fields or {}, vector) for document, fields, vector in rows]
        return [row for row in full if not read_flag(row[1], "is_summary")][:_EXAMPLES]

    def _upsert(self, memory: PoolMemory, vector: Sequence[float]) -> None:
        fields = _written(memory, [fields for _, fields, _ in self._examples()])
        row = {"ids": [memory.id], "documents": [memory.text], "embeddings": [list(vector)]}
        try:
            self._collection.upsert(**row, metadatas=[fields])
        except (ValueError, TypeError):
            # Releases before 1.5 keep no lists.
            flat = {name: _flat(value) for name, value in fields.items()}
            self._collection.upsert(**row, metadatas=[flat])


def open_chroma(
    path: Path, *, collection: str | None = None, embed: PoolEmbedder | None = None, marks: Marks = _never
) -> ChromaPool:
    """The pool in this folder. Raises PoolUnusable where there is none: precis makes no store of its own there."""
    chromadb, settings = _library()
    if not (path / "chroma.sqlite3").is_file():
        raise PoolUnusable(f"{path}: there is no Chroma store in this folder")
    client = chromadb.PersistentClient(path=str(path), settings=settings(anonymized_telemetry=False))
    names = sorted(each if isinstance(each, str) else each.name for each in client.list_collections())
    if collection is None and len(names) == 1:
        collection = names[0]
    if collection not in names:
        problem = f"no collection {collection!r}" if collection else "more than one collection, or none"
        raise PoolUnusable(f"{path}: {problem} here; --collection is one of: {', '.join(names) or 'nothing'}")
    # Without None the library would set up its default embedding function.
    return ChromaPool(client.get_collection(collection, embedding_function=None), embed=embed, marks=marks)


def built_in_embedder(collection: Any) -> PoolEmbedder | None:
    """The library's default function, where the collection was made with it and its model lies on this computer."""
    configured = (getattr(collection, "configuration_json", None) or {}).get("embedding_function") or {}
    if configured.get("name") not in ("default", "onnx_mini_lm_l6_v2"):
        return None
    functions = importlib.import_module("chromadb.utils.embedding_functions")
    model = functions.ONNXMiniLM_L6_V2
    folder = Path(model.DOWNLOAD_PATH) / model.EXTRACTED_FOLDER_NAME
    if not all((folder / name).is_file() for name in _MODEL_FILES):
        return None  # it would be fetched
    function = model()
    # Another release may look for another file.
    setattr(function, "_download", _refuse_download)  # noqa: B010 - it has no public name

    async def embed(texts: list[str]) -> list[list[float]]:
        return [[float(x) for x in vector] for vector in await asyncio.to_thread(function, texts)]

    return embed


def _refuse_download(*_args: Any, **_options: Any) -> None:
    raise PoolUnusable("the library's embedding model is not complete on this computer, and precis fetches nothing")


def _library() -> tuple[Any, Any]:
    try:
        return importlib.import_module("chromadb"), importlib.import_module("chromadb.config").Settings
    except ImportError as error:
        raise ConfigurationError("Chroma pools need its client library: pip install 'precis-memory[chroma]'") from error


def _user_of(fields: Mapping[str, Any]) -> str:
    return read_word(fields, "user_id") or ""


def _text_of(document: str | None, fields: Mapping[str, Any]) -> str:
    """The document; stores that embed for themselves keep the text among the metadata."""
    return document or read_word(fields, "text") or ""


def _where(user_id: str | None) -> dict[str, Any] | None:
    """A condition on the user, however the field is spelled; none where rows without a user are wanted."""
    if not user_id:
        return None
    values: list[str | int] = [user_id]
    if user_id.isascii() and user_id.isdigit() and len(user_id) < 19:
        values.append(int(user_id))
    return {"$or": [{key: value} for key in SPELLINGS["user_id"] for value in values]}


def _refuse_strangers(stored: Sequence[Any], ours: Sequence[Sequence[float]], texts: Sequence[str]) -> None:
    """Raise PoolUnusable where the vectors that lie there were made by something else."""
    pairs = [
        (np.asarray(vector, dtype=np.float64), np.asarray(own, dtype=np.float64))
        for vector, own, text in zip(stored, ours, texts, strict=False)
        if vector is not None and text
    ]
    for vector, own in pairs:
        if vector.shape != own.shape:
            message = f"the vectors here have {vector.shape[0]} dimensions, the embedder gives {own.shape[0]}"
            raise PoolUnusable(f"{message}: name the model they were made with")
    if pairs and not any(_cosine(vector, own) >= _SAME for vector, own in pairs):
        raise PoolUnusable("the vectors here were made by another embedder: name the model they were made with")


def _cosine(vector: Any, other: Any) -> float:
    lengths = float(np.linalg.norm(vector) * np.linalg.norm(other))
    return float(vector @ other) / lengths if lengths else 0.0


def _written(memory: PoolMemory, examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A summary's metadata, in the spelling of the rows that are there."""
    example = next(iter(examples), {})
    when = memory.created_at
    fields = {
        "is_summary": True,
        "summarized_memory_ids": list(memory.summarized_memory_ids) or None,
        "summarized_until": memory.summarized_until.isoformat() if memory.summarized_until else None,
        "user_id": memory.user_id or None,
        "agent_id": memory.agent_id,
        "run_id": memory.run_id,
        "created_at": like(read(example, "created_at"), when) if when else None,
    }
    named = {_name(example, name): value for name, value in fields.items() if value is not None}
    kept_in = spelled(example, "text")
    return named | {kept_in: memory.text} if kept_in else named


def _name(example: Mapping[str, Any], name: str) -> str:
    """As the store spells it; what only summaries have is spelled our way."""
    return spelled(example, name) or name


def _flat(value: Any) -> Any:
    return "[" + ", ".join(f'"{each}"' for each in value) + "]" if isinstance(value, list) else value
