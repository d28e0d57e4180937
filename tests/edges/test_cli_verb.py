"""``@verb``: what a function takes and answers decides which options its command has, and how it ends."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from precis.app import App
from precis.bootstrap import Runtime
from precis.cli.printing import errors, output
from precis.cli.verb import Answer, DataDir, Exit, Opening, Tenant, group, verb
from precis.errors import DraftFailed, NotFound
from precis.keys.tenants import DEFAULT_TENANT

verbs = group()
Number = Annotated[int, typer.Option(help="How many pears.")]


@verbs.command()
@verb
async def count(*, number: Number = 2, rotten: bool = False, unknown: bool = False) -> Answer:
    """Count pears."""
    if unknown:
        raise NotFound("there are no pears\nat all")
    return Answer(
        json={"pears": number},
        words=lambda: output.print(f"{number} pears"),
        beside_json=lambda: errors.print("more pears: --next"),
        afterwards=lambda: errors.print("counted"),
        failure=DraftFailed("a pear is rotten") if rotten else None,
        code=Exit.NO if number == 0 else Exit.FINE,
    )


@verbs.command()
@verb
async def shake(*, number: Number = 2, data_dir: DataDir = None) -> None:
    """Shake the tree."""
    output.print(f"shaken {number} times over {data_dir}")


@verbs.command()
@verb
async def over_app(app: App, runtime: Runtime, *, number: Number = 2) -> Answer:
    """Take an app."""
    raise NotImplementedError


@verbs.command()
@verb
async def over_runtime(runtime: Runtime, *, tenant: Tenant = DEFAULT_TENANT, number: Number = 2) -> None:
    """Take precis as a whole, and a tenant that need not exist."""
    raise NotImplementedError


@verbs.command()
@verb
async def over_opening(opening: Opening, *, number: Number = 2) -> Answer:
    """Refuse the call before anything is opened."""
    raise typer.BadParameter("too many pears", param_hint="--number")


def options(name: str) -> list[str]:
    """The options of a command, in the order of its help."""
    command = typer.main.get_command(verbs).commands[name]  # type: ignore[attr-defined]
    return [param.opts[0] for param in command.params]


def test_the_options_follow_from_what_is_taken_and_answered() -> None:
    """Those that several verbs take come last, and one that a verb declares stays in its place."""
    assert ["--number", "--rotten", "--unknown", "--json"] == options("count")
    assert ["--number", "--data-dir"] == options("shake")
    assert ["--number", "--tenant", "--data-dir", "--json"] == options("over-app")
    assert ["--tenant", "--number", "--data-dir"] == options("over-runtime")
    assert ["--number", "--tenant", "--data-dir", "--json"] == options("over-opening")


@pytest.mark.parametrize(
    ("arguments", "out", "err", "code"),
    [
        (["count"], "2 pears\n", "counted\n", 0),
        (["count", "--json"], '{\n  "pears": 2\n}\n', "more pears: --next\ncounted\n", 0),
        (["count", "--number", "0"], "0 pears\n", "counted\n", 1),
        (["count", "--rotten"], "2 pears\n", "counted\nprecis: a pear is rotten\n", 3),
        (["count", "--unknown"], "", "precis: there are no pears at all\n", 1),
        (["shake", "--data-dir", "orchard"], "shaken 2 times over orchard\n", "", 0),
    ],
)
def test_an_answer_is_printed_and_ends_the_verb(arguments: list[str], out: str, err: str, code: int) -> None:
    """As words or as one document; then what stderr is told, and the error or the code."""
    done = CliRunner().invoke(verbs, arguments)
    assert (out, err, code) == (done.stdout, done.stderr, done.exit_code)


def test_a_call_may_be_refused_before_anything_is_opened() -> None:
    """As typer refuses it."""
    done = CliRunner().invoke(verbs, ["over-opening", "--data-dir", "/nonexistent/folder"])
    assert done.exit_code == 2
    assert "too many pears" in done.stderr
