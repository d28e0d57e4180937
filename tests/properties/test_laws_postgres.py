"""The same laws over the same random histories, on PostgreSQL: what the twin keeps, the real store keeps."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from history import POLICIES, STORES
from hypothesis import HealthCheck, Phase, settings
from test_laws import Laws

from precis.bootstrap import system_clock
from precis.database.connections import open_database
from precis.database.migrate import migrate
from precis.embedded.server import APPLICATION, EmbeddedServer, start, stop
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.store.ports import Store
from precis.store.postgres import postgres_store

_server: list[tuple[EmbeddedServer, Path]] = []


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """One embedded server for all histories; each opens the database anew, as each process does."""
    folder = Path(tempfile.mkdtemp(prefix="precis-laws-"))
    folder.chmod(0o755)
    started = asyncio.run(start(folder / "data"))
    asyncio.run(migrate(started.owner_dsn, app_role=APPLICATION, now=system_clock()))
    _server.append((started, folder))
    yield
    _server.clear()
    asyncio.run(stop(started))
    shutil.rmtree(folder)


@asynccontextmanager
async def _postgres_store() -> AsyncIterator[Store]:
    started, folder = _server[0]
    async with open_database(started.dsn(user=APPLICATION)) as database:
        yield postgres_store(database, Keyring(folder / "keys"), POLICIES, ForgottenLog(folder / "forgotten"))


STORES["postgres"] = _postgres_store


class PostgresLaws(Laws):
    """Each history has a tenant of its own."""

    kind = "postgres"


TestPostgresLaws = PostgresLaws.TestCase
TestPostgresLaws.settings = settings(
    max_examples=5,
    phases=[Phase.explicit, Phase.generate],
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
# Its own histories run in test_laws.py.
del Laws
