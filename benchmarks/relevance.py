"""Does recall know when it has nothing? ROC-AUC of the best row's relevance: questions with evidence against others.

Without evidence are: questions that ask one speaker for what the other said (locomo's adversarial ones), questions of
another user of the same data, and questions of another data set, which nobody here ever spoke of. Beside each figure
stands that of the best row's score, which orders an answer and is scaled to it. ``kept`` is the share of evidence rows
among the first ten that stay above a bound, ``empty`` the share of answers without evidence of which nothing stays.

    python benchmarks/relevance.py --data ../shared/data [--sample 200]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

import precis
from precis.app import App
from precis.app.importing import read
from recall import questions

BOUNDS = (0.03, 0.05, 0.1)
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question asked of somebody's memory."""

    data: str
    #: own, swapped, other or never.
    kind: str
    user: str
    query: str
    evidence: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Data:
    """One data set as memories, and the questions of each user."""

    name: str
    rows: list[Row]
    own: list[Case]
    swapped: list[Case]


def locomo(folder: Path) -> Data:
    """Four conversations of two speakers."""
    path = folder / "locomo" / "locomo.json"
    own = [
        Case(data="locomo", kind="own", user=user, query=query, evidence=ids) for user, query, ids in questions(path)
    ]
    swapped = [
        Case(data="locomo", kind="swapped", user=sample["sample_id"], query=entry["question"])
        for sample in json.loads(path.read_text())
        for entry in sample["qa"]
        if entry["category"] == 5
    ]
    return Data(name="locomo", rows=list(read(path)), own=own, swapped=swapped)


def _line(user: str, number: object, at: int, speaker: str, text: str) -> Row:
    return {
        "id": f"{user}:{number}", "user_id": user, "session_id": user, "text": text or "…",
        "created_at": datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=20 * at), "metadata": {"speaker": speaker},
    }  # fmt: skip


def friends(folder: Path) -> Data:
    """Scenes of many speakers with short lines."""
    rows: list[Row] = []
    own = []
    for number, episode in enumerate(json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]):
        user = f"scene-{number}"
        for part in episode["paragraphs"]:
            for at, line in enumerate(part["utterances:"]):
                speakers = line["speakers"]
                name = (speakers[0] if isinstance(speakers, list) and speakers else speakers) or "somebody"
                rows.append(_line(user, line["uid"], at, str(name).replace("_", " "), line["utterance"]))
            for entry in part["qas"]:
                ids = frozenset(f"{user}:{answer['utterance_id']}" for answer in entry["answers"])
                own.append(Case(data="friendsqa", kind="own", user=user, query=entry["question"], evidence=ids))
    return Data(name="friendsqa", rows=rows, own=own, swapped=[])


def meetings(folder: Path) -> Data:
    """Meetings with long turns."""
    rows: list[Row] = []
    own = []
    for number, line in enumerate((folder / "qmsum" / "val.jsonl").read_text().splitlines()):
        meeting, user = json.loads(line), f"meeting-{number}"
        for at, turn in enumerate(meeting["meeting_transcripts"]):
            rows.append(_line(user, at, at, turn["speaker"], turn["content"]))
        for entry in meeting["specific_query_list"]:
            spans = [range(int(first), int(last) + 1) for first, last in entry["relevant_text_span"]]
            ids = frozenset(f"{user}:{at}" for span in spans for at in span)
            own.append(Case(data="qmsum", kind="own", user=user, query=entry["query"], evidence=ids))
    return Data(name="qmsum", rows=rows, own=own, swapped=[])


def cases(sets: Sequence[Data], sample: int) -> Iterator[Case]:
    """Each set's own questions, and those that have no evidence where they are asked."""
    chance = random.Random(5)
    for data in sets:
        users = sorted({case.user for case in data.own})
        yield from chance.sample(data.own, min(2 * sample, len(data.own)))
        yield from data.swapped
        for case in chance.sample(data.own, min(sample, len(data.own))):
            user = chance.choice([user for user in users if user != case.user])
            yield Case(data=data.name, kind="other", user=user, query=case.query)
        foreign = [case for other in sets if other.name != data.name for case in other.own]
        for case in chance.sample(foreign, min(sample, len(foreign))):
            yield Case(data=data.name, kind="never", user=chance.choice(users), query=case.query)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often one with evidence has more than one without; equal ones count half."""
    more = np.asarray(positive)[:, None] - np.asarray(negative)[None, :]
    return float((more > 0).mean() + 0.5 * (more == 0).mean())


async def measure(app: App, asked: Sequence[Case]) -> None:
    """Ask, and print."""
    best: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    kept: dict[tuple[str, float], list[bool]] = defaultdict(list)
    for case in asked:
        results = await app.recall.search(case.query, user_id=case.user, limit=10, summaries="without")
        relevant = max((result.relevance.value for result in results), default=0.0)
        score = max((result.score.total for result in results), default=0.0)
        best[case.data, case.kind].append((relevant, score))
        for result in results:
            if result.memory.id in case.evidence:
                for bound in BOUNDS:
                    kept[case.data, bound].append(result.relevance.value >= bound)
    for (data, kind), pairs in sorted(best.items()):
        if kind == "own":
            figures = ", ".join(f"{bound} {np.mean(kept[data, bound]):.2f}" for bound in BOUNDS)
            print(f"{data}: {len(pairs)} questions with evidence, evidence kept at {figures}")
            continue
        own = best[data, "own"]
        by_relevance, by_score = (auc([pair[at] for pair in own], [pair[at] for pair in pairs]) for at in (0, 1))
        figures = ", ".join(f"{bound} {np.mean([pair[0] < bound for pair in pairs]):.2f}" for bound in BOUNDS)
        print(f"{data}, {kind}: {len(pairs)}, AUC {by_relevance:.3f} (score {by_score:.3f}), empty at {figures}")


async def main() -> None:
    """Import, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=200)
    options = parser.parse_args()
    sets = [locomo(options.data), friends(options.data), meetings(options.data)]
    with tempfile.TemporaryDirectory(prefix="precis-relevance-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for rows in (data.rows for data in sets):
                for start in range(0, len(rows), 500):
                    await app.memories.add(rows[start : start + 500], summarize="deferred")
            await measure(app, list(cases(sets, options.sample)))


if __name__ == "__main__":
    asyncio.run(main())
