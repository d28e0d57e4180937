"""Object storage and key services over their own clients: ``make machines`` runs these in an environment of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import boto3
import pytest
import pytest_asyncio
from moto.server import ThreadedMotoServer
from psycopg import sql
from psycopg.conninfo import make_conninfo

from precis.embedded import server as embedded
from precis.embedded.server import APPLICATION
from precis.ids import new_id

sys.path.append(str(Path(__file__).parents[1] / "sql"))
# Of nobody; and the calls of a test go to moto.
os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
os.environ |= {"AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="session")
def aws() -> Iterator[str]:
    """S3 and KMS of this computer, and where they are."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ["AWS_ENDPOINT_URL"] = f"http://{host}:{port}"
    yield os.environ["AWS_ENDPOINT_URL"]
    server.stop()


@pytest.fixture
def bucket(aws: str) -> str:
    """An empty one."""
    name = f"precis-{new_id()}"
    boto3.client("s3").create_bucket(Bucket=name)
    return name


@pytest.fixture(scope="session")
def kms_key(aws: str) -> str:
    """A symmetric key."""
    return str(boto3.client("kms").create_key()["KeyMetadata"]["Arn"])


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def scratch(runtime: object, rooms_folder: Path) -> AsyncIterator[Callable[..., Awaitable[object]]]:
    """Makes empty databases beside the shared one."""
    from databases import Scratch, connect  # noqa: PLC0415 - of the folder named above

    async with embedded.running(rooms_folder / "shared") as server:

        async def make() -> Scratch:
            name = f"scratch_{new_id().replace('-', '')}"
            async with await connect(server.owner_dsn) as owner:
                await owner.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
            serving = make_conninfo(server.owner_dsn, dbname=name, user=APPLICATION)
            return Scratch(owner=make_conninfo(server.owner_dsn, dbname=name), serving=serving)

        yield make
