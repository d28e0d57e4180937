"""What fits into a context: the share of a question's evidence that an assembled context holds, by token budget.

Each shared conversation is one user's memory, one turn a row, as in benchmarks/recall.py. Evidence is in a context when
its turn is, or a statement that rests on it. "plain" takes the best raw rows of the same recall in order, each
with its date, speaker and number, as long as they fit. The second pair is the share of questions with all of theirs.

    python benchmarks/context.py --data ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import precis
from chats import Asked, questions
from precis.app import App
from precis.app.importing import read
from precis.makers import TokenCounter
from precis.recall.assembly import Piece, Section, assemble, rendered

BUDGETS = (250, 500, 1000, 2000)


def plain(pieces: Sequence[Piece], budget: int, count: TokenCounter) -> tuple[set[str], int]:
    """The best raw rows in order, each with its date and speaker, as long as they fit."""
    taken: set[str] = set()
    used = 0
    for piece in pieces:
        if piece.section is Section.MEMORIES:
            cost = count(f"{piece.created_at.date()} {rendered(piece, len(taken) + 1)}\n")
            if used + cost <= budget:
                used += cost
                taken.add(piece.id)
    return taken, used


def assembled(pieces: Sequence[Piece], budget: int, count: TokenCounter) -> tuple[set[str], int]:
    """What the lines of a context rest on."""
    made = assemble(pieces, budget=budget, count=count)
    if made.tokens > budget:
        raise AssertionError("over the budget")
    return {source for line in made.lines for source in line.piece.source_ids}, made.tokens


async def measure(app: App, asked: Sequence[Asked]) -> None:
    """Print both ways by budget."""
    count = app.parts.engine.count
    rows: dict[tuple[str, int], list[tuple[float, bool, int]]] = defaultdict(list)
    for user, question, evidence in asked:
        pieces = await app.context.pieces(question, user_id=user)
        for way in (assembled, plain):
            for budget in BUDGETS:
                there, tokens = way(pieces, budget, count)
                rows[way.__name__, budget].append((len(evidence & there) / len(evidence), evidence <= there, tokens))
    for place, name in enumerate(("evidence in the context", "questions with all of it", "tokens")):
        for way in (assembled, plain):
            means = [sum(row[place] for row in rows[way.__name__, b]) / len(asked) for b in BUDGETS]
            print(f"{name}, {way.__name__}, at {BUDGETS}:", " ".join(f"{one:.3f}" for one in means), flush=True)


async def main() -> None:
    """Import, summarize, assemble."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="ask each nth question only")
    given = parser.parse_args()
    path = given.data / "locomo" / "locomo.json"
    with tempfile.TemporaryDirectory(prefix="precis-context-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            rows = list(read(path))
            for start in range(0, len(rows), 500):
                await app.memories.add(rows[start : start + 500], summarize="deferred")
            await app.summaries.refresh_all()
            await measure(app, questions(path)[:: given.every])


if __name__ == "__main__":
    asyncio.run(main())
