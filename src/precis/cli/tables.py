"""Tables, as wide as the terminal: no word is ever broken; where the columns do not fit, each row is a paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from precis.cli.printing import output


def table(title: str, *columns: str, right: Sequence[str] = (), unbroken: Sequence[str] = ()) -> Table:
    """An empty table; the columns named in ``right`` hold figures, those in ``whole`` stay on one line."""
    empty = Table(title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False)
    for column in columns:
        on_one_line = column in unbroken or column in right
        empty.add_column(column, justify="right" if column in right else "left", overflow="fold", no_wrap=on_one_line)
    return empty


def print_table(filled: Table) -> None:
    """Print it on stdout, side by side where every cell fits on its line, else row by row."""
    needed = Measurement.get(output, output.options.update(max_width=10_000), filled).maximum
    output.print(filled if needed <= output.width else _paragraphs(filled))


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
