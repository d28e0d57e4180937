"""Shared conversations as memories, and the questions that are asked of them."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.app.importing import read

_TURN = re.compile(r"D:?(\d+):0*(\d+)")
Asked = tuple[str, str, frozenset[str]]
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question asked of somebody's memory."""

    data: str
    #: own, swapped, other or never.
    kind: str
    user: str
    query: str
    evidence: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Data:
    """One data set as memories, and the questions of each user."""

    name: str
    rows: list[Row]
    own: list[Case]
    swapped: list[Case]


def locomo(folder: Path) -> Data:
    """Four conversations of two speakers."""
    path = folder / "locomo" / "locomo.json"
    own = [
        Case(data="locomo", kind="own", user=user, query=query, evidence=ids) for user, query, ids in questions(path)
    ]
    swapped = [
        Case(data="locomo", kind="swapped", user=sample["sample_id"], query=entry["question"])
        for sample in json.loads(path.read_text())
        for entry in sample["qa"]
        if entry["category"] == 5
    ]
    return Data(name="locomo", rows=list(read(path)), own=own, swapped=swapped)


def _line(user: str, session: str, number: object, at: int, speaker: str, text: str) -> Row:
    return {
        "id": f"{session}:{number}", "user_id": user, "session_id": session, "text": text or "…",
        "created_at": datetime(2024, 1, 1, tzinfo=UTC) + timedelta(seconds=20 * at), "metadata": {"speaker": speaker},
    }  # fmt: skip


def friends(folder: Path, *, by_episode: bool = False) -> Data:
    """Scenes of many speakers with short lines; each is one user, or each episode of several."""
    rows: list[Row] = []
    own = []
    for number, episode in enumerate(json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]):
        scene = f"scene-{number}"
        user = episode["title"].split("_c")[0] if by_episode else scene
        for part in episode["paragraphs"]:
            for at, line in enumerate(part["utterances:"]):
                speakers = line["speakers"]
                name = (speakers[0] if isinstance(speakers, list) and speakers else speakers) or "somebody"
                rows.append(
                    _line(user, scene, line["uid"], 1000 * number + at, str(name).replace("_", " "), line["utterance"])
                )
            for entry in part["qas"]:
                ids = frozenset(f"{scene}:{answer['utterance_id']}" for answer in entry["answers"])
                own.append(Case(data="friendsqa", kind="own", user=user, query=entry["question"], evidence=ids))
    return Data(name="friendsqa", rows=rows, own=own, swapped=list(_swapped(rows, own)))


def _swapped(rows: list[Row], own: list[Case]) -> Iterator[Case]:
    """Questions that name one speaker of their scene, whose lines are evidence, with another speaker's name instead."""
    chance = random.Random(9)
    said_by = {row["id"]: row["metadata"]["speaker"] for row in rows}
    lines = Counter((row["user_id"], row["metadata"]["speaker"]) for row in rows)
    for case in own:
        names = {name.split()[0]: number for (user, name), number in lines.items() if user == case.user}
        named = [name for name in names if re.search(rf"\b{re.escape(name)}\b", case.query)]
        others = sorted(
            name for name, number in names.items() if number > 2 and name[0].isupper() and name not in named
        )
        if len(named) == 1 and others and named[0] in {said_by[id_].split()[0] for id_ in case.evidence}:
            query = re.sub(rf"\b{re.escape(named[0])}\b", chance.choice(others), case.query)
            yield replace(case, kind="swapped", query=query, evidence=frozenset())


def meetings(folder: Path) -> Data:
    """Meetings with long turns."""
    rows: list[Row] = []
    own = []
    for number, line in enumerate((folder / "qmsum" / "val.jsonl").read_text().splitlines()):
        meeting, user = json.loads(line), f"meeting-{number}"
        for at, turn in enumerate(meeting["meeting_transcripts"]):
            rows.append(_line(user, user, at, at, turn["speaker"], turn["content"]))
        for entry in meeting["specific_query_list"]:
            spans = [range(int(first), int(last) + 1) for first, last in entry["relevant_text_span"]]
            ids = frozenset(f"{user}:{at}" for span in spans for at in span)
            own.append(Case(data="qmsum", kind="own", user=user, query=entry["query"], evidence=ids))
    return Data(name="qmsum", rows=rows, own=own, swapped=[])


def questions(path: Path) -> list[Asked]:
    """(user, question, evidence ids) of every question that can be measured."""
    found = []
    for sample in json.loads(path.read_text()):
        user = sample["sample_id"]
        turns = {t["dia_id"] for key, s in sample["conversation"].items() if isinstance(s, list) for t in s}
        for asked in sample["qa"]:
            if asked["category"] in (1, 2, 3, 4):
                named = {f"D{m[1]}:{m[2]}" for e in asked["evidence"] for m in _TURN.finditer(e)} & turns
                if named:
                    found.append((user, asked["question"], frozenset(f"{user}:{one}" for one in named)))
    return found
