"""The verbs users call, one file a resource."""

from __future__ import annotations

from dataclasses import dataclass

from precis.app.costs import Costs
from precis.app.jobs import Jobs
from precis.app.memories import Memories
from precis.app.parts import Parts
from precis.app.recall import Recall
from precis.app.summaries import Summaries


@dataclass(frozen=True, kw_only=True)
class App:
    """precis for one tenant: a value with attributes, not methods."""

    parts: Parts
    memories: Memories
    summaries: Summaries
    recall: Recall
    costs: Costs
    jobs: Jobs


def app_over(parts: Parts) -> App:
    """The app over these parts."""
    return App(
        parts=parts,
        memories=Memories(parts),
        summaries=Summaries(parts),
        recall=Recall(parts),
        costs=Costs(parts),
        jobs=Jobs(parts),
    )
