"""Clusters: same person, same project, same kind of fact, same subject; one paragraph, refreshed in place."""

from precis.checks.trifles import tells_of_nobody
from precis.engine.grouping import Grouping
from precis.engine.policy import Instruction, Policy, Selection, ShareBudget, Trigger
from precis.memory import Tier
from precis.prompts import load


def clusters(*, min_members: int = 3, refresh_after: int = 1, distance: float = 0.76) -> Policy:
    """The policy with these settings; everything else is the document's default."""
    return Policy(
        name="clusters",
        tier=Tier.CLUSTER,
        trigger=Trigger(min_members=min_members, refresh_after=refresh_after),
        select=Selection(passes_over=tells_of_nobody),
        group=Grouping(distance=distance),
        budget=ShareBudget(),
        summarize=Instruction(summary=load("cluster"), segment=load("segment"), merge=load("prefix")),
        now_first=True,
        named=True,
    )
