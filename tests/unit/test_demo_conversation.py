"""The conversation of the demo: long, varied, about subjects that change, with one word to forget."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from importlib.resources import as_file, files
from itertools import count
from typing import Any

import pytest

from precis.app.importing import read
from precis.engine.grouping import Candidate, Grouping, assign
from precis.engine.policy import Selection
from precis.language.labels import extract
from precis.language.words import terms
from precis.models.embeddings import StaticEmbedder

Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Every message, as the reader yields it."""
    with as_file(files("precis") / "demo" / "conversation.jsonl") as path:
        return list(read(path))


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """Load the questions and the forgetting of the demo."""
    written = (files("precis") / "demo" / "script.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(written)
    return loaded


@pytest.fixture(scope="module")
def subjects(rows: list[Row]) -> dict[str, list[Row]]:
    """Messages by the cluster that a write puts them into."""
    labels = [extract(row["text"], speaker=row["metadata"]["speaker"]) for row in rows]
    kept = [at for at, seen in enumerate(labels) if seen.type not in Selection().without]
    vectors = StaticEmbedder().vectors([rows[at]["text"] for at in kept])
    candidates = [
        Candidate(
            key=labels[at].key, person=labels[at].person, vector=vector, type=labels[at].type, loose=True
        )
        for at, vector in zip(kept, vectors, strict=True)
    ]  # fmt: skip
    numbers = count()
    ids, _ = assign(candidates, [], grouping=Grouping(), new_id=lambda: str(next(numbers)))
    found: dict[str, list[Row]] = defaultdict(list)
    for at, id_ in zip(kept, ids, strict=True):
        found[id_].append(rows[at])
    return found


def _at(row: Row) -> datetime:
    return datetime.fromisoformat(row["created_at"])


def test_it_is_long_and_many_people_speak(rows: list[Row]) -> None:
    """Five people and their assistant, each with a fair share."""
    said = Counter(row["metadata"]["speaker"] for row in rows)
    assert len(rows) >= 320
    assert len(said) == 6
    assert min(said.values()) >= 20


def test_it_spans_months_in_many_sessions_in_order(rows: list[Row]) -> None:
    """Dates only go forward, and a session is the day it happened on."""
    dates = [_at(row) for row in rows]
    assert dates == sorted(set(dates))
    assert dates[-1] - dates[0] >= timedelta(days=180)
    assert len({row["session_id"] for row in rows}) >= 45
    assert all(row["created_at"].startswith(row["session_id"]) for row in rows)


def test_every_row_has_the_shape_of_a_written_memory(rows: list[Row]) -> None:
    """One scope, one type, and nothing but the documented fields."""
    fields = {"id", "text", "user_id", "session_id", "memory_type", "created_at", "metadata"}
    assert {frozenset(row) for row in rows} == {frozenset(fields)}
    assert {(row["user_id"], row["memory_type"]) for row in rows} == {("studio", "message")}
    assert len({row["id"] for row in rows}) == len(rows)


def test_no_message_repeats_another(rows: list[Row]) -> None:
    """Neither word for word nor, where it says something, with the same content words."""
    assert len({row["text"].casefold() for row in rows}) == len(rows)
    longer = [tuple(terms(row["text"])) for row in rows if len(terms(row["text"])) >= 4]
    assert len(set(longer)) == len(longer)


def test_subjects_are_told_often_enough_to_be_summarized(subjects: dict[str, list[Row]]) -> None:
    """At least 25 subjects have three messages or more, most of them over weeks."""
    often = [told for told in subjects.values() if len(told) >= 3]
    assert len(often) >= 25
    assert sum(_at(told[-1]) - _at(told[0]) >= timedelta(days=28) for told in often) >= 15


def test_talk_is_mixed(rows: list[Row]) -> None:
    """There are questions, greetings, decisions, figures and bare answers among the facts."""
    kinds = Counter(extract(row["text"], speaker=None).type for row in rows)
    assert min(kinds[kind] for kind in ("question", "smalltalk", "decision", "plan", "preference")) >= 8
    assert sum(bool(re.search(r"\d", row["text"])) for row in rows) >= 60
    assert sum(len(row["text"].split()) <= 2 for row in rows) >= 8
    assert any("yesterday" in row["text"] for row in rows)


def test_the_answers_are_in_the_conversation(rows: list[Row], script: dict[str, Any]) -> None:
    """Each expected word is said, and the last time later than half of the conversation."""
    middle = _at(rows[len(rows) // 2])
    assert len(script["questions"]) == 3
    for question in script["questions"]:
        for expected in question["expect"]:
            assert max(_at(row) for row in rows if expected in row["text"]) > middle


def test_the_secret_is_only_in_what_is_forgotten(
    rows: list[Row], subjects: dict[str, list[Row]], script: dict[str, Any]
) -> None:
    """The word goes with its messages; the subject has enough others to be summarized without them."""
    canary, ids = script["forget"]["canary"].casefold(), script["forget"]["ids"]
    holding = [row["id"] for row in rows if canary in json.dumps(row, ensure_ascii=False).casefold()]
    assert holding == ids
    (members,) = ({row["id"] for row in told} for told in subjects.values() if any(row["id"] in ids for row in told))
    assert members.issuperset(ids)
    assert len(members.difference(ids)) >= 3
