"""Named queries from the .sql files of this folder. There is no SQL in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import LiteralString, cast

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


@cache
def queries(resource: str) -> Mapping[str, LiteralString]:
    """The queries of ``<resource>.sql`` by name, comments included."""
    text = resources.files(__name__).joinpath(f"{resource}.sql").read_text(encoding="utf-8")
    parts = _NAME.split(text)[1:]
    bodies = (cast("LiteralString", body.strip().rstrip(";")) for body in parts[1::2])
    return dict(zip(parts[::2], bodies, strict=True))


def every_query() -> dict[str, LiteralString]:
    """All of them as ``resource.name``: what the tests prepare against the schema."""
    files = [f.name for f in resources.files(__name__).iterdir() if f.name.endswith(".sql")]
    return {
        f"{name.removesuffix('.sql')}.{query}": body
        for name in sorted(files)
        for query, body in queries(name.removesuffix(".sql")).items()
    }
