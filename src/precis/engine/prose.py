"""Free prose, where a view's own prompt asks for it: checked sentence by sentence, with statements as its companion.

The prose rests on everything it was written from, so forgetting any of that withdraws it; the statements stay, each
with its own sources, and are served in its place until it is written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from precis.checks import Checked
from precis.checks.repeats import alike
from precis.engine.commit import MadeNode
from precis.engine.policy import Policy
from precis.engine.segments import Node
from precis.engine.summarization import DraftRejected, judged, request_for
from precis.language.sentences import sentences
from precis.language.visible import disarmed
from precis.makers import DraftStatement, Item, Judge, Summarizer, TokenCounter

#: A line of so few words that ends in a colon, or is marked as one, is a heading.
_HEADING = 8
#: What may be found against a heading: its words need stand in no memory, its names and numbers must.
_HARMLESS = frozenset({"unknown_word", "unsupported"})

#: How far over its limit prose may be: nobody can count tokens while writing.
_OVER = 1.5


async def write_prose(
    node: Node, items: Sequence[Item], companion: MadeNode, *, policy: Policy, summarizer: Summarizer,
    judge: Judge | None, count: TokenCounter, tenant_id: str, group_id: str, rederives: bool,
) -> MadeNode:  # fmt: skip
    """The companion with prose by the summarizer. Raises DraftRejected, or DraftFailed from the summarizer.

    Sentences that the items do not bear out are left out; with too many of them the whole draft is rejected. So is one
    that is far over the policy's limit, its repetitions not counted.
    """
    request, capped = request_for(
        items, node.kind, policy=policy, count=count, tenant_id=tenant_id, group_id=group_id, rederives=rederives
    )
    draft = await summarizer.summarize(request)
    lines = [sentences(line) for line in disarmed(draft.prose or "").splitlines()]
    every = tuple(range(len(request.items)))
    said = tuple(DraftStatement(text=_unmarked(text), importance=0.5, sources=every) for line in lines for text in line)
    checked, judging = await judged(replace(draft, statements=said), request, judge, thresholds=policy.checks)
    text = "\n".join(" ".join(line) for line in _once(_kept(checked, lines))).strip()
    if not checked.passed or not text:
        raise DraftRejected(checked, draft.usage + judging)
    if count(text) > request.max_tokens * _OVER:
        # Cut short, it would not say what it leaves out.
        raise DraftRejected(replace(checked, passed=False, reasons=("too_long",)), draft.usage + judging)
    return replace(
        companion, prose=text, made_by=draft.made_by, quality=checked.score, usage=draft.usage + judging, capped=capped
    )


def _kept(checked: Checked, lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines without what was dropped or is out of date; a line of which nothing is left is not one."""
    current = iter(checked.statements)
    verdicts = iter(checked.verdicts)
    found = []
    for line in lines:
        left = []
        for text in line:
            verdict = next(verdicts)
            holds = verdict.kept and next(current).superseded_by is None
            if holds or (_is_heading(text) and _HARMLESS.issuperset(verdict.reasons)):
                left.append(text)
        if left or not line:
            found.append(left)
    return found


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
