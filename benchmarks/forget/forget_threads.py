"""Requests for a topic of which most memories do not have the word: what a thread, a name or a time ties to it.

40 stores of 7 to 12 memories (``forget_threads.toml``), each with two requests, in twelve languages. With ``--merged``
all stores of a half and language are one life, in the order of time. The halves are by the hash of the first memory: of
one the failures were read while the rules were written.

Printed for each half: the share "exact" (all that must go surely goes, and nothing that must stay), "shown" (all that
must go goes or is in doubt, and nothing that must stay surely goes); and in memories, "missed" (must go and is not
shown), "lost" (must stay and surely goes), "doubted" (must stay and is in doubt).

``--set months`` asks for people by what they are, animals, trades and topics in 20 months of other people
(``forget_months.toml``).

    python benchmarks/forget/forget_threads.py [--set months] [--merged] [--failures]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import tomllib
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.errors import PrecisError

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
HALVES = ("unread", "read")


@dataclass(frozen=True, kw_only=True)
class Line:
    """A memory of a store."""

    number: int
    day: str
    session: str
    text: str

    def row(self, user: str) -> dict[str, Any]:
        """As it is written; those of one day follow each other by the minute."""
        at = f"2026-{self.day}T{9 + self.number // 100:02}:{self.number % 100:02}:00Z"
        row: dict[str, Any] = {"id": f"{user}-{self.number}", "user_id": user, "created_at": at}
        spoken = self.text.startswith("A: ")
        row["text"] = self.text.removeprefix("A: ")
        if self.session != "-":
            row["session_id"] = f"{user}-{self.session}"
            row["metadata"] = {"speaker": "assistant" if spoken else "user"}
        return row


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a preview says of the memories that one request meets."""

    language: str
    half: str
    ask: str
    lines: Sequence[Line]
    must: frozenset[int]
    may: frozenset[int]
    sure: frozenset[int]
    doubt: Sequence[int]

    @property
    def figures(self) -> tuple[int, ...]:
        """Whether it is exact, and all shown; how many are missed, lost and doubted; the doubtful before the last."""
        stay = {line.number for line in self.lines} - self.must - self.may
        missed, lost = self.must - self.sure - {*self.doubt}, self.sure & stay
        exact = self.must <= self.sure and not lost
        return int(exact), int(not missed and not lost), len(missed), len(lost), len(stay.intersection(self.doubt))


def lines_of(store: dict[str, Any]) -> Iterator[Line]:
    """The memories of a store."""
    for line in store["memories"].strip().splitlines():
        number, day, session, text = line.split(" ", 3)
        yield Line(number=int(number), day=day, session=session, text=text)


def half_of(store: dict[str, Any]) -> str:
    """Whether its failures may be read."""
    return HALVES[zlib.crc32(next(lines_of(store)).text.encode()) % 2]


def merged(stores: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One life of all stores of a half and language, their memories numbered through and in the order of time."""
    by: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for store in stores:
        by[store["language"], half_of(store)].append(store)
    for (language, _), listed in by.items():
        lines, requests = [], []
        for at, store in enumerate(listed):
            for line in lines_of(store):
                session = line.session if line.session == "-" else f"{at}{line.session}"
                lines.append(f"{100 * at + line.number} {line.day} {session} {line.text}")
            for request in store["requests"]:
                moved = {
                    name: " ".join(str(100 * at + int(it)) for it in request[name].split()) for name in ("must", "may")
                }
                requests.append(request | moved)
        yield {"language": language, "memories": "\n".join(lines), "requests": requests}


async def asked(app: App, store: dict[str, Any], user: str) -> list[Outcome]:
    """Write the memories of a store, and ask for the preview of each request."""
    lines, half = list(lines_of(store)), half_of(store)
    await app.memories.add([line.row(user) for line in lines], summarize="deferred")
    outcomes = []
    for request in store["requests"]:
        sure, doubt = frozenset[int](), list[int]()
        try:
            preview = await app.memories.find_to_forget(request["ask"], user_id=user)
            sure = frozenset(int(row.id.rpartition("-")[2]) for row in preview.forget)
            doubt = [int(row.id.rpartition("-")[2]) for row in preview.doubtful]
        except PrecisError:
            pass
        must, may = (frozenset(map(int, request[name].split())) for name in ("must", "may"))
        outcomes.append(
            Outcome(language=store["language"], half=half, ask=request["ask"], lines=lines, must=must, may=may,
                    sure=sure, doubt=doubt)
        )  # fmt: skip
    return outcomes


def print_figures(outcomes: Sequence[Outcome]) -> None:
    """A row a half and language, then the halves."""
    by: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by[outcome.language, outcome.half].append(outcome)
        by["~ all", outcome.half].append(outcome)
    print(f"{'':16}requests   exact   shown  missed    lost doubted")
    for (language, half), listed in sorted(by.items()):
        columns = [sum(column) for column in zip(*(outcome.figures for outcome in listed), strict=True)]
        print(f"{language:8}{half:8}{len(listed):8}" + "".join(f"{column:8}" for column in columns))


def print_failures(outcomes: Sequence[Outcome]) -> None:
    """Each request of the half that is read that is not exact."""
    for outcome in outcomes:
        if outcome.half == "read" and not (outcome.figures[0] and not outcome.figures[4]):
            print(f"\n{outcome.language}: {outcome.ask}")
            for line in outcome.lines:
                wanted = "must" if line.number in outcome.must else "may" if line.number in outcome.may else "stay"
                got = "sure" if line.number in outcome.sure else "doubt" if line.number in outcome.doubt else "-"
                print(f"  {wanted:5}{got:6}{line.day} {line.session:3}{line.text}")


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what is not exact, of the half that is read")
    parser.add_argument("--merged", action="store_true", help="ask in one life of all stores of a half and language")
    parser.add_argument("--set", choices=("threads", "months"), default="threads", help="which stores")
    options = parser.parse_args()
    stores = tomllib.loads(Path(__file__).with_name(f"forget_{options.set}.toml").read_text("utf-8"))["stores"]
    stores = list(merged(stores)) if options.merged else stores
    with tempfile.TemporaryDirectory(prefix="precis-threads-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: NOW) as app:
            outcomes = [each for at, store in enumerate(stores) for each in await asked(app, store, f"user{at}")]
    print_figures(outcomes)
    if options.failures:
        print_failures(outcomes)


if __name__ == "__main__":
    asyncio.run(main())
