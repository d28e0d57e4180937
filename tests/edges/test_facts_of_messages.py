"""What is said becomes memory: messages in recall, facts that rest on them, each once, and gone with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from agent_memory_client import MemoryAPIClient
from agent_memory_client.models import MemoryMessage, MemoryStrategyConfig, WorkingMemory
from wire_rooms import connected

from precis.app import App
from precis.app.conversing.extracting import FactsPlan, FactsRead
from precis.bootstrap import Runtime, open_runtime
from precis.errors import InvalidInput
from precis.memory import EXTRACTED, Memory
from precis.testing.model_server import ModelServer, model_server

pytestmark = pytest.mark.asyncio(loop_scope="session")
Body = dict[str, Any]
LINES = [
    ("user", "Good morning!"),
    ("user", "I moved to Tromso in October. Lovely weather, isn't it?"),
    ("assistant", "Nice! What do you do there?"),
    ("user", "I work nights at the fish hall on Kaigata."),
    ("user", "My daughter Liv is allergic to hazelnuts."),
    ("assistant", "Noted, thanks."),
]
FACTS = {
    "I moved to Tromso in October.",
    "I work nights at the fish hall on Kaigata.",
    "My daughter Liv is allergic to hazelnuts.",
}


def lines(*, name: str | None = None) -> list[Body]:
    """The messages, with ids."""
    named = {} if name is None else {"name": name}
    return [
        {"id": f"m{at}", "role": role, "content": text} | (named if role == "user" else {})
        for at, (role, text) in enumerate(LINES)
    ]


async def turn(api: httpx.AsyncClient, messages: list[Body], *, session: str = "s1", **fields: Any) -> Body:
    """Write a turn."""
    answer = await api.post(
        f"/v1/conversations/{session}/turns", json={"user_id": "noor", "messages": messages} | fields
    )
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def facts_of(app: App) -> list[Memory]:
    """Every fact."""
    return [row for row in (await app.memories.list(limit=1000)).rows if row.metadata.get("kind") == EXTRACTED]


async def recalled(api: httpx.AsyncClient, query: str, **fields: Any) -> list[str]:
    """Texts in their order."""
    answer = await api.post("/v1/recall", json={"query": query, "user_id": "noor"} | fields)
    return [row["memory"]["text"] for row in answer.json()["results"]]


async def test_the_second_thread_of_a_user_knows_the_first(api: httpx.AsyncClient) -> None:
    """A message is in recall and context at once, of its user alone."""
    await turn(api, lines())
    assert (await recalled(api, "Which hall does she work nights at?"))[0] == LINES[3][1]
    body = {"query": "Is Liv allergic to hazelnuts?", "token_budget": 500}
    assert "hazelnuts" in (await api.post("/v1/context", json=body | {"user_id": "noor"})).json()["text"]
    assert "hazelnuts" not in (await api.post("/v1/context", json=body | {"user_id": "bo"})).json()["text"]


async def test_a_fact_is_from_whoever_said_it(api: httpx.AsyncClient, app: App) -> None:
    """What an agent says does not become what the user said by being a fact."""
    said = [
        {"id": "a", "role": "assistant", "name": "Bo", "content": "My daughter Ida is allergic to walnuts."},
        {"id": "b", "role": "user", "name": "Noor", "content": "My brother Tariq works at the dairy in Bodo."},
    ]
    await turn(api, said)
    await app.facts.read(at_once=True)
    classes = {row.source_class for row in await facts_of(app) if "walnuts" in (row.text or "")}
    assert classes == {"agent"}
    assert {row.source_class for row in await facts_of(app) if "dairy" in (row.text or "")} == {"user"}


async def test_recall_is_switched_off_for_a_conversation_until_it_is_switched_on(
    api: httpx.AsyncClient, app: App
) -> None:
    """What a turn says holds from it on, for facts, too; an edit keeps a message out."""
    first, second, third = lines()[1], lines()[3], lines()[4]
    kept = await turn(api, [first], recall=False)
    await turn(api, [second])
    await app.facts.read(at_once=True)
    assert await recalled(api, "Tromso fish hall hazelnuts") == []
    path = f"/v1/memories/{kept['messages'][0]['memory_id']}"
    assert (await api.patch(path, json={"text": "I moved to Tromso in May."})).status_code == 200
    await turn(api, [third], recall=True)
    assert await recalled(api, "Tromso fish hall hazelnuts") == [third["content"]]


async def test_rules_find_what_stands_alone(api: httpx.AsyncClient, app: App) -> None:
    """Small talk, questions and what the assistant says are none; each fact names its message."""
    written = await turn(api, lines())
    assert await app.facts.plan() == FactsPlan(conversations=1, messages=6)
    assert await app.facts.read(at_once=True) == FactsRead(conversations=1, messages=6, facts=3)
    facts = await facts_of(app)
    assert {row.text for row in facts} == FACTS
    sources = {row.text: row.parent_id for row in facts}
    by_text = {one["message"]["content"]: one["memory_id"] for one in written["messages"]}
    assert sources["I work nights at the fish hall on Kaigata."] == (by_text[LINES[3][1]],)
    assert {row.session_id for row in facts} == {"s1"}
    assert await app.facts.plan() == FactsPlan()
    assert (await api.get("/v1/plan")).json()["facts"]["messages"] == 0


async def test_who_has_a_name_is_named(api: httpx.AsyncClient, app: App) -> None:
    """The first person is resolved where the grammar is plain, else quoted with who says it."""
    said = [{"role": "user", "name": "Noor", "content": "I am a welder. I left Bergen and my sister joined me."}]
    await turn(api, said)
    await app.facts.read(at_once=True)
    found = {(row.text, row.speaker) for row in await facts_of(app)}
    assert ("Noor is a welder.", None) in found
    assert found - {("Noor is a welder.", None)} <= {("Noor left Bergen and Noor's sister joined Noor.", None)}


async def test_facts_of_one_moment_keep_their_order(api: httpx.AsyncClient, app: App) -> None:
    """They are told in the order in which they were said, with the keys of any store, and behind their message."""
    said = [f"I keep {number} {animals}." for number, animals in enumerate("goats geese hens cows pigs".split(), 2)]
    message = {"id": "m0", "role": "user", "content": " ".join(said), "created_at": "2025-03-12T09:00:00Z"}
    await turn(api, [message])
    await app.facts.read(at_once=True)
    rows = sorted((await app.memories.list(limit=1000)).rows, key=lambda row: (row.created_at, row.id))
    assert [" ".join(said), *said] == [row.text for row in rows]


async def test_nothing_is_found_twice(api: httpx.AsyncClient, app: App) -> None:
    """Whatever is sent again, with or without ids, in part, or in another thread."""
    await turn(api, lines())
    await app.facts.read(at_once=True)
    before = {row.id for row in await facts_of(app)}
    plain = [{"role": role, "content": text} for role, text in LINES]
    await turn(api, lines()[2:4])
    await turn(api, [*plain, {"role": "user", "content": "See you!"}])
    await turn(api, plain, session="s2")
    await asyncio.gather(app.facts.read(at_once=True), app.facts.read(at_once=True))
    assert {row.id for row in await facts_of(app)} == before


async def test_recall_and_context_tell_it_once(api: httpx.AsyncClient, app: App) -> None:
    """A fact and its message are one row where one says all of the other, and one line of a context."""
    await turn(api, lines(name="Noor"))
    await app.facts.read(at_once=True)
    texts = await recalled(api, "Where does Noor work nights?", limit=20)
    assert sum("Kaigata" in text for text in texts) == 1
    for _ in range(2):
        body = {"query": "Where does Noor work nights, and since when in Tromso?", "token_budget": 1000}
        told = (await api.post("/v1/context", json=body | {"user_id": "noor"})).json()["text"]
        assert (told.count("Kaigata"), told.count("Tromso")) == (1, 1)
        # And once the conversation has a summary, which rests on the same messages.
        more = [
            {"role": "user", "content": f"Note {n}: the tide table of pier {n} hangs in the hall."} for n in range(30)
        ]
        await turn(api, more)


async def test_a_fact_goes_with_its_message(api: httpx.AsyncClient, app: App) -> None:
    """Forgotten by its id, in an edit, or with the conversation; summaries lose what rested on it."""
    written = await turn(api, lines())
    await app.facts.read(at_once=True)
    gone = next(one["memory_id"] for one in written["messages"] if "Kaigata" in one["message"]["content"])
    receipt = (await api.post("/v1/forget", json={"ids": [gone]})).json()
    assert len(receipt["forgotten"]) == 2
    assert {row.text for row in await facts_of(app)} == {text for text in FACTS if "Kaigata" not in text}
    edited = next(one["memory_id"] for one in written["messages"] if "Tromso" in one["message"]["content"])
    assert (
        await api.patch(f"/v1/memories/{edited}", json={"text": "I moved to Narvik in October."})
    ).status_code == 200
    assert "Tromso" not in str(await facts_of(app))
    await app.facts.read(at_once=True)
    assert "I moved to Narvik in October." in {row.text for row in await facts_of(app)}
    assert (await api.delete("/v1/conversations/s1")).status_code == 200
    assert (await app.memories.list()).rows == ()


async def test_a_summary_of_facts_loses_what_a_forgotten_message_said(api: httpx.AsyncClient, app: App) -> None:
    """Facts join clusters; a statement leaves with the message that its fact rests on."""
    said = [f"My {thing} is painted in {color}." for thing, color in
            (("favorite boat", "ochre"), ("favorite boat", "teal"), ("favorite boat", "mauve"))]  # fmt: skip
    written = await turn(api, [{"role": "user", "content": text} for text in said])
    await app.facts.read(at_once=True)
    await app.summaries.refresh_all()
    (summary,) = [row for row in (await app.summaries.list(policy="clusters")).rows if "mauve" in (row.text or "")]
    assert len(summary.parent_id) == 3
    await api.post("/v1/forget", json={"ids": [written["messages"][2]["memory_id"]]})
    assert "mauve" not in str((await app.summaries.list()).rows)


async def test_who_said_the_same_is_read_once_the_first_is_forgotten(api: httpx.AsyncClient, app: App) -> None:
    """The fact is not lost with the message that happened to come first."""
    first = await turn(api, [lines()[3]])
    await app.facts.read(at_once=True)
    await turn(api, [lines()[3]], session="s2")
    assert (await app.facts.read(at_once=True)).facts == 0
    await api.post("/v1/forget", json={"ids": [first["messages"][0]["memory_id"]]})
    assert await facts_of(app) == []
    await app.facts.read(at_once=True)
    assert [row.text for row in await facts_of(app)] == [LINES[3][1]]


async def test_a_forgotten_fact_stays_forgotten(api: httpx.AsyncClient, app: App) -> None:
    """Its message may be read again."""
    written = await turn(api, [lines()[3]])
    await app.facts.read(at_once=True)
    await app.memories.forget([row.id for row in await facts_of(app)])
    id_ = written["messages"][0]["memory_id"]
    for text in ("I sleep.", LINES[3][1]):
        await app.memories.edit(id_, {"text": text})
        await app.facts.read(at_once=True)
    assert await facts_of(app) == []


async def test_extraction_is_switched_off(api: httpx.AsyncClient, app: App) -> None:
    """For a conversation, or for a message."""
    await turn(api, lines(), extraction="off")
    await turn(api, [lines()[3] | {"is_read": False}], session="s2")
    assert await app.facts.plan() == FactsPlan()
    answer = await api.post(
        "/v1/conversations/s3/turns", json={"user_id": "noor", "messages": lines(), "extraction": "model"}
    )
    assert (answer.status_code, "PRECIS_MODEL" in answer.text) == (422, True)


async def test_facts_are_exported_with_what_they_rest_on(api: httpx.AsyncClient, app: App, runtime: Runtime) -> None:
    """In another store they go with their message, too."""
    await turn(api, lines()[:4], strategy="discrete")
    await app.facts.read(at_once=True)
    await turn(api, [lines()[4]])
    exported = [line async for line in app.persons.export("noor")]
    other = runtime.app(f"{app.parts.tenant_id}-2")
    await runtime.store.tenants.create(other.parts.tenant_id, name="test", now=runtime.engine.clock())
    await app.memories.forget_user("noor")
    await other.persons.put(exported)
    assert [line async for line in other.persons.export("noor")] == exported
    assert (await other.facts.read(at_once=True)).facts == 1
    facts = await facts_of(other)
    assert {row.text for row in facts} == FACTS
    await other.memories.forget(facts[0].parent_id)
    assert len(await facts_of(other)) == 2


# --- by a model ---


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[ModelServer]:
    """A model server."""
    async with model_server() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def with_model(runtime: Runtime, tenant: str, server: ModelServer) -> AsyncIterator[App]:
    """precis that asks it for facts."""
    asking = {"model": "precis-test", "model_base_url": server.base_url, "conversation_extraction": "model",
              "conversation_triggers": ["500 messages"]}  # fmt: skip
    async with open_runtime(runtime.settings.model_copy(update=asking), follows=False) as model:
        yield model.app(tenant)
        await model.engine.summarizer.aclose()  # type: ignore[attr-defined]


def statement(text: str, *sources: int) -> Body:
    """One, as a model writes it."""
    return {"text": text, "importance": 0.6, "sources": list(sources)}


async def test_a_model_is_asked_once_for_a_batch(with_model: App, server: ModelServer) -> None:
    """One call, in the ledger under "facts"; small talk and questions are not in it, nor is what was read before."""
    app = with_model
    server.behave("scripted", answers=([statement("The user moved to Tromso in October.", 0)],))
    for message in lines():
        await app.conversations.turn("s1", [message], user_id="noor")
    plan = await app.facts.plan()
    assert (plan.messages, plan.calls, plan.tokens_in > 100) == (6, 1, True)
    assert (await app.facts.read(at_once=True)).facts == 1
    (call,) = server.records
    assert ("Good morning" in call.prompt, "Kaigata" in call.prompt) == (False, True)
    assert [row.policy for row in await app.costs.calls()] == ["facts"]
    plain = [{"role": role, "content": text} for role, text in LINES]
    await app.conversations.turn("s1", lines(), user_id="noor")
    await app.conversations.turn("s2", plain, user_id="noor")
    louder = [{"role": "user", "content": LINES[3][1].upper().replace(".", "!!")}]
    await app.conversations.turn("s4", louder, user_id="noor")
    await app.conversations.turn("s3", [{"role": "user", "content": "Thanks a lot!"}], user_id="noor")
    await app.facts.read(at_once=True)
    assert (server.stats.calls, [row.text for row in await facts_of(app)]) == (
        1,
        ["The user moved to Tromso in October."],
    )


async def test_the_checks_refuse_what_nobody_said(with_model: App, server: ModelServer) -> None:
    """An invented fact is dropped, the others stand; what a draft cites wrongly rests on what says it."""
    answers = [
        statement("The user moved to Tromso in October.", 1),
        statement("The user owns 14 reindeer in Karasjok.", 0),
        statement("The user's daughter Liv is allergic to hazelnuts.", 2),
    ]
    server.behave("scripted", answers=(answers,))
    await with_model.conversations.turn("s1", lines(), user_id="noor")
    await with_model.facts.read(at_once=True)
    facts = {row.text: row.parent_id for row in await facts_of(with_model)}
    assert facts.keys() == {answers[0]["text"], answers[2]["text"]}
    texts = {row.id: row.text or "" for row in (await with_model.memories.list()).rows}
    assert any("Tromso" in texts[id_] for id_ in facts[answers[0]["text"]])


@pytest.mark.parametrize("kind", ["status", "garbage", "refusal", "no_statements", "lie"])
async def test_a_failing_model_loses_nothing(with_model: App, server: ModelServer, kind: str) -> None:
    """The messages wait and stay in recall; no error becomes a fact, and a bad answer is not asked for without end."""
    await with_model.conversations.turn("s1", [lines()[3]], user_id="noor")
    server.behave(kind, **({"status": 401} if kind == "status" else {}))
    done = await with_model.facts.read(at_once=True)
    assert done.facts == 0
    assert [row.memory.text for row in await with_model.recall.search("Kaigata", user_id="noor")] == [LINES[3][1]]
    assert (await with_model.facts.read(at_once=True)) == FactsRead()


async def test_over_the_ceiling_messages_wait(with_model: App, server: ModelServer, runtime: Runtime) -> None:
    """Nothing is called, and nothing is lost."""
    settings = with_model.parts.settings.model_copy(update={"monthly_ceiling": 0.0})
    async with open_runtime(settings, follows=False) as poor:
        app = poor.app(with_model.parts.tenant_id)
        await app.conversations.turn("s1", [lines()[3]], user_id="noor")
        assert await app.facts.read(at_once=True) == FactsRead(failed=1)
    assert (server.stats.calls, (await with_model.facts.plan()).messages) == (0, 1)


async def test_the_prompt_of_the_strategy_custom_is_asked(with_model: App, server: ModelServer) -> None:
    """In its own words; the checks hold all the same."""
    from precis.conversation import Remembering  # noqa: PLC0415

    server.behave("scripted", answers=([statement("Liv is allergic to hazelnuts.", 0)],))
    custom = Remembering(strategy="custom", prompt="List only the allergies of children.")
    await with_model.conversations.turn("s1", [lines()[4]], user_id="noor", remembering=custom)
    await with_model.facts.read(at_once=True)
    (call,) = server.records
    assert "List only the allergies of children." in call.prompt
    (fact,) = await facts_of(with_model)
    assert fact.metadata["wire"]["extraction_strategy"] == "custom"


async def test_a_model_that_is_not_there_is_refused(app: App) -> None:
    """When it is asked for, in words."""
    from precis.conversation import Remembering  # noqa: PLC0415

    with pytest.raises(InvalidInput, match="PRECIS_MODEL"):
        await app.conversations.turn("s1", lines(), user_id="noor", remembering=Remembering(extraction="model"))


# --- over the wire ---


@pytest_asyncio.fixture(loop_scope="session")
async def wire(url: str, key: str) -> AsyncIterator[MemoryAPIClient]:
    """The published client."""
    async with connected(url, key) as made:
        yield made


async def put(wire: MemoryAPIClient, strategy: Any, **config: Any) -> None:
    """A session with this strategy."""
    await wire.put_working_memory(
        "s1",
        WorkingMemory(
            session_id="s1",
            user_id="noor",
            messages=[MemoryMessage(role=role, content=text) for role, text in LINES],
            long_term_memory_strategy=MemoryStrategyConfig(strategy=strategy, config=config),
        ),
        user_id="noor",
    )


@pytest.mark.filterwarnings("ignore:get_working_memory is deprecated:DeprecationWarning")  # the client's own use of it
@pytest.mark.parametrize("strategy", ["discrete", "summary", "preferences", "custom"])
async def test_each_strategy_of_the_wire(wire: MemoryAPIClient, app: App, strategy: str) -> None:
    """What is said is found at once as a message, and what the strategy finds as a memory of its own."""
    await put(wire, strategy, **({"custom_prompt": "Find allergies: {message}"} if strategy == "custom" else {}))
    found = await wire.search_long_term_memory("Where does she work nights?", user_id={"eq": "noor"})
    assert "Kaigata" in found.memories[0].text
    await app.facts.read(at_once=True)
    rows = await wire.search_long_term_memory(
        "fish hall hazelnuts Tromso", memory_type={"eq": "semantic"}, user_id={"eq": "noor"}
    )
    expected = {"discrete": FACTS, "custom": FACTS, "preferences": set()}.get(strategy)
    texts = {row.text for row in rows.memories if not getattr(row, "is_summary", False)}
    if expected is None:
        assert len(texts) == 1
        assert "Kaigata" in texts.pop()
    else:
        assert texts == expected
    _, session = await wire.get_or_create_working_memory("s1", user_id="noor")
    assert {message.discrete_memory_extracted for message in session.messages} == {"t"}
    again = [message.id for message in session.messages]
    await wire.put_working_memory("s1", session, user_id="noor")
    assert (await app.facts.read(at_once=True)).facts == 0
    _, session = await wire.get_or_create_working_memory("s1", user_id="noor")
    assert again == [message.id for message in session.messages]


async def test_a_session_that_ends_leaves_what_was_learned(wire: MemoryAPIClient, app: App) -> None:
    """As with the original; its messages may be sent again, and nothing is there twice then."""
    await put(wire, "discrete")
    await app.facts.read(at_once=True)
    before = {row.id for row in await facts_of(app)}
    await wire.delete_working_memory("s1", user_id="noor")
    assert {row.id for row in await facts_of(app)} == before
    await put(wire, "discrete")
    await app.facts.read(at_once=True)
    assert {row.text for row in await facts_of(app)} == FACTS


async def test_a_prompt_says_nothing_twice(api: httpx.AsyncClient) -> None:
    """The messages of the session are in it already."""
    session = {"messages": [{"role": "user", "content": LINES[3][1]}], "user_id": "noor"}
    await api.put("/v1/working-memory/s1", json=session)
    body = {"query": "Where do I work?", "session": {"session_id": "s1", "user_id": "noor"}, "long_term_search": {}}
    answer = (await api.post("/v1/memory/prompt", json=body)).json()
    assert json.dumps(answer).count("Kaigata") == 1
