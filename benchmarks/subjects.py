"""Are clusters about something: queries with known intents, days of chats, and turns that answer one question together.

Each user's memories are labeled by the rules and grouped as writes group them, then as the worker regroups them.
Figures: the share of memories in clusters of three or more; the V-measure against the labels of the set (intents, days
or sessions; Rosenberg and Hirschberg 2007); of two memories in one cluster, how often they have one label, beside any
two; and of pairs that belong to one question or dialogue, how many are together, beside any two.

    python benchmarks/subjects.py --data ../shared/data --half 1
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path
from statistics import fmean

from embeddings import agreement
from precis.engine.grouping import Candidate, Grouping, Sitting, assign, regroup
from precis.engine.policy import Selection
from precis.language.labels import extract
from precis.language.sharing import keywords
from precis.language.subjects import full_names
from precis.makers import about
from precis.models.embeddings import StaticEmbedder
from retention import load

_QUERIES = 2_500


@dataclass(frozen=True, kw_only=True)
class Told:
    """The memories of one user: texts, who says them, their labels, and pairs that belong together."""

    texts: Sequence[str]
    speakers: Sequence[str | None]
    labels: Sequence[str]
    pairs: frozenset[tuple[int, int]] = frozenset()
    #: Queries, of which every one is grouped.
    queries: bool = False


def intents(rows: list[tuple[str, str]], half: int) -> list[Told]:
    """Queries in random order."""
    mixed = random.Random(5).sample(rows, len(rows))[half * _QUERIES : (half + 1) * _QUERIES]
    texts, labels = zip(*mixed, strict=True)
    return [Told(texts=texts, speakers=[None] * len(texts), labels=labels, queries=True)]


def conversations(folder: Path, half: int) -> Iterable[Told]:
    """Two people each, with the turns that are evidence of one question."""
    told = json.loads((folder / "locomo.json").read_text())
    for sessions, entry in list(zip(load(folder / "locomo.json"), told, strict=True))[half::2]:
        items = [(item, str(number)) for number in sorted(sessions) for item in sessions[number]]
        places = {item.source_ids[0]: at for at, (item, _) in enumerate(items)}
        evidence = [sorted({places[id_] for id_ in qa["evidence"] if id_ in places}) for qa in entry["qa"]]
        pairs = frozenset(pair for turns in evidence for pair in combinations(turns, 2))
        yield Told(
            texts=[item.text for item, _ in items], speakers=[item.speaker for item, _ in items],
            labels=[label for _, label in items], pairs=pairs,
        )  # fmt: skip


def chats(folder: Path, language: str, half: int) -> Iterable[Told]:
    """One person's side of some days of chats."""
    users = list(json.loads((folder / f"{language}.json").read_text()).items())
    for name, user in users[half::2]:
        turns = [(turn["query"], day) for day, day_turns in sorted(user["history"].items()) for turn in day_turns]
        texts, labels = zip(*turns, strict=True)
        yield Told(texts=texts, speakers=[name] * len(texts), labels=labels)


def dialogues(folder: Path, language: str) -> Told:
    """Memories of which several come to mind in one dialogue."""
    memories = [json.loads(line) for line in (folder / f"{language}-memory.jsonl").read_text().splitlines()]
    rows = [(int(id_), row) for memory in memories for id_, row in memory.items()]
    places = {id_: at for at, (id_, _) in enumerate(rows)}
    lines = (folder / f"{language}-dialogue.jsonl").read_text().splitlines()
    relevant = [sorted({places[id_] for id_ in json.loads(line)["relevant-id"] if id_ in places}) for line in lines]
    return Told(
        texts=[row["event"] for _, row in rows], speakers=[None] * len(rows), labels=[row["scene"] for _, row in rows],
        pairs=frozenset(pair for ids in relevant for pair in combinations(ids, 2)),
    )  # fmt: skip


def grouped(told: Told, *, again: bool) -> dict[int, str]:
    """The cluster of each memory that a cluster takes: as written, or as the worker regroups ``again``."""
    embedder, numbers, grouping = StaticEmbedder(), count(), Grouping()
    labels = [extract(text, speaker=who) for text, who in zip(told.texts, told.speakers, strict=True)]
    taken = [at for at, label in enumerate(labels) if told.queries or label.type not in Selection().without]
    texts = [told.texts[at] for at in taken]
    known_words = keywords(
        texts, people=[labels[at].person for at in taken], speakers=[told.speakers[at] for at in taken]
    )
    rows = [
        Candidate(
            key=None if told.queries else labels[at].key, person=None if told.queries else labels[at].person,
            type="fact" if told.queries else labels[at].type, vector=vector,
            lettered=known.lettered, topic=known.topic, loose=True,
            words=known_by.words, verbs=known_by.verbs, moods=known_by.moods, name=known_by.name,
            speaker=told.speakers[at], called=full_names(told.texts[at]),
        )
        for at, vector, known, known_by in zip(
            taken, embedder.vectors(texts), about(embedder, texts), known_words, strict=True
        )
    ]  # fmt: skip
    ids, clusters = assign(rows, [], grouping=grouping, new_id=lambda: str(next(numbers)))
    if again:
        types = {cluster.group_id: cluster.type for cluster in clusters}
        sitting = [
            Sitting(memory_id=str(at), group_id=id_, candidate=row, type=types[id_])
            for at, id_, row in zip(taken, ids, rows, strict=True)
        ]
        moves = regroup(sitting, grouping=grouping, new_id=lambda: str(next(numbers))).moves
        ids = [moves.get(str(at), id_) for at, id_ in zip(taken, ids, strict=True)]
    return dict(zip(taken, ids, strict=True))


def report(name: str, users: Iterable[Told]) -> None:
    """Two rows of the table."""
    users = list(users)
    for again in (False, True):
        measured = [(told, grouped(told, again=again)) for told in users]
        sizes = [Counter(clusters.values()) for _, clusters in measured]
        rows = sum(map(len, (clusters for _, clusters in measured)))
        inside = sum(size for each in sizes for size in each.values() if size >= 3)
        v = fmean(_v(told, clusters) for told, clusters in measured)
        cells = [f"{inside / rows:.2f}", str(max(max(each.values()) for each in sizes)), f"{v:.3f}"]
        pairs = [_pairs(told, clusters) for told, clusters in measured]
        same, labeled, together, any_, both, gold = (sum(column) for column in zip(*pairs, strict=True))
        cells += [f"{labeled / max(1, same):.2f} ({both / max(1, any_):.2f})"]
        belonging = sum(1 for told, clusters in measured for a, b in told.pairs if a in clusters and b in clusters)
        cells += [f"{together / belonging:.3f} ({gold / max(1, any_):.4f})" if belonging else ""]
        print(f"| {name}{', regrouped' if again else ''} | {' | '.join(cells)} |", flush=True)


def _v(told: Told, clusters: dict[int, str]) -> float:
    numbers = {id_: number for number, id_ in enumerate(dict.fromkeys(clusters.values()))}
    return agreement([told.labels[at] for at in clusters], [numbers[id_] for id_ in clusters.values()])[0]


def _pairs(told: Told, clusters: dict[int, str]) -> tuple[int, int, int, int, int, int]:
    """Pairs in one cluster, with one label; belonging ones together; all pairs, with one label, in one cluster."""
    same, label = _twos(clusters.values()), _twos(told.labels[at] for at in clusters)
    labeled = _twos((id_, told.labels[at]) for at, id_ in clusters.items())
    together = sum(1 for a, b in told.pairs if a in clusters and clusters[a] == clusters.get(b))
    return same, labeled, together, len(clusters) * (len(clusters) - 1) // 2, label, same


def _twos(values: Iterable[object]) -> int:
    return sum(size * (size - 1) // 2 for size in Counter(values).values())


def main() -> None:
    """A table over whatever the folder has."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", type=int, choices=(0, 1), default=1, help="0 was looked at, 1 was not")
    chosen = parser.parse_args()
    data, half = chosen.data, chosen.half
    print("| | in clusters of 3 | largest | V | one label in a cluster (any two) | belonging together (any two) |")
    print("|---|---|---|---|---|---|")
    with (data / "banking77" / "train.csv").open(encoding="utf-8") as file:
        report("banking77", intents([(row["text"], row["category"]) for row in csv.DictReader(file)], half))
    parts = json.loads((data / "clinc150" / "data.json").read_text("utf-8"))
    report("clinc150", intents([tuple(row) for name in ("train", "val") for row in parts[name]], half))
    report("locomo", conversations(data / "locomo", half))
    for language in ("en", "zh"):
        report(f"memorybank {language}", chats(data / "memorybank", language, half))
        report(f"madial {language} (both halves)", [dialogues(data / "madial", language)])


if __name__ == "__main__":
    main()
