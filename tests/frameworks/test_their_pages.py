"""The pages of these doors: every piece of them runs, one after the other, with an open app."""

from __future__ import annotations

import ast
import sys
from collections.abc import Awaitable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from precis.app import App

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "docs"))

from pages import blocks  # noqa: E402 - it lies beside the tests of the other pages

pytestmark = pytest.mark.asyncio(loop_scope="session")
_RUN_HERE = "`make doors` runs it"


@pytest.mark.parametrize("page", ["adk", "autogen", "crewai", "llama_index"])
async def test_a_page_does_what_it_shows(page: str, app: App) -> None:
    """As `tests/docs` does it for the pages whose packages are there."""
    name = {"adk": "google-adk"}.get(page, page.replace("_", "-"))
    text = (ROOT / "docs" / "howto" / f"{name}.md").read_text(encoding="utf-8")
    pieces = [block for block in blocks(text) if block.language == "python"]
    assert pieces
    names: dict[str, Any] = {"app": app, "__name__": "page"}
    for piece in pieces:
        assert piece.not_run.endswith(_RUN_HERE)
        code = compile("\n" * (piece.line - 1) + piece.text, f"{name}.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = _called(code, names)
        if running is not None:
            await running


def _called(code: CodeType, names: dict[str, Any]) -> Awaitable[None] | None:
    awaitable: Awaitable[None] | None = FunctionType(code, names)()
    return awaitable
