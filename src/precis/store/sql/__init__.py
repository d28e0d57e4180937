"""Named queries from the .sql files of this folder. There is no SQL in Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import LiteralString, cast

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
#: A part that several queries have in common stands once, in a file of its own that names no query.
_PART = re.compile(r"\{\{(\w+)\}\}")
_COMMENT = re.compile(r"^--[^\n]*\n", re.MULTILINE)


@cache
def queries(resource: str) -> Mapping[str, LiteralString]:
    """The queries of ``<resource>.sql`` by name, comments included."""
    parts = _NAME.split(_text(resource))[1:]
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


def _text(file: str) -> str:
    text = resources.files(__name__).joinpath(f"{file}.sql").read_text(encoding="utf-8")
    return _PART.sub(lambda match: _COMMENT.sub("", _text(match[1])).strip(), text)
