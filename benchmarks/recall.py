"""Recall of evidence: the share of a question's evidence turns among the first k rows that recall answers.

Each shared conversation is one user's memory, one turn a row; questions of the categories 1 to 4 with evidence that
exists. The first two lines count raw rows only, so that they compare with a search over turns. The third asks with
summaries alone: a turn counts as found where one of the first k rows is it or rests on it. ``--each`` prints the
conversations apart.

    python benchmarks/recall.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import precis
from precis.app import App
from precis.app.importing import read
from precis.app.recall import Result, SummariesMode

_TURN = re.compile(r"D:?(\d+):0*(\d+)")
Asked = tuple[str, str, frozenset[str]]
DEPTHS = (5, 10, 20)


def questions(path: Path) -> list[Asked]:
    """(user, question, evidence ids) of every question that can be measured."""
    found = []
    for sample in json.loads(path.read_text()):
        user = sample["sample_id"]
        turns = {t["dia_id"] for key, s in sample["conversation"].items() if isinstance(s, list) for t in s}
        for asked in sample["qa"]:
            if asked["category"] in (1, 2, 3, 4):
                named = {f"D{m[1]}:{m[2]}" for e in asked["evidence"] for m in _TURN.finditer(e)} & turns
                if named:
                    found.append((user, asked["question"], frozenset(f"{user}:{one}" for one in named)))
    return found


def raw_ids(results: Sequence[Result], depth: int) -> set[str]:
    """The first raw rows."""
    return set([one.memory.id for one in results if not one.memory.is_summary][:depth])


def covered_ids(results: Sequence[Result], depth: int) -> set[str]:
    """What the first rows are or rest on."""
    return {id_ for one in results[:depth] for id_ in (one.memory.id, *one.source_ids)}


async def measure(app: App, asked: Sequence[Asked], mode: SummariesMode, *, each: bool) -> None:
    """Print the averages at 5, 10 and 20."""
    found_ids = covered_ids if mode == "only" else raw_ids
    shares = defaultdict(list)
    for user, question, evidence in asked:
        found = await app.recall.search(question, user_id=user, limit=40, summaries=mode)
        shares[user].append([len(evidence & found_ids(found, k)) / len(evidence) for k in DEPTHS])
    everything = [row for rows in shares.values() for row in rows]
    for name, rows in [("all", everything), *(shares.items() if each else ())]:
        figures = " ".join(f"{sum(column) / len(rows):.3f}" for column in zip(*rows, strict=True))
        print(f"{name}: {len(rows)} questions, summaries {mode}: recall@5/10/20 {figures}", flush=True)


async def main() -> None:
    """Import, summarize, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--each", action="store_true")
    given = parser.parse_args()
    path = given.data / "locomo" / "locomo.json"
    modes: tuple[SummariesMode, ...] = ("without", "with", "only")
    with tempfile.TemporaryDirectory(prefix="precis-recall-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            rows = list(read(path))
            for start in range(0, len(rows), 500):
                await app.memories.add(rows[start : start + 500], summarize="deferred")
            await app.summaries.refresh_all()
            for mode in modes:
                await measure(app, questions(path), mode, each=given.each)


if __name__ == "__main__":
    asyncio.run(main())
