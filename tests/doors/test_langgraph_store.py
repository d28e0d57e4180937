"""A LangGraph store over memories and recall."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, MatchCondition
from typing_extensions import TypedDict

from precis.agents.langgraph_store import PrecisStore, last_label
from precis.app import App
from precis.errors import NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")
ANA = ("ana", "memories")


async def test_put_get_and_delete(app: App) -> None:
    """An item is a memory of its user; deleting it forgets it, and its key can be used again."""
    store = PrecisStore(app)
    await store.aput(ANA, "home", {"text": "Ana moved to Lisbon.", "certain": True})
    item = await store.aget(ANA, "home")
    assert item is not None
    assert (item.key, item.namespace, item.value["certain"]) == ("home", ANA, True)
    assert ["Ana moved to Lisbon."] == [row.text for row in (await app.memories.list(user_id="ana")).rows]
    await store.aput(ANA, "home", {"text": "Ana moved to Porto."})
    item = await store.aget(ANA, "home")
    assert item is not None
    assert item.value == {"text": "Ana moved to Porto."}
    await store.aput(ANA, "home", {"text": "Ana moved to Porto.", "certain": False})
    item = await store.aget(ANA, "home")
    assert item is not None
    assert item.value == {"text": "Ana moved to Porto.", "certain": False}
    await store.adelete(ANA, "home")
    assert await store.aget(ANA, "home") is None
    assert (await app.memories.list(user_id="ana")).rows == ()
    await store.adelete(ANA, "home")
    await store.aput(ANA, "home", {"text": "Ana moved to Faro."})
    assert await store.aget(ANA, "home") is not None


async def test_search_finds_by_meaning_within_the_namespace(app: App) -> None:
    """Best first, with a score; other namespaces stay out, also one whose name begins alike."""
    store = PrecisStore(app)
    await store.aput(ANA, "home", {"text": "Ana lives in Lisbon near the harbor."})
    await store.aput(ANA, "tea", {"text": "Ana drinks green tea every morning."})
    await store.aput(("anabel", "memories"), "home", {"text": "Anabel lives in Lisbon."})
    found = await store.asearch(ANA, query="Which city does she live in? Lisbon?", limit=2)
    assert found[0].key == "home"
    assert found[0].score is not None
    assert {one.namespace for one in found} == {ANA}
    wide = await store.asearch((), query="Lisbon")
    assert {one.namespace[0] for one in wide} == {"ana", "anabel"}


async def test_filters_and_pages(app: App) -> None:
    """Comparisons on fields of the value; limit and offset without a query."""
    store = PrecisStore(app)
    for score in range(5):
        await store.aput(ANA, f"n{score}", {"text": f"Note {score}.", "score": score, "kind": "even"[: 4 - score % 2]})
    assert {"n3", "n4"} == {one.key for one in await store.asearch(ANA, filter={"score": {"$gte": 3}})}
    assert {"n0", "n2", "n4"} == {one.key for one in await store.asearch(ANA, filter={"kind": "even"})}
    first, second = await store.asearch(ANA, limit=2), await store.asearch(ANA, limit=2, offset=2)
    assert len({one.key for one in [*first, *second]}) == 4


async def test_namespaces_are_listed(app: App) -> None:
    """By prefix, suffix, wildcard and depth."""
    store = PrecisStore(app)
    for namespace in (("memories", "ana"), ("memories", "ben"), ("plans", "ana", "trips")):
        await store.aput(namespace, "k", {"text": "Something."})
    assert [("memories", "ana"), ("memories", "ben")] == await store.alist_namespaces(prefix=("memories",))
    assert [("plans", "ana", "trips")] == await store.alist_namespaces(prefix=("*", "ana", "*"))
    assert [("memories", "ana")] == await store.alist_namespaces(suffix=("ana",))
    assert [("memories",), ("plans",)] == await store.alist_namespaces(max_depth=1)
    assert MatchCondition(match_type="prefix", path=("memories",)).path == ("memories",)


async def test_summaries_may_be_answered_too(app: App) -> None:
    """What an agent put is summarized like any memory; forgetting an item takes it out of the summary."""
    store = PrecisStore(app, summaries=True)
    tea = (
        "Ana drinks green tea every morning.",
        "Ana keeps her tea in a tin from Kyoto.",
        "Ana buys tea on Saturdays.",
    )
    for at, text in enumerate(tea):
        await store.aput(ANA, f"k{at}", {"text": text})
    found = await store.asearch((), query="tea", limit=10)
    assert {"k0", "k1", "k2"} <= {one.key for one in found}


FACTS = ("drinks {} tea every morning.", "keeps {} tea in a tin.", "buys {} tea on Saturdays.", "pours {} tea at noon.")


async def put_facts(store: PrecisStore, namespaces: Mapping[str, tuple[str, ...]], words: dict[str, str]) -> None:
    """Some facts on one subject for each person, one by one in turn."""
    for at, fact in enumerate(FACTS):
        for who, namespace in namespaces.items():
            await store.aput(namespace, f"k{at}", {"text": f"{who.title()} {fact.format(words[who])}"})


@pytest.mark.parametrize("layout", ["user first", "user last"])
async def test_no_summary_is_of_two_users_and_a_user_is_forgotten(app: App, layout: str) -> None:
    """In LangGraph's documented layout without a setting; the other way round with one."""
    first = layout == "user first"
    store = PrecisStore(app) if first else PrecisStore(app, user_of=last_label)
    names = {"mira": "oolong", "tomas": "sencha"}
    spaces = {who: (who, "memories") if first else ("memories", who) for who in names}
    await put_facts(store, spaces, names)
    summaries = (await app.summaries.list()).rows
    assert {summary.scope.user_id for summary in summaries} == set(names)
    for summary in summaries:
        (other,) = set(names) - {summary.scope.user_id}
        assert names[summary.scope.user_id] in summary.text
        assert (other.title() in summary.text, names[other] in summary.text) == (False, False)
    receipt = await app.memories.forget_user("mira")
    assert (len(receipt.forgotten), receipt.key_destroyed) == (len(FACTS), True)
    assert await store.aget(spaces["mira"], "k0") is None
    assert await store.asearch(spaces["mira"], query="oolong tea") == []
    assert "oolong" not in " ".join([str(one.value) for one in await store.asearch((), query="oolong tea")])
    assert len(await store.asearch(spaces["tomas"], query="sencha tea")) == len(FACTS)


async def test_a_user_whom_no_namespace_names_is_not_certified_gone(app: App) -> None:
    """Where the layout is not what the store was told, forgetting says so and destroys nothing."""
    store = PrecisStore(app)
    await store.aput(("memories", "mira"), "k", {"text": "Mira drinks oolong."})
    with pytest.raises(NotFound, match="no key was destroyed"):
        await app.memories.forget_user("mira")


async def test_an_item_moves_to_whom_the_namespace_names(app: App) -> None:
    """Put before the store was told the layout, and put again since."""
    namespace = ("memories", "mira")
    await PrecisStore(app).aput(namespace, "k", {"text": "Mira drinks oolong."})
    await PrecisStore(app, user_of=last_label).aput(namespace, "k", {"text": "Mira drinks sencha."})
    assert [row.text for row in (await app.memories.list(user_id="mira")).rows] == ["Mira drinks sencha."]
    assert (await app.memories.list(user_id="memories")).rows == ()


class State(TypedDict):
    """What the graph below passes on."""

    found: list[str]


async def test_nodes_of_a_graph_get_it(app: App) -> None:
    """As ``store=`` of a compiled graph."""

    async def remember(state: State, config: RunnableConfig, *, store: BaseStore) -> dict[str, Any]:
        await store.aput(ANA, "home", {"text": "Ana lives in Lisbon."})
        return {"found": [one.value["text"] for one in await store.asearch(ANA, query="Lisbon")]}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", END)
    compiled = graph.compile(store=PrecisStore(app))
    assert (await compiled.ainvoke({"found": []}))["found"] == ["Ana lives in Lisbon."]


async def test_the_synchronous_methods_are_for_other_threads(app: App) -> None:
    """In the app's own loop they would wait for themselves, and say so."""
    store = PrecisStore(app)
    await asyncio.to_thread(store.put, ANA, "home", {"text": "Ana lives in Lisbon."})
    item = await asyncio.to_thread(store.get, ANA, "home")
    assert item is not None
    with pytest.raises(RuntimeError, match="asynchronous"):
        store.get(ANA, "home")
