"""What is so now comes first where a value changed, and an appointment that was canceled or moved stands for nothing.

Each case (``changed_values.toml``) is a user of its own with three fillers, an older note and a newer one, sixteen days
apart. Of a value is asked with a word like "now" (``changed now``) and without (``changed``); of an appointment when it
is (``cancelled``). Languages and names that were not looked at while rules were written are ``held``, the others
``read``; but the words of the rules are of the hand that wrote these cases, and later.

Printed for each way and half: the share of the cases whose newer note is the first row or the older one is no row
(``first``); where the newer note is not there at all though the older one is, in a context of 50 tokens, which has room
for about one of them, and of 250 (``stale 50``, ``stale 250``); and of those of 250 with both, how many say with the
older that there is a later one (``says so``).

In those at the end of the file a note ``told`` what is asked for in other words (``first``: it is the first row and
surely relevant; ``stale``: it is in no context of 50 or 250 tokens), nobody told what ``never`` asks for (``first``:
the answer is unsure), and the newer note is about another thing in ``apart`` (``says so``: no mark).

Of notes that tell of two, or of one alone (``changed_values_of_two.toml``, halves by lot): where what is asked for
``changed``, the newer is the first row (``first``) and the older one of the rows is marked (``marked``); where it
``stays``, the older is a row before the newer (``first``) and unmarked (``marked``).

    python benchmarks/changed_values.py [--failures] [--of-two]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import tomllib
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.app.recall import Recalled, is_unsure

_NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
_BUDGETS = (50, 250)
#: What has no newer value of the same.
_OTHERS = ("told", "never", "apart")


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, an older and a newer note, and the others."""

    language: str
    way: str
    half: str
    question: str
    older: str
    newer: str
    fillers: Sequence[str]


def cases_of(language: str, table: Mapping[str, Any]) -> Iterator[Case]:
    """Of each name each value; of the appointments each once."""
    for at, name in enumerate(table["names"]):
        is_held = table["half"] == "held" or (table["half"] == "read" and at == len(table["names"]) - 1)
        fillers = [filler.format(name=name) for filler in table["fillers"]]
        for place, (older, newer, *questions) in enumerate(table["changed"]):
            is_held = place % 2 == 1 if table["half"] == "each" else is_held
            for way, question in zip(("changed now", "changed"), questions, strict=True):
                yield Case(
                    language=language, way=way, half="held" if is_held else "read", fillers=fillers,
                    question=question.format(name=name), older=older.format(name=name), newer=newer.format(name=name),
                )  # fmt: skip
        if at:
            continue
        for place, (older, newer, question) in enumerate(table["cancelled"]):
            is_last = table["half"] == "held" or place == len(table["cancelled"]) - 1
            is_last = place % 2 == 1 if table["half"] == "each" else is_last
            yield Case(
                language=language, way="cancelled", half="held" if is_last else "read", fillers=fillers,
                question=question, older=older, newer=newer,
            )  # fmt: skip
        others = {
            "told": [(note, "", question) for note, question in table.get("told", ())],
            "never": [("", "", question) for question in table.get("never", ())],
            "apart": table.get("apart", ()),
        }
        for way, listed in others.items():
            for place, (older, newer, question) in enumerate(listed):
                yield Case(
                    language=language, way=way, half="held" if place % 2 else "read", fillers=fillers,
                    question=question, older=older, newer=newer,
                )  # fmt: skip


async def asked(app: App, case: Case, number: int) -> list[float]:
    """The figures of a case."""
    user = f"user-{number}"
    notes = list(filter(None, [case.fillers[0], case.older, *case.fillers[1:], case.newer]))
    rows = [
        {"text": note, "user_id": user, "created_at": _NOW - timedelta(days=20 - 4 * at)}
        for at, note in enumerate(notes)
    ]
    await app.memories.add(rows, summarize="deferred")
    results = await app.recall.search(case.question, user_id=user, limit=10, summaries="without")
    ranks = [result.memory.text for result in results]
    figures = [float(case.older not in ranks or ranks[:1] == [case.newer])]
    if case.way in _OTHERS:
        figures = [float(_is_right(case, results))]
    for budget in _BUDGETS:
        context = await app.context.assemble(case.question, user_id=user, token_budget=budget)
        there = {line.piece.text: line for line in context.lines}
        looked_for = case.older if case.way == "told" else case.newer
        is_stale = case.older in there or case.way == "told"
        figures.append(float(case.way != "never" and is_stale and looked_for not in there))
    both = case.older in there and case.newer in there
    is_marked = both and "(later" in there[case.older].text
    figures.append(float(not is_marked if case.way in _OTHERS else is_marked or not both))
    return figures


def _is_right(case: Case, results: Sequence[Recalled]) -> bool:
    """Whether the note that tells it is the first row, surely; of what nobody told, whether the answer is unsure."""
    if case.way == "apart":
        return True
    if case.way == "never":
        return is_unsure(results)
    return results[0].memory.text == case.older and not is_unsure(results)


async def of_two(app: App, language: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str, str, list[float]]]:
    """Of each question of each row: the half, the way, what it was and the figures."""
    listed = []
    for number, (older, newer, *questions) in enumerate(table["notes"]):
        user = f"{language}-{number}"
        half = "held" if zlib.crc32(f"{older}{newer}".encode()) % 2 else "read"
        notes = [table["fillers"][0], older, *table["fillers"][1:], newer]
        rows = [
            {"text": note, "user_id": user, "created_at": _NOW - timedelta(days=20 - 4 * at)}
            for at, note in enumerate(notes)
        ]
        await app.memories.add(rows, summarize="deferred")
        for way, asked_for in zip(("changed", "stays"), questions, strict=True):
            for question in asked_for:
                results = await app.recall.search(question, user_id=user, limit=10, summaries="without")
                figures = _of_two(way, older, newer, results)
                listed.append((half, way, f"{question} | {older} | {newer} {figures}", figures))
    return iter(listed)


def _of_two(way: str, older: str, newer: str, results: Sequence[Recalled]) -> list[float]:
    """Whether the right note is before the other, and whether the older one is marked where it should be."""
    ranks = [result.memory.text for result in results]
    is_marked = any(result.later for result in results if result.memory.text == older)
    if way == "changed":
        return [float(ranks[:1] == [newer]), float(is_marked or older not in ranks)]
    return [float(older in ranks and newer not in ranks[: ranks.index(older)]), float(not is_marked)]


def _tomls(name: str) -> Mapping[str, Any]:
    """The cases of a file beside this one."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


async def main() -> None:
    """Ask all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="print what failed, of what is read only")
    parser.add_argument("--of-two", action="store_true", help="only the notes that tell of two")
    options = parser.parse_args()
    cases = [case for language, table in _tomls("changed_values").items() for case in cases_of(language, table)]
    pairs: dict[tuple[str, str, str], list[list[float]]] = defaultdict(list)
    by: dict[tuple[str, str, str], list[list[float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="precis-changed-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data", clock=lambda: _NOW) as app:
            for number, case in enumerate([] if options.of_two else cases):
                figures = await asked(app, case, number)
                for language in (case.language, "all"):
                    by[case.half, case.way, language].append(figures)
                if options.failures and case.half == "read" and figures != [1.0, 0.0, 0.0, 1.0]:
                    print(f"{case.question} | {case.older} | {case.newer} {figures}")
            for language, table in _tomls("changed_values_of_two").items():
                for half, way, case_text, figures in await of_two(app, language, table):
                    for among in (language, "all"):
                        pairs[half, way, among].append(figures)
                    if options.failures and half == "read" and figures != [1.0, 1.0]:
                        print(f"{way}: {case_text}")
    print(f"{'':28}cases   first stale 50 stale 250 says so")
    for (half, way, language), listed in sorted(by.items()):
        first, stale, stale_wide, says = (sum(column) / len(listed) for column in zip(*listed, strict=True))
        print(f"{half:5} {way:12} {language:9} {len(listed):4} {first:8.2f} {stale:8.2f} {stale_wide:9.2f} {says:7.2f}")
    print(f"of two{'':22}cases   first  marked")
    for (half, way, language), listed in sorted(pairs.items()):
        first, marked = (sum(column) / len(listed) for column in zip(*listed, strict=True))
        print(f"{half:5} {way:12} {language:9} {len(listed):4} {first:8.2f} {marked:7.2f}")


if __name__ == "__main__":
    asyncio.run(main())
