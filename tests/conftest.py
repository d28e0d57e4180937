"""One embedded database for all tests of a process; each test gets a tenant of its own."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import settings

from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.embedded.server import running
from precis.ids import new_id
from precis.settings import Settings
from precis.testing.temporary import stop_syncing
from rooms import new_folder

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("precis", deadline=None)
settings.load_profile("precis")


@pytest.fixture(scope="session")
def rooms_folder() -> Iterator[Path]:
    """Where databases may lie."""
    folder = new_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def disk_folder() -> Iterator[Path]:
    """Where those lie that have to be on a disk: what was acknowledged is there after a kill."""
    folder = new_folder(on_disk=True)
    yield folder
    shutil.rmtree(folder)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def runtime(rooms_folder: Path) -> AsyncIterator[Runtime]:
    """A running precis, shared; modules that use it run on the session's loop. Its database does not wait for disks."""
    folder = rooms_folder / "shared"
    async with running(folder) as server:
        stop_syncing(server)
        async with open_runtime(Settings(data_dir=folder)) as runtime:
            yield runtime


@pytest_asyncio.fixture(loop_scope="session")
async def tenant(runtime: Runtime) -> str:
    """The id of a tenant nobody else uses."""
    tenant_id = f"t-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="test", now=runtime.engine.clock())
    return tenant_id


@pytest.fixture
def app(runtime: Runtime, tenant: str) -> App:
    """precis for that tenant."""
    return runtime.app(tenant)
