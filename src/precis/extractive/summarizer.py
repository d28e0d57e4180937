"""The offline summarizer: statements are sentences of the items, chosen and made to stand alone. No key, no model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from precis.checks.gate import quotes
from precis.checks.pasted import Part, parts_of_mail
from precis.extractive.aims import settled
from precis.extractive.bare import bare_lines, thread_text, threads
from precis.extractive.candidate import Candidate
from precis.extractive.conflicts import judge, lasting
from precis.extractive.directions import directions_in, without_marks
from precis.extractive.following import as_important, bound, following
from precis.extractive.importance import once, served, statement_of
from precis.extractive.persons import with_speakers
from precis.extractive.rendering import rendered
from precis.extractive.selection import central, cover, weigh
from precis.extractive.standalone import candidates
from precis.extractive.tiers import tiers_of
from precis.extractive.trim import is_turned_by_cut
from precis.extractive.weights.agents import ranked
from precis.extractive.weights.decisions import outweighing, timely
from precis.extractive.weights.everyday import standing_out
from precis.extractive.weights.instructions import as_told, instructing, without_outdated
from precis.extractive.weights.weighty import weighted
from precis.language.orders import spoiled_in, unlabeled
from precis.language.sentences import sentences
from precis.makers import Aim, Draft, Item, Request, TokenCounter
from precis.models.tokens import count as count_tokens

NAME = "extractive@2"
#: From how many items on the work leaves the event loop.
_LARGE = 40
#: Words a statement must keep when even the shortest has to be cut.
_SHORTEST_CUT = 3


class Extractive:
    """A ``Summarizer`` that needs nothing but the items."""

    name = NAME

    def __init__(self, count: TokenCounter = count_tokens) -> None:
        self._count = count

    async def summarize(self, request: Request) -> Draft:
        """One draft; the same request gives the same draft."""
        if len(request.items) < _LARGE:
            return summarize(request, self._count)
        return await asyncio.to_thread(summarize, request, self._count)


def summarize(request: Request, count: TokenCounter) -> Draft:
    """Choose statements worth at most ``max_tokens`` when assembled; the pure function behind the class."""
    places, read = _apart(request.items)
    told = with_speakers([as_told(_obeyed_by_nobody(item)) for item in without_marks(read)])
    items = without_outdated(told)
    weights = weigh(item.text for item in items)
    aim = settled(request.aim, items, weights)
    labelled = {at for at, item in enumerate(items) if item.speaker != request.items[places[at]].speaker}
    followed = following(items)
    conflicts = judge(items, labelled, followed.values())
    options = candidates(items, conflicts, uncut=aim is Aim.OPINION, picked=request.picked)
    options = options or candidates(items, conflicts, uncut=True)
    options = lasting(timely(options, items, weights), items)
    options = ranked(options, items, of_period=request.served_from > 0)
    options = weighted(outweighing(options, items, weights) if request.served_from > 0 else options, items)
    options, outcomes = standing_out(options, items) if request.served_from > 0 else (options, {})
    options = instructing(options, items)
    if request.picked:
        bare = bare_lines(options, items)
        options = [replace(option, aside=True) if at in bare else option for at, option in enumerate(options)]
    later = outcomes | {older: (newer,) for older, newer in followed.items()}
    options = bound(options, later)
    budget = _Budget(options, request.max_tokens, count)
    tiers = tiers_of(options, items, weights, request.served_from, later)
    selected = central(options, budget.take) if aim is Aim.OPINION else _covered(options, tiers, weights, budget)
    groups = _fitting([budget.led(options[index]) for index in selected], request.max_tokens, count)
    groups = groups if request.picked else threads(groups, items)
    texts = [(thread_text(group), group) for group in groups] or _cut(options, request.max_tokens, count)
    statements = once([statement_of(text, group, items, weights) for text, group in texts])
    statements = as_important(statements, later)
    statements = served(statements, items, request.served_from)
    # Where nothing is worth choosing, what may tell something all the same is quoted: a question is in doubt kept.
    statements = statements or quotes(items, (), room=request.max_tokens, count=count)
    resting = (replace(each, sources=tuple(dict.fromkeys(places[at] for at in each.sources))) for each in statements)
    return Draft(statements=tuple(resting), made_by=NAME, quoted=True)


def _apart(items: Sequence[Item]) -> tuple[list[int], list[Item]]:
    """The items, a message with a pasted mail as one for each who speaks in it; and of which item each is."""
    directions = directions_in(items)
    read = [
        (at, item if part.text == item.text else replace(item, speaker=part.speaker, text=part.text))
        for at, item in enumerate(items)
        if at not in directions
        for parts in [(Part(item.speaker, item.text),) if item.derived else parts_of_mail(item.text, item.speaker)]
        for part in parts
        if not part.announces
    ]
    return [at for at, _ in read], [item for _, item in read]


def _obeyed_by_nobody(item: Item) -> Item:
    """An item without the sentences that an order to a model is in, or near."""
    spoiled = spoiled_in(unlabeled(item.text) if item.derived else item.text)
    if not spoiled:
        return item
    return replace(
        item, text=" ".join(sentence for at, sentence in enumerate(sentences(item.text)) if at not in spoiled)
    )


class _Budget:
    """Tokens that are left. An estimate by parts: the assembled text is counted once more at the end."""

    def __init__(self, options: Sequence[Candidate], limit: int, count: TokenCounter) -> None:
        self._options, self._room, self._count = options, limit, count
        self._opened: set[int] = set()

    def take(self, together: Sequence[int]) -> bool:
        """Book the candidates if their tokens are left."""
        cost, opened = 0, set(self._opened)
        for item, group in groupby((self._options[index] for index in together), key=lambda option: option.item):
            options = list(group)
            text = " ".join(option.text for option in options)
            cost += self._count(f" {text}" if item in opened else f" {options[0].lead}{text}")
            opened.add(item)
        if cost > self._room:
            return False
        self._room -= cost
        self._opened = opened
        return True

    def led(self, candidate: Candidate) -> Candidate:
        """The candidate behind what it points back at, if the tokens for that are left."""
        led = candidate.led
        cost = 0 if led is None else self._count(f" {led.lead}") - self._count(f" {candidate.lead}")
        if led is None or cost > self._room:
            return candidate
        self._room -= cost
        return led


def _fitting(selected: Sequence[Candidate], limit: int, count: TokenCounter) -> list[list[Candidate]]:
    """The choice by item, oldest first, without the last ones chosen if the assembled text is over the limit."""
    kept = list(selected)
    while kept:
        groups: dict[tuple[int, bool], list[Candidate]] = {}
        for candidate in sorted(kept, key=lambda candidate: (candidate.item, candidate.sentence, candidate.clause)):
            groups.setdefault((candidate.item, candidate.order), []).append(candidate)
        if count(" ".join(map(rendered, groups.values()))) <= limit:
            return list(groups.values())
        kept.pop()
    return []


def _cut(options: Sequence[Candidate], limit: int, count: TokenCounter) -> list[tuple[str, list[Candidate]]]:
    """The beginning of the shortest candidate, where none fits whole and the rest does not turn what it says.

    One that points back is not begun with, where there is another, nor one that is otherwise now.
    """

    def order(candidate: Candidate) -> tuple[bool, bool, int, int]:
        return bool(candidate.followed_by), candidate.dangling, candidate.length + candidate.lead_length, candidate.item

    for candidate in sorted(options, key=order)[:1]:
        wording = rendered([candidate]).split()
        for size in range(min(len(wording), limit), _SHORTEST_CUT - 1, -1):
            text = " ".join(wording[:size]) + " \u2026"
            if count(text) <= limit:
                return [] if is_turned_by_cut(text, [candidate.text]) else [(text, [candidate])]
    return []


def _covered(
    options: Sequence[Candidate], tiers: Sequence[Sequence[int]], weights: Mapping[str, float], budget: _Budget
) -> list[int]:
    """What is chosen of each tier as far as there is room for it; asides and trifles where there is nothing else."""
    selected: list[int] = []
    *_, trifles = tiers
    for tier in filter(None, tiers):
        if selected and (tier is trifles or options[tier[0]].aside):
            break
        place = {at: new for new, at in enumerate(tier)}
        of_tier = [_placed(options[at], place) for at in tier]

        def take(together: Sequence[int], tier: Sequence[int] = tier) -> bool:
            return budget.take([tier[at] for at in together])

        selected += [tier[at] for at in cover(of_tier, weights, take)]
    return selected


def _placed(option: Candidate, place: Mapping[int, int]) -> Candidate:
    """The candidate with the places that others have in its tier."""
    back = None if option.points_to is None else place.get(option.points_to)
    return replace(option, points_to=back, followed_by=tuple(place[at] for at in option.followed_by if at in place))
