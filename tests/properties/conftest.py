"""The database of all histories of a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from history import serving


@pytest.fixture(scope="session")
def histories(rooms_folder: Path) -> Iterator[None]:
    """An embedded server that is shared: each history has a tenant of its own."""
    with serving(rooms_folder / "histories"):
        yield
