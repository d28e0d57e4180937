"""precis doctor: whether precis can run here, and what to do."""

from __future__ import annotations

import os
from collections import Counter
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from precis.cli.printing import output
from precis.cli.verb import Answer, DataDir, Exit, settings_for, verb
from precis.errors import ConfigurationError
from precis.watch.doctor import (
    Finding,
    State,
    broken,
    check_archive,
    check_database,
    check_disk,
    check_keys,
    check_log,
    check_model,
    check_settings,
    check_versions,
)

_STYLES = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red"}


@verb
async def doctor(
    *,
    model: Annotated[bool, typer.Option("--model", help="Call the model once, too.")] = False,
    data_dir: DataDir = None,
) -> Answer:
    """Look at settings, database, keys, forgotten-log, disk, clock and model; say what to do."""
    findings = [check_versions()]
    try:
        settings = settings_for(data_dir)
    except ConfigurationError as error:
        findings.append(broken("settings", str(error)))
    else:
        database, marks = await check_database(settings)
        is_new = [finding.state for finding in database] == [State.OK]
        findings += [*check_settings(settings, os.environ), *database, check_keys(settings, has_rows=not is_new)]
        findings += [check_log(settings, marks), *check_disk(settings), *check_archive(settings)]
        findings.append(await check_model(settings, call=model))
    counts = Counter(finding.state for finding in findings)
    code = Exit.NO if counts[State.FAIL] else Exit.FINE
    document = {"findings": findings, "warnings": counts[State.WARN], "failed": counts[State.FAIL]}
    return Answer(json=document, words=lambda: _print(findings, counts), code=code)


def _print(findings: list[Finding], counts: Counter[State]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=4)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in findings:
        grid.add_row(Text(finding.state, style=_STYLES[finding.state]), Text(finding.part), Text(finding.message))
    output.print(grid)
    output.print(f"{counts[State.OK]} ok, {counts[State.WARN]} to look at, {counts[State.FAIL]} to mend")
