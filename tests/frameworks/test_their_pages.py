"""The pages of these doors: what they show is run as a reader runs it, and prints what they say."""

from __future__ import annotations

import ast
import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable
from pathlib import Path
from shutil import rmtree
from types import CodeType, FunctionType
from typing import Any

import pytest

from precis.app import App
from rooms import new_folder, with_database

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "docs"))

from pages import blocks  # noqa: E402 - it lies beside the tests of the other pages

pytestmark = pytest.mark.asyncio(loop_scope="session")
_RUN_HERE = "`make doors` runs it"
_LIMIT_S = 300.0


@pytest.mark.parametrize("page", ["adk", "autogen", "crewai", "llama_index"])
async def test_a_page_does_what_it_shows(page: str, app: App) -> None:
    """A program runs by itself in a fresh folder; a piece behind it with an open app."""
    name = {"adk": "google-adk"}.get(page, page.replace("_", "-"))
    text = (ROOT / "docs" / "howto" / f"{name}.md").read_text(encoding="utf-8")
    program, *pieces = [block for block in blocks(text) if block.language == "python"]
    assert program.not_run.endswith(_RUN_HERE)
    assert program.printed is not None
    assert await _printed_by(program.text) == program.printed
    names: dict[str, Any] = {"app": app, "__name__": "page"}
    for piece in pieces:
        assert piece.not_run.endswith(_RUN_HERE)
        code = compile("\n" * (piece.line - 1) + piece.text, f"{name}.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        running = _called(code, names)
        if running is not None:
            await running


async def _printed_by(program: str) -> str:
    folder = new_folder()
    with_database(folder / ".precis")
    try:
        running = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, cwd=folder, stdout=PIPE, stderr=PIPE
        )
        printed, errors = await asyncio.wait_for(running.communicate(), timeout=_LIMIT_S)
    finally:
        rmtree(folder, ignore_errors=True)
    assert running.returncode == 0, errors.decode()
    return printed.decode()


def _called(code: CodeType, names: dict[str, Any]) -> Awaitable[None] | None:
    awaitable: Awaitable[None] | None = FunctionType(code, names)()
    return awaitable
