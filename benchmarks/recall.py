"""Recall of evidence: the share of a question's evidence turns among the first k rows that recall answers.

Each shared conversation is one user's memory, one turn a row; questions of the categories 1 to 4 with evidence that
exists. The first two lines count raw rows only, so that they compare with a search over turns. The third asks with
summaries alone: a turn counts as found where one of the first k rows is it or rests on it. ``--each`` prints the
conversations apart. Raw rows have a second line: the share of the evidence's sessions among the first 5 and 10
different sessions of the first 40 rows.

Other chats are FriendsQA, one user an episode, and QMSum, one user a meeting, whose questions have their evidence in
spans of many turns. ``--speaker-in-text`` writes "Ana: ..." and no metadata.

``--weights`` asks 100 questions of each of the three sets once and orders their candidates by the parts that need no
text with other weights: one weight at a time changed, and 12 settings by lot. For each set it prints recall@5 and @10
with the weights in use, with those that are best on the two others, and with those that are best on the set itself.

    python benchmarks/recall.py --data ../shared/data [--set friendsqa] [--speaker-in-text] [--raw] [--weights]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import precis
from chats import Asked, Data, Row, friends, locomo, meetings
from precis.app import App
from precis.app.recall import Recalled, SummariesMode
from precis.recall.question import Pool, Question
from precis.recall.ranking import Score, Weights, rank

DEPTHS = (5, 10, 20)
#: Weights that are tried, below and above those in use; settings by lot, and questions of a set.
TRIED: Mapping[str, tuple[float, ...]] = {
    "keyword": (0.25, 0.45), "vector": (0.15, 0.35), "stretch": (0.1, 0.3), "shortness": (-0.1, -0.3),
    "speaker": (0.05, 0.25), "named": (0.0, 0.2), "importance": (0.07, 0.2), "neighbor_words": (0.4, 0.8),
    "neighbor_vectors": (0.3, 0.7),
}  # fmt: skip
_BY_LOT, _ASKED = 12, 100


def asked_of(data: Data) -> list[Asked]:
    """Its questions with evidence."""
    return [(case.user, case.query, case.evidence) for case in data.own if case.evidence]


def with_speaker(row: Row) -> Row:
    """The same row with who says it in its text and nowhere else."""
    return {**row, "text": f"{row['metadata']['speaker']}: {row['text']}", "metadata": {}}


def raw_ids(results: Sequence[Recalled], depth: int) -> set[str]:
    """The first raw rows."""
    return set([one.memory.id for one in results if not one.memory.is_summary][:depth])


def covered_ids(results: Sequence[Recalled], depth: int) -> set[str]:
    """What the first rows are or rest on."""
    return {id_ for one in results[:depth] for id_ in (one.memory.id, *one.source_ids)}


def session_shares(results: Sequence[Recalled], evidence_sessions: set[str]) -> list[float]:
    """Of the sessions that hold the evidence, those among the first 5 and 10 that the rows are of."""
    sessions = list(dict.fromkeys(result.memory.session_id for result in results if not result.memory.is_summary))
    return [len(evidence_sessions.intersection(sessions[:k])) / len(evidence_sessions) for k in DEPTHS[:2]]


async def measure(
    app: App, asked: Sequence[Asked], mode: SummariesMode, session_by_id: Mapping[str, str], *, each: bool
) -> None:
    """Print the averages at 5, 10 and 20, and those of sessions."""
    found_ids = covered_ids if mode == "only" else raw_ids
    shares, of_sessions = defaultdict(list), []
    for user, question, evidence in asked:
        found = await app.recall.search(question, user_id=user, limit=40, summaries=mode)
        shares[user].append([len(evidence & found_ids(found, k)) / len(evidence) for k in DEPTHS])
        if mode != "only":
            of_sessions.append(session_shares(found, {session_by_id[id_] for id_ in evidence}))
    everything = [row for rows in shares.values() for row in rows]
    for name, rows in [("all", everything), *(shares.items() if each else ())]:
        figures = " ".join(f"{sum(column) / len(rows):.3f}" for column in zip(*rows, strict=True))
        print(f"{name}: {len(rows)} questions, summaries {mode}: recall@5/10/20 {figures}", flush=True)
    if of_sessions:
        figures = " ".join(f"{sum(column) / len(of_sessions):.3f}" for column in zip(*of_sessions, strict=True))
        print(f"sessions: summaries {mode}: recall@5/10 {figures}", flush=True)


def settings() -> Iterator[Weights]:
    """The weights in use, each changed by itself, and some by lot."""
    yield Weights()
    for name, values in TRIED.items():
        yield from (Weights(**{name: value}) for value in values)
    chance = random.Random(11)
    for _ in range(_BY_LOT):
        yield Weights(**{name: chance.choice((getattr(Weights(), name), *values)) for name, values in TRIED.items()})


async def left_out(sets: Sequence[Data]) -> None:
    """For each set recall with the weights in use, with the best of the others, and with its own best."""
    shares: dict[str, list[tuple[float, float]]] = {}
    listed = list(settings())
    for data in sets:
        saved = await candidates(data)
        shares[data.name] = [ordered(saved, weights) for weights in listed]
    for name, own in shares.items():
        of_others = [sum(shares[other][at][0] for other in shares if other != name) for at in range(len(listed))]
        carried, best = of_others.index(max(of_others)), own.index(max(own))
        for kind, at in (("in use", 0), ("best on the others", carried), ("best on itself", best)):
            changed = {part: getattr(listed[at], part) for part in TRIED}
            print(f"{name}, {kind}: recall@5/10 {own[at][0]:.3f} {own[at][1]:.3f} {changed}", flush=True)


def ordered(saved: Sequence[tuple[Pool, Question, float, frozenset[str]]], weights: Weights) -> tuple[float, float]:
    """Recall at 5 and 10 of saved candidates with these weights."""
    now, figures = datetime.now(UTC), []
    for pool, question, trust, evidence in saved:
        ids = [score.id for score in rank(question, pool, now=now, trust=trust, weights=weights, limit=10)]
        figures.append([len(evidence.intersection(ids[:depth])) / len(evidence) for depth in DEPTHS[:2]])
    at_5, at_10 = (sum(column) / len(figures) for column in zip(*figures, strict=True))
    return at_5, at_10


async def candidates(data: Data) -> list[tuple[Pool, Question, float, frozenset[str]]]:
    """What the questions of a set are chosen from, as recall has it before it reads a text."""
    saved: list[tuple[Pool, Question, float, frozenset[str]]] = []
    asked = random.Random(7).sample(asked_of(data), min(_ASKED, len(asked_of(data))))
    ranking: list[tuple[Pool, Question, float]] = []

    def kept(question: Question, pool: Pool, *, trust: float = 1.0, **rest: Any) -> list[Score]:
        ranking.append((pool, question, trust))
        return rank(question, pool, trust=trust, **rest)

    with tempfile.TemporaryDirectory(prefix="precis-recall-") as folder, mock.patch("precis.app.recall.rank", kept):
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for start in range(0, len(data.rows), 500):
                await app.memories.add(data.rows[start : start + 500], summarize="deferred")
            for user, question, evidence in asked:
                ranking.clear()
                await app.recall.search(question, user_id=user, limit=10, summaries="without")
                saved.append((*ranking[0], evidence))
    return saved


async def main() -> None:
    """Import, summarize, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=["locomo", "friendsqa", "qmsum"], default="locomo")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--speaker-in-text", action="store_true")
    parser.add_argument("--raw", action="store_true", help="make no summaries")
    parser.add_argument("--weights", action="store_true", help="weights chosen on two sets, on the third")
    options = parser.parse_args()
    if options.weights:
        await left_out([locomo(options.data), friends(options.data, by_episode=True), meetings(options.data)])
        return
    load = {"locomo": locomo, "friendsqa": partial(friends, by_episode=True), "qmsum": meetings}[options.set]
    data = load(options.data)
    rows = [with_speaker(row) for row in data.rows] if options.speaker_in_text else data.rows
    modes: tuple[SummariesMode, ...] = ("without",) if options.raw else ("without", "with", "only")
    with tempfile.TemporaryDirectory(prefix="precis-recall-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for start in range(0, len(rows), 500):
                await app.memories.add(rows[start : start + 500], summarize="deferred")
            if not options.raw:
                await app.summaries.refresh_all()
            for mode in modes:
                session_by_id = {row["id"]: row["session_id"] for row in data.rows}
                await measure(app, asked_of(data), mode, session_by_id, each=options.each)


if __name__ == "__main__":
    asyncio.run(main())
