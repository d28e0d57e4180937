"""precis costs."""

from __future__ import annotations

from pathlib import Path

from precis.cli.options import DEFAULT_TENANT, DataDir, Json, Tenant
from precis.cli.printing import output, write_json
from precis.cli.running import opened_app, run
from precis.cli.tables import print_table, table
from precis.rest.answers import CostAnswer, CostBody


def costs(*, tenant: Tenant = DEFAULT_TENANT, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print what the models cost."""
    run(_costs(tenant, data_dir, as_json=as_json))


async def _costs(tenant: str, data_dir: Path | None, *, as_json: bool) -> None:
    async with opened_app(data_dir, tenant) as (runtime, app):
        rows = [CostBody.model_validate(one, from_attributes=True) for one in await app.costs.spending()]
        ceiling = runtime.settings.monthly_ceiling
    if as_json:
        write_json(CostAnswer(costs=rows, monthly_ceiling=ceiling))
        return
    if not rows:
        output.print("No model was called yet: nothing was spent.")
    else:
        figures = ("calls", "tokens in", "tokens out", "US$")
        made = table("Spend", "month", "policy", *figures, right=figures)
        for row in rows:
            made.add_row(
                row.month.strftime("%Y-%m"), row.policy, f"{row.calls:,}", f"{row.tokens_in:,}",
                f"{row.tokens_out:,}", f"{row.cost:.4f}",
            )  # fmt: skip
        print_table(made)
    output.print(f"Monthly ceiling: {'none' if ceiling is None else f'US$ {ceiling:.2f}'}", style="dim")
