"""Recall of what is so now, of whom and of when it is asked, and of nothing where nothing is known.

80 cases by a hand that knew no rule (``precision.json``), and 100 by another that knew none either, one in five in
another language (``precision_second.json``). Each is a user of its own who asks at one moment. ``updated`` and
``updated_implicit`` have a newer value of a thing, said to be new or not; ``whose`` and ``when`` have near misses of
others and of other days; ``paraphrase`` has hardly a word of the question; of a ``list``, of ``several`` and of the
rules for a task (``constraint``) there are several rows; a ``detail`` stands in one row among others on its thing; for
``nothing`` there are near misses alone. Each kind is in two halves, by the hash of the question: of one the failures
were read while rules were written (``read``), of the other none. A case that was seen by mistake is of the half that is
read.

Printed for each kind and half: ``@1``, ``@3``, ``@5`` the share of evidence among so many rows of recall; of the cases
the share in which an outdated row is among the first ten (``old``), stands before some evidence (``before``), or a
wrong row before all of it (``wrong``); the share of evidence in a context of 250 tokens (``context``), and of the cases
with outdated text there (``stale``). Of ``nothing``: the share of empty contexts, the mean relevance of the best row,
and how often the best row of a question of another kind has more (ROC-AUC).

    python benchmarks/precision.py [--set second] [--failures] [--talk]

With ``--talk`` each user has a session of ten turns of small talk as well, in which the question was asked the day
before and not answered: its turns are evidence of nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from relevance import auc

HALVES = ("read", "unread")
SETS = {"first": "precision.json", "second": "precision_second.json"}
_SEEN = frozenset({"Which tool do we log customer tickets in now?"})
DEPTHS, _BUDGET, _LIMIT = (1, 3, 5), 250, 10
NAMES = ("@1", "@3", "@5", "old", "before", "wrong", "context", "stale")
TALK = (
    "Good morning! Did you sleep well?", "I do not sleep, but thank you for asking. What can I do for you?",
    "It rains here and the kids are loud.", "That sounds like a long morning.",
    "Tell me something nice.", "A group of flamingos is called a flamboyance.",
    "Ha, I will use that one at work.", "I hope that it lands well.",
)  # fmt: skip
_FORM = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question with its memories, by their places which are evidence, outdated and wrong."""

    kind: str
    question: str
    asked_at: datetime
    memories: Sequence[dict[str, str]]
    evidence: frozenset[int]
    outdated: frozenset[int]
    wrong: frozenset[int]

    @property
    def half(self) -> str:
        """Whether its failures may be read."""
        if self.question in _SEEN:
            return "read"
        return HALVES[hashlib.sha256(self.question.encode()).digest()[0] % 2]


@dataclass(kw_only=True)
class Answer:
    """What became of a case: the places of the first rows, those in the context, and the best relevance."""

    case: Case
    rows: list[int]
    context: set[int]
    relevance: float
    figures: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Count."""
        case, number = self.case, max(1, len(self.case.evidence))
        last = max((at for at, place in enumerate(self.rows) if place in case.evidence), default=len(self.rows))
        first = next((at for at, place in enumerate(self.rows) if place in case.evidence), len(self.rows))
        self.figures = [
            *(len(case.evidence.intersection(self.rows[:depth])) / min(depth, number) for depth in DEPTHS),
            float(not case.outdated.isdisjoint(self.rows)),
            float(not case.outdated.isdisjoint(self.rows[:last])),
            float(not case.wrong.isdisjoint(self.rows[:first])),
            len(case.evidence & self.context) / number,
            float(not case.outdated.isdisjoint(self.context)),
        ]


def load(path: Path) -> list[Case]:
    """Every case, in the order in which they are asked."""
    cases = [
        Case(
            kind=one["kind"], question=one["question"], asked_at=moment(one["asked_at"]), memories=one["memories"],
            evidence=frozenset(one["evidence"]), outdated=frozenset(one["outdated"]), wrong=frozenset(one["wrong"]),
        )
        for one in json.loads(path.read_text("utf-8"))
    ]  # fmt: skip
    return sorted(cases, key=lambda case: case.asked_at)


def moment(text: str) -> datetime:
    """A time of the file."""
    return datetime.strptime(text, _FORM).replace(tzinfo=UTC)


def talk_before(case: Case, user: str) -> list[dict[str, Any]]:
    """Ten turns of the day before, in which the question was asked."""
    texts = [*TALK, case.question, "Let me look that up for you."]
    return [
        {
            "id": f"{user}:{-1 - at}", "user_id": user, "session_id": f"{user}-talk", "memory_type": "message",
            "text": text, "created_at": case.asked_at - timedelta(days=1) + timedelta(minutes=at),
            "metadata": {"role": ("user", "assistant")[at % 2]},
        }
        for at, text in enumerate(texts)
    ]  # fmt: skip


async def answered(app: App, case: Case, user: str, *, talk: bool) -> Answer:
    """Write the memories of a case and ask."""
    rows: list[dict[str, Any]] = [
        {"id": f"{user}:{at}", "user_id": user, "text": memory["text"], "created_at": moment(memory["at"])}
        for at, memory in enumerate(case.memories)
    ]
    await app.memories.add([*rows, *(talk_before(case, user) if talk else [])], summarize="deferred")
    results = await app.recall.search(case.question, user_id=user, limit=_LIMIT, summaries="without")
    context = await app.context.assemble(case.question, user_id=user, token_budget=_BUDGET)
    return Answer(
        case=case,
        rows=[int(result.memory.id.rpartition(":")[2]) for result in results],
        context={int(id_.rpartition(":")[2]) for line in context.lines for id_ in line.piece.source_ids},
        relevance=max((result.relevance.value for result in results), default=0.0),
    )


def print_figures(answers: Sequence[Answer]) -> None:
    """A row a kind and half, and what tells the questions that have no evidence."""
    by: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        by[answer.case.kind, answer.case.half].append(answer)
        by["every kind" if answer.case.evidence else "no kind", answer.case.half].append(answer)
    print(f"{'':25}cases " + "".join(f"{name:>8}" for name in NAMES))
    for (kind, half), listed in sorted(by.items()):
        if kind not in {"nothing", "no kind"}:
            columns = zip(*(answer.figures for answer in listed), strict=True)
            figures = "".join(f"{sum(column) / len(listed):8.2f}" for column in columns)
            print(f"{kind:18}{half:7}{len(listed):5} {figures}")
    for half in HALVES:
        without = by["nothing", half]
        best = [answer.relevance for answer in without]
        empty = sum(not answer.context for answer in without) / len(without)
        told_apart = auc([answer.relevance for answer in by["every kind", half]], best)
        figures = f"empty {empty:.2f}, relevance {sum(best) / len(best):.2f}, ROC-AUC {told_apart:.3f}"
        print(f"{'nothing':18}{half:7}{len(without):5} {figures}")


def print_failures(answers: Sequence[Answer]) -> None:
    """What was answered to the questions of the half that is read, with the rows that stand where they should not."""
    for answer in (answer for answer in answers if answer.case.half == "read"):
        case = answer.case
        ranks = answer.rows[: max(DEPTHS)]
        if case.evidence <= set(answer.rows[: len(case.evidence)]) and not answer.figures[3]:
            continue
        print(f"\n{case.kind}: {case.question} (relevance {answer.relevance:.2f})")
        for place in [*ranks, *sorted(case.evidence.difference(ranks))]:
            sign = "+" if place in case.evidence else "~" if place in case.outdated else "-"
            rank = ranks.index(place) + 1 if place in ranks else "…"
            there = "c" if place in answer.context else " "
            print(f"  {rank} {sign}{there} {case.memories[place]['text']}")


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS, default="first")
    parser.add_argument("--failures", action="store_true", help="print what failed, of the half that is read only")
    parser.add_argument("--talk", action="store_true", help="beside a session in which it was asked before")
    options = parser.parse_args()
    cases = load(Path(__file__).with_name(SETS[options.set]))
    now = [cases[0].asked_at]
    answers = []
    with tempfile.TemporaryDirectory(prefix="precis-precision-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: now[0]) as app:
            for number, case in enumerate(cases):
                now[0] = case.asked_at
                answers.append(await answered(app, case, f"user-{number}", talk=options.talk))
    print_figures(answers)
    if options.failures:
        print_failures(answers)


if __name__ == "__main__":
    asyncio.run(main())
