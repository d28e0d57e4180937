"""Months of conversation as notes, then a year of silence: is every period there once, how small, what is still known.

Each turn of each conversation is a daily note of a user of its own. The clock is moved by hand, night by night; the
store, the scheduler and its passes are the real ones. In the end the originals have expired; each question whose
evidence did is asked of the rows that were derived from it, and of recall.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "acceptance"))

from precis.bootstrap import open_runtime
from precis.evaluation.measures import recall
from precis.settings import Settings
from precis.testing.clock import FrozenClock
from replay import (
    Asked,
    EndState,
    Replay,
    Row,
    content,
    conversations,
    end_state,
    frozen,
    kept,
    packaged,
    sizes,
    summaries,
    wrong_with,
)

_EVIDENCE = re.compile(r"D\d+:\d+")


def asked_of(folder: Path, notes: Sequence[Row], expired: frozenset[str]) -> list[Asked]:
    """Questions of categories 1 and 4 whose answer's words all stand in their evidence, all of which has expired."""
    texts = {note["id"]: note for note in notes}
    found = []
    for one in json.loads((folder / "locomo" / "locomo.json").read_text()):
        for question in one["qa"]:
            turns = [turn for e in question["evidence"] for turn in _EVIDENCE.findall(e)]
            ids = [id_ for turn in turns if (id_ := f"{one['sample_id']}:{turn}") in texts]
            answer = content(str(question.get("answer", "")))
            said = frozenset().union(*(content(said_in(texts[id_])) for id_ in ids))
            if question["category"] in (1, 4) and ids and answer and answer <= said and set(ids) <= expired:
                user = texts[ids[0]]["user_id"]
                found.append(Asked(user_id=user, question=question["question"], answer=answer, evidence=tuple(ids)))
    return found


def said_in(note: Row) -> str:
    """A note with who said it."""
    return f"{note['metadata']['speaker']}: {note['text']}"


async def recalled(told: Replay, one: Asked, limit: int = 10) -> float:
    """The share of the answer's words among the first rows that recall answers."""
    hits = await told.app.recall.search(one.question, user_id=one.user_id, limit=limit)
    said = frozenset().union(*(content(hit.memory.text or "") for hit in hits))
    return recall(one.answer, said)


async def in_context(told: Replay, one: Asked, budget: int) -> float:
    """The share of the answer's words in a context of so many tokens."""
    made = await told.app.context.assemble(one.question, token_budget=budget, user_id=one.user_id)
    return recall(one.answer, content(made.text))


async def bytes_written(told: Replay) -> int:
    """Texts and vectors of the same notes where nothing is ever summarized."""
    tenant = "untouched"
    await told.runtime.store.tenants.create(tenant, name="untouched", now=told.clock())
    for at in range(0, len(told.notes), 500):
        rows = [dict(note) for note in told.notes[at : at + 500]]
        await told.runtime.app(tenant).memories.add(rows, summarize="deferred")
    return (await sizes(told.runtime, tenant, told.notes)).note_bytes


async def report(told: Replay, state: EndState, folder: Path | None) -> None:
    """Print the figures."""
    wrong = wrong_with(state, told.notes)
    print("periods:", ", ".join(f"{len(found)} {name}s" for name, found in state.periods.items()))
    print(f"wrong: {len(wrong)}", *wrong[:20], sep="\n  ")
    size = await sizes(told.runtime, told.tenant, told.notes)
    print(f"notes: {len(told.notes)}, of which {len(state.expired)} expired; tokens {size.written} -> {size.live}")
    print("derived tokens:", dict(size.derived))
    before = await bytes_written(told)
    print(f"bytes of texts and vectors: notes {before} -> {size.note_bytes}, derived {size.derived_bytes}")
    if folder is None:
        return
    derived = [one async for one in summaries(told.app, None)]
    asked = asked_of(folder, told.notes, state.expired)
    for name, policies in (("days", {"day"}), ("weeks, months", {"week", "month"}), ("all", None)):
        rows = [one for one in derived if policies is None or one.policy in policies]
        shares = [kept(one, rows) for one in asked]
        print(f"{len(asked)} questions, {name}: token recall {mean(shares):.3f}, full {full(shares):.3f}")
        if name == "days":
            for question in (each for each, share in zip(asked, shares, strict=True) if share < 1):
                print("  not whole:", *question.evidence, sorted(question.answer))
    shares = [await recalled(told, one) for one in asked]
    print(f"recall@10: token recall {mean(shares):.3f}, full {full(shares):.3f}")
    for budget in (500, 1000, 2000):
        shares = [await in_context(told, one, budget) for one in asked]
        print(f"context of {budget} tokens: token recall {mean(shares):.3f}, full {full(shares):.3f}", flush=True)


def mean(shares: Sequence[float]) -> float:
    """Of an empty list, 0."""
    return sum(shares) / len(shares) if shares else 0.0


def full(shares: Sequence[float]) -> float:
    """How many are whole."""
    return mean([float(share >= 1) for share in shares])


async def main() -> None:
    """Replay it, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the evaluation data; without it the packaged conversation")
    parser.add_argument("--idle-days", type=int, default=400)
    parser.add_argument("--users", type=int, default=4, help="so many conversations")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many conversations before them")
    args = parser.parse_args()
    folder = args.data if args.data and (args.data / "locomo").is_dir() else None
    notes = conversations(folder) if folder else packaged()
    if folder is None:
        print("without the evaluation data: the packaged conversation, and no questions")
    users = sorted({note["user_id"] for note in notes})[args.skip :][: args.users]
    notes = [note for note in notes if note["user_id"] in users]
    clock = FrozenClock(notes[0]["created_at"] - timedelta(days=1))
    with tempfile.TemporaryDirectory(prefix="precis-replay-") as room:
        Path(room).chmod(0o755)
        settings = Settings(
            data_dir=Path(room) / "data", archive_enabled=True, archive_keep_original_days=90, log_level="error"
        )
        async with open_runtime(settings, clock=clock) as runtime:
            told = Replay(runtime=frozen(runtime, clock), tenant="default", clock=clock, notes=notes)
            began = time.monotonic()
            await told.run(idle_days=args.idle_days)
            print(f"{(clock.now - notes[0]['created_at']).days} days in {time.monotonic() - began:.0f} s")
            await report(told, await end_state(told.app, notes), folder)


if __name__ == "__main__":
    asyncio.run(main())
