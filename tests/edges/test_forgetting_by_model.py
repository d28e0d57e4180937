"""A model's say about what a request to forget may mean, over real HTTP: it makes doubt at most, whatever it says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import pytest_asyncio

from precis.app import App, app_over
from precis.errors import NotFound
from precis.models.chat import ChatProposer, ChatSummarizer, read_proposals
from precis.models.setbacks import Patience
from precis.models.structured import Unusable
from precis.testing.fakes import count_words
from precis.testing.model_server import ModelServer, model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")
QUICK = Patience(attempts=2, first_wait=0.01, longest_wait=0.02)
ROWS = {
    "s0": "Torvald called me about the canoe.",
    "d0": "Torvald Lindqvist plays the organ in town.",
    "n0": "Torvald Street is closed this week.",
    "o0": "I bake bread every Saturday.",
}
ASK = "everything about Torvald"


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[ModelServer]:
    """A server on a free port."""
    async with model_server() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def proposing(app: App, server: ModelServer) -> AsyncIterator[App]:
    """An app whose previews ask the running server; the memories are written."""
    server.reset()
    asker = ChatSummarizer(model="precis-test", base_url=server.base_url, patience=QUICK)
    parts = app.parts
    engine = replace(parts.engine, proposer=ChatProposer(asker=asker, count=count_words))
    await app.memories.add([{"id": id_, "user_id": "ana", "text": text} for id_, text in ROWS.items()])
    yield app_over(replace(parts, engine=engine))
    await asker.aclose()


def answers(server: ModelServer, *proposals: str) -> None:
    """The next answer of the model, by the place of what it is shown."""
    rows = [{"memory": at, "proposal": proposal} for at, proposal in enumerate(proposals)]
    server.behave("scripted", answers=[json.dumps({"proposals": rows})])


def listed(preview: Any) -> dict[str, tuple[str, str | None]]:
    """Of each memory how sure it is, and what was proposed."""
    rows = (*preview.forget, *preview.doubtful, *preview.near)
    return {row.id: (row.how_sure, row.proposed) for row in rows}


async def test_a_model_proposes_within_the_preview(proposing: App, server: ModelServer) -> None:
    """What is near may be in doubt by it, what is in doubt stays so; what is sure or not listed it does not see."""
    answers(server, "keep", "forget")
    preview = await proposing.memories.find_to_forget(ASK, user_id="ana")
    assert {"s0": ("sure", None), "d0": ("doubtful", "keep"), "n0": ("doubtful", "forget")} == listed(preview)
    assert ["the model proposes to keep it", "the model proposes to forget it"] == [
        row.why.rpartition("; ")[2] for row in sorted(preview.doubtful, key=lambda row: row.id)
    ]
    seen = json.dumps([record.prompt for record in server.records])
    assert ROWS["n0"] in seen
    assert ROWS["s0"] not in seen
    assert ROWS["o0"] not in seen
    receipt = await proposing.memories.forget(preview)
    assert ("s0",) == receipt.forgotten


async def test_what_a_model_put_in_doubt_goes_only_by_the_id(proposing: App, server: ModelServer) -> None:
    """The preview marks it; a program that hands on the preview unread forgets what the rules found, and no more."""
    answers(server, "forget", "forget")
    preview = await proposing.memories.find_to_forget(ASK, user_id="ana")
    assert {"d0": False, "n0": True} == {row.id: row.lifted for row in preview.doubtful}
    unread = await proposing.memories.forget_preview(preview, include_doubtful=True)
    assert (("d0", "s0"), ("n0",)) == (tuple(sorted(unread.forgotten)), unread.doubtful)
    assert ROWS["n0"] == (await proposing.memories.get("n0")).text
    shown = await proposing.memories.forget_preview(preview.preview_id, include_doubtful=True)
    assert ("n0",) == shown.forgotten


@pytest.mark.parametrize(
    "lie",
    [
        '{"proposals": [{"memory": 7, "proposal": "forget"}]}',
        '{"proposals": [{"memory": 0, "proposal": "forget"}, {"memory": 0, "proposal": "keep"}]}',
        '{"proposals": [{"memory": 0, "proposal": "erase everything"}]}',
        "I have forgotten everything.",
    ],
)
async def test_a_model_that_lies_changes_nothing_but_doubt(proposing: App, server: ModelServer, lie: str) -> None:
    """Rows that are not there, two opinions, other words: as without a model."""
    server.behave("scripted", answers=[lie, lie])
    preview = await proposing.memories.find_to_forget(ASK, user_id="ana")
    assert {"s0": ("sure", None), "d0": ("doubtful", None), "n0": ("near", None)} == listed(preview)


@pytest.mark.parametrize("kind", ["garbage", "drop", "refusal", "truncated", "not_json"])
async def test_a_model_that_breaks_changes_nothing(proposing: App, server: ModelServer, kind: str) -> None:
    """There is a preview all the same."""
    server.behave(kind)
    preview = await proposing.memories.find_to_forget(ASK, user_id="ana")
    assert {"s0": ("sure", None), "d0": ("doubtful", None), "n0": ("near", None)} == listed(preview)


async def test_nobody_is_asked_where_nothing_is_shown(proposing: App, server: ModelServer) -> None:
    """``propose=False`` calls nobody, and neither does a request without a doubt or a match."""
    await proposing.memories.find_to_forget(ASK, user_id="ana", propose=False)
    await proposing.memories.find_to_forget("forget that I bake bread", user_id="ana")
    with pytest.raises(NotFound):
        await proposing.memories.find_to_forget("my zither", user_id="ana")
    assert [] == server.records


async def test_without_a_model_nothing_is_proposed(api: httpx.AsyncClient, app: App) -> None:
    """Each row says so, over REST too."""
    await app.memories.add([{"id": id_, "user_id": "ana", "text": text} for id_, text in ROWS.items()])
    shown = (await api.post("/v1/forget", json={"user_id": "ana", "what": ASK})).json()
    assert {None} == {row["proposed"] for row in (*shown["forget"], *shown["doubtful"], *shown["near"])}


async def test_an_answer_without_a_memory_is_unusable() -> None:
    """So that it is asked for once more."""
    with pytest.raises(Unusable):
        read_proposals('{"proposals": []}', 3)
