"""Do summaries summarize: how long weeks and months are, what is said twice, what the key insights are, and titles.

Every user of the shared conversations has notes; a week is drafted as the calendar drafts it, a month from its weeks, a
conversation as the chat does, a cluster from the memories of one user with one key. Two statements are near-duplicates
where the stems of their content words overlap by .8 (Jaccard) or all of one (at least three) stand in the other.

    python benchmarks/digest.py --data ../shared/data --half 1 --read 10
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from statistics import mean

from levels import leaf
from precis.engine.draft import InHand, draft
from precis.engine.drafted import Drafted
from precis.engine.node import Makers
from precis.engine.plan import plan_over
from precis.engine.policy import Policy
from precis.errors import DraftFailed
from precis.extractive.summarizer import Extractive
from precis.language.labels import extract
from precis.language.words import content, words
from precis.makers import Item
from precis.models.tokens import counter
from precis.policies.clusters import clusters
from precis.policies.conversations import conversations
from precis.policies.rollups import PeriodKind, Rollups, period_of, rollups
from precis.summary import Statement, assemble, served_of, speaker_of
from retention import load

count = counter()
_MANY = 10
_LEAST = 3


@dataclass(frozen=True, kw_only=True)
class Made:
    """One summary: of what, from what, and what a reader gets."""

    kind: str
    name: str
    read: int
    notes: int
    statements: tuple[Statement, ...]
    title: str | None

    @property
    def share(self) -> float:
        """Its words for each word that it reads."""
        return length(assemble(self.statements)) / max(1, self.read)


def length(text: str) -> int:
    """Words of a text."""
    return sum(1 for _ in words(text))


def users(folder: Path) -> dict[str, list[Item]]:
    """The notes of each user, oldest first."""
    by_user = {
        f"locomo-{at}": [item for number in sorted(one) for item in one[number]]
        for at, one in enumerate(load(folder / "locomo" / "locomo.json"))
    }
    return by_user | dict(_memorybank(folder)) | dict(_episodes(folder))


def _memorybank(folder: Path) -> Iterable[tuple[str, list[Item]]]:
    for name, user in json.loads((folder / "memorybank" / "en.json").read_text()).items():
        yield (
            f"memorybank-{name}",
            [
                Item(text=turn["query"], source_ids=("",), created_at=_at(day, at), speaker=name)
                for day, turns in sorted(user["history"].items())
                for at, turn in enumerate(turns)
            ],
        )


def _episodes(folder: Path) -> Iterable[tuple[str, list[Item]]]:
    """One episode is one user, whose scenes are days of one week."""
    episodes: dict[str, list[Item]] = defaultdict(list)
    for scene in json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]:
        episode, number = scene["title"].rsplit("_c", 1)
        for paragraph in scene["paragraphs"]:
            for turn in paragraph["utterances:"]:
                when = datetime(2024, 3, 3, 9, tzinfo=UTC) + timedelta(days=int(number) % 7, minutes=turn["uid"])
                text = re.sub(r" ([.,!?;:'\u2019]|n't)", r"\1", turn["utterance"])
                speaker = (turn["speakers"] or [None])[0]
                if text.strip():
                    episodes[episode].append(Item(text=text, source_ids=("",), created_at=when, speaker=speaker))
    for episode, items in sorted(episodes.items()):
        yield f"friendsqa-{episode}", sorted(items, key=lambda item: item.created_at or when)


def _at(day: str, number: int) -> datetime:
    return datetime.fromisoformat(day).replace(hour=9, minute=number, tzinfo=UTC)


def numbered(items: Sequence[Item]) -> list[Item]:
    """The items with ids of their own."""
    return [replace(item, source_ids=(f"{at:06}",)) for at, item in enumerate(items)]


async def drafted_of(items: Sequence[Item], policy: Policy) -> Drafted | None:
    """What is drafted of them; None where they say nothing."""
    by_id = {item.source_ids[0]: item for item in items}
    leaves = [replace(leaf(item, 0), id=item.source_ids[0]) for item in items]
    extractive = Extractive()
    makers = Makers(summarizer=extractive, fallback=extractive, count=count)
    try:
        return await draft(plan_over(policy, leaves), InHand(known=by_id), makers=makers)
    except DraftFailed:
        return None


async def made_of(name: str, items: Sequence[Item], policy: Policy, *, notes: int = 0) -> Made | None:
    """A summary as it is read."""
    drafted = await drafted_of(items, policy)
    if drafted is None:
        return None
    root = drafted.root
    return Made(
        kind=policy.name, name=name, read=sum(length(item.text) for item in items), notes=notes or len(items),
        statements=served_of(root.statements, policy.served_from), title=root.title,
    )  # fmt: skip


async def every(name: str, items: Sequence[Item]) -> list[Made]:
    """The weeks, months, conversation and clusters of one user."""
    items = numbered(items)
    policies = rollups()
    weeks: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        if item.day is not None:
            weeks[period_of(PeriodKind.WEEK, item.day).name].append(item)
    summaries: list[Made | None] = []
    months: dict[str, list[Made]] = defaultdict(list)
    for week, notes in weeks.items():
        one = await made_of(f"{name} {week}", notes, policies["week"])
        if one is not None:
            summaries.append(one)
            months[week[:7]].append(one)
    for month, parts in months.items():
        said = [part_of(part, at, number) for at, part in enumerate(parts) for number in range(len(part.statements))]
        if said:
            notes = sum(part.notes for part in parts)
            summaries.append(await made_of(f"{name} {month}", said, policies["month"], notes=notes))
    summaries.append(await made_of(name, items, conversations()))
    for key, members in _keyed(items).items():
        summaries.append(await made_of(f"{name} {key}", members, clusters()))
    return [summary for summary in summaries if summary is not None]


def part_of(week: Made, at: int, number: int) -> Item:
    """A statement of a week as the month reads it."""
    statement = week.statements[number]
    begins = datetime.fromisoformat(week.name.rsplit(" ", 1)[1]).replace(tzinfo=UTC)
    return Item(
        text=statement.text,
        source_ids=(f"{at:03}-{number:03}",),
        importance=statement.importance,
        derived=True,
        created_at=begins + timedelta(minutes=number),
    )


def _keyed(items: Sequence[Item]) -> Mapping[str, list[Item]]:
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        labels = extract(item.text, speaker=item.speaker)
        if labels.key:
            groups[f"{labels.person or item.speaker}/{labels.key}"].append(item)
    return {key: members for key, members in groups.items() if len(members) >= _LEAST}


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements say nearly the same, by the stems of their content words."""
    both, least = len(one & other), min(len(one), len(other))
    return bool(both) and (both / len(one | other) >= 0.8 or both == least >= _LEAST)


def pairs(statements: Sequence[Statement]) -> list[tuple[str, str]]:
    """The near-duplicates among them."""
    told = [(one.text, content(one.text.removeprefix(f"{speaker_of(one.text)}: "))) for one in statements]
    return [(one[0], other[0]) for one, other in combinations(told, 2) if alike(one[1], other[1])]


def report(kind: str, summaries: Sequence[Made]) -> None:
    """One line."""
    doubled = [found for one in summaries if (found := pairs(one.statements))]
    large = [one for one in summaries if one.notes >= _MANY]
    shares = [one.share for one in large]
    over = sum(share > 0.5 for share in shares) / max(1, len(shares))
    print(
        f"{kind:13} {len(summaries):4} summaries, {mean(len(one.statements) for one in summaries):5.1f} statements; "
        f"of 10 notes or more {len(large):4}: {mean(shares or [0]):.2f} of the words, over half {over:.2f}; "
        f"near-duplicates in {len(doubled) / len(summaries):.3f}"
    )
    if kind in ("week", "month"):
        insights = [(one, Rollups().key_insights(one.statements)) for one in summaries if len(one.statements) > _LEAST]
        equal = sum(sorted(texts) == sorted(s.text for s in one.statements) for one, texts in insights)
        sizes = [len(texts) for _, texts in insights]
        size = mean(sizes or [0])
        print(f"              key insights: {size:.1f} a {kind}, equal to the list {equal} of {len(insights)}")


async def main() -> None:
    """Print the table and what is to be read aloud."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", type=int, choices=(0, 1), help="every second user")
    parser.add_argument("--users", type=int, help="so many of them")
    parser.add_argument("--read", type=int, default=0, help="print so many of each kind, by lot")
    parser.add_argument("--kinds", nargs="+", default=["week", "month", "conversations", "clusters"])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    by_user = [pair for at, pair in enumerate(users(args.data).items()) if args.half in (None, at % 2)][: args.users]
    summaries = [one for name, items in by_user for one in await every(name, items)]
    for kind in args.kinds:
        some = [one for one in summaries if one.kind == kind]
        if not some:
            continue
        report(kind, some)
        for one in random.Random(args.seed).sample(some, min(args.read, len(some))):
            print(f"\n--- {one.kind} {one.name}: {one.notes} notes, {one.share:.2f} of the words; title: {one.title}")
            for statement in one.statements:
                print(f"  {statement.importance:.2f} {statement.text}")
            if kind in ("week", "month"):
                print("  KEY:", *Rollups().key_insights(one.statements), sep="\n    * ")


if __name__ == "__main__":
    asyncio.run(main())
