"""schema.sql, which readers open first, is the schema."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from databases import Scratch, connect

from precis.database.migrate import migrate
from precis.embedded.server import APPLICATION

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "src" / "precis" / "store" / "schema.sql"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/write_schema.py, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("write_schema", ROOT / "scripts" / "write_schema.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Where dataclasses look their annotations up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


async def test_it_is_what_the_script_writes(script: ModuleType, owner_dsn: str) -> None:
    """After a change of the migrations: ``make schema``."""
    assert SCHEMA.read_text(encoding="utf-8") == await script.schema_text(owner_dsn)


async def test_it_makes_the_same_tables(
    script: ModuleType, scratch: Callable[[], Awaitable[Scratch]], owner_dsn: str
) -> None:
    """Run on an empty database, it makes what the migrations make: nothing is left out of it."""
    place = await scratch()
    async with await connect(place.owner) as connection:
        await connection.execute("CREATE EXTENSION vector")
        await connection.execute(SCHEMA.read_text(encoding="utf-8"))
    made = await scratch()
    await migrate(made.owner, app_role=APPLICATION, now=datetime(2026, 1, 5, tzinfo=UTC))
    catalogs = [asdict(await script.read_catalog(dsn)) for dsn in (place.owner, made.owner)]
    one, other = ({part: sorted(map(str, rows)) for part, rows in catalog.items()} for catalog in catalogs)
    assert all(one.values())
    assert one == other


async def test_every_table_is_there_with_a_comment(script: ModuleType, our_tables: list[str]) -> None:
    """All of precis's tables, each with a line on what it is for."""
    text = SCHEMA.read_text(encoding="utf-8")
    for name in our_tables:
        above = text.partition(f"\nCREATE TABLE {name} (")[0].splitlines()
        assert above[-1].startswith("-- "), f"say in the migration what {name} is for"


async def test_comments_follow_their_columns(script: ModuleType) -> None:
    """A comment above a column, also one that a later migration adds, stands above it in the file."""
    first = "-- Pets.\nCREATE TABLE pets (\n    name text,\n    -- In kg,\n    -- at the vet's.\n    weight int\n);\n"
    later = "-- In years.\nALTER TABLE pets ADD COLUMN age int;\n"
    assert script.comments([first, later]) == script.UNSAID | {
        "pets": "Pets.",
        "pets.weight": "In kg, at the vet's.",
        "pets.age": "In years.",
    }
