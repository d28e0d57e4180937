"""What verbs print: answers on stdout, everything else on stderr.

Tables are as wide as the terminal: no word is ever broken; where the columns do not fit, each row is a paragraph.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import zip_longest
from typing import Any

import orjson
from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from precis.app.in_words.answers import Confirmed
from precis.engine.forgetting import Receipt
from precis.language.written.markdown import visible
from precis.logs import tells_in_json
from precis.memory import Memory
from precis.summary import Counts
from precis.trust import RELAYED


class _Terminal(Console):
    """Leaves it to the verb to end once nobody reads what it prints, and prints nothing of a text that is not seen.

    What drives a terminal or turns letters around in a stored text goes nowhere; precis's own colors stay.
    """

    def render(self, *args: Any, **kwargs: Any) -> Iterator[Segment]:
        """The same, each piece of text as a person sees it."""
        for segment in super().render(*args, **kwargs):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Let the error through; rich would end the process itself, as one that failed."""
        raise BrokenPipeError


output = _Terminal(highlight=False)
errors = _Terminal(stderr=True, highlight=False)


def tell(message: str, event: str, **fields: str) -> None:
    """Say on stderr what goes on: words, or where the log is JSON a line of it."""
    if not tells_in_json(event, "info", **fields):
        _print(message, style="dim")


def tell_failure(message: str) -> None:
    """Say on stderr why a verb ends."""
    if not tells_in_json("failed", "error", error=message):
        _print(f"precis: {message}", style="red")


def _print(message: str, style: str) -> None:
    # The terminal may be gone, which is no reason to end in disorder.
    with suppress(OSError):
        errors.print(message, style=style, markup=False, highlight=False, soft_wrap=True)


def write_json(value: Any) -> None:
    """One JSON document on stdout; what its encoding has no letter for is written as an escape."""
    document = escaped(orjson.dumps(value, default=_plain, option=orjson.OPT_INDENT_2).decode())
    try:
        document.encode(getattr(output.file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        document = json.dumps(json.loads(document), indent=2)
    output.file.write(document + "\n")


#: What JSON may hold as it stands, although it drives a terminal or turns letters around in it.
_RAW = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def escaped(document: str) -> str:
    """The same JSON, with such characters written as escapes."""
    return _RAW.sub(lambda character: f"\\u{ord(character.group()):04x}", document)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | frozenset | set):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def progress() -> Progress:
    """A bar on stderr, shown to somebody who watches."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        disable=not errors.is_terminal,
        transient=True,
    )


def day(at: datetime) -> str:
    """A date as people read it."""
    return at.date().isoformat()


def citation(memory: Memory) -> str:
    """Where a statement comes from: [2026-02-02 Mara s01-05]; and whether it came from outside."""
    relayed = f"from a {memory.source_class}" if memory.source_class in RELAYED else None
    return " ".join(filter(None, ("[" + day(memory.created_at), relayed, memory.speaker, memory.id))) + "]"


def subject_of(type_: str | None, key: str | None, person: str | None = None, title: str | None = None) -> str:
    """What a cluster is about, in words: its title where it has one."""
    if title:
        return title
    return " · ".join(part for part in (person, key, type_) if part) or "no subject"


def plain(text: str, style: str = "") -> Text:
    """Text of a memory: never read as markup."""
    return Text(text, style=style)


def print_dim(text: str) -> None:
    """A line that says more of what stands above it."""
    output.print(plain(text, "dim"), soft_wrap=True)


def print_hanging(mark: str, text: str, cited: str = "") -> None:
    """A text behind its mark, however many lines it takes, and where it comes from."""
    lines = Text.assemble(text, " ", (cited, "dim")).wrap(output, max(20, output.width - len(mark)))
    for number, line in enumerate(lines):
        line.rstrip()
        output.print(" " * len(mark) if number else mark, line, sep="", markup=False)


def print_more(cursor: str | None, console: Console = output) -> None:
    """Where the next page begins, if there is one."""
    if cursor:
        console.print(f"More: --cursor {cursor}", style="dim", soft_wrap=True)


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def counts_line(counts: Counts) -> str:
    """What became of the sources, in words: ``3 of 5 cited, set aside: 1 small talk, 1 left out``."""
    aside = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in counts.set_aside.items())
    parts = [f"{counts.represented} of {counts.total} cited", f"set aside: {aside}" if aside else ""]
    parts += [f"{counts.left_out} left out" if counts.left_out else ""]
    parts += [f"{counts.capped} read in part" if counts.capped else ""]
    return ", ".join(filter(None, parts))


def print_receipt(receipt: Receipt) -> None:
    """What a forget did, in words."""
    output.print(
        f"Forgotten: {counted(len(receipt.forgotten), 'memory', 'memories')} ({_some(receipt.forgotten)})",
        soft_wrap=True,
    )
    if isinstance(receipt, Confirmed):
        _print_confirmed(receipt)
    if receipt.not_found:
        output.print(f"Not found: {_some(receipt.not_found)}", soft_wrap=True, style="yellow")
    output.print(
        f"Statements removed: {receipt.statements_removed}; cached parts of summaries removed: "
        f"{receipt.segments_removed}"
    )
    for summary in receipt.summaries:
        removed = summary.statements_removed
        untouched = "it had read them; none of its statements rested on them"
        without = f"without {counted(removed, 'statement')}" if removed else untouched
        output.print(f"Summary {summary.id}: {summary.state}, {without}")
    if receipt.refreshes_queued:
        output.print(f"Being derived anew without them: {counted(len(receipt.refreshes_queued), 'cluster')}")
    if receipt.key_destroyed:
        output.print("The user's key is destroyed: old copies of the database do not open.")
    for store in receipt.external:
        output.print(f"Outside precis: {store.where}: {store.state}")
    place = f"number {receipt.number}, " if receipt.number is not None else ""
    output.print(f"Receipt {receipt.id}, {place}{receipt.at.isoformat(timespec='seconds')}", style="dim")


def _print_confirmed(receipt: Confirmed) -> None:
    """What only the receipt of a request in words says."""
    if receipt.edited:
        output.print(f"A part of them went, the rest stays: {_some(receipt.edited)}", soft_wrap=True)
    if receipt.changed:
        output.print(f"Edited since, and left alone: {_some(receipt.changed)}", soft_wrap=True, style="yellow")
    if receipt.gone:
        output.print(f"Forgotten since by somebody else: {counted(receipt.gone, 'memory', 'memories')}")
    if receipt.doubtful:
        output.print(f"In doubt, and left alone: {_some(receipt.doubtful)}", soft_wrap=True)


def _some(ids: Sequence[str], shown: int = 5) -> str:
    more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
    return ", ".join(ids[:shown]) + more if ids else "none"


def table(
    title: str,
    *columns: str,
    rows: Iterable[Sequence[RenderableType]] = (),
    right: Sequence[str] = (),
    unbroken: Sequence[str] = (),
) -> Table:
    """A table; the columns named in ``right`` hold figures, those in ``unbroken`` stay on one line."""
    filled = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False)
    for column in columns:
        on_one_line = column in unbroken or column in right
        filled.add_column(column, justify="right" if column in right else "left", overflow="fold", no_wrap=on_one_line)
    for cells in rows:
        filled.add_row(*cells)
    return filled


def print_table(filled: Table) -> None:
    """Print it on stdout, side by side where every cell fits on its line, else row by row."""
    width = Measurement.get(output, output.options.update(max_width=10_000), filled).maximum
    if width > output.width:
        output.print(_paragraphs(filled))
    else:
        print_grid(filled)


def print_grid(filled: Table) -> None:
    """Print it on stdout side by side, in a pipe without the blanks at the ends of its lines."""
    if output.is_terminal:
        output.print(filled)
        return
    with output.capture() as captured:
        output.print(filled)
    output.print("\n".join(map(str.rstrip, captured.get().splitlines())), markup=False, soft_wrap=True)


def _paragraphs(filled: Table) -> Group:
    """Each row as lines of `column: value`; a long word is broken by nobody but the terminal."""
    headers = [str(column.header) for column in filled.columns]
    rows = zip_longest(*(column.cells for column in filled.columns), fillvalue="")
    parts: list[RenderableType] = [Text(str(filled.title or ""), style="bold")]
    for row in rows:
        parts += [_line(header, cell) for header, cell in zip(headers, row, strict=True)]
        parts.append(Text(""))
    return Group(*parts)


def _line(header: str, cell: RenderableType) -> Text:
    value = cell if isinstance(cell, Text) else Text.from_markup(str(cell))
    line = Text.assemble((f"{header}: " if header else "", "dim"), value)
    line.no_wrap, line.overflow = False, "fold"
    return line
