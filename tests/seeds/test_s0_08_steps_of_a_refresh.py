"""S0.8: decrypt, fit the prompt, generate, embed as any memory, encrypt, score; a bad summary is discarded."""

from __future__ import annotations

import numpy as np
import pytest
from steps import TEA, TRAINS, ids, rows, stored, tell, the_summary, with_engine

from precis.app import App
from precis.bootstrap import Runtime
from precis.engine.drafted import Result
from precis.errors import DraftFailed
from precis.makers import Request
from precis.testing.fakes import Quoting

pytestmark = pytest.mark.asyncio(loop_scope="session")

LIE = "Reginald bought 47 llamas in Patagonia."


def long_rows(count: int, sentences: int) -> list[dict[str, object]]:
    """Members of one cluster that are long and different."""
    texts = [
        " ".join(f"Ana noted tea {n}.{at}: variety {n * 31 + at}, steeped {at + 2} minutes." for at in range(sentences))
        for n in range(count)
    ]
    return rows(texts)


def tokens_of(app: App, request: Request) -> int:
    """What the items of a prompt take."""
    return sum(app.parts.engine.count(item.text) for item in request.items)


async def test_no_prompt_exceeds_its_budget(app: App) -> None:
    """Sixty long members: the cluster is split into several prompts, each within the budget, and all are read."""
    model = Quoting()
    given = long_rows(60, 8)
    await with_engine(app, summarizer=model).memories.add(given)
    budget = app.parts.engine.policies["clusters"].budget
    whole = sum(app.parts.engine.count(str(row["text"])) for row in given)
    assert whole > 2 * budget.prompt_tokens
    assert len(model.requests) > 2
    assert max(tokens_of(app, request) for request in model.requests) <= budget.prompt_tokens
    summary = await the_summary(app)
    assert (summary.included, summary.total) == (60, 60)


async def test_one_long_memory_does_not_crowd_out_the_others(app: App) -> None:
    """A member longer than one item may be is capped; the rest of the cluster reaches the model whole."""
    model = Quoting()
    given = rows(TEA[:3]) + long_rows(1, 150)
    await with_engine(app, summarizer=model).memories.add(given)
    budget = app.parts.engine.policies["clusters"].budget
    items = {item.source_ids[0]: item.text for request in model.requests for item in request.items if not item.derived}
    assert [items[id_] for id_ in ids(given[:3])] == list(TEA[:3])
    assert app.parts.engine.count(str(given[3]["text"])) > budget.item_tokens
    assert app.parts.engine.count(items[str(given[3]["id"])]) <= budget.item_tokens


async def test_embedded_as_any_memory(runtime: Runtime, tenant: str, app: App) -> None:
    """The same embedder, the same version stamp; the stored vector is that of the summary's text."""
    written = await tell(app, rows())
    embedder = app.parts.engine.embedder
    summary = await stored(runtime, tenant, written.summaries[0])
    raw = await stored(runtime, tenant, written.memories[0].id)
    assert summary["embedding_version"] == raw["embedding_version"] == embedder.version
    (expected,) = await embedder.embed([(await the_summary(app)).text])
    assert np.allclose(summary["embedding"].to_numpy(), expected, atol=2e-3)


async def test_nothing_derived_lies_in_plain_text(runtime: Runtime, tenant: str, app: App) -> None:
    """No word of the sources is in any column of any row of the tenant; the search is proved on a word that is."""
    await tell(app, rows(project_id="bellwether"))
    async with runtime.database.tenant(tenant) as connection:
        found = ""
        for table in ("memories", "nodes", "statements", "statement_sources", "groups", "members", "refreshes"):
            asked = await connection.execute(f"SELECT t::text AS row FROM {table} t")  # noqa: S608 - our own names
            found += "\n".join(row["row"] for row in await asked.fetchall())
    plain = ("oolong", "Kyoto", "harbor", "tea")
    assert "bellwether" in found
    assert [word for word in plain if word in found or word.encode().hex() in found] == []


async def test_a_low_quality_draft_is_discarded(app: App) -> None:
    """A draft that rests on no source is refused: nothing of it stands.

    Where nothing stood, an extractive summary stands in meanwhile (DECISIONS 13 and 14), and says so.
    """
    model = Quoting()
    model.says = (LIE,)
    gullible = with_engine(app, summarizer=model)
    written = await tell(gullible, rows())
    summary = await the_summary(app)
    assert LIE not in summary.text
    assert (True, True, True) == (summary.fallback, summary.stale, summary.rejected)
    group_id = written.memories[0].group_id
    assert group_id is not None
    again = await gullible.summaries.refresh_group(group_id)
    # Who asks for it tries again at once.
    assert (again.result, len(model.requests)) == (Result.REJECTED, 2)


async def test_an_answer_nobody_can_read_is_discarded_too(app: App) -> None:
    """A refusal or garbage is no summary and no error: a stand-in stands, and the next change tries again."""
    model = Quoting()
    model.error = DraftFailed("the model refused")
    refusing = with_engine(app, summarizer=model)
    given = rows(TEA[:4])
    await tell(refusing, given[:3])
    assert (await the_summary(app)).fallback
    model.error = None
    await refusing.memories.add([given[3]])
    assert (await the_summary(app)).parent_id == tuple(ids(given))


async def test_what_stood_stays_when_a_refresh_is_bad(app: App) -> None:
    """A standing summary outlives a bad draft, and the next good one covers everything."""
    model = Quoting()
    watched = with_engine(app, summarizer=model)
    given = rows(TEA[:5])
    await tell(watched, given[:3])
    before = await the_summary(app)
    model.says = (LIE,)
    await watched.memories.add([given[3]])
    after = await the_summary(app)
    assert (after.id, after.text, after.updated_at) == (before.id, before.text, before.updated_at)
    model.says = None
    await watched.memories.add([given[4]])
    assert (await the_summary(app)).parent_id == tuple(ids(given))


async def test_the_score_of_the_checks_is_kept(app: App) -> None:
    """A summary that quotes its sources scores well, and the score is read with it."""
    await tell(app, rows(TRAINS, key="train"))
    assert 0.5 < (await the_summary(app)).quality <= 1
