"""The command line: one file a verb group. A verb's file is read when the verb is used, so that help is quick."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from precis import __version__


@dataclass(frozen=True, kw_only=True, slots=True)
class _Verb:
    """Where a verb is written, and what help says of it."""

    module: str
    #: A function, or a Typer of its own for a verb with sub-verbs.
    name: str
    help: str
    panel: str


_START, _READ, _CARE, _FORGET = "Start here", "Remember and recall", "Look after it", "Forget"
_VERBS = {
    "demo": _Verb(module="demo", name="demo", panel=_START, help="See what precis does, on a conversation it brings."),
    "serve": _Verb(module="serving", name="serve", panel=_START, help="Serve the REST API."),
    "import": _Verb(module="importing", name="import_", panel=_READ, help="Read memories from a file."),
    "recall": _Verb(module="recall", name="recall", panel=_READ, help="Find what matters for a question."),
    "context": _Verb(
        module="context", name="context", panel=_READ, help="Print what an agent should read, within a token budget."
    ),
    "summaries": _Verb(
        module="summaries", name="verbs", panel=_READ, help="List, show, expand, refresh and delete summaries."
    ),
    "views": _Verb(
        module="views", name="verbs", panel=_READ, help="Summaries by group: declare views, run them, read them."
    ),
    "summarize": _Verb(
        module="drafting", name="summarize", panel=_READ, help="Summarize the texts of a file; nothing is stored."
    ),
    "check": _Verb(module="drafting", name="check", panel=_READ, help="Check a summary against its sources."),
    "plan": _Verb(module="plan", name="plan", panel=_CARE, help="Show what is stale, why, and what a refresh takes."),
    "archive": _Verb(
        module="archive", name="archive", panel=_CARE, help="Summarize what is old in batches; let originals go."
    ),
    "rollups": _Verb(
        module="rollups", name="verbs", panel=_CARE, help="Summarize a day, a week or a month now; list them."
    ),
    "zone": _Verb(module="rollups", name="zone", panel=_CARE, help="The time zones of a tenant and its users."),
    "clusters": _Verb(module="clusters", name="verbs", panel=_CARE, help="Figures for tuning the clusters."),
    "costs": _Verb(module="costs", name="costs", panel=_CARE, help="What the models cost, by month and policy."),
    "jobs": _Verb(module="jobs", name="verbs", panel=_CARE, help="What waits, runs and failed; try failed ones again."),
    "embeddings": _Verb(
        module="embeddings",
        name="verbs",
        panel=_CARE,
        help="Vectors after a change of the embedder, and their indexes.",
    ),
    "keys": _Verb(module="keys", name="verbs", panel=_CARE, help="API keys of tenants."),
    "worker": _Verb(module="serving", name="worker", panel=_CARE, help="Keep summaries current, without an API."),
    "migrate": _Verb(module="serving", name="migrate", panel=_CARE, help="Bring a database up to this release."),
    "forget": _Verb(
        module="forgetting",
        name="forget",
        panel=_FORGET,
        help="Forget memories, or all of a user, and print the receipt.",
    ),
    "verify-forgotten": _Verb(
        module="verifying", name="verify_forgotten", panel=_FORGET, help="Look for a word everywhere precis writes."
    ),
}


class _Verbs(TyperGroup):
    """Knows its verbs by name and loads the one that is used."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, verb in _VERBS.items():
            self.commands[name] = TyperCommand(name, help=verb.help, rich_help_panel=verb.panel)

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the table, not of the alphabet."""
        del ctx
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The real command in place of its name."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, _load(str(name)), rest


def _load(name: str) -> Any:
    verb = _VERBS[name]
    written = getattr(import_module(f"{__name__}.{verb.module}"), verb.name)
    if not isinstance(written, typer.Typer):
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name, help=verb.help)(written)
        written = alone
    command = get_command(written)
    command.name = name
    return command


cli = typer.Typer(cls=_Verbs, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the flag
    if wanted:
        typer.echo(f"precis {__version__}")
        raise typer.Exit


@cli.callback()
def _precis(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """precis keeps an agent's memory small, current, honest and forgettable."""


def main() -> None:
    """Entry of the command ``precis``."""
    cli(prog_name="precis")
