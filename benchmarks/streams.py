"""Are clusters about one thing, and do summaries tell what a person would keep? Ten streams that knew no rule.

Each of the files in ``streams`` is written over the real app, every memory as a note on its day; the worker's pass
regroups them, and every cluster, day, week and month is summarized offline. Whoever wrote the files gave each memory a
subject or none (a stray), said whether it is courtesy, how much it is worth keeping (0 to 3), and asked some questions.
Of every second file the texts were read while rules were written; of the others only these figures were.

    python benchmarks/streams.py            a line a stream and half
    python benchmarks/streams.py --show     and what is told of the read half, with the titles
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from digest import length
from embeddings import agreement
from precis.app import App
from precis.app.passes import regroup_written
from precis.language.words import content
from precis.policies.rollups import Rollups
from precis.summary import Statement, Summary, unattributed
from precis.testing import temporary

_FOLDER = Path(__file__).with_name("streams")
_POLICIES = ("clusters", "day", "week", "month")
_BEST = 3
#: So many letters of a word are it, whatever follows.
_LETTERS = 4
#: So many signs tell whether a statement opens as its memory does.
_OPENING = 12
Row = dict[str, Any]


@dataclass(kw_only=True)
class Told:
    """One stream: its memories, the cluster of each that has one, and its summaries by policy."""

    name: str
    memories: Sequence[Row]
    facts: Sequence[Mapping[str, str]]
    clusters: Mapping[int, str]
    summaries: Mapping[str, Sequence[Summary]]
    #: Members of each cluster.
    sizes: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        """Count the members."""
        self.sizes = Counter(self.clusters.values())

    def grouped(self, chosen: Iterable[int]) -> list[bool]:
        """Whether each of these is in a cluster of more than one."""
        return [self.sizes[self.clusters.get(at, "")] > 1 for at in chosen]

    def statements(self, *policies: str) -> list[Statement]:
        """What summaries of these policies state."""
        return [statement for name in policies for one in self.summaries[name] for statement in one.statements]

    def sources(self, *policies: str) -> set[int]:
        """The memories that these rest on."""
        return {at for statement in self.statements(*policies) for at in rests_on(statement)}

    def insights(self) -> list[str]:
        """The key insights of weeks and months."""
        periods = [one for name in ("week", "month") for one in self.summaries[name]]
        return [text for one in periods for text in Rollups().key_insights(one.statements)]


def rests_on(statement: Statement) -> list[int]:
    """The places of its memories."""
    return [int(id_.rsplit("-", 1)[1]) for id_ in statement.source_ids]


def rows_of(name: str, memories: Sequence[Row]) -> list[Row]:
    """The memories as a caller writes them."""
    return [
        {
            "id": f"{name}-{at}", "user_id": name, "text": memory["text"], "created_at": memory["at"],
            "memory_type": "episodic",
            "metadata": {"kind": "note"} | ({"speaker": memory["speaker"]} if memory["speaker"] else {}),
        }
        for at, memory in enumerate(memories)
    ]  # fmt: skip


async def told(app: App, path: Path) -> Told:
    """Write a stream, regroup it and summarize all of it."""
    stream, began, user = json.loads(path.read_text("utf-8")), datetime.now(UTC), f"stream-{path.stem}"
    await app.memories.add(rows_of(user, stream["memories"]), summarize="deferred")
    await regroup_written(app.parts, began)
    for policy in _POLICIES:
        await app.summaries.refresh_all(policy=policy, user_id=user)
    scope = {"policy": "clusters", "user_id": user, "project_id": "", "environment": "production"}
    async with app.parts.store.database.tx(app.parts.tenant_id) as tx:
        rows = await tx.all("clustered", **scope)
    summaries = {
        policy: (await app.summaries.list(policy=policy, user_id=user, limit=1000)).rows for policy in _POLICIES
    }
    return Told(
        name=path.stem, memories=stream["memories"], facts=stream["facts"], summaries=summaries,
        clusters={int(row["memory_id"].rsplit("-", 1)[1]): row["group_id"] for row in rows},
    )  # fmt: skip


def share(hits: Collection[object]) -> float:
    """How many of them are so."""
    return sum(map(bool, hits)) / max(1, len(hits))


def _subjects(stream: Told) -> dict[str, float]:
    """How the clusters are, beside the subjects that were given."""
    labels = [memory["subject"] or f"stray {at}" for at, memory in enumerate(stream.memories)]
    groups = [stream.clusters.get(at, f"alone {at}") for at in range(len(labels))]
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    several = [[label for label, group in zip(labels, groups, strict=True) if group == id_] for id_ in stream.sizes]
    several = [members for members in several if len(members) > 1]
    most = sum(max(Counter(members).values()) for members in several)
    courtesy = [at for at, memory in enumerate(stream.memories) if memory["courtesy"]]
    strays = [at for at, memory in enumerate(stream.memories) if not memory["subject"] and at not in courtesy]
    return {
        "joined": share(stream.grouped(at for at, memory in enumerate(stream.memories) if memory["subject"])),
        "in a summary": len(stream.sources("clusters")) / len(labels),
        "purity": most / max(1, sum(map(len, several))),
        "V": agreement(labels, [numbers[group] for group in groups])[0],
        "strays in": share(stream.grouped(strays)),
        "courtesy in": share(stream.grouped(courtesy)),
    }


def _words(stream: Told) -> dict[str, float]:
    """How what is told is."""
    memories, statements = stream.memories, stream.statements(*_POLICIES)
    best = [at for at, memory in enumerate(memories) if memory["keep"] == _BEST]
    insights = {text: rests_on(one) for one in stream.statements("week", "month") for text in [one.text]}
    every = [rests_on(one) for one in statements] + [insights[text] for text in stream.insights()]
    texts = [one.text for one in stream.statements("clusters", "week", "month")]
    opening = [
        unattributed(one.text)[:_OPENING].casefold() == memories[rests_on(one)[0]]["text"][:_OPENING].casefold()
        for one in stream.statements("clusters", "month")
    ]
    weeks = [
        (length(one.text), sum(length(memories[int(id_.rsplit("-", 1)[1])]["text"]) for id_ in one.leaf_source_ids))
        for one in stream.summaries["week"]
    ]
    return {
        "courtesy told": share([all(memories[at]["courtesy"] for at in places) for places in every]),
        "on keep 0": share([any(not memories[at]["keep"] for at in places) for places in every]),
        "keep 3 told": share([at in stream.sources("clusters", "week", "month") for at in best]),
        "in clusters": share([at in stream.sources("clusters") for at in best]),
        "in months": share([at in stream.sources("month") for at in best]),
        "midway": 1 - share(opening),
        "week/notes": sum(own for own, _ in weeks) / max(1, sum(notes for _, notes in weeks)),
        "titled": share([_names_its_subject(one, stream) for one in stream.summaries["clusters"]]),
        "facts": share([any(fact["answer"] in text for text in texts) for fact in stream.facts]),
    }


def _names_its_subject(summary: Summary, stream: Told) -> bool:
    """Whether a title has a word, by its first letters, of the subject that most memories of its summary have."""
    subjects = Counter(stream.memories[int(id_.rsplit("-", 1)[1])]["subject"] for id_ in summary.leaf_source_ids)
    subject = max(subjects, key=lambda name: subjects[name]) or ""
    title, words = ({word[:_LETTERS] for word in content(text)} for text in (summary.title or "", subject))
    return not title.isdisjoint(words)


def report(name: str, streams: Sequence[Told]) -> None:
    """One line: the mean of the streams."""
    figures = [_subjects(stream) | _words(stream) for stream in streams]
    means = {key: sum(each[key] for each in figures) / len(figures) for key in figures[0]}
    print(f"{name:7}" + "".join(f"{value:{max(6, len(key) + 2)}.2f}" for key, value in means.items()), flush=True)


def show(stream: Told) -> None:
    """What is told of a stream, beside what nothing tells."""
    print(f"\n=== {stream.name}")
    for policy in _POLICIES:
        for one in sorted(stream.summaries[policy], key=lambda one: (one.starts_on or one.created_at.date(), one.id)):
            print(f"\n--- {policy} {one.starts_on or ''} {one.title}")
            for statement in one.statements:
                keep = ",".join(str(stream.memories[at]["keep"]) for at in rests_on(statement))
                print(f"  {statement.importance:.2f} [{keep}] {statement.text}")
    for policy in ("clusters", "month"):
        print(f"\n--- worth keeping and in no {policy}")
        for at, memory in enumerate(stream.memories):
            if memory["keep"] == _BEST and at not in stream.sources(policy):
                print(f"  {memory['subject']} ({stream.grouped([at])[0]}): {memory['text']}")


async def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what is told of the half that was read")
    shown = parser.parse_args().show
    logging.disable(logging.WARNING)
    async with temporary() as app:
        streams = [await told(app, path) for path in sorted(_FOLDER.glob("*.json"))]
    columns = [*_subjects(streams[0]), *_words(streams[0])]
    print(" " * 7 + "".join(f"{key:>{max(6, len(key) + 2)}}" for key in columns))
    for stream in streams:
        report(stream.name, [stream])
    report("read", streams[0::2])
    report("unread", streams[1::2])
    for stream in streams[0::2] if shown else []:
        show(stream)


if __name__ == "__main__":
    asyncio.run(main())
