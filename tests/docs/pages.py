"""What a page holds: blocks, commands and what they print, programs, files and links.

A fenced block of a page says by its first line what becomes of it:

- ``console``: each line after ``$`` is typed into a shell, and what follows it is what it prints.
- ``python``: a program where it calls ``asyncio.run``, else a piece that runs with an open ``app`` after the pieces
  before it. A ``text`` block behind it is what it prints.
- ``yaml precis.yaml``, or another language with a name: a file in the folder of the reader.
- ``console not run: REASON``, or another language: not run. `test_pages.py` lists these blocks.
- ``json``: a value by itself, which has to be JSON.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from typer.main import get_command

from precis.cli import cli

_FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOT_RUN = "not run: "
#: A page has no indented blocks: nothing would run them.
_INDENTED = re.compile(r"(?<=\n\n)    [^\n]+")
#: A program runs by itself.
_PROGRAM = re.compile(r"asyncio\.run\(|^print\(", re.MULTILINE)
_HERE = re.compile(r"<<'(\w+)'")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"`(precis [^`\n]+)`")
#: Where a shell's command ends.
_ENDS = frozenset({"|", ">", "<", "&&", ";"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A fenced block of a page."""

    language: str
    #: What stands behind the language: the name of a file, or why the block is not run.
    info: str
    text: str
    #: Where its first line stands on the page.
    line: int
    #: Of a Python block, what the page says it prints.
    printed: str | None = None

    @property
    def not_run(self) -> str:
        """Why the block is not run; empty where it is."""
        return self.info.removeprefix(_NOT_RUN) if self.info.startswith(_NOT_RUN) else ""

    @property
    def file(self) -> str:
        """The name under which the reader writes it; empty where it is no file."""
        return "" if self.not_run or self.language == "console" else self.info

    @property
    def is_program(self) -> bool:
        """Whether it is a whole program, and not a piece to be read with an open ``app``."""
        return self.language == "python" and not self.info and _PROGRAM.search(self.text) is not None

    @property
    def is_piece(self) -> bool:
        """Whether it runs with an open ``app``."""
        return self.language == "python" and not self.info and not self.is_program


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """A line that a page types into a shell."""

    text: str
    printed: str
    line: int


def blocks(text: str) -> list[Block]:
    """Every fenced block of a page, in order."""
    fences = [
        Block(language=fence[1], info=fence[2].strip(), text=fence[3], line=text.count("\n", 0, fence.start(3)) + 1)
        for fence in _FENCE.finditer(text)
    ]
    return [
        replace(block, printed=after.text)
        if block.language == "python" and after is not None and after.language == "text"
        else block
        for block, after in zip_longest(fences, fences[1:])
    ]


def typed(block: Block) -> list[Command]:
    """The commands of a console block, each with what the page says it prints."""
    typed_so_far: list[Command] = []
    lines = list(enumerate(block.text.splitlines(), start=block.line))
    while lines:
        number, line = lines.pop(0)
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            while lines and _goes_on(command):
                command += "\n" + lines.pop(0)[1]
            typed_so_far.append(Command(text=command, printed="", line=number))
        elif not typed_so_far:
            raise ValueError(f"line {number}: a console block begins with a command")
        else:
            last = typed_so_far[-1]
            typed_so_far[-1] = replace(last, printed=last.printed + line + "\n")
    return typed_so_far


def _goes_on(command: str) -> bool:
    """Whether the shell waits for another line."""
    here = _HERE.search(command)
    if here:
        return not re.search(rf"^{here[1]}$", command, re.MULTILINE)
    if command.endswith("\\"):
        return True
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return True
    return False


def indented(text: str) -> list[str]:
    """Blocks that are set apart by blanks and not by a fence."""
    return _INDENTED.findall(prose(text))


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """What the headings of a page may be linked by."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(text)))
    return {heading.strip().replace(" ", "-") for heading in kept}


def commands(text: str) -> list[str]:
    """The commands of precis that a page names: in its prose, and in its console blocks."""
    consoles = [block for block in blocks(text) if block.language == "console"]
    lines = [command.text.replace("\\\n", " ") for block in consoles for command in typed(block)]
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
