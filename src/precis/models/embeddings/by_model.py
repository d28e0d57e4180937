"""Turning texts into unit vectors by a model: one exported to ONNX in a folder, or one behind an endpoint."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from precis.errors import ConfigurationError, ModelUnavailable
from precis.models.embeddings.by_table import Vectors, WordPiece, unit
from precis.tracing import embedding, sent

if TYPE_CHECKING:
    from openai import AsyncOpenAI


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
        return unit(vectors)

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
        vectors: list[list[float]] = unit(rows).tolist()
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
