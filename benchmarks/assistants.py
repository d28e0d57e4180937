"""What summaries, weeks and facts make of talks with an assistant at work: long answers, instructions, secrets.

The cases stand in ``assistants.toml``. Of each kind one half was not looked at while the rules were written.

    python benchmarks/assistants.py [--half read] [--show]
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.app import App
from precis.language.sentences import sentences
from precis.testing import temporary

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
Case = Mapping[str, Any]


def turns_of(case: Case, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Role and text of each turn: a long answer stands behind a short question, or by itself as an ``ANSWER``."""
    fill = table["fill"]
    for line in case["lines"]:
        if line == "{FILL}":
            for at in range(1, fill["turns"] + 1):
                yield "user", fill["user"].format(at)
                yield "assistant", fill["assistant"].format(at, at % 12 + 1)
        elif line.startswith("{"):
            kind, _, name = line[1:].partition("}")
            if kind == "LONG":
                yield "user", "And the next topic, please."
            yield "assistant", table["long"][name].strip()
        else:
            role, _, text = line.partition(": ")
            yield role, text


async def talk(app: App, case: Case, table: Mapping[str, Any], user: str) -> tuple[list[str], list[str]]:
    """The statements of the summary of a conversation, and its title."""
    session = f"talk-{user}"
    for at, (role, text) in enumerate(turns_of(case, table)):
        day = (START + timedelta(hours=at)).isoformat()
        turn = [{"id": f"{user}-{at}", "role": role, "content": text, "created_at": day}]
        await app.conversations.turn(session, turn, user_id=user)
    context = await app.conversations.context(session, token_budget=3000, user_id=user)
    return [statement.text for statement in context.statements], [context.title or ""]


async def week(app: App, case: Case, table: Mapping[str, Any], user: str) -> tuple[list[str], list[str]]:
    """The statements of the week of these notes, and its key insights."""
    del table
    notes = [
        {
            "id": f"{user}-{at}", "user_id": user, "memory_type": "episodic", "metadata": {"kind": "note"},
            "text": text, "created_at": (START + timedelta(hours=at)).isoformat(),
        }
        for at, text in enumerate(case["lines"])
    ]  # fmt: skip
    await app.memories.add(notes)
    made = await app.rollups.summarize(user, "weekly", day=START.date())
    summary = await app.summaries.get(made.summary_id)
    rows = (await app.rollups.list("weekly", user_id=user)).rows
    return [statement.text for statement in summary.statements], [*rows[0].key_insights]


async def facts(app: App, case: Case, table: Mapping[str, Any], user: str) -> tuple[list[str], list[str]]:
    """The facts of what somebody says, each sentence list a message of its own."""
    del table
    for at, text in enumerate(case["lines"]):
        turn = {"id": f"{user}-{at}", "role": "user", "name": case["name"], "content": text, "created_at": START}
        await app.conversations.turn(f"{user}-{at}", [turn], user_id=user)
    await app.facts.read(at_once=True)
    rows = (await app.memories.list(user_id=user, memory_type="semantic", is_summary=False)).rows
    return [str(row.text) for row in rows], []


def wrong_in(case: Case, texts: Sequence[str], beside: Sequence[str]) -> list[str]:
    """What is missing in the texts, or is there and should not be."""
    every = [*texts, *beside]
    missing = [f"missing {it}" for it in case.get("keeps", ()) if not any(re.search(it, text) for text in texts)]
    bad = [f"has {it}" for it in case.get("never", ()) if any(re.search(it, text, re.MULTILINE) for text in every)]
    bad += [f"insight {it}" for it in case.get("insights_never", ()) if any(re.search(it, text) for text in beside)]
    for old, new in case.get("paired", ()):
        has = [any(re.search(it, text) for text in texts) for it in (old, new)]
        bad += [f"{old} without {new}"] if has == [True, False] else []
    return missing + bad


async def wrongs(app: App, case: Case, table: Mapping[str, Any], user: str) -> tuple[list[str], list[str]]:
    """What is wrong with a case, and what was made of it."""
    if case["kind"] in ("sentences", "ends"):
        size = 1 if case["kind"] == "sentences" else 2
        cut = [line for line in case["lines"] if len(sentences(line)) != size]
        return [f"cut {line}" for line in cut], []
    make = {"talk": talk, "week": week, "facts": facts}[case["kind"]]
    texts, beside = await make(app, case, table, user)
    return wrong_in(case, texts, beside), [*texts, *(f"({text})" for text in beside)]


async def main() -> None:
    """Print for each kind and half how many cases have nothing wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("read", "unread", "both"), default="both")
    parser.add_argument("--what", default="", help="only cases of this kind")
    parser.add_argument("--show", action="store_true", help="print what is wrong, of the half that is read only")
    arguments = parser.parse_args()
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    right: Counter[tuple[str, str]] = Counter()
    every: Counter[tuple[str, str]] = Counter()
    async with temporary() as app:
        for at, case in enumerate(table["case"]):
            if arguments.half not in ("both", case["half"]) or arguments.what not in case["what"]:
                continue
            wrong, made = await wrongs(app, case, table, f"user{at}")
            every[case["what"], case["half"]] += 1
            right[case["what"], case["half"]] += not wrong
            if arguments.show and wrong and case["half"] == "read":
                print(case["what"], wrong, *made, sep="\n    ")
    for what in dict.fromkeys(what for what, _ in every):
        halves = ((half, right[what, half], every[what, half]) for half in ("read", "unread"))
        print(f"{what:13}", "  ".join(f"{half} {good}/{number}" for half, good, number in halves))
    for half in ("read", "unread"):
        good, number = (sum(counts[key] for key in counts if key[1] == half) for counts in (right, every))
        print(f"all {half}: {good}/{number}")


if __name__ == "__main__":
    asyncio.run(main())
