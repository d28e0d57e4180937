"""What a summary still says of the beginning after more than a hundred extensions, against a plain rolling summary.

The longest conversation of LoCoMo that is there, turn by turn: over 8 messages all but the last 4 go into the summary.
Both use the offline summarizer and 800 tokens. The rolling summary reads its own text and the new messages each time;
precis extends from its segments. Figure: share of the answers' content words that the summary holds, for the questions
whose evidence lies in the first hundred turns and in the first third, as the conversation goes on; at the end for all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import precis
from precis.app import App
from precis.extractive.summarizer import summarize
from precis.makers import Aim, Item, Request
from precis.models.tokens import count
from precis.policies.conversations import Limits, Size
from retention import content, parse_when, turn_text

TRIGGER, KEEP, TOKENS, EARLY, STEPS = 8, 4, 800, 100, 110


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message."""

    id: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Question:
    """Where its evidence ends, and the words of its answer."""

    last: int
    answer: frozenset[str]


def longest(path: Path) -> tuple[list[Turn], list[Question]]:
    """The conversation, and those of its questions whose answer's words stand in the evidence turns."""
    talks = json.loads(path.read_text())
    one = max(talks, key=lambda talk: len(turns_of(talk["conversation"])))
    turns = turns_of(one["conversation"])
    place = {turn.id: at for at, turn in enumerate(turns)}
    found = []
    for asked in one["qa"]:
        evidence = [place[id_] for id_ in asked["evidence"] if id_ in place]
        answer = content(str(asked.get("answer", "")))
        said = content(" ".join(f"{turns[at].speaker}: {turns[at].text}" for at in evidence))
        if asked["category"] in (1, 4) and answer and answer <= said:
            found.append(Question(last=max(evidence), answer=answer))
    return turns, found


def turns_of(conversation: dict[str, Any]) -> list[Turn]:
    """All sessions, one after the other."""
    found = []
    number = 1
    while f"session_{number}_date_time" in conversation:
        at = parse_when(conversation[f"session_{number}_date_time"])
        session = conversation.get(f"session_{number}", [])
        found += [Turn(id=said["dia_id"], speaker=said["speaker"], text=turn_text(said), at=at) for said in session]
        number += 1
    return found


def kept(summary: str, questions: Sequence[Question]) -> float:
    """Mean share of the answers' words that it holds."""
    held = content(summary)
    return sum(len(one.answer & held) / len(one.answer) for one in questions) / len(questions)


class Rolling:
    """A plain rolling summary: its own text and what is new, each time."""

    def __init__(self) -> None:
        self.summary = ""
        self.open: list[Turn] = []
        self.extensions = 0

    def say(self, turn: Turn) -> None:
        """One message more."""
        self.open.append(turn)
        if len(self.open) <= TRIGGER:
            return
        going, self.open = self.open[:-KEEP], self.open[-KEEP:]
        first = [Item(text=self.summary, source_ids=("summary",), created_at=going[0].at)] if self.summary else []
        items = [Item(text=t.text, source_ids=(t.id,), created_at=t.at, speaker=t.speaker) for t in going]
        request = Request(items=(*first, *items), max_tokens=TOKENS, prompt="", aim=Aim.FACTS)
        self.summary = " ".join(one.text for one in summarize(request, count).statements)
        self.extensions += 1


async def run(app: App, turns: Sequence[Turn], questions: Sequence[Question]) -> None:
    """Both side by side."""
    limits = Limits(
        triggers=(Size.parse(f"{TRIGGER} messages"),), keep=Size.parse(f"{KEEP} messages"), summary_tokens=TOKENS,
        deadline=120,
    )  # fmt: skip
    early = [one for one in questions if one.last < EARLY]
    third = [one for one in questions if one.last < len(turns) // 3]
    rolling, extensions = Rolling(), 0
    print(
        f"{len(turns)} turns, {len(questions)} questions: {len(early)} on the first {EARLY}, "
        f"{len(third)} on the first third"
    )
    print(f"{'':26}{f'first {EARLY}':>18}{'first third':>18}")
    print(f"{'turns':>6}{'extensions':>12}{'tokens':>8}" + f"{'precis':>9}{'rolling':>9}" * 2)
    for at, turn in enumerate(turns, start=1):
        rolling.say(turn)
        message = {"id": turn.id.replace(":", "-"), "role": "user", "name": turn.speaker, "content": turn.text}
        given = message | {"created_at": turn.at.replace(microsecond=at)}
        turned = await app.conversations.turn("talk", [given], user_id="locomo", limits=limits)
        extensions += turned.summarized
        if at % STEPS == 0 or at == len(turns):
            context = await app.conversations.context("talk", limits=limits)
            tokens = sum(count(one.text) for one in context.statements)
            figures = [kept(said, some) for some in (early, third) for said in (context.summary, rolling.summary)]
            print(f"{at:6}{extensions:12}{tokens:8}" + "".join(f"{one:9.3f}" for one in figures), flush=True)
    everything = kept(context.summary, questions), kept(rolling.summary, questions)
    print(f"all questions, at the end: precis {everything[0]:.3f}, rolling {everything[1]:.3f}")
    expanded = await app.conversations.expand("talk")
    print(f"messages one expansion away: {len(expanded)} of {context.covered} covered, {context.total} in all")


async def main(path: Path) -> None:
    """In a database of its own, which goes."""
    folder = Path(tempfile.mkdtemp(prefix="precis-extensions-"))
    folder.chmod(0o755)
    try:
        async with precis.open(data_dir=folder / "data", conversation_summary_tokens=TOKENS) as app:
            await run(app, *longest(path))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    asyncio.run(main(parser.parse_args().data / "locomo" / "locomo.json"))
