"""A model judges what passed the checks, over real HTTP; whatever happens to it, the checks' verdict stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from precis import prompts
from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable
from precis.makers import DraftStatement, Item, Request, Ruling
from precis.models.chat import ChatJudge, ChatSummarizer
from precis.models.setbacks import Patience
from precis.summary import Summary
from precis.testing.model_server import ModelServer, model_server

MODEL, JUDGE = "precis-test", "precis-test-fast"
QUICK = Patience(attempts=2, first_wait=0.01, longest_wait=0.02)
#: Where the model stalls; what else is asked has the time that a busy computer takes.
HURRIED = replace(QUICK, attempt_seconds=0.5, deadline_seconds=2.0)
WHEN = datetime(2023, 5, 8, tzinfo=UTC)
ITEMS = tuple(
    Item(text=text, source_ids=(f"m{at}",), created_at=WHEN + timedelta(days=at), speaker="Clara")
    for at, text in enumerate(
        ["I adopted 3 dogs in Boston.", "My sister moved to Lisbon.", "The shelter opens on Sundays."]
    )
)
STATEMENTS = (
    DraftStatement(text="Clara adopted 3 dogs in Boston.", importance=0.5, sources=(0,)),
    DraftStatement(text="Clara adopted 7 dogs in Boston.", importance=0.5, sources=(0,)),
    DraftStatement(text="The shelter opens on Sundays in Lisbon.", importance=0.5, sources=(2,)),
)
REQUEST = Request(
    items=ITEMS, max_tokens=100, prompt="Sum up.", tenant_id="acme", policy="clusters", group_id="g", rederives=True
)
HONEST = {0: Ruling.SUPPORTED, 1: Ruling.CONTRADICTED, 2: Ruling.UNSUPPORTED}
#: Written under one subject; each passes the checks as it stands.
COFFEE = (
    "I switched to oat milk in my coffee.",
    "My favorite coffee is a flat white from the corner cafe.",
    "I stopped drinking coffee after noon because it kept me awake.",
)

Make = Callable[..., ChatJudge]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A server on a free port."""
    async with model_server() as running:
        yield running


@pytest.fixture
async def make(server: ModelServer) -> AsyncIterator[Make]:
    """Makes judges of the running server and closes what they ask through."""
    made: list[ChatSummarizer] = []

    def one(**changes: Any) -> ChatJudge:
        settings: dict[str, Any] = {"model": MODEL, "base_url": server.base_url, "patience": QUICK}
        made.append(ChatSummarizer(**(settings | changes)))
        return ChatJudge(asker=made[-1], model=JUDGE)

    yield one
    for asker in made:
        await asker.aclose()


@pytest.mark.asyncio(loop_scope="session")
async def test_the_judge_and_the_wording_are_part_of_the_definition(runtime: Runtime) -> None:
    """Another judge, or other words around the prompts: another definition."""
    engine, asker = runtime.engine, ChatSummarizer(model=MODEL, base_url="http://localhost:1")
    judges = [ChatJudge(asker=asker, model=name) for name in (MODEL, JUDGE)]
    others = [*(replace(engine, judge=judge) for judge in judges), replace(engine, wording="w")]
    policy = engine.policies["clusters"]
    assert len({one.definition_of(policy) for one in [engine, *others]}) == 4
    await asker.aclose()


async def test_an_honest_judge_finds_what_is_not_there(make: Make, server: ModelServer) -> None:
    """One call for all statements, by the judge's own model; what it took is told."""
    judgment = await make().judge(STATEMENTS, REQUEST)
    assert judgment.rulings == HONEST
    (record,) = server.records
    assert (record.model, record.format) == (JUDGE, "json_schema")
    assert ITEMS[1].text not in record.prompt
    assert (judgment.usage.calls, judgment.usage.tokens_in) == (1, server.stats.tokens_in)


async def test_a_judge_may_lie_but_only_take_away(make: Make, server: ModelServer) -> None:
    """It calls false what is true: that costs a statement. It calls true what is false: the checks came first."""
    server.behave("lie")
    rulings = (await make().judge(STATEMENTS, REQUEST)).rulings
    assert rulings == {0: Ruling.UNSUPPORTED, 1: Ruling.SUPPORTED, 2: Ruling.SUPPORTED}


async def test_it_gives_up_sooner_than_a_summarizer(make: Make, server: ModelServer) -> None:
    """Its own limit goes before the patience of what it asks through."""
    server.behave("stall", seconds=30)
    asker = make(patience=Patience())._asker
    with pytest.raises(ModelUnavailable, match="too long"):
        async with asyncio.timeout(15):
            await ChatJudge(asker=asker, model=JUDGE, seconds=0.5).judge(STATEMENTS, REQUEST)


async def test_on_every_rung_the_same_is_asked(make: Make, server: ModelServer) -> None:
    """Schema and tools refused."""
    server.behave("no_json_schema", status=400)
    server.behave("no_tools", status=400)
    assert (await make().judge(STATEMENTS, REQUEST)).rulings == HONEST
    assert [record.format for record in server.records] == ["json_schema", "tool", "plain"]
    assert len({record.prompt for record in server.records}) == 1


async def test_a_statement_that_is_not_ruled_on_has_no_ruling(make: Make, server: ModelServer) -> None:
    """Nor has one with an index nobody knows."""
    said = [{"statement": 2, "ruling": "contradicted"}, {"statement": 9, "ruling": "supported"}]
    server.behave("scripted", answers=(said,))
    assert (await make().judge(STATEMENTS, REQUEST)).rulings == {2: Ruling.CONTRADICTED}


class Accounts:
    """A meter that keeps on whose account calls are made, and grants so many."""

    def __init__(self, granted: int) -> None:
        self.granted = granted
        self.asked: list[Request] = []

    async def reserve(self, request: Request, estimate: object) -> object:
        """Within what is granted."""
        if len(self.asked) == self.granted:
            raise BudgetExhausted
        self.asked.append(request)
        return None

    async def settle(self, token: object, usage: object, outcome: str, latency: float) -> None:
        """Nothing to note."""


async def test_its_calls_are_metered_like_any_other(make: Make, server: ModelServer) -> None:
    """On the account of whoever asked, under a name of its own; the repair call too."""
    meter = Accounts(granted=1)
    server.behave("not_json")
    with pytest.raises(BudgetExhausted):
        await make(meter=meter).judge(STATEMENTS, REQUEST)
    (asked,) = meter.asked
    assert (asked.tenant_id, asked.policy, asked.group_id, asked.model) == ("acme", "judge", "g", JUDGE)
    assert asked.rederives
    assert server.stats.calls == 1


def test_its_name_tells_model_and_instruction() -> None:
    """Both are part of the definition."""
    name = ChatJudge(asker=ChatSummarizer(model=MODEL, base_url="http://127.0.0.1:9/v1"), model=JUDGE).name
    assert name == f"judge:{JUDGE}@{prompts.digest('judge')}"


FAILURES: list[tuple[str, dict[str, Any]]] = [
    ("status", {"status": 503}),
    ("status", {"status": 401}),
    ("drop", {}),
    ("garbage", {}),
    ("stall", {"seconds": 30}),
    ("truncated", {}),
    ("not_json", {}),
    ("refusal", {}),
    ("refusal_text", {}),
    ("empty", {}),
    ("no_statements", {}),
    ("apology", {}),
    ("bad_citation", {}),
]


NAMED = [f"{kind} {options.get('status', '')}".strip() for kind, options in FAILURES]


@pytest.mark.parametrize(("kind", "options"), FAILURES, ids=NAMED)
async def test_each_failure_is_said_and_quotes_nothing(
    make: Make, server: ModelServer, kind: str, options: dict[str, Any]
) -> None:
    """Always a DraftFailed: the engine then keeps what the checks let through."""
    server.behave(kind, **options)
    with pytest.raises(DraftFailed) as caught:
        await make(patience=HURRIED if kind == "stall" else QUICK).judge(STATEMENTS, REQUEST)
    assert "dogs" not in str(caught.value)
    assert isinstance(caught.value, ModelUnavailable) is (kind in {"status", "drop", "garbage", "stall"})


# --- in a running precis ---


@asynccontextmanager
async def judged(runtime: Runtime, server: ModelServer) -> AsyncIterator[Runtime]:
    """The shared database served by a precis with a model and a judge; a draft may lose most of its statements."""
    update = {"model": MODEL, "model_base_url": server.base_url, "judge": JUDGE}
    async with open_runtime(runtime.settings.model_copy(update=update), follows=False) as other:
        policy = other.engine.policies["clusters"]
        forgiving = replace(policy, checks=replace(policy.checks, dropped=0.9))
        yield replace(other, engine=replace(other.engine, policies={"clusters": forgiving}))


async def summary_of(app: App) -> Summary:
    """Write three memories of one subject; the summary that comes of it."""
    rows = [{"text": text, "user_id": "ana", "type": "preference", "key": "coffee"} for text in COFFEE]
    (summary_id,) = (await app.memories.add(rows)).summaries
    return await app.summaries.get(summary_id)


def said(summary: Summary) -> list[bool]:
    """Which of the three the summary holds."""
    return [one in summary.text for one in COFFEE]


@pytest.mark.asyncio(loop_scope="session")
async def test_an_honest_judge_leaves_an_honest_summary_whole(runtime: Runtime, tenant: str) -> None:
    """Its calls stand in the ledger beside the drafts."""
    async with model_server() as server, judged(runtime, server) as running:
        summary = await summary_of(running.app(tenant))
        assert said(summary) == [True, True, True]
        assert {row["policy"]: row["calls"] for row in await running.ledger.costs(tenant)} == {
            "clusters": 1,
            "judge": 1,
        }
        assert [record.model for record in server.records] == [MODEL, JUDGE]
        assert summary.made_by == MODEL


@pytest.mark.asyncio(loop_scope="session")
async def test_what_the_judge_does_not_find_supported_is_not_served(runtime: Runtime, tenant: str) -> None:
    """The others are."""
    async with model_server() as server, judged(runtime, server) as running:
        honest = [{"text": text, "importance": 0.5, "sources": [at]} for at, text in enumerate(COFFEE)]
        server.behave("scripted", answers=(honest, [{"statement": 1, "ruling": "unsupported"}]))
        assert said(await summary_of(running.app(tenant))) == [True, False, True]


@pytest.mark.parametrize(("kind", "options"), FAILURES, ids=NAMED)
@pytest.mark.asyncio(loop_scope="session")
async def test_a_judge_that_fails_blocks_nothing(
    runtime: Runtime, tenant: str, kind: str, options: dict[str, Any]
) -> None:
    """The summary is committed as the checks left it, made by the model, and it is no fallback."""
    async with model_server() as server, judged(runtime, server) as running:
        server.behave(kind, model=JUDGE, **options)
        # Short of patience, so that the write's own deadline is not what ends it.
        asker, judge = running.engine.summarizer, running.engine.judge
        assert isinstance(asker, ChatSummarizer)
        assert isinstance(judge, ChatJudge)
        asker._patience = QUICK
        judge._seconds = 0.5 if kind == "stall" else judge._seconds
        summary = await summary_of(running.app(tenant))
        assert said(summary) == [True, True, True]
        assert (summary.made_by, summary.fallback) == (MODEL, False)
        assert {"clusters", "judge"} == {row["policy"] for row in await running.ledger.costs(tenant)}


@pytest.mark.asyncio(loop_scope="session")
async def test_past_the_ceiling_the_checks_stand(runtime: Runtime, tenant: str) -> None:
    """A judge too dear for what is left of the month is not asked."""
    async with model_server() as server:
        price = {MODEL: {"input_per_million": 0.0, "output_per_million": 0.0},
                 JUDGE: {"input_per_million": 1e6, "output_per_million": 1e6}}  # fmt: skip
        poor = runtime.settings.model_copy(update={"prices": price, "monthly_ceiling": 0.01})
        async with judged(replace(runtime, settings=poor), server) as running:
            assert said(await summary_of(running.app(tenant))) == [True, True, True]
        assert [record.model for record in server.records] == [MODEL]
