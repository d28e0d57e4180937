"""The conversation of the demo: long, varied, about subjects that change, with one word to forget."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from importlib.resources import as_file, files
from typing import Any

import pytest

from precis.app.importing import read
from precis.language.labels import extract
from precis.language.words import terms

Row = dict[str, Any]
Subject = tuple[str | None, str, str]


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
def subjects(rows: list[Row]) -> dict[Subject, list[Row]]:
    """Messages by person, type and key as extraction finds them."""
    found: dict[Subject, list[Row]] = defaultdict(list)
    for row in rows:
        seen = extract(row["text"], speaker=row["metadata"]["speaker"])
        if seen.key:
            found[seen.person, seen.type, seen.key].append(row)
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


def test_subjects_are_told_often_enough_to_be_summarized(subjects: dict[Subject, list[Row]]) -> None:
    """At least 25 subjects of a person or the team have three messages or more, over weeks."""
    often = [told for told in subjects.values() if len(told) >= 3]
    assert len(often) >= 25
    assert sum(_at(told[-1]) - _at(told[0]) >= timedelta(days=28) for told in often) >= 25


def test_talk_is_mixed(rows: list[Row]) -> None:
    """There are questions, greetings, decisions, figures and bare answers among the facts."""
    kinds = Counter(extract(row["text"], speaker=None).type for row in rows)
    assert min(kinds[kind] for kind in ("question", "smalltalk", "decision", "plan", "preference")) >= 20
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
    rows: list[Row], subjects: dict[Subject, list[Row]], script: dict[str, Any]
) -> None:
    """The word goes with its messages; the subject has enough others to be summarized without them."""
    canary, ids = script["forget"]["canary"].casefold(), script["forget"]["ids"]
    holding = [row["id"] for row in rows if canary in json.dumps(row, ensure_ascii=False).casefold()]
    assert holding == ids
    shown = script["show_subject"]
    members = {row["id"] for row in subjects[shown["person"], shown["type"], shown["key"]]}
    assert members.issuperset(ids)
    assert len(members.difference(ids)) >= 5
