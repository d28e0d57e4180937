"""Random histories, told to LangGraph's own store and to PrecisStore: both answer the same."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from precis.agents.langgraph_store import PrecisStore
from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What begins alike, what LIKE takes for a pattern, other scripts, blanks, and characters that part others elsewhere.
LABELS = st.sampled_from(["b", "bb", "B", "b_", "b%", "полка", " pad ", "a/b", "x\x1fy", "langgraph"])
PLACES = st.lists(LABELS, max_size=2).map(tuple)
PATTERNS = st.lists(LABELS | st.just("*"), min_size=1, max_size=2).map(tuple)
KEYS = st.sampled_from(["k", "K", "k ", "", "k/1", "ключ", "\x1f"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2, width=16) | st.text(max_size=5)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
)
VALUES = st.fixed_dictionaries(
    {"n": st.integers(-3, 3) | st.floats(-3, 3, width=16)}, optional={"a": JSON, "b": JSON, "text": st.text(max_size=9)}
)
RULES = st.fixed_dictionaries(
    {},
    optional={
        "n": st.dictionaries(
            st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), st.integers(-3, 3), min_size=1
        ),
        "a": JSON | st.fixed_dictionaries({"$ne": JSON}),
        "missing": SCALARS,
    },
)
INDEXES = st.sampled_from([None, None, False, ["text"], ["a[*].b", "n"], ["b.a", "$"]])
PUTS = st.tuples(PLACES, KEYS, VALUES, INDEXES).map(lambda drawn: PutOp(*drawn))
PREFIXES = PATTERNS.map(lambda path: MatchCondition("prefix", path))
CONDITIONS = st.lists(PREFIXES | PATTERNS.map(lambda path: MatchCondition("suffix", path)), max_size=2).map(tuple)
FILTERS = st.none() | RULES
OPS = st.one_of(
    PUTS,
    PUTS,
    st.tuples(PLACES, KEYS).map(lambda drawn: PutOp(*drawn, None)),
    st.tuples(PLACES, KEYS).map(lambda drawn: GetOp(*drawn)),
    st.tuples(PLACES, FILTERS, st.integers(0, 4), st.integers(0, 3)).map(lambda drawn: SearchOp(*drawn)),
    st.tuples(PLACES, FILTERS, st.just(500), st.just(0), st.just("b 1")).map(lambda drawn: SearchOp(*drawn)),
    st.tuples(CONDITIONS, st.none() | st.integers(1, 3), st.integers(0, 5), st.integers(0, 2)).map(
        lambda drawn: ListNamespacesOp(*drawn)
    ),
)
HISTORIES = st.lists(st.lists(OPS, min_size=1, max_size=6), min_size=1, max_size=5)
_roots = count()


def below(root: str, op: Any) -> Op:
    """The operation in a namespace that no other history has."""
    if isinstance(op, SearchOp):
        return op._replace(namespace_prefix=(root, *op.namespace_prefix))
    if isinstance(op, ListNamespacesOp):
        own = MatchCondition("prefix", (root,))
        rest = [MatchCondition(c.match_type, (root, *c.path) if c.match_type == "prefix" else c.path)
                for c in op.match_conditions or ()]  # fmt: skip
        return op._replace(match_conditions=(own, *rest))
    return op._replace(namespace=(root, *op.namespace))  # type: ignore[no-any-return]


def promised(op: Op, answer: Any) -> Any:
    """What of an answer both promise; its order where there is no query."""
    if isinstance(op, SearchOp):
        rows = [(row.namespace, row.key, row.value) for row in answer]
        return sorted(rows, key=repr) if op.query else rows
    return answer and (answer if isinstance(answer, list) else (answer.namespace, answer.key, answer.value))


def without_empty(store: InMemoryStore) -> InMemoryStore:
    """That store keeps a namespace that was asked for or emptied, PostgreSQL's and precis's do not."""
    for namespace in [place for place, items in store._data.items() if not items]:
        del store._data[namespace]
    return store


@pytest.fixture
def ours(app: App) -> PrecisStore:
    """Ours, for all histories."""
    return PrecisStore(app)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=HISTORIES)
async def test_histories(ours: PrecisStore, history: list[list[Any]]) -> None:
    """Batches of puts, deletes, reads, searches and listings."""
    await check(ours, history)


@pytest.mark.soak
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(history=HISTORIES)
async def test_many_histories(ours: PrecisStore, history: list[list[Any]]) -> None:
    """The same, for long."""
    await check(ours, history)


async def check(ours: PrecisStore, history: list[list[Any]]) -> None:
    """Tell it to both, batch by batch."""
    root, theirs = f"r{next(_roots)}", InMemoryStore()
    for batch in history:
        ops = [below(root, op) for op in batch]
        expected = [None if isinstance(op, PutOp) else without_empty(theirs).batch([op])[0] for op in ops]
        theirs.batch([op for op in ops if isinstance(op, PutOp)])
        answers = await ours.abatch(ops)
        for op, right, answer in zip(ops, expected, answers, strict=True):
            assert promised(op, right) == promised(op, answer), op
