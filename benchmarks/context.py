"""What fits into a context: the share of a question's evidence that can be read in it, by token budget.

Conversations are one user's memory, one turn a row: locomo, friendsqa and qmsum as in benchmarks/relevance.py, and
madial, where a whole dialogue is the question. Evidence "is there" when a line is its turn or rests on it. It "can be
read" when the whole turn is there, or the lines that rest on it hold 7 of 10 content words of the sentence that has the
answer: the one with most words of the answer, then of the question. The third figure is the share of questions all of
whose evidence can be read. "bm25" and "plain" take whole rows, best first by BM25 over turns, and by recall, each with
its date, speaker and number, as long as they fit; "without" packs memories alone, "with" summaries as well.

    python benchmarks/context.py --data ../shared/data [--sets locomo madial] [--every 3] [--skip 1]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import precis
from chats import friends, meetings, questions
from precis.app import App
from precis.app.importing import read
from precis.language.sentences import sentences
from precis.language.words import content, terms
from precis.recall.assembly import Piece, Section, assemble, rendered

BUDGETS = (250, 500, 2000)
Row = dict[str, Any]
Count = Callable[[str], int]
#: Of each row in a context what is there to read of it, None for all.
Reading = dict[str, str | None]


class Question(NamedTuple):
    """A question of one user, its evidence, and its answer as far as one is known."""

    user: str
    text: str
    evidence: frozenset[str]
    answer: str


def _locomo(folder: Path) -> tuple[list[Row], list[Question]]:
    path = folder / "locomo" / "locomo.json"
    answers = {
        (sample["sample_id"], entry["question"]): str(entry.get("answer", ""))
        for sample in json.loads(path.read_text())
        for entry in sample["qa"]
    }
    return list(read(path)), [Question(u, text, ids, answers[u, text]) for u, text, ids in questions(path)]


def _friends(folder: Path) -> tuple[list[Row], list[Question]]:
    data = friends(folder)
    answers: dict[tuple[str, str], str] = {}
    for number, episode in enumerate(json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]):
        for entry in (entry for part in episode["paragraphs"] for entry in part["qas"]):
            answers[f"scene-{number}", entry["question"]] = " ".join(row["answer_text"] for row in entry["answers"])
    return data.rows, [Question(c.user, c.query, c.evidence, answers[c.user, c.query]) for c in data.own]


def _meetings(folder: Path) -> tuple[list[Row], list[Question]]:
    data = meetings(folder)
    return data.rows, [Question(case.user, case.query, case.evidence, "") for case in data.own]


def _madial(folder: Path) -> tuple[list[Row], list[Question]]:
    rows = [
        {
            "id": f"madial:{id_}",
            "user_id": "madial",
            "text": row["event"],
            "created_at": f"{row['time'][:10]}T00:00:00Z",
        }
        for line in (folder / "madial" / "en-memory.jsonl").read_text().splitlines()
        for id_, row in json.loads(line).items()
    ]
    asked = []
    for line in (folder / "madial" / "en-dialogue.jsonl").read_text().splitlines():
        entry = json.loads(line)
        text = " ".join(turn.strip() for turn in entry["dialogue"] if turn.strip() not in ("<BOD>", "<EOD>"))
        asked.append(Question("madial", text, frozenset(f"madial:{id_}" for id_ in entry["relevant-id"]), ""))
    return rows, asked


SETS = {"locomo": _locomo, "friendsqa": _friends, "madial": _madial, "qmsum": _meetings}


def whole(pieces: Sequence[Piece], budget: int, count: Count) -> Reading:
    """Rows in this order, each with its date and speaker, as long as they fit."""
    taken: Reading = {}
    used = 0
    for piece in pieces:
        cost = count(f"{piece.day} {rendered(piece, len(taken) + 1)}\n")
        if used + cost <= budget:
            used += cost
            taken[piece.id] = None
    return taken


def packed(pieces: Sequence[Piece], budget: int, count: Count, query: str) -> Reading:
    """What can be read of each row in the lines that rest on it."""
    context = assemble(pieces, budget=budget, count=count, query=query)
    if context.tokens > budget:
        raise AssertionError("over the budget")
    taken: Reading = {}
    for line in context.lines:
        for id_ in line.piece.source_ids:
            full = line.piece.section is Section.MEMORIES and not line.excerpt
            taken[id_] = None if full or taken.get(id_, "") is None else f"{taken.get(id_, '')} {line.text}"
    return taken


def by_words(rows: Sequence[Piece], query: str) -> list[Piece]:
    """The rows by BM25 over stems."""
    counts = [Counter(terms(piece.text)) for piece in rows]
    mean = sum(sum(row.values()) for row in counts) / max(1, len(counts))
    scores = [0.0] * len(rows)
    for term in set(terms(query)):
        holding = sum(term in row for row in counts)
        rarity = math.log(1 + (len(rows) - holding + 0.5) / (holding + 0.5))
        for at, row in enumerate(counts):
            if term in row:
                damping = 1.5 * (0.25 + 0.75 * sum(row.values()) / mean)
                scores[at] += rarity * row[term] * 2.5 / (row[term] + damping)
    return [rows[at] for at in sorted(range(len(rows)), key=lambda at: -scores[at]) if scores[at]]


def answering(text: str, question: Question) -> frozenset[str]:
    """The content words of the sentence that has the answer."""
    parts, asked = sentences(text), content(question.text)
    answer = content(question.answer) - asked
    best = max(parts, key=lambda part: (len(content(part) & answer), len(content(part) & asked)), default=text)
    return content(best if content(best) & (answer | asked) else text)


def shares(question: Question, texts: Mapping[str, str], taken: Reading) -> tuple[float, float, bool]:
    """Evidence that is there, that can be read, and whether all can."""
    evidence = question.evidence & texts.keys()
    readable = 0
    for id_ in evidence & taken.keys():
        needed, seen = answering(texts[id_], question), taken[id_]
        readable += seen is None or len(needed & content(seen)) >= 0.7 * len(needed)
    return len(evidence & taken.keys()) / len(evidence), readable / len(evidence), readable == len(evidence)


async def measure(app: App, name: str, rows: Sequence[Row], asked: Sequence[Question]) -> None:
    """Print all ways by budget."""
    count = app.parts.engine.count
    texts = {str(row["id"]): str(row["text"]) for row in rows}
    figures: dict[tuple[str, int], list[tuple[float, float, bool]]] = defaultdict(list)
    raw = defaultdict(list)
    for row in rows:
        raw[row["user_id"]].append(_piece(row))
    for question in asked:
        pieces = await app.context.pieces(question.text, user_id=question.user)
        memories = [piece for piece in pieces if piece.section is Section.MEMORIES]
        bm25 = by_words(raw[question.user], question.text)
        for budget in BUDGETS:
            ways = {
                "bm25": whole(bm25, budget, count),
                "plain": whole(memories, budget, count),
                "without": packed(memories, budget, count, question.text),
                "with": packed(pieces, budget, count, question.text),
            }
            for way, taken in ways.items():
                figures[way, budget].append(shares(question, texts, taken))
    for way in ("bm25", "plain", "without", "with"):
        columns = [[sum(column) / len(asked) for column in zip(*figures[way, b], strict=True)] for b in BUDGETS]
        shown = ", ".join(
            f"{b}: {there:.3f} {readable:.3f} {every:.3f}"
            for b, (there, readable, every) in zip(BUDGETS, columns, strict=True)
        )
        print(f"{name}, {len(asked)} questions, {way}: there, readable, all: {shown}", flush=True)


def _piece(row: Row) -> Piece:
    when = row["created_at"]
    at = when if isinstance(when, datetime) else datetime.fromisoformat(str(when))
    speaker = (row.get("metadata") or {}).get("speaker")
    section, id_ = Section.MEMORIES, str(row["id"])
    return Piece(section=section, id=id_, text=row["text"], created_at=at, source_ids=(id_,), speaker=speaker)


async def main() -> None:
    """Import, summarize, assemble."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS))
    parser.add_argument("--every", type=int, default=1, help="ask each nth question only")
    parser.add_argument("--skip", type=int, default=0, help="questions before the first that is asked")
    options = parser.parse_args()
    for name in options.sets:
        rows, asked = SETS[name](options.data)
        ids = {row["id"] for row in rows}
        asked = [question for question in asked if question.evidence & ids][options.skip :: options.every]
        with tempfile.TemporaryDirectory(prefix="precis-context-") as folder:
            Path(folder).chmod(0o755)
            async with precis.open(data_dir=Path(folder) / "data") as app:
                for start in range(0, len(rows), 500):
                    await app.memories.add(rows[start : start + 500], summarize="deferred")
                await app.summaries.refresh_all()
                await measure(app, name, rows, asked)


if __name__ == "__main__":
    asyncio.run(main())
