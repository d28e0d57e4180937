"""What a page holds: blocks, examples, commands and links."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from typer.main import get_command

from precis.cli import cli

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"`(precis [^`\n]+)`")
#: Where a shell's command ends.
_ENDS = frozenset({"|", ">", "<", "&&", ";"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    #: Where its first line stands on the page.
    line: int


def blocks(text: str) -> list[Block]:
    """Every fenced block of a page, in order."""
    return [
        Block(language=found[1], text=found[2], line=text.count("\n", 0, found.start(2)) + 1)
        for found in _FENCE.finditer(text)
    ]


def examples(text: str) -> Iterator[tuple[Block, str | None]]:
    """Each Python block with what the page says it prints: the block of text that follows it, if one does."""
    found = [*blocks(text), None]
    for block, after in pairwise(found):
        if block is not None and block.language == "python":
            yield block, after.text if after is not None and after.language == "text" else None


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """What the headings of a page may be linked by."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(text)))
    return {heading.strip().replace(" ", "-") for heading in kept}


def is_program(block: Block) -> bool:
    """Whether the block is a whole program, and not a piece to be read with an open ``app``."""
    return "asyncio.run(" in block.text


def commands(text: str) -> list[str]:
    """The commands a page names: in its prose, and as lines of its shell blocks."""
    shell = [block.text for block in blocks(text) if block.language in ("sh", "bash", "console")]
    lines = [line.removeprefix("$ ") for script in shell for line in script.replace("\\\n", " ").splitlines()]
    return [line for line in [*_COMMAND.findall(prose(text)), *lines] if line.startswith("precis ")]


def wrong_with(command: str) -> str | None:
    """What no such verb, sub-verb or option stands for; None when all of it is there."""
    group: Any = get_command(cli)
    found: Any = group
    words = shlex.split(command, comments=True)[1:]
    words = words[: next((at for at, word in enumerate(words) if word in _ENDS), len(words))]
    while hasattr(found, "commands") and words and not words[0].startswith("-"):
        if words[0] == "VERB":
            return None
        if words[0] not in found.commands:
            return words[0]
        found = found.resolve_command(found.make_context("precis", [], resilient_parsing=True), words)[1]
        words = words[1:]
    known = {"--help", *(option for param in found.params for option in (*param.opts, *param.secondary_opts))}
    return next((word for word in words if word.startswith("--") and word.partition("=")[0] not in known), None)


def verbs() -> list[str]:
    """Every verb there is, a verb with sub-verbs once for each: ``precis keys list``."""
    group: Any = get_command(cli)
    context = group.make_context("precis", [], resilient_parsing=True)
    found = []
    for verb in group.commands:
        below = getattr(group.resolve_command(context, [verb])[1], "commands", ())
        found += [f"precis {verb} {one}" for one in below] or [f"precis {verb}"]
    return found


def links(page: Path) -> list[str]:
    """Where a page's links lead."""
    return _LINK.findall(prose(page.read_text(encoding="utf-8")))


def broken(page: Path) -> list[str]:
    """Links of a page to a file or heading that is not there."""
    wrong = []
    for link in links(page):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            wrong.append(link)
    return wrong
