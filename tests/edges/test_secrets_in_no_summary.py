"""A credential that somebody pastes stands in no week, insight, title or conversation, and recall still finds it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECRET = "9fQz-Tromp-77xLw"
PASTED = f"Ilse pasted BROKER_URL=amqp://kargo:{SECRET}@rabbit-stg:5672/labels by accident."


def _notes(user: str, texts: list[str]) -> list[dict[str, object]]:
    return [
        {
            "id": f"{user}-{at}",
            "user_id": user,
            "memory_type": "episodic",
            "metadata": {"kind": "note"},
            "text": text,
            "created_at": START + timedelta(hours=at),
        }
        for at, text in enumerate(texts)
    ]


async def test_a_week_tells_no_credential_and_no_insight_is_a_confidence(app: App) -> None:
    """The notes beside it are told, in small letters where a name has them; the note itself stays.

    A password is one in whatever language, and the code of a door is none.
    """
    quiet = "Sven is looking for another job in Graz. Please keep it quiet."
    texts = [
        PASTED,
        "dispatch-api moved to port 9081.",
        "The gate code is 4711.",
        "A senha do portão dos fundos é 2846.",
        quiet,
        "Priya delivered the runbook.",
    ]
    await app.memories.add(_notes("ilse", texts))
    made = await app.rollups.summarize("ilse", "weekly", day=START.date())
    summary = await app.summaries.get(made.summary_id or "")
    (week,) = (await app.rollups.list("weekly", user_id="ilse")).rows
    answers = await app.recall.search("BROKER_URL", user_id="ilse", limit=3)
    texts = [statement.text for statement in summary.statements]
    assert SECRET not in f"{texts} {week.key_insights} {summary.title}"
    assert "dispatch-api moved to port 9081." in texts
    assert any("4711" in text for text in texts)
    assert "2846" not in f"{texts} {week.key_insights} {summary.title}"
    assert any("please keep it quiet" in text for text in texts)
    assert not any("another job" in text for text in week.key_insights)
    assert any(SECRET in str(row.memory.text) for row in answers)


async def test_a_week_of_nothing_but_a_credential_is_empty(app: App) -> None:
    """No draft is rejected for it, and nothing waits to be tried again."""
    await app.memories.add(_notes("bo", [PASTED]))
    made = await app.rollups.summarize("bo", "weekly", day=START.date())
    kept = await app.memories.list(user_id="bo", is_summary=False)
    assert (made.summary_id, made.status) == (None, "empty")
    assert len(kept.rows) == 1


async def test_a_conversation_tells_the_instruction_that_stands_first_and_no_credential(app: App) -> None:
    """However many long answers stand between."""
    answer = "\n".join(f"- Step {at}: turn the valve {at} by {at} degrees and wait {at} minutes." for at in range(20))
    lines = [
        ("user", "I run the boilers. From now on please always answer in bullet points."),
        ("assistant", answer),
        ("user", f"Why does it fail? BROKER_URL=amqp://kargo:{SECRET}@rabbit-stg:5672/labels"),
        ("assistant", answer.replace("valve", "tap")),
        ("user", "Please stop with the bullet points. From today answer me in short paragraphs."),
        ("assistant", answer.replace("valve", "wheel")),
    ]
    lines += [("user", "And the next one?"), ("assistant", answer.replace("valve", "handle"))] * 10
    for at, (role, text) in enumerate(lines):
        turn = {"id": f"m{at}", "role": role, "content": text, "created_at": START + timedelta(hours=at)}
        await app.conversations.turn("work", [turn], user_id="ilse")
    context = await app.conversations.context("work", token_budget=3000, user_id="ilse")
    texts = [statement.text for statement in context.statements]
    assert "short paragraphs" in texts[0]
    assert "always answer in bullet points" not in " ".join(texts)
    assert SECRET not in f"{texts} {context.title}"
