"""Chats in which things change: whether what is so now is the first row of an answer, and in a small context.

Eleven chats of some hundred turns over half a year (``changing_chats/``), by two hands that knew no rule: two people, a
group, a family, somebody with an assistant; English, German, Spanish and French. In each some twelve values change,
told as people tell it and mostly without a word of the question that is asked for them later. Those in ``read`` were
looked at while rules were written, those in ``unread`` were not.

Printed for each half and each kind of question: its share whose first row is one that answers it (``first``), the share
of the answering rows among the first 5 and 10, where an outdated row stands before any that answers (``stale``), and
where a context of 250 tokens has a row that answers (``context``). ``--demo`` asks the packaged conversation as well.

    python benchmarks/changing_chats.py [--demo]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import precis
from precis.app import App

CHATS = Path(__file__).with_name("changing_chats")
DEMO = Path(precis.__file__).parent / "demo" / "conversation.jsonl"
BUDGET = 250


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, with the turns any of which answers it, and those that give what was so before."""

    half: str
    user: str
    kind: str
    text: str
    right: frozenset[str]
    stale: frozenset[str]


def chats() -> Iterator[tuple[list[dict[str, Any]], list[Asked]]]:
    """The rows and the questions of each chat; each is a user of its own."""
    for path in sorted(CHATS.glob("*/*.json")):
        half, user = path.parent.name, path.stem
        document = json.loads(path.read_text("utf-8"))
        rows = [
            {
                "id": f"{user}:{turn['id']}", "user_id": user, "session_id": f"{user} {turn['session_id']}",
                "memory_type": "message", "created_at": turn["created_at"], "text": turn["text"],
                "metadata": {"speaker": turn["speaker"]},
            }
            for turn in document["turns"]
        ]  # fmt: skip
        yield rows, [asked(half, user, question, f"{user}:") for question in document["questions"]]


def demo() -> tuple[list[dict[str, Any]], list[Asked]]:
    """The packaged conversation, whose questions are in ``changing_chats/demo.toml``."""
    rows = [json.loads(line) for line in DEMO.read_text("utf-8").splitlines()]
    questions = tomllib.loads((CHATS / "demo.toml").read_text("utf-8"))["questions"]
    return rows, [asked("demo", rows[0]["user_id"], question, "") for question in questions]


def asked(half: str, user: str, question: Mapping[str, Any], prefix: str) -> Asked:
    """A question with the ids that its turns have in the store."""
    right, stale = (frozenset(f"{prefix}{id_}" for id_ in question[name]) for name in ("right", "stale"))
    return Asked(half=half, user=user, kind=question["kind"], text=question["question"], right=right, stale=stale)


async def figures(app: App, question: Asked) -> tuple[float, ...]:
    """first, at 5, at 10, stale, context."""
    hits = await app.recall.search(question.text, user_id=question.user, limit=20)
    says = [await says_first(app, hit) for hit in hits]
    raw = [hit.memory.id for hit in hits if not hit.memory.is_summary]
    at = {name: next((place for place, ids in enumerate(says) if ids & of_name), len(says))
          for name, of_name in (("right", question.right), ("stale", question.stale))}  # fmt: skip
    context = await app.context.assemble(question.text, user_id=question.user, token_budget=BUDGET)
    there = {id_ for line in context.lines for id_ in (line.piece.id, *line.piece.source_ids)}
    return (
        float(at["right"] == 0 and bool(says)),
        *(len(question.right.intersection(raw[:depth])) / len(question.right) for depth in (5, 10)),
        float(at["stale"] < at["right"]),
        float(not question.right.isdisjoint(there)),
    )


async def says_first(app: App, hit: Any) -> set[str]:
    """The memory that a row is, or that the first statement of a summary rests on."""
    if not hit.memory.is_summary:
        return {hit.memory.id}
    statements = (await app.summaries.get(hit.memory.id)).statements
    return set(statements[0].source_ids) if statements else set()


def shown(name: str, rows: Sequence[tuple[float, ...]]) -> str:
    """A line of averages."""
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return f"{name:<18} {len(rows):>4}  " + "  ".join(f"{mean:.3f}" for mean in means)


async def main() -> None:
    """Write the chats, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", action="store_true", help="ask the packaged conversation as well")
    options = parser.parse_args()
    answers: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="precis-chats-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for rows, questions in [*chats(), *([demo()] if options.demo else [])]:
                await app.memories.add(rows, summarize="deferred")
                await app.summaries.refresh_all()
                for question in questions:
                    row = await figures(app, question)
                    answers[question.half].append(row)
                    answers[f"{question.half} {question.kind}"].append(row)
    print(f"{'':<18}    n  first  at 5   at 10  stale  context")
    for name in sorted(answers):
        print(shown(name, answers[name]))


if __name__ == "__main__":
    asyncio.run(main())
