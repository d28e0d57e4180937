"""The command line: one file a verb group. A verb's file is read when the verb is used, so that help is quick."""

import gc
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from precis import __version__

#: The panels of help with their verbs: the module and the name a verb is written under, and what help says of it. It is
#: a function, or a Typer of its own for a verb with sub-verbs.
_PANELS = {
    "Start here": {
        "demo": ("demo:demo", "See what precis does, on a conversation it brings."),
        "eval": ("evaluation:evaluate_", "Measure summaries of your memories, offline and by a model of yours."),
        "serve": ("serving:serve", "Serve the REST API."),
        "mcp": ("serving:mcp", "Serve one person's memory to an MCP host (Claude, Cursor, ...)."),
    },
    "Remember and recall": {
        "import": ("importing:import_", "Read memories from a file."),
        "export": ("importing:export", "Write everything that is held about a user to a file."),
        "memories": ("memories:verbs", "Add, list, show and edit memories."),
        "recall": ("recall:recall", "Find what matters for a question."),
        "context": ("recall:context", "Print what an agent should read, within a token budget."),
        "summaries": ("summaries:verbs", "List, show, expand, refresh and delete summaries; their history."),
        "views": ("views:verbs", "Summaries by group: declare views, run them, read them."),
        "summarize": ("summarizing:summarize", "Summarize the texts of a file; nothing is stored."),
        "check": ("summarizing:check", "Check a summary against its sources."),
    },
    "Look after it": {
        "plan": ("clusters:plan", "Show what is stale, why, and what a refresh takes."),
        "archive": ("rollups:archive", "Summarize what is old in batches; let originals go."),
        "rollups": ("rollups:verbs", "Summarize a day, a week or a month now; list them."),
        "zone": ("rollups:zone", "The time zones of a tenant and its users."),
        "clusters": ("clusters:verbs", "Figures for tuning the clusters."),
        "costs": ("working:costs", "What the models cost, by month and policy."),
        "jobs": ("working:jobs", "What waits, runs and failed; try failed ones again."),
        "facts": ("working:facts", "Read what was said in conversations for facts now."),
        "embeddings": ("working:embeddings", "Vectors after a change of the embedder, and their indexes."),
        "keys": ("keys:verbs", "API keys of tenants."),
        "worker": ("working:worker", "Keep summaries current, without an API."),
        "doctor": ("databases:doctor", "Check settings, database, keys and the rest; say what to do."),
        "migrate": ("databases:migrate", "Bring a database up to this release, or say what waits."),
        "backup": ("databases:backup", "Copy the embedded database while it serves."),
        "restore": ("databases:restore", "Put such a copy in its place, also as of a moment."),
        "distribute": ("databases:distribute", "Distribute the tables by tenant over a Citus cluster (not released)."),
    },
    "Forget": {
        "forget": ("forgetting:forget", "Forget memories, or all of a user, and print the receipt."),
        "receipts": ("receipts:verbs", "What was forgotten, signed: list, export and verify it."),
        "verify-forgotten": ("forgetting:verify_forgotten", "Look for a word everywhere precis writes."),
    },
}
_VERBS = {name: entry for verbs in _PANELS.values() for name, entry in verbs.items()}


class _Verbs(TyperGroup):
    """Knows its verbs by name and loads the one that is used."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for panel, verbs in _PANELS.items():
            for name, (_, help_) in verbs.items():
                self.commands[name] = TyperCommand(name, help=help_, rich_help_panel=panel)

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order of the table, not of the alphabet."""
        del ctx
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The real command in place of its name."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, _load(str(name)), rest


def _load(name: str) -> Any:
    written, help_ = _VERBS[name]
    module, _, attribute = written.partition(":")
    group = getattr(_read(f"{__name__}.{module}"), attribute)
    if not isinstance(group, typer.Typer):
        function, group = group, typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        group.command(name, help=help_)(function)
    command = get_command(group)
    command.name = name
    return command


def _read(module: str) -> ModuleType:
    """Import what a verb needs. It stays to the end, so Python looks for garbage neither meanwhile nor later in it.

    That was a seventh of the time until a verb begins, and of a server a tenth of a second now and then.
    """
    if module in sys.modules:
        return sys.modules[module]
    gc.disable()
    try:
        return import_module(module)
    finally:
        gc.freeze()
        gc.enable()


cli = typer.Typer(cls=_Verbs, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _print_version(is_given: bool) -> None:  # noqa: FBT001 - typer calls it with the flag
    if is_given:
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
    if os.environ.get("PRECIS_LOG_FORMAT") == "json":
        _main_in_json()
    cli(prog_name="precis")


def _main_in_json() -> None:
    """Run the command where the log is JSON: what is wrong with a call is a line of it, too."""
    printing, logs = import_module(f"{__name__}.printing"), import_module("precis.logs")
    logs.write_logs(logs.LEVELS["warning"], "json")
    try:
        code = cli(prog_name="precis", standalone_mode=False)
    except Exception as error:
        # What typer raises of a wrong call; the class is in another place in each of its releases.
        if not hasattr(error, "format_message"):
            raise
        printing.tell_failure(error.format_message())
        code = getattr(error, "exit_code", 2)
    raise SystemExit(code if isinstance(code, int) else 0)
