"""Free prose is checked sentence by sentence, keeps its layout, and loses what the memories do not bear out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from precis.engine.drafted import MadeNode
from precis.engine.node import DraftRejected, Makers, write_prose
from precis.engine.plan import plan_over
from precis.engine.segments import Kind, Leaf, node
from precis.makers import Item, Usage
from precis.policies.views import views
from precis.summary import Statement
from precis.testing.fakes import Quoting, count_words

TEXTS = ("Ana drinks green tea every morning.", "Ana plays the cello in Lisbon.", "Ana sold 3 bicycles.")
POLICY = replace(views(), summarize=replace(views().summarize, summary="Write a portrait.", prose=True))
AT = datetime(2026, 1, 5, tzinfo=UTC)


def companion() -> MadeNode:
    """What stands behind the prose."""
    leaves = [
        Leaf(id=f"m{n}", created_at=AT, fingerprint=n.to_bytes(16), tokens=len(text.split()))
        for n, text in enumerate(TEXTS, start=1)
    ]
    statements = (Statement(text=TEXTS[0], importance=0.5, source_ids=("m1",)),)
    return MadeNode(
        node=node(Kind.ROOT, leaves), statements=statements, definition="d", made_by="extractive@2", fallback=False,
        quality=1.0, tokens=6, usage=Usage(),
    )  # fmt: skip


async def written(*lines: str) -> MadeNode:
    """What becomes of a text of these lines."""
    model, behind = Quoting("model@1"), companion()
    model.says = lines
    items = [Item(text=text, source_ids=(f"m{n}",), created_at=AT) for n, text in enumerate(TEXTS, start=1)]
    plan = plan_over(POLICY, behind.node.leaves(), tenant_id="t", group_id="g")
    makers = Makers(summarizer=model, fallback=model, count=count_words)
    return await write_prose(behind, items, plan=plan, makers=makers)


async def test_it_keeps_its_lines_and_its_companion() -> None:
    """Bullets, blank lines and headings as they were written; the statements as they were."""
    lines = ("# Ana", "", "Habits:", "- Ana drinks green tea every morning.", "", "- Ana plays the cello in Lisbon.")
    made = await written(*lines)
    assert "\n".join(lines) == made.prose
    assert made.statements == companion().statements
    assert (made.made_by, made.usage.calls) == ("model@1", 1)


@pytest.mark.parametrize(
    "wrong",
    [
        "Reginald drinks green tea every morning.",
        "Ana sold 30 bicycles.",
        "Ana plays the cello in Paris.",
        "Ana does not play the cello in Lisbon.",
        "Paris:",
        "# 47 llamas",
    ],
)
async def test_a_line_that_nothing_bears_out_is_left_out(wrong: str) -> None:
    """Names, numbers and negations must stand in a memory, in headings too."""
    made = await written(TEXTS[0], wrong, TEXTS[1], TEXTS[2])
    assert made.prose == "\n".join((TEXTS[0], TEXTS[1], TEXTS[2]))


async def test_a_sentence_goes_without_its_line() -> None:
    """The rest of a paragraph stays."""
    made = await written(f"{TEXTS[0]} Reginald owns 47 llamas. {TEXTS[2]}", TEXTS[1])
    assert made.prose == f"{TEXTS[0]} {TEXTS[2]}\n{TEXTS[1]}"


async def test_a_text_of_little_else_is_rejected() -> None:
    """Most of it invented, or nothing at all."""
    with pytest.raises(DraftRejected):
        await written("Reginald owns 47 llamas.", "Zora left for Paris in 1999.", TEXTS[0])
    with pytest.raises(DraftRejected):
        await written("Zora left for Paris in 1999.")


async def test_a_sentence_is_said_once() -> None:
    """Three thousand times over, in lines of its own or in one, it is still one sentence; headings stay."""
    said = "Ana plays the cello in Lisbon."
    made = await written("# Ana", *[f"- {said}"] * 1_000, " ".join([said] * 2_000), "# Ana", TEXTS[0])
    assert ["# Ana", f"- {said}", "# Ana", TEXTS[0]] == (made.prose or "").splitlines()


async def test_a_text_far_over_the_limit_is_rejected() -> None:
    """What the policy allows binds prose, too."""
    limit = POLICY.budget.for_kind(Kind.ROOT, sum(count_words(text) for text in TEXTS))
    many = [f"Ana plays {'the ' * n}cello in Lisbon." for n in range(1, limit)]
    with pytest.raises(DraftRejected, match="too_long"):
        await written(*many)
