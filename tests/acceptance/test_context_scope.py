"""What a context quotes rests on nothing outside its filter, whatever a summary was made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from precis.app import App, app_over
from precis.ids import new_id
from precis.makers import Draft, DraftStatement, Request, Usage
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG = "Ana drinks coffee with oat milk, as she has told everybody in the office again and again since spring."
SECRET = "Ana takes lithium tablets with her coffee."
MERGED = "Ana drinks coffee with oat milk, and she takes lithium tablets with it."
OTHERS = ("Ana buys her coffee at the harbor market.", "Ana keeps a cracked coffee pot.")


class Merging(Quoting):
    """Says the first two items in one statement."""

    async def summarize(self, request: Request) -> Draft:
        """Shorter than the first one alone."""
        quotes = [
            DraftStatement(text=item.text, importance=0.5, sources=(at,))
            for at, item in enumerate(request.items)
            if at > 1
        ]
        merged = DraftStatement(text=MERGED, importance=0.9, sources=(0, 1))
        return Draft(statements=(merged, *quotes), made_by=self.name, usage=Usage(calls=1))


async def _pieces(app: App, **chosen: Any) -> set[str]:
    """What a context may quote, whether there is room for it or not."""
    return {piece.text for piece in await app.context.pieces("Which coffee does Ana drink?", user_id="ana", **chosen)}


async def _context(app: App, **chosen: Any) -> tuple[str, set[str]]:
    made = await app.context.assemble("Which coffee does Ana drink?", token_budget=200, user_id="ana", **chosen)
    return made.text, {source for line in made.lines for source in line.piece.source_ids}


async def test_a_statement_that_rests_on_another_session_too(app: App) -> None:
    """It is quoted where no session is asked for, and in neither of the two."""
    merging = app_over(replace(app.parts, engine=replace(app.parts.engine, summarizer=Merging())))
    rows = [
        {"id": new_id(), "text": text, "user_id": "ana", "type": "preference", "key": "coffee", "session_id": session}
        for text, session in ((LONG, "public"), (SECRET, "private"), *((text, "public") for text in OTHERS))
    ]
    await merging.memories.add(rows)
    (summary,) = (await merging.summaries.list(user_id="ana")).rows
    assert summary.statements[0].text == MERGED
    assert MERGED in await _pieces(merging)
    assert MERGED not in await _pieces(merging, session_id="public") | await _pieces(merging, session_id="private")
    text, sources = await _context(merging, session_id="public")
    assert "lithium" not in text
    assert sources == {row["id"] for row in rows if row["session_id"] == "public"}
    assert (await _context(merging, session_id="private"))[1] == {rows[1]["id"]}
    assert (await _context(merging, session_id="none")) == ("", set())


async def test_a_view_of_many_users_is_quoted_to_none_of_them(app: App) -> None:
    """What it says of Ana alone is not either: whoever made it had read of Ben."""
    merging = app_over(replace(app.parts, engine=replace(app.parts.engine, summarizer=Merging())))
    told = [*(("ana", text) for text in (LONG, SECRET)), *(("ben", text.replace("Ana", "Ben")) for text in OTHERS)]
    rows = [{"id": new_id(), "text": text, "user_id": user, "namespace": "office"} for user, text in told]
    await merging.memories.add(rows, summarize="deferred")
    view = await merging.views.create(name="office", group_by=["namespace"])
    partition = await merging.views.run_partition(view.id, {"namespace": "office"})
    assert MERGED in partition.summary
    text, sources = await _context(merging)
    assert MERGED not in text
    assert sources == {row["id"] for row in rows if row["user_id"] == "ana"}
