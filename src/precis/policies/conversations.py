"""Conversations (SPEC S4): the messages that left the context, as statements; extended as more of them leave."""

from __future__ import annotations

from precis.checks import Thresholds
from precis.engine.grouping import Grouping, Selection, Trigger
from precis.engine.policy import Budget, Instruction, Originals, Policy
from precis.engine.segments import Shape
from precis.makers import Aim
from precis.memory import MemoryType, Tier
from precis.prompts import load

#: ``metadata.kind`` of a message, by which every other policy passes it over.
TURN = "turn"


def conversations(*, summary_tokens: int = 800, model: str | None = None, title_model: str | None = None) -> Policy:
    """The policy with these settings."""
    return Policy(
        name="conversations",
        tier=Tier.CONVERSATION,
        trigger=Trigger(min_members=1),
        select=Selection(memory_types=frozenset({MemoryType.MESSAGE}), without=frozenset(), without_kinds=frozenset()),
        group=Grouping(),
        # Long stretches condensed once and merged without loss keep more of the beginning than short ones condensed at
        # every level: benchmarks/extensions.py.
        shape=Shape(segment_tokens=2000, segment_limit=4000, small_tokens=3000, fan=16, fan_limit=32),
        budget=Budget(
            prompt_tokens=10_000,
            item_tokens=2_000,
            summary_tokens=summary_tokens,
            segment_share=0.12,
            merge_share=1.0,
            node_tokens=4 * summary_tokens,
        ),
        summarize=Instruction(
            summary=load("conversation"),
            segment=load("segment"),
            merge=load("prefix"),
            model=model,
            aim=Aim.FACTS,
            title=load("title"),
            title_model=title_model,
        ),
        checks=Thresholds(),
        originals=Originals.KEEP,
        splits=True,
    )
