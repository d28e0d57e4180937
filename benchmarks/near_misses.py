"""Does recall know what it was never told, where the words or the theme of the question were? Half of it is answered.

Each store of ``near_misses.toml`` is a user of its own with 14 to 20 notes; of its questions half are answered by a
note, in its words (``plain``) or in others (``paraphrase``), and half by none (the kinds are told there). Stores are
``read``, whose failures were looked at while rules were written, or ``unread``.

Printed for each half: how often the best row of an answered question has more relevance than that of a near miss
(ROC-AUC); of each kind and language the share of questions whose answer is ``unsure``, the mean relevance of the best
row, and of those with evidence how often it stands first, of the others how far they are told from all answered ones.

With ``--group`` the same is said in a chat of three: one of them tells the memories, two a day, and the others answer
in small talk of the language (``between``), so that each is a turn of a session. The chats of ``groups`` are asked as
well: there one asks, and another answers without the words of that (``exchange``).

With ``--agent`` the memories are what a user writes to an assistant, two a day, each with its answer (``replies``).
With ``--abroad`` the stores of ten languages are asked that tell the same in each: one set of templates is read.

    python benchmarks/near_misses.py [--failures] [--group | --agent] [--abroad]
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
from functools import cache
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.app.recall import is_unsure
from relevance import auc

#: Who is in a group; the first tells the memories.
NAMES = ("Wim", "Sanne", "Okan")
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


@cache
def document() -> dict[str, Any]:
    """What the file has."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def evidence_of(memories: Sequence[str], answers: Sequence[str]) -> set[str]:
    """The memories that have these words."""
    return {memory for memory in memories if any(answer in memory for answer in answers)}


def in_a_group(store: dict[str, Any], user: str) -> list[dict[str, Any]]:
    """The memories as turns of a chat of three, and what the others say to them."""
    between = document()["between"][store["language"]]
    rows = []
    for at, text in enumerate(store["memories"]):
        day = at // 2
        said = [(NAMES[0], text), (NAMES[1 + at % 2], between[at % len(between)])]
        said += [(NAMES[2 - at % 2], between[(3 * at + 1) % len(between)])] * (at % 3 == 0)
        rows += [
            {
                "text": spoken, "user_id": user, "session_id": f"{user}-{day}", "memory_type": "message",
                "created_at": _NOW - timedelta(days=40 - day) + timedelta(minutes=10 * (at % 2) + number),
                "metadata": {"speaker": name},
            }
            for number, (name, spoken) in enumerate(said)
        ]  # fmt: skip
    return rows


def to_an_agent(store: dict[str, Any], user: str) -> list[dict[str, Any]]:
    """The memories as what a user writes to an assistant, and what it answers."""
    replies = document()["replies"][store["language"]]
    return [
        {
            "text": spoken, "user_id": user, "session_id": f"{user}-{at // 2}", "memory_type": "message",
            "created_at": _NOW - timedelta(days=40 - at // 2) + timedelta(minutes=10 * (at % 2) + number),
            "metadata": {"speaker": speaker},
        }
        for at, text in enumerate(store["memories"])
        for number, (speaker, spoken) in enumerate((("user", text), ("assistant", replies[at % len(replies)])))
    ]  # fmt: skip


def chat_of(store: dict[str, Any], user: str) -> list[dict[str, Any]]:
    """A chat as it is written: a list a day, each turn with its speaker."""
    return [
        {
            "text": text, "user_id": user, "session_id": f"{user}-{day}", "memory_type": "message",
            "created_at": _NOW - timedelta(days=40 - 5 * day) + timedelta(minutes=at), "metadata": {"speaker": speaker},
        }
        for day, said in enumerate(store["days"])
        for at, turn in enumerate(said)
        for speaker, _, text in [turn.partition(": ")]
    ]  # fmt: skip


async def asked(app: App, store: dict[str, Any], user: str, *, told: str) -> list[Answer]:
    """Write the memories of a store and ask its questions."""
    if "days" in store:
        rows = chat_of(store, user)
    elif told:
        rows = (in_a_group if told == "group" else to_an_agent)(store, user)
    else:
        rows = [
            {"text": text, "user_id": user, "created_at": _NOW - timedelta(days=40 - at)}
            for at, text in enumerate(store["memories"])
        ]
    await app.memories.add(rows, summarize="deferred")
    answers = []
    for question, kind, words in store["asked"]:
        evidence = evidence_of([row["text"] for row in rows], words)
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
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--group", dest="told", action="store_const", const="group", help="said in a chat of three")
    how.add_argument("--agent", dest="told", action="store_const", const="agent", help="written to an assistant")
    parser.add_argument("--abroad", action="store_true", help="the stores of ten languages that tell the same")
    options = parser.parse_args()
    stores = document()["abroad"] if options.abroad else document()["stores"]
    if options.told == "group" and not options.abroad:
        stores = [*stores, *document()["groups"]]
    answers = []
    with tempfile.TemporaryDirectory(prefix="precis-near-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: _NOW) as app:
            for number, store in enumerate(stores):
                answers += await asked(app, store, f"user-{number}", told=options.told)
    print_figures(answers)
    if options.failures:
        print_failures(answers)


if __name__ == "__main__":
    asyncio.run(main())
