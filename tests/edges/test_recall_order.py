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


async def test_a_reply_put_first_moves_no_row_that_only_a_longer_answer_has(app: App) -> None:
    """Of rows below the first ten no text is read: among these they would stand before all that asks."""
    began = datetime(2026, 1, 1, tzinfo=UTC)
    said = [("pia", "So which glaze did Nora take?"), ("nora", "Cobalt, the matt kind.")]
    said += [("pia", "Did Nora take a glaze?") for _ in _PLACES]
    said += [("pia", f"In {place} Nora had a glaze with her.") for place in _PLACES]
    rows: list[dict[str, Any]] = [
        {
            "id": f"t{at}",
            "text": text,
            "user_id": "pia",
            "session_id": f"s{max(1, at)}",
            "created_at": began + timedelta(minutes=at),
            "metadata": {"speaker": speaker},
        }
        for at, (speaker, text) in enumerate(said)
    ]
    await app.memories.add(rows, summarize="deferred")
    question = "Which glaze did Nora take to the fair?"
    answers = {
        limit: [found.memory.id for found in await app.recall.search(question, user_id="pia", limit=limit)]
        for limit in (5, 10, 15, 20, 40)
    }
    assert answers[10][0] == "t1"
    assert answers[5] == answers[10][:5]
    assert answers[10] == answers[15][:10] == answers[20][:10] == answers[40][:10]


async def test_a_long_text_that_tells_of_changes_is_not_put_before_the_one_that_answers(app: App) -> None:
    """A whole talk as one memory tells of something new nearly always: it gives no newer value of another talk."""
    filler = [
        f"Lotte: The {thing} is gone now and we have got a new {other} instead of the old {thing} since Monday."
        for thing, other in zip(_PLACES, reversed(_PLACES), strict=True)
    ]
    told = "Lotte: My violin teacher Henk is strict. Henk says the violin teacher before him was worse."
    later = "Lotte: I no longer want a teacher for anything. Now I have a new violin, from Henk's shop."
    rows = [
        {"id": f"talk{at}", "text": "\n".join([*filler, line, *filler]), "user_id": "lotte", "created_at": day}
        for at, (line, day) in enumerate(
            [(told, "2026-01-05T10:00:00Z"), (later, "2026-02-05T10:00:00Z"), ("Lotte: Bye.", "2026-03-05T10:00:00Z")]
        )
    ]
    await app.memories.add(rows, summarize="deferred")
    found = await app.recall.search("Who is Lotte's violin teacher?", user_id="lotte", summaries="without")
    assert found[0].memory.id == "talk0"
    assert found[0].later is None
