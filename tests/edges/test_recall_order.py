"""The first rows of an answer are the same, however many are asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from precis.app import App

_PLACES = "Oban Cork Graz Split Riga Turku Porto Basel Bergen Ghent".split()


@pytest.mark.parametrize("session", [None, "rehearsals"])
@pytest.mark.parametrize("question", ["When does the choir rehearse?", "Where is the choir?", "Who leads the choir?"])
async def test_the_first_ten_are_the_same_whatever_the_limit(app: App, question: str, session: str | None) -> None:
    """Where texts of more rows are read for what is asked for, and where a newer note is put first."""
    began = datetime(2026, 1, 1, tzinfo=UTC)
    texts = [
        f"The choir {deed} in {place}{when}."
        for when in ("", " on 3 May", " from now on")
        for deed in ("sang", "rehearses", "was led by Ida")
        for place in _PLACES
    ]
    rows: list[dict[str, Any]] = [
        {"text": text, "user_id": "lea", "session_id": session, "created_at": began + timedelta(days=at)}
        for at, text in enumerate(texts)
    ]
    await app.memories.add(rows, summarize="deferred")
    answers = {
        limit: [found.memory.id for found in await app.recall.search(question, user_id="lea", limit=limit)]
        for limit in (3, 10, 15, 50)
    }
    assert answers[3] == answers[10][:3]
    assert answers[10] == answers[15][:10] == answers[50][:10]
