"""Turning texts into unit vectors: a table shipped with precis, an ONNX model in a folder, or an endpoint."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from precis.errors import ConfigurationError, ModelUnavailable
from precis.models.spans import embedding
from precis.models.wording import wording
from precis.models.wordpiece import WordPiece
from precis.tracing import sent

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Vectors = NDArray[np.float32]

#: Below this many characters a batch is quicker than handing it to a thread.
_SMALL_BATCH = 4_000
#: Token vectors gathered at a time: 8 MB of them.
_GATHERED = 8_192
#: Shares of letters in words of the table's language: below the one it is read as another language, above the other
#: as its own. Of English queries and chats 1 in 100 lies between them, of other languages 1 in 1,000.
_READ_FROM, _READ_WHOLLY = 0.55, 0.75
#: Letters from which a text tells its language.
_TELLING = 26
_loading = threading.Lock()


class StaticEmbedder:
    """The default: the normalized sum of one learned vector a word piece. No model, no network.

    The table was learned from English. Of a text in another language it would say only that it is in another language,
    and all such texts would be alike; so that text gets a vector of its words' letters, which is like that of texts
    that share words with it (``precis.models.wording``). ``knows`` tells which it is. Any number of threads may share
    it; all instances share one table, read at first use.
    """

    version = "static-minilm-256@2"
    dimensions = 256

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order; large batches are worked off the event loop."""
        with embedding(self.version, texts):
            if sum(map(len, texts)) < _SMALL_BATCH and _table.cache_info().currsize:
                return self._lists(texts)
            return await asyncio.to_thread(self._lists, texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The same as an array of one row a text, at once."""
        pieces, rows = _shared_table()
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start, batch in _batches([pieces.ids(text) for text in texts]):
            _add_up(rows, batch, sums[start : start + len(batch)])
        vectors = _unit(sums)
        known = [self.knows(text) for text in texts]
        unread = [place for place, share in enumerate(known) if share < 1]
        if unread:
            shares = np.asarray([[known[place]] for place in unread], dtype=np.float32)
            letters = wording([texts[place] for place in unread], self.dimensions)
            vectors[unread] = _unit(shares * vectors[unread] + (1 - shares) * letters)
        return vectors

    def knows(self, text: str) -> float:
        """How far the vector of a text goes by meanings (1) rather than by the letters of its words (0).

        A few plain letters tell no language ("allergies" is spelled from fragments, as foreign words are): such a text
        is read as if it went on in words that are known.
        """
        share = _shared_table()[0].knows(text)
        letters = sum(map(str.isalpha, text))
        if 0 < letters < _TELLING and text.isascii():
            share = (share * letters + _TELLING - letters) / _TELLING
        return min(1.0, max(0.0, (share - _READ_FROM) / (_READ_WHOLLY - _READ_FROM)))

    def _lists(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self.vectors(texts).tolist()
        return vectors


class OnnxEmbedder:
    """A sentence model exported to ONNX, read from a folder with ``model.onnx`` and an uncased ``vocab.txt``.

    Needs the extra ``onnx``. The output is averaged over the tokens unless the model already gives one vector a text.
    """

    #: Texts a run; they are padded to the longest.
    _BATCH = 32

    def __init__(self, folder: str | Path, *, max_tokens: int = 256) -> None:
        self._folder = Path(folder)
        self._max_tokens = max_tokens
        self._pieces = WordPiece(self._vocabulary(), unknown="[UNK]")
        self._first, self._last = self._mark("[CLS]"), self._mark("[SEP]")
        self._session, fingerprint = self._open()
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self.dimensions = len(self._run([""])[0])
        self.version = f"onnx-{self._folder.name}-{fingerprint}@1"

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order, worked off the event loop."""
        with embedding(self.version, texts):
            return await asyncio.to_thread(self._lists, texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The same as an array of one row a text; texts of about the same length run together."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), self._BATCH):
            places = order[start : start + self._BATCH]
            vectors[places] = self._run([texts[place] for place in places])
        return _unit(vectors)

    def _lists(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self.vectors(texts).tolist()
        return vectors

    def _vocabulary(self) -> list[str]:
        settings = self._folder / "tokenizer_config.json"
        if settings.is_file() and json.loads(settings.read_text("utf-8")).get("do_lower_case") is False:
            raise ConfigurationError(f"The model in {self._folder} is cased; only uncased WordPiece models are read.")
        return self._file("vocab.txt").read_text("utf-8").split("\n")

    def _mark(self, piece: str) -> int:
        try:
            return self._pieces.number(piece)
        except KeyError as missing:
            raise ConfigurationError(f"The vocabulary in {self._folder} has no piece {piece}.") from missing

    def _file(self, name: str) -> Path:
        """A file of the folder, or of its subfolder ``onnx`` as some exports have it."""
        for path in (self._folder / name, self._folder / "onnx" / name):
            if path.is_file():
                return path
        raise ConfigurationError(f"There is no {name} in {self._folder}.")

    def _open(self) -> tuple[Any, str]:
        """The session, and the first digits of the model's SHA-256."""
        try:
            onnxruntime = importlib.import_module("onnxruntime")
        except ImportError as missing:
            message = "Embedding with an ONNX model needs onnxruntime: pip install 'precis-memory[onnx]'."
            raise ConfigurationError(message) from missing
        path = self._file("model.onnx")
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        with path.open("rb") as model:
            return session, hashlib.file_digest(model, "sha256").hexdigest()[:8]

    def _run(self, texts: Sequence[str]) -> Vectors:
        rows = [[self._first, *self._pieces.ids(text)[: self._max_tokens - 2], self._last] for text in texts]
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        arrays = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: arrays[name] for name in self._inputs})[0]
        if output.ndim == 2:
            return np.asarray(output, dtype=np.float32)
        weights = mask[:, :, None].astype(np.float32)
        mean: Vectors = (output * weights).sum(axis=1) / weights.sum(axis=1)
        return mean


class EndpointEmbedder:
    """Any OpenAI-compatible ``/embeddings``. Texts leave the machine for wherever ``base_url`` points.

    Raises ModelUnavailable where no vectors could be had, ConfigurationError where they are not of ``dimensions``.
    """

    #: Texts a request; more are refused by some servers.
    _BATCH = 128

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int,
        *,
        shorten: bool = False,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> None:
        self.dimensions = dimensions
        self.version = f"endpoint-{model}-{dimensions}@1"
        self._model = model
        #: Ask the endpoint itself for shorter vectors; few models can.
        self._shorten = shorten
        self._settings: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key,
            "timeout": timeout,
            "max_retries": retries,
        }
        self._client: AsyncOpenAI | None = None

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order. Blank texts, which endpoints refuse, give the zero vector."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        places = [place for place, text in enumerate(texts) if text.strip()]
        with embedding(self.version, texts):
            for start in range(0, len(places), self._BATCH):
                batch = places[start : start + self._BATCH]
                rows[batch] = await self._ask([texts[place] for place in batch])
        vectors: list[list[float]] = _unit(rows).tolist()
        return vectors

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        import openai  # noqa: PLC0415  (half a second)

        if self._client is None:
            self._client = openai.AsyncOpenAI(**self._settings)
        size = self.dimensions if self._shorten else openai.omit
        try:
            answer = await self._client.embeddings.create(
                model=self._model, input=texts, encoding_format="float", dimensions=size,
                extra_headers=sent() or None,
            )  # fmt: skip
        except openai.APIStatusError as refusal:
            message = f"The embedding endpoint answered with status {refusal.status_code}."
            raise ModelUnavailable(message) from refusal
        except openai.OpenAIError as failure:
            raise ModelUnavailable("The embedding endpoint could not be reached or took too long.") from failure
        return self._checked([entry.embedding for entry in sorted(answer.data, key=lambda e: e.index)], len(texts))

    def _checked(self, vectors: list[list[float]], expected: int) -> list[list[float]]:
        if len(vectors) != expected:
            raise ModelUnavailable(f"The embedding endpoint gave {len(vectors)} vectors for {expected} texts.")
        wrong = {len(vector) for vector in vectors} - {self.dimensions}
        if wrong:
            sizes = f"{wrong.pop()} dimensions where {self.dimensions} are configured"
            raise ConfigurationError(f"The embedding model {self._model} gives vectors of {sizes}.")
        return vectors


def _shared_table() -> tuple[WordPiece, Vectors]:
    """The pieces and their vectors, read once a process whoever asks first."""
    with _loading:
        return _table()


@lru_cache(maxsize=1)
def _table() -> tuple[WordPiece, Vectors]:
    with as_file(files("precis.models") / "tables" / "minilm-256.npz") as path, np.load(path) as stored:
        rows = stored["steps"].astype(np.float32) * stored["scales"].astype(np.float32)[:, None]
        return WordPiece(stored["pieces"].tobytes().decode("utf-8").split("\n")), rows


def _batches(texts: list[list[int]]) -> Iterator[tuple[int, list[list[int]]]]:
    """Neighbors whose token vectors fit in memory together, each with the place of the first."""
    start = tokens = 0
    for place, ids in enumerate(texts):
        if tokens and tokens + len(ids) > _GATHERED:
            yield start, texts[start:place]
            start, tokens = place, 0
        tokens += len(ids)
    yield start, texts[start:]


def _add_up(rows: Vectors, batch: list[list[int]], sums: Vectors) -> None:
    """Write the sum of each text's token vectors into ``found``; a text of no tokens stays zero."""
    if len(batch) == 1:
        ids, counts = np.unique(np.asarray(batch[0], dtype=np.int64), return_counts=True)
        sums[0] = counts.astype(np.float32) @ rows[ids]
        return
    filled = [place for place, ids in enumerate(batch) if ids]
    if filled:
        lengths = [len(batch[place]) for place in filled]
        starts = np.cumsum([0, *lengths[:-1]])
        flat = np.fromiter((number for ids in batch for number in ids), dtype=np.int64, count=sum(lengths))
        sums[filled] = np.add.reduceat(rows[flat], starts, axis=0)


def _unit(vectors: Vectors) -> Vectors:
    """Rows of length one; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: Vectors = vectors / lengths
    return unit
