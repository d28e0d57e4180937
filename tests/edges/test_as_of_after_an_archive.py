"""After an archive it can be asked as of a date: what was said by then is told, and nothing that came later."""

from __future__ import annotations

from datetime import UTC, datetime

from precis.testing import temporary

TOLD = [
    ("a", "2025-03-02T09:00:00Z", "At Brandt my contact is Anna Krol, she runs purchasing."),
    ("b", "2025-03-20T09:00:00Z", "Meeting with Piotr at Nordkaj is set for 24 March at 10:00."),
    ("c", "2025-05-04T09:00:00Z", "Since May my contact at Brandt is Tobias Weiher."),
    ("d", "2025-06-04T09:00:00Z", "The key of the boat at Nordkaj lies under the blue mat."),
]


async def test_what_was_said_by_then_is_told_after_the_originals_have_gone() -> None:
    """In recall and in a context, with its own day; later statements, and what was forgotten, are not among them."""
    async with temporary(archive_keep_original_days=30) as app:
        await app.memories.add(
            [
                {"id": id_, "user_id": "ana", "created_at": at, "text": text, "memory_type": "episodic"}
                for id_, at, text in TOLD
            ]
        )
        assert (await app.archive.run()).deletions == 4
        rows = await app.recall.search("Who is my contact at Brandt?", user_id="ana", as_of="2025-04-01")
        assert "Anna Krol" in (rows[0].memory.text or "")
        assert rows[0].memory.created_at <= datetime(2025, 4, 2, tzinfo=UTC)
        assert all("Weiher" not in (row.memory.text or "") for row in rows)
        assert all("mat" not in (row.memory.text or "") for row in rows)
        context = await app.context.assemble(
            "Who is my contact at Brandt?", token_budget=200, user_id="ana", as_of="2025-04-01"
        )
        assert "Anna Krol" in context.text
        assert "Weiher" not in context.text
        assert "mat" not in context.text
        assert not await app.recall.search("Who is my contact at Brandt?", user_id="ana", as_of="2025-03-01")
        await app.memories.forget(["a"])
        rows = await app.recall.search("Who is my contact at Brandt?", user_id="ana", as_of="2025-04-01")
        assert all("Anna" not in (row.memory.text or "") for row in rows)


async def test_a_summary_by_its_id_is_told_as_it_stood_alone() -> None:
    """It did not stand then."""
    async with temporary(archive_keep_original_days=30) as app:
        await app.memories.add(
            [{"id": id_, "user_id": "ana", "created_at": at, "text": text} for id_, at, text in TOLD]
        )
        await app.archive.run()
        (archived,) = [row for row in (await app.summaries.list(user_id="ana")).rows if row.tier == "archive"]
        listed = await app.summaries.list(user_id="ana", as_of="2025-04-01")
        assert archived.id not in [row.id for row in listed.rows]
