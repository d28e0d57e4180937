"""What the tests of the store begin with: the store of the shared database, and a tenant that nobody has used."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from store_steps import POLICY

from precis.bootstrap import Runtime
from precis.engine.pipeline import Engine
from precis.engine.policy import Policy
from precis.ids import new_id
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words


@pytest.fixture
def store(runtime: Runtime) -> PostgresStore:
    """The store of the shared database."""
    return runtime.store


@pytest.fixture
def tenant() -> str:
    """A tenant nobody has used, and that nobody has registered."""
    return f"t{new_id().replace('-', '')}"


@pytest.fixture
def clock() -> FrozenClock:
    """A clock of this test's own."""
    return FrozenClock()


@pytest.fixture
def model() -> Quoting:
    """A model that quotes."""
    return Quoting("model@1")


@pytest.fixture
def policies() -> Mapping[str, Policy]:
    """What the engine knows."""
    return {POLICY.name: POLICY}


@pytest.fixture
def engine(store: PostgresStore, clock: FrozenClock, model: Quoting, policies: Mapping[str, Policy]) -> Engine:
    """An engine over the store."""
    return Engine(
        groups=store.groups, policies=dict(policies), summarizer=model, fallback=Quoting("stand-in@1"),
        embedder=HashEmbedder(), count=count_words, clock=clock,
    )  # fmt: skip
