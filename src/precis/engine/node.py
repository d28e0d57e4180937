"""One node: its items are fitted into a prompt, summarized and checked.

Free prose has statements as its companion. It rests on everything it was written from, so forgetting any of that
withdraws it; the statements stay, each with its own sources, and are served in its place until it is written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from precis import summary, tracing, trust
from precis.checks import Checked, Thresholds, check
from precis.checks.answering import questions_last
from precis.checks.fates import Told, fates, set_aside
from precis.checks.gate import overrule
from precis.checks.standing import instructions_first, now_first
from precis.engine.budget import Fitted, Splitting, fit, within_limit
from precis.engine.drafted import MadeNode
from precis.engine.keeping import Below, node_fates, tokens_of
from precis.engine.plan import Plan
from precis.engine.policy import Originals
from precis.engine.repeating import alike, said_once, united
from precis.engine.segments import Kind, Node
from precis.errors import BudgetExhausted, DraftFailed, ModelUnavailable, NoSlot
from precis.language.sentences import sentences
from precis.language.written.markdown import disarmed, visible
from precis.makers import Draft, DraftStatement, Item, Judge, Request, Summarizer, TokenCounter, Usage, WordRank
from precis.memory import RENDERED, TURN, Memory, Tier

#: Tokens by which the one statement of an answer may pass a limit that none keeps.
_NEARLY = 40
#: Summaries of what was picked out of all that was said.
_PICKING = frozenset({Tier.CLUSTER, Tier.VIEW})


class DraftRejected(DraftFailed):
    """The draft did not pass the checks."""

    def __init__(self, reasons: Sequence[str], usage: Usage) -> None:
        super().__init__(f"the draft did not pass the checks: {', '.join(reasons)}")
        #: What it took, with the judge and with the nodes that were made for it.
        self.usage = usage


#: A further check of a node that passed, given what it reads; may take statements away, or raise DraftFailed.
Recheck = Callable[[MadeNode, Sequence[Item]], MadeNode]


@dataclass(frozen=True, kw_only=True)
class Makers:
    """Who makes a draft. A value: every part of it can be replaced by another real one."""

    summarizer: Summarizer
    #: Stands in when the model cannot be used and nothing stands yet; the summarizer itself where nobody may.
    fallback: Summarizer
    count: TokenCounter
    #: How rare words are, for titles.
    rank: WordRank = lambda _: None
    #: A second opinion on what the model drafts; None leaves it to the checks.
    judge: Judge | None = None
    recheck: Recheck | None = None
    #: Nodes that are made at once, where none waits for another.
    at_once: int = 1

    @property
    def offline(self) -> bool:
        """Whether no other summarizer can stand in: no model is configured at all, or the caller wants no stand-in."""
        return self.summarizer is self.fallback

    def without_stand_in(self) -> Makers:
        """The same, with nobody to stand in for the summarizer."""
        return Makers(
            summarizer=self.summarizer, fallback=self.summarizer, count=self.count, rank=self.rank, judge=self.judge
        )  # fmt: skip

    def only_stand_in(self) -> Makers:
        """The stand-in alone: where the model cannot be used, neither can the judge; and quotes need none."""
        return Makers(summarizer=self.fallback, fallback=self.fallback, count=self.count, rank=self.rank)


def item_of(memory: Memory) -> Item:
    """A memory as an entry of a prompt."""
    return Item(
        text=visible(memory.text or ""),
        source_ids=(memory.id,),
        created_at=memory.created_at,
        speaker=visible(memory.speaker) if memory.speaker else memory.speaker,
        importance=memory.importance,
        classes=frozenset({memory.source_class}),
        alone=memory.metadata.get("kind") not in (None, TURN),
    )


def request_for(
    items: Sequence[Item], node: Node, *, plan: Plan, count: TokenCounter
) -> tuple[Request, frozenset[str]]:
    """The request for this node over these items, and the sources it reads in part."""
    policy, budget, kind = plan.policy, plan.policy.budget, node.kind
    items = list(map(_as_a_note, items)) if policy.reads_turns else items
    fitted = (
        Fitted(items=tuple(items), capped=frozenset())
        if policy.splits
        else fit(items, prompt_tokens=budget.prompt_tokens, item_tokens=budget.item_tokens, count=count)
    )
    tokens_read = sum(count(item.text) for item in fitted.items)
    prose = policy.summarize.prose and kind is Kind.ROOT
    leaves = node.leaves()
    written = sum(max(0, leaf.tokens - RENDERED) for leaf in leaves)
    condensed_from = written if any(item.derived for item in fitted.items) else None
    limit = budget.for_kind(kind, tokens_read, sources=len(leaves), condensed_from=condensed_from)
    request = Request(
        items=fitted.items,
        # What somebody asked for in words of their own has all the room there is: a list is no share of anything.
        max_tokens=budget.summary_tokens if prose else limit,
        served_from=policy.served_from if kind is Kind.ROOT else 0.0,
        prompt=policy.summarize.for_kind(kind),
        aim=policy.summarize.aim,
        model=policy.summarize.model,
        tenant_id=plan.tenant_id,
        policy=policy.name,
        group_id=plan.group_id,
        kind=kind.value,
        rederives=plan.rederives,
        tokens_read=tokens_read,
        prose=prose,
        picked=policy.tier in _PICKING,
    )
    return request, fitted.capped


def _as_a_note(item: Item) -> Item:
    """What a user without a name said, as what a user noted: there is nobody whom the role would tell from the user."""
    return replace(item, speaker=None) if item.speaker and item.speaker.casefold() in trust.USER_ROLES else item


async def draft_node(node: Node, items: Sequence[Item], below: Below, *, plan: Plan, makers: Makers) -> MadeNode:
    """One call, its check and, if there is a judge, what that thinks of what passed.

    ``below`` has what the nodes say that it reads. Where no item tells anything, the node says nothing. Raises
    DraftRejected, or DraftFailed from the summarizer.
    """
    policy, count = plan.policy, makers.count
    request, capped = request_for(items, node, plan=plan, count=count)
    answer = await _summarized(request, items, plan=plan, makers=makers)
    checked, judging = await judged(answer, request, makers.judge, thresholds=policy.checks)
    usage = answer.usage + judging
    stays = (answer.quoted and checked.statements) or (makers.offline and policy.of_nothing is not None)
    if not checked.passed and not stays:
        raise DraftRejected(checked.reasons, usage)
    statements = _within_its_limit(node, checked.statements, request, count)
    if checked.statements and not statements:
        raise DraftRejected(["too_long"], usage)
    verdicts: list[Told | None] = []
    if node.kind is Kind.ROOT:
        if policy.now_first:
            verdicts = fates(items, statements)
            statements = now_first(statements, items, verdicts)
        statements = questions_last(instructions_first(statements) if policy.orders_first else statements)
    served = summary.served_of(statements, policy.served_from if node.kind is Kind.ROOT else 0.0)
    if len(served) < len(summary.served_of(statements)):
        verdicts = []  # what is not important enough says nothing
    return MadeNode(
        node=node,
        statements=statements,
        definition=plan.definition,
        made_by=answer.made_by,
        fallback=answer.fallback,
        quality=checked.score,
        tokens=tokens_of(statements, count),
        usage=usage,
        fates=node_fates(node, items, verdicts or fates(items, served), below),
        capped=capped,
    )


@tracing.traced("summarize")
async def _summarized(request: Request, items: Sequence[Item], *, plan: Plan, makers: Makers) -> Draft:
    """The answer to the request; where no item tells anything, none is no failure."""
    policy, summarizer = plan.policy, makers.summarizer
    nothing = Draft(statements=(), made_by=summarizer.name)
    if not items or (policy.skips_small_talk and set_aside(items)):
        return nothing
    if policy.of_nothing is not None and set_aside(items, {summary.Fate.SMALL_TALK}):
        return nothing
    if policy.splits:
        summarizer = Splitting(
            summarizer, count=makers.count, prompt_tokens=policy.budget.prompt_tokens,
            item_tokens=policy.budget.item_tokens,
        )  # fmt: skip
    try:
        drafted = united(await summarizer.summarize(request))
        return said_once(
            drafted, request.items, roughly=policy.originals is Originals.KEEP,
            fits=lambda text: makers.count(text) <= request.max_tokens,
        )  # fmt: skip
    except (ModelUnavailable, BudgetExhausted):
        raise
    except DraftFailed:
        if not set_aside(request.items):
            raise
        return nothing


def _within_its_limit(
    node: Node, statements: Sequence[summary.Statement], request: Request, count: TokenCounter
) -> tuple[summary.Statement, ...]:
    """What of it is kept; nothing where no statement is short enough."""
    limit = request.max_tokens if node.kind is Kind.ROOT else 3 * request.max_tokens // 2
    kept = within_limit(
        statements, limit=limit, count=count, dates={leaf.id: leaf.created_at for leaf in node.leaves()}
    )
    if kept or not statements:
        return kept
    # A caller's limit may be shorter than any sentence: he cuts what is nearly short enough himself.
    shortest = min(summary.served_of(statements), key=lambda statement: count(statement.text), default=None)
    return (shortest,) if shortest is not None and count(shortest.text) <= limit + _NEARLY else ()


def spent_on(error: DraftFailed) -> Usage:
    """What a draft took that did not pass the checks; where none was had, only the ledger knows."""
    return error.usage if isinstance(error, DraftRejected) else Usage()


@tracing.traced("check")
async def judged(
    draft: Draft, request: Request, judge: Judge | None, *, thresholds: Thresholds
) -> tuple[Checked, Usage]:
    """The draft after the checks and the judge, and what the judge took; where that has no opinion the checks stand."""
    checked = check(draft, request.items, thresholds=thresholds)
    if judge is None or not checked.passed:
        return checked, Usage()
    places = [place for place, verdict in enumerate(checked.verdicts) if verdict.kept]
    kept = [(draft.statements[place], checked.verdicts[place]) for place in places]
    # As the checks cite, not as the model did.
    heard = [replace(statement, text=verdict.text, sources=verdict.sources) for statement, verdict in kept]
    try:
        judgment = await judge.judge(heard, request)
    except (DraftFailed, NoSlot):
        return checked, Usage()
    rulings = {places[at]: ruling for at, ruling in judgment.rulings.items()}
    return overrule(checked, rulings, draft, request.items, thresholds=thresholds), judgment.usage


# --- free prose, where a policy or a view asks for it, checked sentence by sentence ---

#: A line of so few words that ends in a colon, or is marked as one, is a heading.
_HEADING = 8
#: What may be found against a heading: its words need stand in no memory, its names and numbers must.
_HARMLESS = frozenset({"unknown_word", "unsupported"})
#: How far over its limit prose may be: nobody can count tokens while writing.
_OVER = 1.5


async def write_prose(companion: MadeNode, items: Sequence[Item], *, plan: Plan, makers: Makers) -> MadeNode:
    """The companion with prose by the summarizer. Raises DraftRejected, or DraftFailed from the summarizer.

    Sentences that the items do not bear out are left out; with too many of them the whole draft is rejected. So is one
    that is far over the policy's limit, its repetitions not counted.
    """
    request, capped = request_for(items, companion.node, plan=plan, count=makers.count)
    answer = await makers.summarizer.summarize(request)
    lines = [sentences(line) for line in disarmed(answer.prose or "").splitlines()]
    every = tuple(range(len(request.items)))
    claims = [DraftStatement(text=_unmarked(text), importance=0.5, sources=every) for line in lines for text in line]
    claimed = replace(answer, statements=tuple(claims))
    checked, judging = await judged(claimed, request, makers.judge, thresholds=plan.policy.checks)
    usage = answer.usage + judging
    text = "\n".join(" ".join(line) for line in _once(_kept(checked, lines))).strip()
    if not checked.passed or not text:
        raise DraftRejected(checked.reasons, usage)
    if makers.count(text) > request.max_tokens * _OVER:
        # Cut short, it would not say what it leaves out.
        raise DraftRejected(["too_long"], usage)
    return replace(companion, prose=text, made_by=answer.made_by, quality=checked.score, usage=usage, capped=capped)


def _kept(checked: Checked, lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines without what was dropped or is out of date; a line of which nothing is left is not one."""
    current = iter(checked.statements)
    verdicts = iter(checked.verdicts)
    kept: list[list[str]] = []
    for line in lines:
        texts: list[str] = []
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
