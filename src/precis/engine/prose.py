"""Free prose and titles: what a summary says besides its statements, where its policy or its view asks for it.

Prose is checked sentence by sentence, with statements as its companion. It rests on everything it was written from, so
forgetting any of that withdraws it; the statements stay, each with its own sources, and are served in its place until
it is written anew. A title is made of the statements, and checked against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.checks import Checked, check
from precis.engine.commit import MadeNode
from precis.engine.node import DraftRejected, Makers, judged, request_for
from precis.engine.plan import Plan
from precis.engine.repeating import alike
from precis.engine.titles import title_of
from precis.errors import DraftFailed, NoSlot
from precis.language.sentences import sentences
from precis.language.visible import disarmed
from precis.makers import DraftStatement, Item, Request

#: A line of so few words that ends in a colon, or is marked as one, is a heading.
_HEADING = 8
#: What may be found against a heading: its words need stand in no memory, its names and numbers must.
_HARMLESS = frozenset({"unknown_word", "unsupported"})
#: How far over its limit prose may be: nobody can count tokens while writing.
_OVER = 1.5
#: Tokens of a title.
_TITLE = 24


async def write_prose(companion: MadeNode, items: Sequence[Item], *, plan: Plan, makers: Makers) -> MadeNode:
    """The companion with prose by the summarizer. Raises DraftRejected, or DraftFailed from the summarizer.

    Sentences that the items do not bear out are left out; with too many of them the whole draft is rejected. So is one
    that is far over the policy's limit, its repetitions not counted.
    """
    request, capped = request_for(items, companion.node, plan=plan, count=makers.count)
    answer = await makers.summarizer.summarize(request)
    lines = [sentences(line) for line in disarmed(answer.prose or "").splitlines()]
    every = tuple(range(len(request.items)))
    claims = tuple(
        DraftStatement(text=_unmarked(text), importance=0.5, sources=every) for line in lines for text in line
    )
    checked, judging = await judged(
        replace(answer, statements=claims), request, makers.judge, thresholds=plan.policy.checks
    )
    usage = answer.usage + judging
    text = "\n".join(" ".join(line) for line in _once(_kept(checked, lines))).strip()
    if not checked.passed or not text:
        raise DraftRejected(checked, usage)
    if makers.count(text) > request.max_tokens * _OVER:
        # Cut short, it would not say what it leaves out.
        raise DraftRejected(replace(checked, passed=False, reasons=("too_long",)), usage)
    return replace(companion, prose=text, made_by=answer.made_by, quality=checked.score, usage=usage, capped=capped)


def _kept(checked: Checked, lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines without what was dropped or is out of date; a line of which nothing is left is not one."""
    current = iter(checked.statements)
    verdicts = iter(checked.verdicts)
    kept = []
    for line in lines:
        texts = []
        for text in line:
            verdict = next(verdicts)
            holds = verdict.kept and next(current).superseded_by is None
            if holds or (_is_heading(text) and _HARMLESS.issuperset(verdict.reasons)):
                texts.append(text)
        if texts or not line:
            kept.append(texts)
    return kept


def _once(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each sentence where it stands first; a heading may come again, and so may an empty line."""
    first: dict[str, tuple[int, int]] = {}
    for at, line in enumerate(lines):
        for number, text in enumerate(line):
            first.setdefault(alike(_unmarked(text)), (at, number))
    kept = [
        [text for number, text in enumerate(line) if _is_heading(text) or first[alike(_unmarked(text))] == (at, number)]
        for at, line in enumerate(lines)
    ]
    return [line for line, before in zip(kept, lines, strict=True) if line or not before]


def _unmarked(text: str) -> str:
    """A sentence without the sign of its bullet or heading."""
    return text.lstrip("-*\u2022# ")


def _is_heading(text: str) -> bool:
    marked = text.startswith(("#", "**")) or text.endswith(":")
    return marked and len(text.split()) <= _HEADING


async def titled(root: MadeNode, plan: Plan, makers: Makers) -> MadeNode:
    """The root with a title made of what it says; without a model, of its noun phrases."""
    if plan.policy.summarize.title is None:
        return replace(root, title=_companion(root, plan)) if plan.policy.named else root
    answered = None if makers.offline or root.fallback else await _titled_by_model(root, plan, makers)
    if answered is None or answered.title is None or makers.count(answered.title) > 2 * _TITLE:
        return replace(answered or root, title=_companion(root, plan))
    return answered


def _companion(root: MadeNode, plan: Plan) -> str | None:
    """A title without a model."""
    return title_of(root.statements, {leaf.id: leaf.created_at.date() for leaf in plan.leaves})


async def _titled_by_model(root: MadeNode, plan: Plan, makers: Makers) -> MadeNode | None:
    """The title by a model, if it gives one that the statements bear out."""
    dates = {leaf.id: leaf.created_at for leaf in plan.leaves}
    items = tuple(
        Item(
            text=statement.text, source_ids=statement.source_ids, importance=statement.importance, derived=True,
            created_at=max((dates[id_] for id_ in statement.source_ids if id_ in dates), default=root.node.order[0]),
        )
        for statement in root.statements
        if statement.superseded_by is None
    )  # fmt: skip
    instruction = plan.policy.summarize
    request = Request(
        items=items, max_tokens=_TITLE, prompt=instruction.title or "", model=instruction.title_model,
        tenant_id=plan.tenant_id, policy=plan.policy.name, group_id=plan.group_id, kind="title",
    )  # fmt: skip
    try:
        answer = await makers.summarizer.summarize(request)
    except (DraftFailed, NoSlot):
        return None
    usage = root.usage + answer.usage
    checked = check(answer, items, thresholds=plan.policy.checks)
    if not checked.passed or not checked.statements:
        return replace(root, usage=usage, title=_companion(root, plan))
    return replace(root, usage=usage, title=checked.statements[0].text.strip().strip("\"'").rstrip("."))
