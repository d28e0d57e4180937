"""One embedded database for all tests of a process; each test gets a tenant of its own."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from itertools import zip_longest
from pathlib import Path

# What is imported stays: looking through it for garbage takes a quarter of importing it.
gc.disable()

import certifi
import pytest
import pytest_asyncio
from hypothesis import settings

import warm
from precis.app import App
from precis.bootstrap import Runtime, open_runtime
from precis.embedded.server import running
from precis.ids import new_id
from precis.settings import Settings
from precis.testing.temporary import stop_syncing
from rooms import new_folder, share_empty_database, with_database
from servers import SERVER, database_on

# How long an example takes says how busy the machine is, not whether the code is right.
# What a change is judged by is the same in each run; ``make soak`` tries other examples, ``make search`` many more.
settings.register_profile("precis", deadline=None, derandomize=True)
settings.register_profile("others", deadline=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("EXAMPLES", "precis"))
#: Seconds a write or a turn of a test may summarize: what is asked of it is the summary, not that the computer is idle.
UNHURRIED = 120.0
#: Folders whose tests mostly wait for processes, and those that mostly compute; in each the longest files first.
_WAITING, _COMPUTING = ("docs", "acceptance"), ("properties", "edges", "doors", "seeds")


def pytest_configure(config: pytest.Config) -> None:
    """Where several processes share the tests, they share a warm precis, which gets warm while they collect.

    They copy one empty database, too. What they collect stays to the end, so none of them looks for garbage meanwhile.
    """
    is_sharing = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if not hasattr(config, "workerinput"):
        _trust_one_authority(config)
    if is_sharing:
        config.add_cleanup(share_empty_database())
        config.add_cleanup(warm.share())
        gc.freeze()
        gc.enable()


def _trust_one_authority(config: pytest.Config) -> None:
    """Let every HTTP client of the tests and of what they start read one authority in place of all that are known.

    Each client reads them anew, which takes 30 ms, and there are thousands of clients. No test calls a stranger; those
    of TLS name the authority that they trust.
    """
    folder = Path(tempfile.mkdtemp(prefix="precis-authority-"))
    folder.chmod(0o755)
    first, end, _ = Path(certifi.where()).read_text(encoding="utf-8").partition("-----END CERTIFICATE-----\n")
    (folder / "one.pem").write_text(first + end, encoding="utf-8")
    os.environ["SSL_CERT_FILE"] = str(folder / "one.pem")
    config.add_cleanup(lambda: shutil.rmtree(folder))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the tests, files that wait and files that compute take turns; short ones come last.

    So the cores have work while some wait, and none is left alone with a long file at the end.
    """
    if not hasattr(config, "workerinput"):
        return
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [files.pop(path) for folder in _WAITING for path in [*files] if path.parent.name == folder]
    computing = [files.pop(path) for folder in _COMPUTING for path in [*files] if path.parent.name == folder]
    turns = zip_longest(waiting, [*computing, *files.values()], fillvalue=())
    items[:] = [item for turn in turns for file in turn for item in file]


def pytest_collection_finish() -> None:
    """The tests and all that they import stay to the end: no look for garbage passes over them again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _looks_for_garbage() -> Iterator[None]:
    """At the end, while an error of what goes then is still one of a test."""
    yield
    gc.collect()


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
    if SERVER is not None:
        async with database_on(SERVER) as urls:
            settings = Settings(
                data_dir=folder, database_url=urls.serving, database_owner_url=urls.owner, inline_deadline=UNHURRIED,
                conversation_deadline=UNHURRIED,
            )  # fmt: skip
            async with open_runtime(settings) as runtime:
                yield runtime
        return
    async with running(with_database(folder)) as server:
        stop_syncing(server)
        settings = Settings(data_dir=folder, inline_deadline=UNHURRIED, conversation_deadline=UNHURRIED)
        async with open_runtime(settings) as runtime:
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
