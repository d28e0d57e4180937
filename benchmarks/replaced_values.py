"""Values that were replaced, in a context of 250 and of 500 tokens: the newest, only the old one, the old one first.

Forty short talks in replaced_values.txt, in four languages; between their lines stands talk that many have had
(``_BETWEEN``). Each is of a user of its own (``apart``), and all of a half of one (``together``). Those of ``read``
were looked at while rules were written, those of ``unread`` were not. A context "has" a value where it holds its words.

``choices`` are fifteen talks more, in seven languages, in which somebody booked or chose another thing: their questions
ask in the past for what is so now. ``forms`` are forty pairs, in eleven languages, of a value and of what took its
place, told by the old one's name and by hardly a word of the question ("Statt der Gaggia steht seit Montag eine
Rancilio da"). With ``--recall`` no context is asked for: it is said how often the newest value is in the first row,
among three and among ten, and how often an old one stands before it or alone.

    python benchmarks/replaced_values.py [--failures] [--recall]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import precis
from precis.app import App

BUDGETS = (250, 500)
#: What the others of a talk say besides.
_BETWEEN = """
That sounds great!|I totally agree with you.|We had soup and bread for lunch.|My sister is learning the clarinet.
Wow, how lovely!|Don't worry, I'm on your side whatever happens.|The bus was full of school children this morning.
The neighbors are building a shed.|Keep me posted on how that goes!|I finally finished the book about whales.
You can do it, believe in yourself!|The printer on our floor is out of paper again.|Thanks for sharing that with me.
We planted tomatoes and beans on Sunday.|Is it going to rain at the weekend?|My back hurts from all that sitting.
I'm so happy for you, you deserve it!|The film last night was far too long.|I bought a green umbrella at the market.
Sometimes you just have to push yourself out of your comfort zone.|What are your plans for the holidays?
We met a fox behind the station.|Our cousin is back from Peru with a sunburn.|Good luck, I'll keep my fingers crossed!
""".strip().replace("\n", "|").split("|")  # fmt: skip


class Asked(NamedTuple):
    """A question, and the words of the newest and of the old value."""

    half: str
    user: str
    text: str
    new: str
    old: str


def talks() -> Iterator[tuple[list[dict[str, Any]], list[Asked]]]:
    """The rows and the questions of each talk."""
    half, user, rows, asked = "", "", [], []
    for line in [*Path(__file__).with_name("replaced_values.txt").read_text("utf-8").splitlines(), "="]:
        if line.startswith("#"):
            following = line[2:]
        elif line.startswith("="):
            if rows:
                yield _mixed(half, user, rows), asked
            half, user, rows, asked = following, line[2:].strip().lower().replace(" ", "-"), [], []
        elif line.startswith("?"):
            asked.append(Asked(half, user, *map(str.strip, line[2:].split("|"))))
        else:
            when, _, said = line.partition(" ")
            speaker, _, text = said.partition(": ")
            rows.append((when, speaker, text))


def _mixed(half: str, user: str, lines: list[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """The lines of a talk, each behind two and before one of those between, said by its speakers in turn."""
    speakers = list(dict.fromkeys(["Sam", *(speaker for _, speaker, _ in lines)]))
    rows = []
    for number, (when, speaker, text) in enumerate(lines):
        beside = [_BETWEEN[(len(user) * 7 + 5 * number + at) % len(_BETWEEN)] for at in range(5)]
        said = [*((speakers[at % len(speakers)], other) for at, other in enumerate(beside))]
        said.insert(2, (speaker, text))
        for at, (by, what) in enumerate(said):
            rows.append(
                {
                    "id": f"{user}-{number}-{at}", "user_id": user, "project_id": half,
                    "session_id": f"{user}-{when}", "text": what, "memory_type": "message",
                    "created_at": f"2025-{when}T10:{number:02}:{at:02}Z",
                    "metadata": {"speaker": by},
                }
            )  # fmt: skip
    return rows


async def recalled(app: App, question: Asked) -> tuple[bool, ...]:
    """Whether the newest value is in the first row, among three and ten; whether an old one is before it or alone."""
    hits = await app.recall.search(question.text, user_id=question.user, limit=10, summaries="without")
    texts = [hit.memory.text or "" for hit in hits]
    new = next((at for at, text in enumerate(texts) if question.new in text), len(texts))
    return new < 1, new < 3, new < len(texts), any(question.old in text for text in texts[:new])


async def main() -> None:
    """Write the talks, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--failures", action="store_true", help="print the contexts that fail, of the half that is read"
    )
    parser.add_argument("--recall", action="store_true", help="ask for the first rows, and for no context")
    options = parser.parse_args()
    figures: dict[tuple[str, str, int], list[tuple[bool, ...]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="precis-replaced-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            every = list(talks())
            for half in ("read", "unread", "read-choices", "unread-choices"):
                rows = [dict(row, id=f"{half}-{row['id']}", user_id=half) for rows, _ in every for row in rows
                        if row["project_id"] == half]  # fmt: skip
                every.append(
                    (rows, [one._replace(user=half) for _, asked in every for one in asked if one.half == half])
                )
            for rows, asked in every:
                await app.memories.add(rows, summarize="deferred")
                await app.summaries.refresh_all()
                for question in asked:
                    way = "together" if question.user == question.half else "apart"
                    if options.recall:
                        figures[question.half, way, 0].append(seen := await recalled(app, question))
                        if options.failures and question.half.startswith("read") and not seen[1]:
                            print(f"-- {question.text} {way}: {seen}")
                    for budget in () if options.recall else BUDGETS:
                        context = await app.context.assemble(question.text, user_id=question.user, token_budget=budget)
                        new, old = context.text.find(question.new), context.text.find(question.old)
                        seen = (new >= 0, new < 0 <= old, 0 <= old < new, new < 0 and old < 0)
                        figures[question.half, way, budget].append(seen)
                        if options.failures and question.half.startswith("read") and (seen[1] or seen[2] or seen[3]):
                            print(f"-- {question.text} {way} {budget}: {seen}\n{context.text}\n")
    for (half, way, budget), seen_ in sorted(figures.items()):
        newest, only, before, neither = (sum(column) / len(seen_) for column in zip(*seen_, strict=True))
        if options.recall:
            print(
                f"{half:15}{way:9}{len(seen_)} questions: newest first {newest:.3f}, in three {only:.3f}, "
                f"in ten {before:.3f}, old before or alone {neither:.3f}"
            )
            continue
        print(
            f"{half:15}{way:9}{budget:5} tokens, {len(seen_)} questions: newest {newest:.3f}, only old {only:.3f}, "
            f"old first {before:.3f}, neither {neither:.3f}"
        )


if __name__ == "__main__":
    asyncio.run(main())
