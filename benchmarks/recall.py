"""Recall of evidence: the share of a question's evidence turns among the first k rows that recall answers.

Each shared conversation is one user's memory, one turn a row; questions of the categories 1 to 4 with evidence that
exists. The first two lines count raw rows only, so that they compare with a search over turns. The third asks with
summaries alone: a turn counts as found where one of the first k rows is it or rests on it. ``--each`` prints the
conversations apart. Raw rows have a second line: the share of the evidence's sessions among the first 5 and 10
different sessions of the first 40 rows.

Other chats are FriendsQA, one user an episode, and QMSum, one user a meeting, whose questions have their evidence in
spans of many turns. ``--speaker-in-text`` writes "Ana: ..." and no metadata.

    python benchmarks/recall.py --data ../shared/data [--set friendsqa] [--speaker-in-text] [--raw]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import precis
from chats import Asked, Data, Row, friends, locomo, meetings
from precis.app import App
from precis.app.recall import Recalled, SummariesMode

DEPTHS = (5, 10, 20)


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


async def main() -> None:
    """Import, summarize, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=["locomo", "friendsqa", "qmsum"], default="locomo")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--speaker-in-text", action="store_true")
    parser.add_argument("--raw", action="store_true", help="make no summaries")
    options = parser.parse_args()
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
