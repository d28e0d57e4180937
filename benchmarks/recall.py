"""Recall of evidence: the share of a question's evidence turns among the first k rows that recall answers.

Each shared conversation is one user's memory, one turn a row; questions of the categories 1 to 4 with evidence that
exists. Only raw rows count, so that the figure compares with a search over turns.

    python benchmarks/recall.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from pathlib import Path

import precis
from precis.app import App
from precis.app.importing import read

_TURN = re.compile(r"D:?(\d+):0*(\d+)")


def questions(path: Path) -> list[tuple[str, str, frozenset[str]]]:
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


async def measure(app: App, asked: list[tuple[str, str, frozenset[str]]], summaries: str) -> None:
    """Print the averages at 5, 10 and 20."""
    totals = dict.fromkeys((5, 10, 20), 0.0)
    for user, question, evidence in asked:
        found = await app.recall.search(question, user_id=user, limit=40, summaries=summaries)  # type: ignore[arg-type]
        ids = [one.memory.id for one in found if not one.memory.is_summary]
        for k in totals:
            totals[k] += len(evidence & set(ids[:k])) / len(evidence)
    figures = " ".join(f"{total / len(asked):.3f}" for total in totals.values())
    print(f"{len(asked)} questions, summaries {summaries}: recall@5/10/20 {figures}", flush=True)


async def main() -> None:
    """Import, then ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    path = parser.parse_args().data / "locomo" / "locomo.json"
    with tempfile.TemporaryDirectory(prefix="precis-recall-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            rows = list(read(path))
            for start in range(0, len(rows), 500):
                await app.memories.add(rows[start : start + 500], summarize="deferred")
            await measure(app, questions(path), "without")


if __name__ == "__main__":
    asyncio.run(main())
