"""What LangGraph's own store does, PrecisStore does: each behavior runs against both."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from precis.agents.langgraph_store import PrecisStore
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
SHELF = ("nora", "shelf")


@pytest_asyncio.fixture(loop_scope="session", params=["langgraph", "precis"])
async def store(request: pytest.FixtureRequest, app: App) -> BaseStore:
    """Either of the two, both with the same embedder."""
    if request.param == "precis":
        return PrecisStore(app)

    async def embed(texts: Any) -> Any:
        # One more number, so that a text without known words has a direction, too.
        return [[*vector, 1e-3] for vector in await app.parts.engine.embedder.embed(list(texts))]

    return InMemoryStore(index={"dims": 257, "embed": embed})


def keys(items: list[SearchItem]) -> list[str]:
    """What was answered, in its order."""
    return [item.key for item in items]


async def fill(store: BaseStore, namespace: tuple[str, ...], number: int, **fields: Callable[[int], Any]) -> None:
    """So many items, in one batch."""
    await store.abatch(
        PutOp(
            namespace,
            f"k{at:03}",
            {"text": f"Box {at} stands in row {at % 7}."} | {n: f(at) for n, f in fields.items()},
        )
        for at in range(number)
    )


# --- keys and values


async def test_what_was_put_is_got(store: BaseStore) -> None:
    """With its key, its namespace and both its dates."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
    item = await store.aget(SHELF, "lamp")
    assert item is not None
    assert (item.key, item.namespace, item.value) == ("lamp", SHELF, {"text": "The lamp is brass."})
    assert item.created_at.tzinfo is not None
    assert item.created_at <= item.updated_at


async def test_what_is_not_there_is_none(store: BaseStore) -> None:
    """By key, by namespace, and where the namespace has no label; deleting it is no error."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
    for namespace, key in ((SHELF, "vase"), (("nora",), "lamp"), (("nora", "shelf", "top"), "lamp"), ((), "lamp")):
        assert await store.aget(namespace, key) is None
        await store.adelete(namespace, key)
    assert await store.aget(SHELF, "lamp") is not None


async def test_an_update_replaces_the_whole_value(store: BaseStore) -> None:
    """The old fields are gone; the later date is later."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass.", "watts": 40})
    before = await store.aget(SHELF, "lamp")
    await store.aput(SHELF, "lamp", {"text": "The lamp is copper."})
    after = await store.aget(SHELF, "lamp")
    assert before is not None
    assert after is not None
    assert after.value == {"text": "The lamp is copper."}
    assert after.updated_at > before.updated_at
    assert len(await store.asearch(SHELF)) == 1


async def test_the_same_value_again_is_an_update(store: BaseStore) -> None:
    """Nothing else changes."""
    for _ in range(2):
        await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
    assert ["lamp"] == keys(await store.asearch(SHELF))


async def test_none_deletes_and_the_key_is_free_again(store: BaseStore) -> None:
    """As often as somebody likes."""
    for text in ("The lamp is brass.", "The lamp is copper.", "The lamp is brass."):
        await store.aput(SHELF, "lamp", {"text": text})
        await store.abatch([PutOp(SHELF, "lamp", None)])
        assert await store.aget(SHELF, "lamp") is None
        assert await store.asearch(SHELF, query="lamp") == []


VALUES: list[dict[str, Any]] = [
    {},
    {"n": 0, "x": -1.5, "yes": True, "no": False, "none": None, "list": [1, [2, {"a": None}], "b"]},
    {"text": "  "},
    {"text": ["a list where words are expected"]},
    {"content": None, "text": 7},
    {"text": "null \x00 within"},
    {"größe": "weiß", "名前": "ノラ", "emoji": "🪔"},
    {"deep": {"er": {"and": {"deeper": [{"still": "there"}]}}}},
]


async def test_any_json_comes_back_as_it_went_in(store: BaseStore) -> None:
    """Got and found: no words, other things than words, null characters, other scripts, depth."""
    for at, value in enumerate(VALUES):
        await store.aput(SHELF, str(at), value)
    got = [await store.aget(SHELF, str(at)) for at in range(len(VALUES))]
    assert [item.value for item in got if item] == VALUES
    assert [item.value for item in await store.asearch(SHELF)] == VALUES


async def test_a_key_is_any_text(store: BaseStore) -> None:
    """Also one that no id of precis could be."""
    names = ["", " ", "a b", "a/b", "a.b", "\x1f", "\n", "ключ", "k" * 600, "100%_"]
    await store.abatch([PutOp(SHELF, key, {"n": at}) for at, key in enumerate(names)])
    got = [await store.aget(SHELF, key) for key in names]
    assert list(enumerate(names)) == [(item.value["n"], item.key) for item in got if item]
    await store.abatch([PutOp(SHELF, key, None) for key in names])
    assert await store.asearch(SHELF) == []


async def test_namespace_and_key_never_run_together(store: BaseStore) -> None:
    """However odd the characters at their border."""
    places = [(("n", "a", "b"), "c"), (("n", "a"), "b\x1fc"), (("n", "a\x1fb"), "c"), (("n", "a", "b\x1f"), "c"),
              (("n", "a", "b"), "\x1fc"), (("n", "ab"), "c"), (("n", "a"), "bc")]  # fmt: skip
    for at, (namespace, key) in enumerate(places):
        await store.aput(namespace, key, {"n": at})
    got = [await store.aget(namespace, key) for namespace, key in places]
    assert list(range(len(places))) == [item.value["n"] if item else None for item in got]


@pytest.mark.parametrize("field", ["text", "blob"])
async def test_a_value_of_fifty_kilobytes(store: BaseStore, field: str) -> None:
    """Put, replaced, found and filtered by what lies behind it."""
    words = " ".join(f"word{at}" for at in range(7_000))
    assert len(words) > 50_000
    for mark in (1, 2):
        await store.aput(SHELF, "long", {field: words, "mark": mark})
    await store.aput(SHELF, "short", {"text": "A short one."})
    item = await store.aget(SHELF, "long")
    assert item is not None
    assert item.value == {field: words, "mark": 2}
    assert ["long"] == keys(await store.asearch(SHELF, filter={"mark": 2}))


# --- namespaces


LABELS = [
    ("n" * 300, "shelf"),
    ("nora", "s" * 300, "t" * 300, "u" * 300),
    ("nora with spaces", " padded "),
    ("nora/slash", "a:b", "100%_\\"),
    ("Нора", "полка", "棚"),
    ("nora@example com", "'quoted' \"twice\""),
    ("alone",),
]


async def test_labels_of_any_kind(store: BaseStore) -> None:
    """Got, searched with and without a query, listed, deleted: long ones, spaces, slashes, quotes, any script."""
    besides = [(*namespace[:-1], namespace[-1] + "2") for namespace in LABELS]
    for namespace, beside in zip(LABELS, besides, strict=True):
        await store.aput(namespace, "lamp", {"text": "The lamp is brass."})
        await store.aput(beside, "vase", {"text": "The vase is blue."})
    assert sorted([*LABELS, *besides]) == await store.alist_namespaces()
    for namespace in LABELS:
        item = await store.aget(namespace, "lamp")
        assert item is not None
        assert item.namespace == namespace
        assert ["lamp"] == keys(await store.asearch(namespace))
        assert ["lamp"] == keys(await store.asearch(namespace, query="brass lamp"))
        assert [namespace] == await store.alist_namespaces(prefix=namespace)
        await store.adelete(namespace, "lamp")
        assert await store.asearch(namespace) == []


async def test_a_longer_sibling_is_another_namespace(store: BaseStore) -> None:
    """A prefix is whole labels; its case counts, and no character stands for another."""
    shelves = [("a", "b"), ("a", "b", "c"), ("a", "bc"), ("a", "B"), ("ab",), ("a", "b_"), ("a", "bx"), ("a", "%")]
    for at, namespace in enumerate(shelves):
        await store.aput(namespace, f"k{at}", {"text": f"Thing {at}."})
    for query in (None, "thing"):
        assert {"k0", "k1"} == set(keys(await store.asearch(("a", "b"), query=query)))
        assert {"k5"} == set(keys(await store.asearch(("a", "b_"), query=query)))
        assert {"k7"} == set(keys(await store.asearch(("a", "%"), query=query)))
        assert len(await store.asearch((), query=query)) == 8
        assert len(await store.asearch(("a",), query=query)) == 7


async def test_a_crowded_sibling_hides_nothing(store: BaseStore) -> None:
    """Items of a namespace whose name begins alike do not use up what a search looks at."""
    await fill(store, ("nora", "boxes"), 130)
    await store.aput(("nora", "box"), "only", {"text": "A lamp."})
    assert ["only"] == keys(await store.asearch(("nora", "box"), query="Box 7 stands in row 0."))
    assert ["only"] == keys(await store.asearch(("nora", "box"), limit=3))


async def test_a_namespace_that_cannot_be_is_refused(store: BaseStore) -> None:
    """With LangGraph's own error, and nothing is written."""
    for namespace in ((), ("a.b",), ("a", ""), ("",), ("langgraph", "x"), ("a", "b\x00")):
        with pytest.raises(InvalidNamespaceError):
            await store.aput(namespace, "lamp", {"text": "The lamp is brass."})
    assert await store.asearch(()) == []


async def test_labels_are_text(store: BaseStore) -> None:
    """A number is refused, and by reading methods too what holds a full stop."""
    with pytest.raises(InvalidNamespaceError):
        await store.aput(("nora", 7), "lamp", {"text": "x"})  # type: ignore[arg-type]
    with pytest.raises(InvalidNamespaceError):
        await store.aget(("a.b",), "lamp")
    with pytest.raises(InvalidNamespaceError):
        await store.asearch(("a.b",))


async def test_a_reserved_label_further_in_is_none(store: BaseStore) -> None:
    """Only the root is LangGraph's; and whoever goes past the public method may use that."""
    for namespace in (("nora", "langgraph"), ("langgraph", "x")):
        await store.abatch([PutOp(namespace, "lamp", {"text": "The lamp is brass."})])
        assert await store.aget(namespace, "lamp") is not None
        assert ["lamp"] == keys(await store.asearch(namespace))


PLACES = [
    ("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f"),
    ("users", "123"), ("users", "456", "settings"), ("admin", "users", "789"),
]  # fmt: skip


LISTINGS: list[dict[str, Any]] = [
    {}, {"prefix": ("a", "b")}, {"suffix": ("f",)}, {"prefix": ("a",), "suffix": ("f",)},
    {"prefix": ("a", "b"), "max_depth": 3}, {"prefix": ("a", "b"), "limit": 2}, {"prefix": ("a", "b"), "offset": 2},
    {"prefix": ("a", "*", "f")}, {"suffix": ("*", "f")}, {"prefix": ("*", "users"), "suffix": ("*", "789")},
    {"prefix": ("users", "123")}, {"prefix": ("nobody",)}, {"max_depth": 1}, {"max_depth": 2, "limit": 3, "offset": 1},
    {"limit": 0}, {"prefix": ("a", "b", "c", "d", "e")},
]  # fmt: skip


def listed(prefix: Any = (), suffix: Any = (), max_depth: int | None = None, limit: int = 100, offset: int = 0) -> Any:
    """Sorted, each once, cut to a depth before they are counted."""
    matching = [
        place
        for place in PLACES
        if len(place) >= max(len(prefix), len(suffix))
        and all(a in ("*", b) for a, b in zip(prefix, place, strict=False))
        and all(a in ("*", b) for a, b in zip(reversed(suffix), reversed(place), strict=False))
    ]
    return sorted({place[:max_depth] for place in matching})[offset : offset + limit]


async def test_namespaces_are_listed(store: BaseStore) -> None:
    """By prefix, suffix, wildcards, depth and pages."""
    await store.abatch([PutOp(place, f"k{at}", {"n": at}) for at, place in enumerate(PLACES)])
    for how in LISTINGS:
        assert listed(**how) == await store.alist_namespaces(**how), how


async def test_an_empty_store_lists_nothing(store: BaseStore) -> None:
    """No namespace, no item, with a query or without."""
    assert await store.alist_namespaces() == []
    assert await store.asearch(()) == []
    assert await store.asearch(SHELF, query="lamp") == []


# --- search without a query


async def test_items_come_in_the_order_they_were_put(store: BaseStore) -> None:
    """An update keeps its place; what was deleted and put again comes last."""
    for key in ("d", "a", "c", "b"):
        await store.aput(SHELF, key, {"text": f"Thing {key}."})
    await store.aput(SHELF, "a", {"text": "Thing a, repaired."})
    assert ["d", "a", "c", "b"] == keys(await store.asearch(SHELF))
    await store.adelete(SHELF, "d")
    await store.aput(SHELF, "d", {"text": "Thing d."})
    assert ["a", "c", "b", "d"] == keys(await store.asearch(SHELF))


async def test_items_of_one_namespace_stand_together(store: BaseStore) -> None:
    """A namespace comes where its first item came."""
    for namespace, key in ((("n", "y"), "1"), (("n", "x"), "2"), (("n", "y"), "3"), (("n", "x"), "4")):
        await store.aput(namespace, key, {"text": f"Thing {key}."})
    assert ["1", "3", "2", "4"] == keys(await store.asearch(("n",)))
    assert ["3", "2"] == keys(await store.asearch(("n",), limit=2, offset=1))


async def test_pages(store: BaseStore) -> None:
    """Every item once, in one order, whatever the size of a page; ten where nobody says how many."""
    await fill(store, SHELF, 23)
    everything = keys(await store.asearch(SHELF, limit=100))
    assert [f"k{at:03}" for at in range(23)] == everything
    for size in (1, 7, 23):
        pages = [keys(await store.asearch(SHELF, limit=size, offset=at)) for at in range(0, 23, size)]
        assert everything == [key for page in pages for key in page]
    assert everything[:10] == keys(await store.asearch(SHELF))
    assert [] == await store.asearch(SHELF, offset=23)
    assert [] == await store.asearch(SHELF, limit=0)


async def test_without_a_query_there_is_no_score(store: BaseStore) -> None:
    """None, and an empty query is none."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
    for query in (None, ""):
        assert [None] == [item.score for item in await store.asearch(SHELF, query=query)]


# --- filters

RATED: dict[str, dict[str, Any]] = {
         "red": {"color": "red", "stars": 4.5, "tags": ["a", "b"], "size": {"w": 2, "h": {"cm": 10}}},
         "blue": {"color": "blue", "stars": 3, "tags": ["a"], "size": {"w": 2, "h": {"cm": 20}}},
         "plain": {"color": None, "stars": 10, "tags": [], "size": None}}  # fmt: skip


RULES: list[tuple[dict[str, Any], list[str]]] = [
    ({"color": "red"}, ["red"]),
    ({"color": {"$eq": "red"}}, ["red"]),
    ({"color": {"$ne": "red"}}, ["blue", "plain"]),
    ({"color": None}, ["plain"]),
    ({"missing": None}, ["red", "blue", "plain"]),
    ({"missing": "x"}, []),
    ({"missing": {"$ne": "x"}}, ["red", "blue", "plain"]),
    ({"stars": {"$gt": 4.5}}, ["plain"]),
    ({"stars": {"$gte": 4.5}}, ["red", "plain"]),
    ({"stars": {"$lt": 4}}, ["blue"]),
    ({"stars": {"$lte": 4.5}}, ["red", "blue"]),
    ({"stars": {"$gte": "9"}}, ["plain"]),
    ({"stars": {"$gt": 3, "$lt": 10}}, ["red"]),
    ({"stars": 3, "color": "blue"}, ["blue"]),
    ({"stars": 3, "color": "red"}, []),
    ({"tags": ["a"]}, ["blue"]),
    ({"tags": []}, ["plain"]),
    ({"size": {"w": 2}}, ["red", "blue"]),
    ({"size": {"w": 2, "h": {"cm": 20}}}, ["blue"]),
    ({"size": {"h": {"cm": 20}}}, ["blue"]),
    ({"size": {"w": {"$eq": 2}}}, ["red", "blue"]),
    ({}, ["red", "blue", "plain"]),
]


async def test_filters(store: BaseStore) -> None:
    """By equality, by operators, by parts of what is nested; with a query the same items."""
    await store.abatch([PutOp(SHELF, key, value) for key, value in RATED.items()])
    for rule, fitting in RULES:
        assert fitting == keys(await store.asearch(SHELF, filter=rule)), rule
        assert set(fitting) == set(keys(await store.asearch(SHELF, filter=rule, query="color"))), rule


async def test_an_unknown_operator_is_an_error(store: BaseStore) -> None:
    """It is no field of that name."""
    await store.aput(SHELF, "lamp", {"stars": 3})
    with pytest.raises(ValueError, match="\\$about"):
        await store.asearch(SHELF, filter={"stars": {"$about": 3}})


async def test_a_filter_reaches_beyond_the_first_hundred(store: BaseStore) -> None:
    """With a query and without, page by page."""
    await fill(store, SHELF, 240, late=lambda at: at >= 225, even=lambda at: at % 2 == 0)
    late = [f"k{at:03}" for at in range(225, 240)]
    assert late == keys(await store.asearch(SHELF, filter={"late": True}, limit=50))
    query = "Box 3 stands in row 3."
    assert set(late) == set(keys(await store.asearch(SHELF, query=query, filter={"late": True}, limit=50)))
    pages = [keys(await store.asearch(SHELF, query=query, filter={"even": True}, limit=40, offset=at))
             for at in (0, 40, 80)]  # fmt: skip
    assert [40, 40, 40] == [len(page) for page in pages]
    assert len({key for page in pages for key in page}) == 120


# --- search with a query


async def test_the_nearest_comes_first_with_its_score(store: BaseStore) -> None:
    """Scores fall, and every item that fits the limit is answered, near or not."""
    texts = {"tea": "Nora drinks green tea.", "dog": "The dog sleeps in the kitchen.", "car": "A red car was sold."}
    await store.abatch([PutOp(SHELF, key, {"text": text}) for key, text in texts.items()])
    for key, text in texts.items():
        items = await store.asearch(SHELF, query=text)
        scores = [item.score for item in items if item.score is not None]
        assert (items[0].key, len(items), len(scores)) == (key, 3, 3)
        assert scores == sorted(scores, reverse=True)
        assert [key] == keys(await store.asearch(SHELF, query=text, limit=1))


async def test_pages_of_a_query(store: BaseStore) -> None:
    """They neither overlap nor leave anything out, beyond a hundred either."""
    await fill(store, SHELF, 150)
    pages = [keys(await store.asearch(SHELF, query="Box in row 3", limit=30, offset=at)) for at in range(0, 180, 30)]
    assert [30, 30, 30, 30, 30, 0] == [len(page) for page in pages]
    assert len({key for page in pages for key in page}) == 150
    assert len(await store.asearch(SHELF, query="Box in row 3", limit=500)) == 150


async def test_two_items_of_one_subject_are_both_found(store: BaseStore) -> None:
    """What a later item says does not hide an earlier one under another key."""
    await store.aput(SHELF, "then", {"text": "Nora lives in Lisbon."})
    await store.aput(SHELF, "now", {"text": "Nora has moved to Porto and lives in Porto now."})
    assert "then" == (await store.asearch(SHELF, query="Nora lives in Lisbon.", limit=1))[0].key


async def test_an_updated_item_is_found_by_its_new_words(store: BaseStore) -> None:
    """And no longer by the old ones."""
    await store.aput(SHELF, "pet", {"text": "zany zebra Xerxes"})
    await store.aput(SHELF, "dogs", {"text": "something about dogs"})
    before = await store.asearch(SHELF, query="zany Xerxes")
    await store.aput(SHELF, "pet", {"text": "a bowl of soup"})
    after = await store.asearch(SHELF, query="zany Xerxes")
    assert "pet" == before[0].key
    score = {item.key: item.score or 0.0 for item in after}
    assert score["pet"] < (before[0].score or 0.0)


async def test_what_is_not_indexed_is_not_found_by_its_words(store: BaseStore) -> None:
    """It comes behind the others and without a score; it is got, listed and filtered like any."""
    await store.aput(SHELF, "dogs", {"text": "something about dogs"})
    await store.aput(SHELF, "hidden", {"text": "the spare key lies under the pot", "kind": "secret"}, index=False)
    items = await store.asearch(SHELF, query="the spare key lies under the pot")
    assert ["dogs", "hidden"] == keys(items)
    assert items[1].score is None
    assert ["dogs"] == keys(await store.asearch(SHELF, query="the spare key lies under the pot", limit=1))
    assert ["hidden"] == keys(await store.asearch(SHELF, filter={"kind": "secret"}))
    assert ["hidden"] == keys(await store.asearch(SHELF, filter={"kind": "secret"}, query="dogs"))
    assert await store.aget(SHELF, "hidden") is not None


async def test_an_index_is_taken_away_by_an_update(store: BaseStore) -> None:
    """And given back."""
    await store.aput(SHELF, "pot", {"text": "the spare key lies under the pot"}, index=False)
    await store.aput(SHELF, "dogs", {"text": "something about dogs"})
    await store.aput(SHELF, "pot", {"text": "the spare key lies under the pot"})
    assert "pot" == (await store.asearch(SHELF, query="the spare key lies under the pot"))[0].key


async def test_only_the_named_fields_are_searched(store: BaseStore) -> None:
    """At the top, nested, and in lists."""
    await store.aput(SHELF, "one", {"title": "kettle and teapot", "body": "a submarine"}, index=["title"])
    await store.aput(SHELF, "two", {"title": "a submarine", "parts": [{"name": "kettle"}, {"name": "teapot"}]},
                     index=["parts[*].name"])  # fmt: skip
    await store.aput(SHELF, "three", {"meta": {"author": "submarine"}, "title": "kettle"}, index=["meta.author"])
    assert "three" == (await store.asearch(SHELF, query="submarine"))[0].key
    assert {"one", "two"} == set(keys(await store.asearch(SHELF, query="kettle and teapot", limit=2)))


async def test_a_named_field_that_is_not_there_indexes_nothing(store: BaseStore) -> None:
    """Such an item has no score."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass."}, index=["summary"])
    assert [("lamp", None)] == [(item.key, item.score) for item in await store.asearch(SHELF, query="brass lamp")]


async def test_a_query_of_any_kind(store: BaseStore) -> None:
    """Long, of signs only, in another script: the items come."""
    await store.aput(SHELF, "lamp", {"text": "The lamp is brass."})
    for query in ("lamp " * 200, "!@#$%^&*()", "ランプ", " ", "zzzyx"):
        assert ["lamp"] == keys(await store.asearch(SHELF, query=query))


async def test_words_of_many_scripts(store: BaseStore) -> None:
    """Each is found by itself."""
    texts = ["这是中文", "これは日本語です", "이건 한국어야", "Это русский", "यह हिंदी है", "هذه عربية"]
    await store.abatch([PutOp(SHELF, str(at), {"text": text}) for at, text in enumerate(texts)])
    for at, text in enumerate(texts):
        assert str(at) == (await store.asearch(SHELF, query=text))[0].key


# --- batches


async def test_a_batch_answers_in_its_order(store: BaseStore) -> None:
    """One answer for each operation."""
    await store.aput(("test", "foo"), "key1", {"data": "value1"})
    await store.aput(("test", "bar"), "key2", {"data": "value2"})
    results = await store.abatch(
        [
            GetOp(("test", "foo"), "key1"),
            PutOp(("test", "bar"), "key2", {"data": "value2"}),
            SearchOp(("test",), filter={"data": "value1"}),
            ListNamespacesOp(match_conditions=(MatchCondition("suffix", ("bar",)),)),
            GetOp(("test",), "key3"),
        ]
    )
    first, second, third, fourth, fifth = results
    assert getattr(first, "value", None) == {"data": "value1"}
    assert (second, fourth, fifth) == (None, [("test", "bar")], None)
    assert ["key1"] == keys(third)  # type: ignore[arg-type]
    assert [] == await store.abatch([])


async def test_a_batch_reads_what_stood_before_it(store: BaseStore) -> None:
    """Wherever its writes stand among its reads."""
    await store.aput(SHELF, "lamp", {"n": 1})
    results: list[Any] = await store.abatch(
        [
            PutOp(SHELF, "lamp", {"n": 2}),
            GetOp(SHELF, "lamp"),
            PutOp(SHELF, "vase", {"n": 3}),
            SearchOp(SHELF),
            PutOp(("nora", "attic"), "box", {"n": 4}),
            ListNamespacesOp(),
            PutOp(SHELF, "lamp", None),
        ]
    )
    assert results[1].value == {"n": 1}
    assert [("lamp", {"n": 1})] == [(item.key, item.value) for item in results[3]]
    assert results[5] == [SHELF]
    assert await store.aget(SHELF, "lamp") is None
    assert await store.aget(SHELF, "vase") is not None


async def test_of_one_key_the_last_write_of_a_batch_counts(store: BaseStore) -> None:
    """A delete too."""
    await store.abatch(
        [
            PutOp(SHELF, "a", {"n": 1}), PutOp(SHELF, "b", {"n": 1}), PutOp(SHELF, "a", {"n": 2}),
            PutOp(SHELF, "b", None), PutOp(SHELF, "c", None), PutOp(SHELF, "c", {"n": 3}),
        ]
    )  # fmt: skip
    assert [("a", {"n": 2}), ("c", {"n": 3})] == [(item.key, item.value) for item in await store.asearch(SHELF)]


async def test_a_batch_writes_in_order(store: BaseStore) -> None:
    """A hundred and twenty at once come back as they were put."""
    await fill(store, SHELF, 120)
    assert [f"k{at:03}" for at in range(120)] == keys(await store.asearch(SHELF, limit=200))


async def test_an_unknown_operation_is_an_error(store: BaseStore) -> None:
    """It names what it got."""
    with pytest.raises(ValueError, match="Unknown operation"):
        await store.abatch(["put"])  # type: ignore[list-item]


async def test_many_write_at_once(store: BaseStore) -> None:
    """Other keys and the same key: every put arrives, and one of those on one key stands."""

    def put(at: int) -> Awaitable[None]:
        return store.aput(SHELF, f"k{at % 10}", {"text": f"Thing {at % 10}, version {at}.", "n": at})

    await asyncio.gather(*map(put, range(30)))
    items = await store.asearch(SHELF, limit=50)
    assert {f"k{at}" for at in range(10)} == set(keys(items))
    assert all(item.value["n"] % 10 == int(item.key[1:]) for item in items)


async def test_writes_and_deletes_in_turn(store: BaseStore) -> None:
    """Put, deleted and put again, all of them at once and one after the other."""
    for _ in range(2):
        await asyncio.gather(*(store.aput(SHELF, f"k{at}", {"text": f"Thing {at}.", "n": at}) for at in range(8)))
        await asyncio.gather(*(store.adelete(SHELF, f"k{at}") for at in range(8)))
    assert await store.asearch(SHELF, query="thing") == []
    await asyncio.gather(*(store.aput(SHELF, f"k{at}", {"text": f"Thing {at}.", "n": at}) for at in range(8)))
    assert len(await store.asearch(SHELF, query="thing", filter={"n": {"$gte": 4}})) == 4
