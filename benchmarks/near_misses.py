"""Does recall know what it was never told, where the words or the theme of the question were? Half of it is answered.

Each store of ``near_misses.toml`` is a user of its own with 14 to 20 notes; of its questions half are answered by a
note, in its words (``plain``) or in others (``paraphrase``), and half by none (the kinds are told there). Stores are
``read``, whose failures were looked at while rules were written, or ``unread``.

Printed for each half: how often the best row of an answered question has more relevance than that of a near miss
(ROC-AUC); of each kind and language the share of questions whose answer is ``unsure``, the mean relevance of the best
row, and of those with evidence how often it stands first, of the others how far they are told from all answered ones.

    python benchmarks/near_misses.py [--failures]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.app.recall import is_unsure
from relevance import auc

_NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What became of a question: the rows, the relevance of the best of them, and whether it is said to be unsure."""

    half: str
    language: str
    kind: str
    question: str
    rows: Sequence[tuple[float, str]]
    unsure: bool
    #: The first row is evidence; None for a near miss.
    first: bool | None

    @property
    def best(self) -> float:
        """The highest relevance of its rows."""
        return max((relevance for relevance, _ in self.rows), default=0.0)


def stores() -> list[dict[str, Any]]:
    """What the file has."""
    listed: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["stores"]
    return listed


def evidence_of(memories: Sequence[str], answers: Sequence[str]) -> set[str]:
    """The memories that have these words."""
    return {memory for memory in memories if any(answer in memory for answer in answers)}


async def asked(app: App, store: dict[str, Any], user: str) -> list[Answer]:
    """Write the memories of a store and ask its questions."""
    rows = [
        {"text": text, "user_id": user, "created_at": _NOW - timedelta(days=40 - at)}
        for at, text in enumerate(store["memories"])
    ]
    await app.memories.add(rows, summarize="deferred")
    answers = []
    for question, kind, words in store["asked"]:
        evidence = evidence_of(store["memories"], words)
        results = await app.recall.search(question, user_id=user, limit=10, summaries="without")
        answers.append(
            Answer(
                half=store["half"],
                language=store["language"],
                kind=kind,
                question=question,
                rows=[(result.relevance.value, result.memory.text or "") for result in results],
                unsure=is_unsure(results),
                first=(results[0].memory.text in evidence if results else False) if evidence else None,
            )
        )
    return answers


def print_figures(answers: Sequence[Answer]) -> None:
    """A row a half and kind, or language."""
    by: dict[tuple[str, str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        side = "near miss" if answer.first is None else "answered"
        for name in ("all", f"{answer.kind}", answer.language):
            by[answer.half, side, name].append(answer)
    for half in sorted({answer.half for answer in answers}):
        sides = [[answer.best for answer in by[half, side, "all"]] for side in ("answered", "near miss")]
        print(f"{half}: {len(sides[0])} answered, {len(sides[1])} near misses, ROC-AUC {auc(*sides):.3f}")
    for (half, side, name), listed in sorted(by.items()):
        unsure = sum(answer.unsure for answer in listed) / len(listed)
        mean = sum(answer.best for answer in listed) / len(listed)
        firsts = [answer.first for answer in listed if answer.first is not None]
        if firsts:
            apart = f"first {sum(firsts) / len(firsts):.2f}"
        else:
            answered = [answer.best for answer in by[half, "answered", "all"]]
            apart = f"ROC-AUC {auc(answered, [answer.best for answer in listed]):.3f}"
        print(f"{half:7}{side:10}{name:11}{len(listed):4}  unsure {unsure:.2f}, relevance {mean:.2f}, {apart}")


def print_failures(answers: Sequence[Answer]) -> None:
    """Of the stores that are read: near misses that are not unsure, and answered ones that are or whose row is late."""
    for answer in (answer for answer in answers if answer.half == "read"):
        if (answer.first is None) != answer.unsure or answer.first is False:
            print(f"\n{answer.language}, {answer.kind}: {answer.question}{' (unsure)' if answer.unsure else ''}")
            for relevance, text in answer.rows[:3]:
                print(f"    {relevance:.2f} {text}")


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what failed, of the stores that are read only")
    options = parser.parse_args()
    answers = []
    with tempfile.TemporaryDirectory(prefix="precis-near-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: _NOW) as app:
            for number, store in enumerate(stores()):
                answers += await asked(app, store, f"user-{number}")
    print_figures(answers)
    if options.failures:
        print_failures(answers)


if __name__ == "__main__":
    asyncio.run(main())
