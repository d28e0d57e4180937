"""Summary views: memories that pass a view's filters, by the fields it groups by; a result a partition."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from precis.engine import policy
from precis.memory import Memory, Tier
from precis.prompts import load
from precis.view import View

VIEWS = "views"
#: How often the partitions of a continuous view are looked at, unless the settings say otherwise.
EVERY = timedelta(minutes=60)
#: Tokens of memories in one prompt, where the model reads as many: what does not fit is read in segments.
PROMPT_TOKENS = policy.Budget().prompt_tokens


def views(*, model: str | None = None, every: timedelta = EVERY, prompt_tokens: int = PROMPT_TOKENS) -> policy.Policy:
    """The policy with these settings; a view's own prompt and model take the place of its prompt and ``model``."""
    return policy.Policy(
        name=VIEWS,
        tier=Tier.VIEW,
        trigger=policy.Trigger(min_members=1, refresh_after=1, every=every),
        # Its filters alone decide: a question or small talk that passes them is counted as read.
        select=policy.Selection(without=frozenset(), without_kinds=frozenset()),
        budget=policy.ShareBudget(
            summary_tokens=350,
            prompt_tokens=prompt_tokens,
            item_tokens=min(policy.Budget().item_tokens, prompt_tokens // 2),
        ),
        summarize=policy.Instruction(summary=load("view"), segment=load("segment"), merge=load("prefix"), model=model),
        place=placer(every),
    )


def placer(every: timedelta) -> policy.Placer:
    """Places a memory in one partition of each view that takes it; those of continuous views fall due at a tick."""

    def place(memory: Memory, placing: policy.Placing) -> Sequence[policy.Place]:
        taken = [view for view in placing.views if view.takes(memory)]
        places = [place_in(view, memory, now=placing.now, every=every) for view in taken]
        return [place for place in places if place is not None]

    return place


def place_in(view: View, memory: Memory, *, now: datetime, every: timedelta = EVERY) -> policy.Place | None:
    """Where a memory that passes the view's filters belongs; None outside the window or without a field."""
    labels = view.partition(memory)
    if labels is None or not view.within(memory.created_at, now):
        return None
    return replace(
        place_of(view, labels),
        due_at=policy.Trigger(every=every).tick(now) if view.continuous else None,
        leaves_at=memory.created_at + view.window if view.window is not None else None,
    )


def place_of(view: View, labels: Mapping[str, str]) -> policy.Place:
    """The partition of these values."""
    return policy.Place(
        policy=VIEWS, name=view.place_name(labels), user_id=view.user_of(labels), labels=labels, view_id=view.id
    )
