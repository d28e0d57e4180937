"""Keys and the forgotten-log in a second database: what every such place promises."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from urllib.parse import quote, urlencode

import psycopg
import pytest
import pytest_asyncio
from databases import Scratch
from psycopg.conninfo import conninfo_to_dict
from shared_places import *  # noqa: F403 - the tests of every place
from shared_places import Place, ring_of

from gates import gate_to
from precis.bootstrap import Runtime
from precis.errors import ConfigurationError, StoreUnavailable
from precis.keys.cipher import encode_key, new_data_key
from precis.keys.elsewhere.objects import SECONDS
from precis.keys.opening import open_keyring, open_objects
from precis.settings import Settings


def as_url(dsn: str) -> str:
    """The same as a URL."""
    parts = conninfo_to_dict(dsn)
    query = urlencode({name: value for name, value in parts.items() if name not in {"user", "dbname"}})
    return f"postgresql://{quote(str(parts['user']))}@/{parts['dbname']}?{query}"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def second_database(scratch: Callable[..., Awaitable[Scratch]]) -> str:
    """Its URL."""
    return as_url((await scratch()).owner)


@pytest.fixture
def place(second_database: str) -> Place:
    """That database, emptied."""
    url = second_database

    def execute(statement: str, *values: object) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement, values)

    execute("DROP TABLE IF EXISTS precis_objects")
    return Place(
        settings={"keys_url": url, "forgotten_url": url, "master_key": encode_key(new_data_key())},
        remove=lambda name: execute("DELETE FROM precis_objects WHERE name = %s", name),
        put=lambda name, body: execute(
            "INSERT INTO precis_objects VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET body = excluded.body",
            name,
            body,
        ),
    )


@pytest.mark.asyncio(loop_scope="session")
async def test_the_database_of_the_memories_is_no_second_one(runtime: Runtime, place: Place) -> None:
    """One backup would hold both. What is no place is refused, too; one that is away is told without its password."""
    with pytest.raises(ConfigurationError, match="holds the memories, too"):
        open_objects(as_url(str(runtime.database.pool.conninfo))).check(erases=False)
    with pytest.raises(ConfigurationError, match="s3://BUCKET"):
        open_objects("/var/keys")
    away = open_objects("postgresql://eve:sesame@127.0.0.1:1/keys")
    with pytest.raises(StoreUnavailable) as told:
        away.names("")
    assert "sesame" not in str(told.value) + away.where


def test_settings_that_name_half_of_it_are_refused(place: Place) -> None:
    """Somebody has to wrap the keys, and they have to lie somewhere."""
    url = place.settings["keys_url"]
    for settings, message in (
        ({"keys_url": url}, "set PRECIS_KEY_PROVIDER"),
        ({"key_provider": "vault"}, "needs PRECIS_KEYS_URL"),
        ({"keys_url": url, "key_provider": "vault"}, "PRECIS_VAULT_URL"),
        ({"keys_url": url, "key_provider": "aws-kms"}, "PRECIS_KMS_KEY"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            open_keyring(Settings(**settings))
    ring_of(place).open_tenant("acme")
    with pytest.raises(ConfigurationError, match="another master key"):
        ring_of(place, master_key=encode_key(new_data_key())).open_tenant("acme")


def test_a_database_that_hangs_is_not_waited_for(place: Place, second_database: str) -> None:
    """The first who asks waits for seconds, the next ones not, and no thread waits for ever; it is found again."""
    parts = conninfo_to_dict(second_database)
    with gate_to(f"{parts['host']}/.s.PGSQL.{parts.get('port') or 5432}") as gate:
        url = f"postgresql://{quote(str(parts['user']))}@127.0.0.1:{gate.port}/{parts['dbname']}"
        ring = ring_of(place, keys_url=url)
        ring.open_tenant("acme")
        threads = threading.active_count()
        for close in (gate.hang, gate.refuse):
            close()
            began = time.monotonic()
            for _ in range(8):
                with pytest.raises(StoreUnavailable, match="the database of the keys"):
                    ring.begin_rotation("acme")
            assert time.monotonic() - began < SECONDS + 2
            gate.open()
            time.sleep(3.5)
            assert threading.active_count() <= threads
            ring.check()
