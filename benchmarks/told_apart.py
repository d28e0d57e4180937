"""Does a week, a month or a view tell a sentence without what it needs? Cases in told_apart.toml.

Of a relative's illness the relative (``person``), of a pasted message who sent it (``pasted``), of an overruled value
what became of it (``overruled``). Decisions and changes before trifles (``weight``), relative days with their date
(``dates``), and no mere reactions (``small``). One half of each list was not looked at while the rules were written.

    python benchmarks/told_apart.py [--failures]
"""

from __future__ import annotations

import argparse
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from precis.checks import check
from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import served_of

#: What weeks and months serve at least.
SERVED_FROM = 0.5
#: Of what the notes are read: a month serves what is important, a talk has a speaker. And the tokens of a summary: what
#: may not stand alone is looked for at each, what has to be told at the one of the case.
WAYS = ("view", "month", "talk")
ROOMS = (30, 45, 60, 80, 100, 130, 170, 220, 300, 400)


def told(case: dict[str, Any], way: str, room: int) -> list[str]:
    """The served statements of a summary of the notes that has so many tokens."""
    items = tuple(
        Item(
            text=text, source_ids=(str(at),), created_at=datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC),
            speaker=case.get("speaker", "user" if way == "talk" else None), alone=way != "talk",
        )
        for at, (day, text) in enumerate(case["notes"])
    )  # fmt: skip
    served_from = SERVED_FROM if way == "month" else 0.0
    request = Request(items=items, max_tokens=room, prompt="", served_from=served_from, picked=way == "view")
    draft = summarize(request, count)
    return [statement.text for statement in served_of(check(draft, items).statements, served_from)]


def faults_of(case: dict[str, Any]) -> list[str]:
    """What is wrong with the summaries of a case."""
    ways = case.get("ways", WAYS)
    apart = {
        (way, fault): room for way in ways for room in ROOMS for fault in torn(case, told(case, way, room))
    }  # fmt: skip
    every = "\n".join(told(case, ways[0], case.get("room", ROOMS[-1])))
    faults = [f"{fault} ({way} in {room})" for (way, fault), room in apart.items()]
    faults += [f"{part!r} is told" for part in case.get("never", ()) if part in every]
    return faults + [f"{part!r} is not told" for part in case.get("told", ()) if part not in every]


def torn(case: dict[str, Any], statements: list[str]) -> list[str]:
    """What is told without what it needs."""
    every = "\n".join(statements)
    faults = [
        f"{part!r} without {other!r}"
        for part, other in case.get("holds", ())
        if any(part in text and other not in text for text in statements)
    ]
    return faults + [
        f"{part!r}, not {other!r}" for part, other in case.get("beside", ()) if part in every and other not in every
    ]


def main() -> None:
    """Print a row a list and half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="print what failed, of the halves that are read only")
    options = parser.parse_args()
    document = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for name, halves in document.items():
        for half in ("read", "unread"):
            judged = [(case, faults_of(case)) for case in halves[half]]
            print(f"{half:8}{name:10}{sum(not faults for _, faults in judged):3} of {len(judged)}")
            for case, faults in judged if options.failures and half == "read" else ():
                if faults:
                    print(f"    {case['language']}: {'; '.join(faults)}")


if __name__ == "__main__":
    main()
