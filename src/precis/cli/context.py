"""precis context."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from precis.app.context import FEWEST_TOKENS, MOST_TOKENS
from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant, User
from precis.cli.printing import errors, output, plain, write_json
from precis.cli.running import opened_app, run
from precis.memory import Tier
from precis.recall.assembly import Context, Quotas, Section
from precis.rest.answers import ContextAnswer


def context(
    query: Annotated[str, typer.Argument(help="What the context is for, in your own words.")],
    *,
    user_id: User = None,
    token_budget: Annotated[int, typer.Option(min=FEWEST_TOKENS, max=MOST_TOKENS, help="Tokens it may take.")] = 1000,
    quota: Annotated[
        list[str] | None,
        typer.Option(
            help="Largest share of the budget for a part or a tier: summaries=0.4, month=0.1; may be repeated."
        ),
    ] = None,
    tenant: Tenant = DEFAULT_TENANT,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what an agent should read before it answers: the best lines that fit a token budget."""
    run(_context(query, user_id, token_budget, _quotas(quota or []), tenant, data_dir, as_json=as_json))


async def _context(
    query: str, user_id: str | None, budget: int, quotas: Quotas, tenant: str, data_dir: Path | None, *, as_json: bool
) -> None:
    async with opened_app(data_dir, tenant) as (_, app):
        made = await app.context.assemble(query, token_budget=budget, quotas=quotas, user_id=user_id)
    if as_json:
        write_json(ContextAnswer.of(made, budget))
    else:
        _print(made, budget)


def _quotas(given: list[str]) -> Quotas:
    """The shares by name. Raises typer.BadParameter."""
    parts: dict[str, float] = {}
    tiers: dict[Tier, float] = {}
    for one in given:
        name, _, number = one.partition("=")
        try:
            share = float(number)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1 or name not in (*Section, *Tier):
            names = ", ".join((*Section, *Tier))
            message = f"{one!r}: give a name and a share from 0 to 1, such as month=0.1; names are {names}"
            raise typer.BadParameter(message, param_hint="--quota")
        if name in tuple(Tier):
            tiers[Tier(name)] = share
        else:
            parts[name] = share
    return Quotas(**parts, tiers=tiers)


def _print(made: Context, budget: int) -> None:
    """The text on stdout, and what it is made of beside it."""
    output.print(plain(made.text or "Nothing here matches."), soft_wrap=True)
    left = ", ".join(f"{number} {section}" for section, number in made.left_out.items() if number)
    said = f"{made.tokens} of {budget} tokens; left out: {left or 'nothing'}; already said: {made.already_said}"
    errors.print(plain(said, "dim"), soft_wrap=True)
    for line in made.lines:
        errors.print(plain(f"[{line.number}] {line.piece.id}", "dim"), soft_wrap=True)
