"""What became of every source of a node, and what must be said of originals before they may go. Pure.

A source has a fate in a node: the node says it, or sets it aside for a reason. A summary that lets its originals go
says all that its frozen nodes serve, since nothing else speaks for what is gone; and an original goes only when every
sentence of it has a fate.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from precis.checks.answering import both_of_pairs, questions_last, without
from precis.checks.fates import Told, fates, unsaid
from precis.checks.gate import quote_of, quotes
from precis.engine.drafted import MadeNode, NodeContent
from precis.engine.repeating import as_meant, united_statements
from precis.engine.segments import NEVER, Kind, Leaf, Node, node
from precis.language.orders import is_order
from precis.language.sentences import is_question
from precis.language.written.markdown import disarmed
from precis.makers import DraftStatement, Item, TokenCounter, newness
from precis.summary import Fate, Statement, arranged, flatten, served_of
from precis.trust import SourceClass

#: What the nodes say that a node reads, by key.
Below = Mapping[bytes, NodeContent]
#: Of the tokens of originals, how many may say them once they are gone: what saves nothing replaces nothing.
ROOM = 0.9
#: Where somebody else goes on in a statement: "Ana: How much? Bo: 900."
_TURN = re.compile(r" (?=[^\s:][^:\n?]{0,60}: )")


def items_of_node(node: Node, statements: Sequence[Statement]) -> list[Item]:
    """The statements of a node as entries of its parent's prompt, dated by the newest source each rests on."""
    leaves = node.leaves()
    dates = {leaf.id: leaf.created_at for leaf in leaves}
    classes = {leaf.id: leaf.source_class for leaf in leaves}
    dates = {} if NEVER in dates.values() else dates
    newest = node.order[0] if dates else None
    return [
        Item(
            text=disarmed(statement.text),
            source_ids=statement.source_ids,
            created_at=max((dates[id_] for id_ in statement.source_ids if id_ in dates), default=newest),
            importance=statement.importance,
            derived=True,
            classes=frozenset(classes.get(id_, SourceClass.USER) for id_ in statement.source_ids),
        )
        for statement in served_of(statements)
    ]


def _ids_of(items: Iterable[Item]) -> set[str]:
    return {id_ for item in items for id_ in item.source_ids}


def tokens_of(statements: Sequence[Statement], count: TokenCounter) -> int:
    """Tokens of what is served; what was displaced is only kept."""
    return sum(count(statement.text) for statement in served_of(statements))


def node_fates(node: Node, items: Sequence[Item], told: Sequence[Told | None], below: Below) -> dict[str, Fate]:
    """The fate of each source, by id, in what a node serves; a source without one may be left out.

    ``items`` is everything the node reads, uncut, ``told`` their ``fates``; ``below`` has what the nodes read say.
    """
    verdicts = list(zip(items, told, strict=True))
    own: dict[str, Told | None] = {}
    for item, verdict in verdicts:
        # Of what is put right in another item, both have to have a fate.
        own |= {} if item.derived else {id_: verdict and own.get(id_, verdict) for id_ in item.source_ids}
    resting: dict[str, list[Told | None]] = defaultdict(list)
    for item, verdict in verdicts:
        if item.derived:
            for id_ in item.source_ids:
                resting[id_].append(verdict)
    every = all(verdict is not None for item, verdict in verdicts if item.derived)
    by_id: dict[str, Fate] = {}
    for child in node.children:
        if isinstance(child, Leaf):
            verdict = own.get(child.id)
            by_id |= {child.id: verdict.fate} if verdict is not None else {}
            continue
        lower = below[child.key].fates if child.key in below else {}
        for leaf in child.leaves():
            fate = _through(lower.get(leaf.id), resting[leaf.id], every=every)
            by_id |= {leaf.id: fate} if fate is not None else {}
    return by_id


def _through(lower: Fate | None, resting: Sequence[Told | None], *, every: bool) -> Fate | None:
    """The fate of a source above a node in which it has one.

    ``resting`` is what became of the statements that rest on it; ``every`` says whether each statement of the nodes
    below has a fate.
    """
    if lower in (None, Fate.SMALL_TALK, Fate.QUESTION):
        return lower
    if lower is not Fate.SAID:
        # Some statement below decided it, and it is not known which.
        return lower if every else None
    known = [verdict.fate for verdict in resting if verdict is not None]
    if not resting or len(known) < len(resting):
        return None
    return Fate.SAID if Fate.SAID in known else known[0]


def carried(
    root: MadeNode,
    frozen: Sequence[tuple[Node, NodeContent]],
    *,
    read: Sequence[Item],
    below: Below,
    count: TokenCounter,
) -> MadeNode:
    """The summary with what it does not say of its frozen nodes, word for word, and oldest first.

    ``read`` are the items it was drafted from, ``below`` what the nodes say that it reads. What a newer statement
    overrules is kept beneath that, unserved. The fates of what is frozen go by the frozen nodes, whatever nodes lie in
    between. The limit of the policy binds what is drafted, not what is carried.
    """
    if not frozen:
        return root
    items = [item for node_, content in frozen for item in items_of_node(node_, content.statements)]
    missing = [
        _carried_statement(item, verdict)
        for item, verdict in zip(items, fates(items, root.statements), strict=True)
        if not _is_said(item, verdict, root.statements)
    ]
    ages = {leaf.id: leaf.created_at for leaf in root.node.leaves()}
    statements = questions_last(_by_age(united_statements((*root.statements, *missing)), ages))
    own = node_fates(
        node(Kind.ROOT, [node_ for node_, _ in frozen]), items, fates(items, statements),
        {node_.key: content for node_, content in frozen},
    )  # fmt: skip
    kept = {leaf.id for node_, _ in frozen for leaf in node_.leaves()}
    drafted = node_fates(root.node, read, fates(read, statements), below) if read else root.fates
    others = {id_: fate for id_, fate in drafted.items() if id_ not in kept}
    return replace(root, statements=statements, fates=others | own, tokens=tokens_of(statements, count))


def _is_said(item: Item, verdict: Told | None, statements: Sequence[Statement]) -> bool:
    """Whether the summary says a statement of a frozen node, on all that it rests on."""
    if verdict is None or verdict.by is None or verdict.fate is not Fate.SAID:
        return False
    return set(item.source_ids) <= set(statements[verdict.by].source_ids)


def _carried_statement(item: Item, verdict: Told | None) -> Statement:
    newer = verdict.by if verdict is not None and verdict.fate is Fate.OVERRULED else None
    return Statement(text=item.text, importance=item.importance, source_ids=item.source_ids, superseded_by=newer)


def _by_age(statements: Sequence[Statement], dates: Mapping[str, datetime]) -> tuple[Statement, ...]:
    """Oldest first, by the newest source of each."""
    newest = max(dates.values(), default=None)

    def age(at: int) -> tuple[datetime | None, int]:
        return max((dates[id_] for id_ in statements[at].source_ids if id_ in dates), default=newest), at

    return arranged(statements, sorted(range(len(statements)), key=age))


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """What stands of some originals."""

    #: What is served, then what comes back when that is withdrawn.
    statements: tuple[Statement, ...]
    #: Of those originals that may go, by id.
    fates: Mapping[str, Fate]


def room_of(items: Sequence[Item], count: TokenCounter) -> int:
    """How many tokens may say what these originals say, each with its speaker, so that something is saved."""
    return int(ROOM * sum(count(f"{item.speaker}: {item.text}" if item.speaker else item.text) for item in items))


def keeping(
    items: Sequence[Item], statements: Sequence[Statement], *, count: TokenCounter, saving: bool = False
) -> Kept:
    """What to keep of these originals, given the statements of their summary, in the room of those that go.

    A statement is taken over where it rests on nothing but originals that may go with it; what is unsaid is quoted. An
    original with a sentence that is not said even then does not go. With ``saving`` none goes unless what is kept of
    them has room.
    """
    drafted = own = list(served_of(statements))
    items = as_meant(items)
    going = _ids_of(items)
    while True:
        own = [statement for statement in own if going.issuperset(statement.source_ids)]
        room = room_of(items, count)
        served = completed(items, own, room=room, count=count, strict=saving)
        verdicts = list(zip(items, fates(items, served), strict=True))
        staying = _ids_of(item for item, verdict in verdicts if verdict is None)
        staying = both_of_pairs(items, staying | (_paired(drafted, going - staying) & going))
        if all(staying.isdisjoint(statement.source_ids) for statement in served):
            break
        # What a statement says of one that stays leaves with that one: the others need words of their own.
        own = [statement for statement in own if staying.isdisjoint(statement.source_ids)]
        going -= staying
        items = without(items, staying)
    if saving and tokens_of(served, count) > room:
        return Kept(statements=(), fates={})
    pairs = [
        (item, verdict) for item, verdict in verdicts if verdict is not None and staying.isdisjoint(item.source_ids)
    ]
    return Kept(
        statements=(*served, *_beneath(pairs, served)),
        fates={id_: verdict.fate for item, verdict in reversed(pairs) for id_ in item.source_ids},
    )


def _paired(statements: Sequence[Statement], going: Collection[str]) -> set[str]:
    """What a statement tells by a question and its answer, by id, where not all that it rests on may go.

    Neither can be read alone: what the answer is about stands in the question.
    """
    return {
        id_
        for statement in statements
        if len(statement.source_ids) > 1 and not set(statement.source_ids) <= set(going) and _asked(statement)
        for id_ in statement.source_ids
    }


def _asked(statement: Statement) -> str:
    """The question with which a statement opens, with who asks; empty where another does not answer it there."""
    for opening in _TURN.finditer(statement.text):
        if is_question(before := statement.text[: opening.start()]):
            return before
    return ""


def completed(
    items: Sequence[Item], statements: Sequence[Statement], *, room: int, count: TokenCounter, strict: bool = False
) -> tuple[Statement, ...]:
    """The statements with quotes of what they leave out, oldest first, as far as ``room`` tokens go.

    Unless it is ``strict``, a question before its answer takes no room: else many an answer would have to stay. An
    original of which a part is said is quoted whole, in place of the statements that rest on it alone, so that
    nothing is said twice; where there is no room for it, those stay.
    """
    partly = _ids_of(item for item, texts in zip(items, unsaid(items, statements), strict=True) if texts)
    # An answer of which a part is drafted behind its question is quoted whole behind that.
    answers = {
        statement.source_ids[-1]: statement
        for statement in statements
        if len(statement.source_ids) > 1 and statement.source_ids[-1] in partly and _asked(statement)
    }
    staying = [
        statement
        for statement in statements
        if statement not in answers.values()
        and (not partly.issuperset(statement.source_ids) or len(statement.source_ids) > 1)
    ]
    spent = sum(count(each.text) - (0 if strict else count(_asked(each))) for each in staying)
    drafts = quotes(items, staying, room=room - spent, count=count, strict=strict)
    quoted = _ids_of(items[at] for draft in drafts for at in draft.sources)
    kept = [
        statement
        for statement in statements
        if statement in staying
        or (
            statement.source_ids[-1] not in quoted
            if statement in answers.values()
            else quoted.isdisjoint(statement.source_ids)
        )
    ]
    ranks = {id_: rank for item, rank in zip(items, newness(items), strict=True) for id_ in item.source_ids}
    every = [*kept, *(_led(draft, items, answers) for draft in drafts)]
    by_age = sorted(every, key=lambda statement: max(ranks[id_] for id_ in statement.source_ids))
    return questions_last(united_statements(by_age))


def _led(draft: DraftStatement, items: Sequence[Item], answers: Mapping[str, Statement]) -> Statement:
    """The quote, behind the question that a drafted statement has before a part of it."""
    ids = flatten(items[at].source_ids for at in draft.sources)
    quote, drafted = Statement(text=draft.text, importance=draft.importance, source_ids=ids), answers.get(ids[-1])
    if drafted is None or len(draft.sources) > 1:
        return quote
    return replace(quote, text=f"{_asked(drafted)} {quote.text}", source_ids=drafted.source_ids)


def _beneath(pairs: Sequence[tuple[Item, Told]], statements: Sequence[Statement]) -> list[Statement]:
    """Quotes that are not served: each stands by for a statement that goes when another original is forgotten."""
    return [
        Statement(text=quote_of(item), importance=item.importance, source_ids=item.source_ids, superseded_by=shared)
        for item, verdict in pairs
        if (shared := _shared(item.source_ids, verdict, statements)) is not None and not is_order(item.text)
    ]


def _shared(ids: Collection[str], verdict: Told, statements: Sequence[Statement]) -> int | None:
    """The first of the statements which tell an original that rests on other originals, too."""
    return next((at for at in verdict.every if not set(statements[at].source_ids) <= set(ids)), None)
