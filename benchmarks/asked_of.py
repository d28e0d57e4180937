"""Whose value comes first where a question asks of somebody: theirs, and not that of a relative or of another.

Each case is a user of its own with three fillers and three notes of one attribute: of whom is asked, of a relative of
theirs, and of somebody else (``asked_of.toml``). Asked is of the user by name, of whom the notes say "I" (``user``); of
somebody whom they name (``named``); or by the user of themselves (``self``). The notes stand in an order that goes by
the case. Languages and names that were looked at while rules were written are ``read``, the others ``held``.

Printed for each language and way of asking: the share of the cases whose first row is of whom is asked (``first``), and
of those that have it in a context of so few tokens that hardly more than one note fits (``context``).

    python benchmarks/asked_of.py [--failures]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import precis
from precis.app import App

_NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
_BUDGET = 50
#: The last two names and relations of a language are held out.
_HELD = 2


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, the notes of its user, and which of them is of whom it asks."""

    language: str
    way: str
    half: str
    user: str
    question: str
    notes: Sequence[str]
    evidence: str


def cases_of(language: str, table: Mapping[str, Any]) -> Iterator[Case]:
    """Each name with each relation of its half, and one attribute after the other."""
    number = 0
    for half in ("read", "held"):
        is_held = half == "held" or table["half"] == "held"
        parts = [table[key][-_HELD:] if half == "held" else table[key][:-_HELD] for key in ("names", "relations")]
        own = table["own"][-_HELD:] if half == "held" else table["own"][:-_HELD]
        for name, of_name in (pair.split("|") for pair in parts[0]):
            for relation, own_relation in zip(parts[1], own, strict=True):
                for way in ("user", "named", "self"):
                    number += 1
                    attribute = table["attributes"][number % len(table["attributes"])]
                    kin, other = table["others"][number % 3], table["others"][(number + 1) % 3]
                    phrase = own_relation if way == "self" else relation
                    relative = phrase.format(of=of_name, kin=kin, name=name)
                    relative = relative[:1].upper() + relative[1:]
                    values = attribute["values"]
                    own_note = attribute["mine"].format(value=values[0])
                    evidence = attribute["theirs"].format(name=name, value=values[0]) if way == "named" else own_note
                    notes = [
                        evidence,
                        attribute["theirs"].format(name=relative, value=values[1]),
                        attribute["theirs"].format(name=other, value=values[2]),
                        *table["fillers"],
                    ]
                    key = hashlib.sha256(" ".join(notes).encode()).digest()
                    places = {note: hashlib.sha256(key + note.encode()).digest() for note in notes}
                    yield Case(
                        language=language, way=way, half="held" if is_held else "read",
                        user=name.casefold() if way == "user" else "nobody",
                        question=attribute["asks_own" if way == "self" else "asks"].format(name=name),
                        notes=sorted(notes, key=places.__getitem__),
                        evidence=evidence,
                    )  # fmt: skip


async def asked(app: App, case: Case, number: int) -> tuple[list[str], str]:
    """The rows of an answer, best first, and the context."""
    user = f"{case.user}-{number}"
    rows = [
        {"text": note, "user_id": user, "created_at": _NOW - timedelta(days=20 - at)}
        for at, note in enumerate(case.notes)
    ]
    await app.memories.add(rows, summarize="deferred")
    results = await app.recall.search(case.question, user_id=user, limit=10, summaries="without")
    context = await app.context.assemble(case.question, user_id=user, token_budget=_BUDGET)
    return [result.memory.text or "" for result in results], context.text


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what failed, of what is read only")
    options = parser.parse_args()
    document = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    cases = [case for language, table in document.items() for case in cases_of(language, table)]
    figures: dict[tuple[str, str, str], list[tuple[bool, bool]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="precis-asked-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: _NOW) as app:
            for number, case in enumerate(cases):
                rows, context = await asked(app, case, number)
                hit = (rows[:1] == [case.evidence], case.evidence.rstrip(".") in context)
                for language in (case.language, "all"):
                    figures[case.half, language, case.way].append(hit)
                if options.failures and case.half == "read" and not all(hit):
                    print(f"\n{case.user}: {case.question}", *rows[:3], sep="\n    ")
    for (half, language, way), hits in sorted(figures.items()):
        first, there = (sum(column) / len(hits) for column in zip(*hits, strict=True))
        print(f"{half:5} {language:4} {way:6} {len(hits):4} cases   first {first:.2f}   context {there:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
