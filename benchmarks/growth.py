"""How time, tokens and bytes grow: of one user with ever more memories, and of ever more users with ten memories each.

Every figure is a ratio to the smallest case of the same run. The cases lie in one embedded database, each a tenant, and
are asked in turns, so that what else the computer does falls on all of them. A large user has what a worker makes for
it. ``--draw`` writes the pictures and the tables of docs/reference/performance.md.

    python benchmarks/growth.py --draw                                 # 10,000 and 100,000 memories
    python benchmarks/growth.py --draw --sizes 10000 100000 1000000    # an hour, and 10 GB of disk
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import speed
from precis.app import App
from precis.bootstrap import Runtime
from precis.ids import new_id
from precis.jobs.upkeep import settle

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "reference" / "performance.md"
#: Memories of each of many users, and of the subject that is summarized again and again.
EACH, SUBJECT = 10, 20
BUDGET = 600
TIMES = {
    "recall": "recall, 10 rows", "context": f"a context of {BUDGET} tokens", "write": "a write, its summary deferred",
    "summarized": "a write with its summary", "forget": "forgetting a memory",
}  # fmt: skip
TOKENS = {"read": "tokens that a context has", "kept": "tokens that a refresh after one write reads"}
BYTES = {"bytes": "bytes in the database"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A tenant of so many users with so many memories each."""

    tenant: str
    users: int
    each: int
    bytes: int

    @property
    def memories(self) -> int:
        """In all."""
        return self.users * self.each


async def case(runtime: Runtime, owner: Any, *, users: int, each: int, upkeep: bool) -> Case:
    """Fill a tenant of its own, let upkeep make what it makes, and weigh it."""
    tenant, began, before = f"t-{new_id()}", time.perf_counter(), await weight(owner)
    await runtime.store.tenants.create(tenant, name=tenant, now=runtime.engine.clock())
    await speed.fill(runtime, owner, tenant, [f"u{at}" for at in range(users)], each, speed.Speech(2))
    await owner.execute("VACUUM ANALYZE")
    if upkeep:
        await settle(runtime)
        await owner.execute("VACUUM")
    full = await weight(owner) - before
    print(f"{users} users with {each} memories each: {time.perf_counter() - began:.0f} s", flush=True)
    app = runtime.app(tenant)
    await app.memories.add([subject_row(at) for at in range(SUBJECT)])
    return Case(tenant=tenant, users=users, each=each, bytes=full)


async def weight(owner: Any) -> int:
    """Bytes of the database."""
    return int((await (await owner.execute("SELECT pg_database_size(current_database())")).fetchone())[0])


def subject_row(at: int) -> dict[str, Any]:
    """A memory of the first user on one subject."""
    return {
        "user_id": "u0",
        "type": "fact",
        "key": "greenhouse",
        "text": f"Bed {at} of the greenhouse has {at + 3} plants.",
    }


async def measure(app: App, query: str, at: int) -> dict[str, float]:
    """One turn of a case: milliseconds, and tokens."""
    figures: dict[str, float] = {}

    async def timed(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        began = time.perf_counter()
        answer = await work()
        figures[name] = (time.perf_counter() - began) * 1000
        return answer

    await timed("recall", lambda: app.recall.search(query, user_id="u0"))
    context = await timed("context", lambda: app.context.assemble(query, token_budget=BUDGET, user_id="u0"))
    written = await timed("write", lambda: app.memories.add([subject_row(at)], summarize="deferred"))
    (plan,) = await app.summaries.plan(policy="clusters", limit=1, user_id="u0")
    await timed("forget", lambda: app.memories.forget(written.memories[0].id))
    await timed("summarized", lambda: app.memories.add([subject_row(at)]))
    return figures | {"read": float(context.tokens), "kept": float(plan.estimate.tokens_in)}


async def measured(runtime: Runtime, cases: Sequence[Case], rounds: int) -> list[dict[str, float]]:
    """The medians of each case."""
    speech = speed.Speech(4)
    turns: list[list[dict[str, float]]] = [[] for _ in cases]
    for turn in range(rounds + 2):
        query = speech.sentence(5)
        for place, each in enumerate(cases):
            figures = await measure(runtime.app(each.tenant), query, SUBJECT + turn)
            if turn >= 2:  # the first ones warm up
                turns[place].append(figures)
    medians = [{name: statistics.median(turn[name] for turn in of_case) for name in of_case[0]} for of_case in turns]
    return [figures | {"bytes": float(each.bytes)} for figures, each in zip(medians, cases, strict=True)]


def ratios(figures: Sequence[Mapping[str, float]], name: str) -> list[float]:
    """Of each case to the first."""
    return [each[name] / figures[0][name] if figures[0][name] else 1.0 for each in figures]


def times(ratio: float) -> str:
    """A ratio in three figures."""
    return f"{ratio:,.0f}×" if ratio >= 1_000 else f"{ratio:.3g}×"


# --- pictures: a line for each figure, both axes by powers of ten ---

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 360, 60, 24, 250, 44
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#000000")
_STYLE = (
    "text{font:13px sans-serif;fill:#222}.grid{stroke:#ccc}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}"
)


def drawn(title: str, across: Sequence[int], unit: str, series: Mapping[str, Sequence[float]]) -> str:
    """An SVG of ratios over numbers."""
    values = [value for row in series.values() for value in row]
    low, high = min(-0.2, math.log10(min(values))), max(1.0, math.log10(max(values)) * 1.05)
    span = max(math.log10(across[-1] / across[0]), 1e-9)

    def x(number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log10(number / across[0]) / span

    def y(ratio: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - math.log10(ratio)) / (high - low)

    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{title}</title>',
        f"<style>{_STYLE}</style>",
    ]
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = y(10**power)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**power:g}×</text>')
    parts += [
        f'<text x="{x(number):.1f}" y="{bottom + 20}" text-anchor="middle">{number:,}</text>' for number in across
    ]
    parts.append(f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">{unit}</text>')
    for place, (name, row) in enumerate(series.items()):
        color, down = _COLORS[place % len(_COLORS)], _TOP + 12 + 22 * place
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in zip(across, row, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{p.split(",")[0]}" cy="{p.split(",")[1]}" r="3" fill="{color}"/>' for p in points.split()
        ]
        parts.append(f'<rect x="{right + 16}" y="{down - 9}" width="12" height="4" fill="{color}"/>')
        parts.append(f'<text x="{right + 34}" y="{down}">{name} {times(row[-1])}</text>')
    return "\n".join([*parts, "</svg>", ""])


def table(across: Sequence[int], unit: str, figures: Sequence[Mapping[str, float]]) -> str:
    """The same in figures."""
    names = {**TIMES, **TOKENS, **BYTES}
    lines = [f"| {unit} | {' | '.join(f'{number:,}' for number in across)} |", "|---" * (len(across) + 1) + "|"]
    lines += [
        f"| {words} | {' | '.join(times(value) for value in ratios(figures, name))} |" for name, words in names.items()
    ]
    return "\n".join(lines)


def put(page: str, name: str, text: str) -> str:
    """The page with this text between its marks."""
    begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    before, _, rest = page.partition(begin)
    return before + begin + text + end + rest.partition(end)[2]


def draw(name: str, title: str, across: Sequence[int], unit: str, figures: Sequence[Mapping[str, float]]) -> None:
    """Print one sweep, and put it into the page."""
    print(f"\n{title}\n{table(across, unit, figures)}", flush=True)
    for kind, names in (("time", TIMES), ("tokens-and-bytes", {**TOKENS, **BYTES})):
        series = {words: ratios(figures, measured) for measured, words in names.items()}
        path = DOCS / "images" / f"growth-{name}-{kind}.svg"
        path.write_text(drawn(f"{title}: {kind.replace('-', ' ')}", across, unit, series), encoding="utf-8")
    PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, table(across, unit, figures)), encoding="utf-8")


async def main() -> None:
    """Fill, ask in turns, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--users", type=int, nargs="+", default=[1, 10, 10_000])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--no-upkeep", action="store_true", help="leave out what a worker makes for a large user")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    upkeep = not options.no_upkeep
    async with speed.opened("growth") as (runtime, owner):
        # From few rows to many: what upkeep lets go of stays in the files, and what is written next would fill that.
        many = [await case(runtime, owner, users=users, each=EACH, upkeep=upkeep) for users in sorted(options.users)]
        large = [await case(runtime, owner, users=1, each=size, upkeep=upkeep) for size in sorted(options.sizes)]
        figures = await measured(runtime, [*large, *many], options.rounds)
    sweeps = (
        ("memories", "One user", [each.memories for each in large], "memories of the user", figures[: len(large)]),
        ("users", f"{EACH} memories each", [each.users for each in many], "users", figures[len(large) :]),
    )
    for name, title, across, unit, of_sweep in sweeps:
        if options.draw:
            draw(name, title, across, unit, of_sweep)
        else:
            print(f"\n{title}\n{table(across, unit, of_sweep)}", flush=True)


if __name__ == "__main__":
    began = time.perf_counter()
    asyncio.run(main())
    print(f"{time.perf_counter() - began:.0f} s")
