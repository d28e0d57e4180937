"""Requests to forget, each over a small store of its own: what goes, what is in doubt, and what stays beside it.

130 stores by a hand that knew no rule (``forget_stores.json``), of three to eight memories, a fifth in other languages
than English; and 60 by another hand (``--set second``, ``forget_stores_second.json``), which had read requests that
failed and no rule, three of four in twelve other languages. Of each memory it is said whether a sensible person would
have it go, has it stay, or might have either. The stores are in two halves by the hash of the request: of one the
failures were read while rules were written.

Printed for each half and kind: the share "solved" (all that is to go surely goes, and nothing that is to stay), "shown"
(what is to go goes or is in doubt), "lost" (something surely goes that is to stay), and "doubted" (something is in
doubt that is to stay).

    python benchmarks/forget/forget_stores.py [--set second] [--failures]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.errors import PrecisError

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
HALVES = ("unread", "read")
SETS = {"first": "forget_stores.json", "second": "forget_stores_second.json"}
FIGURES = ("solved", "shown", "lost", "doubted")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a preview says of each memory of a store: goes, doubt or stays."""

    store: Mapping[str, Any]
    answers: Sequence[str]

    @property
    def half(self) -> str:
        """Whether its failures may be read."""
        return HALVES[zlib.crc32(self.store["request"].encode()) % 2]

    @property
    def figures(self) -> tuple[bool, ...]:
        """In the order of FIGURES."""
        pairs = list(zip((memory["is"] for memory in self.store["memories"]), self.answers, strict=True))
        lost = ("stays", "goes") in pairs
        missed = any(wanted == "goes" and answer != "goes" for wanted, answer in pairs)
        hidden = ("goes", "stays") in pairs
        return not (lost or missed), not (lost or hidden), lost, ("stays", "doubt") in pairs


async def asked(app: App, store: Mapping[str, Any], user: str) -> Outcome:
    """Write the memories of a store, and ask for a preview."""
    memories = store["memories"]
    rows = [
        {"id": f"{user}-{at}", "user_id": user, "text": memory["text"], "created_at": f"{memory['at']}T09:00:00Z"}
        for at, memory in enumerate(memories)
    ]
    await app.memories.add(rows, summarize="deferred")
    answers = ["stays"] * len(memories)
    try:
        preview = await app.memories.find_to_forget(store["request"], user_id=user)
    except PrecisError:
        return Outcome(store=store, answers=answers)
    for answer, listed in (("goes", preview.forget), ("doubt", preview.doubtful)):
        for meant in listed:
            answers[int(meant.id.rpartition("-")[2])] = answer
    return Outcome(store=store, answers=answers)


def print_figures(outcomes: Sequence[Outcome]) -> None:
    """A row a half and kind, then the halves."""
    by: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by[outcome.store["kind"].split("-")[0], outcome.half].append(outcome)
        by["~ all", outcome.half].append(outcome)
    print(f"{'':24}stores" + "".join(f"{name:>9}" for name in FIGURES))
    for (kind, half), listed in sorted(by.items()):
        columns = zip(*(outcome.figures for outcome in listed), strict=True)
        print(f"{kind:16}{half:8}{len(listed):6}" + "".join(f"{sum(column) / len(listed):9.3f}" for column in columns))


def print_failures(outcomes: Sequence[Outcome]) -> None:
    """Each store of the half that is read that is not solved."""
    for outcome in outcomes:
        if outcome.half == "read" and not outcome.figures[0]:
            print(f"\n{outcome.store['kind']}: {outcome.store['request']}")
            for memory, answer in zip(outcome.store["memories"], outcome.answers, strict=True):
                print(f"  to be {memory['is']:6} is {answer:6} {memory['at']} {memory['text']}")


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what failed, of the half that is read only")
    parser.add_argument("--set", choices=sorted(SETS), default="first", help="which stores are asked")
    options = parser.parse_args()
    stores = json.loads(Path(__file__).with_name(SETS[options.set]).read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="precis-stores-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: NOW) as app:
            outcomes = [await asked(app, store, f"user{number}") for number, store in enumerate(stores)]
    print_figures(outcomes)
    if options.failures:
        print_failures(outcomes)


if __name__ == "__main__":
    asyncio.run(main())
