"""A tenant whose time stands still."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from nights import Nights, under

from precis.bootstrap import Runtime
from precis.testing.clock import FrozenClock


@pytest.fixture
def nights(runtime: Runtime, tenant: str) -> Nights:
    """The Sunday on which the week of the tests begins, before anything was noted."""
    return under(runtime, tenant, FrozenClock(datetime(2026, 2, 15, 6, tzinfo=UTC)))
