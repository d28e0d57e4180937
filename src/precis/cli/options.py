"""Options that several verbs take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from precis.store.tenants import DEFAULT_TENANT

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where the database and the keys lie; else PRECIS_DATA_DIR, else .precis."),
]
Tenant = Annotated[str, typer.Option("--tenant", help="Whose memories.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout and nothing else.")]
User = Annotated[str | None, typer.Option("--user-id", help="Only what belongs to this user.")]

__all__ = ["DEFAULT_TENANT", "DataDir", "Json", "Tenant", "User"]
