"""What the tests of the store begin with: the store of the shared database, and a tenant that nobody has used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pytest
from store_steps import POLICY, store_with

from precis.bootstrap import Runtime
from precis.engine.engine import Engine
from precis.engine.policy import Policy
from precis.ids import new_id
from precis.store.postgres import PostgresStore
from precis.testing.clock import FrozenClock
from precis.testing.fakes import HashEmbedder, Quoting, count_words


@pytest.fixture
def store(request: pytest.FixtureRequest, runtime: Runtime) -> PostgresStore:
    """The store of the shared database; with the POLICIES of a file that has its own."""
    own: Mapping[str, Policy] | None = getattr(request.module, "POLICIES", None)
    return runtime.store if own is None else store_with(runtime, own)


@pytest.fixture
def tenant() -> str:
    """A tenant nobody has used, and that nobody has registered."""
    return f"t{new_id().replace('-', '')}"


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> FrozenClock:
    """A clock of this test's own; it BEGINS when the file says."""
    begins: datetime | None = getattr(request.module, "BEGINS", None)
    return FrozenClock() if begins is None else FrozenClock(begins)


@pytest.fixture
def model() -> Quoting:
    """A model that quotes."""
    return Quoting("model@1")


@pytest.fixture
def policies(request: pytest.FixtureRequest) -> Mapping[str, Policy]:
    """What the engine knows: the POLICIES of the file, or clusters alone."""
    own: Mapping[str, Policy] = getattr(request.module, "POLICIES", {POLICY.name: POLICY})
    return own


@pytest.fixture
def engine(store: PostgresStore, clock: FrozenClock, model: Quoting, policies: Mapping[str, Policy]) -> Engine:
    """An engine over the store."""
    return Engine(
        groups=store.groups, policies=dict(policies), summarizer=model, fallback=Quoting("stand-in@1"),
        embedder=HashEmbedder(), count=count_words, clock=clock,
    )  # fmt: skip
