"""In which order what may be told is told: what is important enough, the rest, asides, and trifles last."""

from collections.abc import Mapping, Sequence

from precis.checks.reactions import to_listener
from precis.checks.trifles import only_remarks, says_little
from precis.extractive.antecedents import says_what_somebody_did
from precis.extractive.candidate import Candidate
from precis.extractive.importance import statement_of
from precis.extractive.rendering import rendered
from precis.extractive.weights.agents import is_agents
from precis.language.newest.slots import changes, turns
from precis.language.reading import Place
from precis.language.script import is_foreign
from precis.language.sentences import sentences
from precis.makers import Item

#: What says little, or speaks to the listener, and is less important is a trifle.
_TRIFLING = 0.3


def tiers_of(
    options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float], served_from: float,
    later: Mapping[Place, tuple[Place, ...]],
) -> list[list[int]]:  # fmt: skip
    """Positions of the candidates of items that are important enough to be served, of the others, asides, trifles."""
    by_item: dict[int, list[Candidate]] = {}
    for candidate in options if served_from > 0 else ():
        by_item.setdefault(candidate.item, []).append(candidate)
    below = {
        at
        for at, group in by_item.items()
        if statement_of(rendered(group), group, items, weights).importance < served_from
    }
    below |= {at for at, group in by_item.items() if all(option.everyday for option in group)}
    served_items = by_item.keys() - below
    below -= {newer for (older, _), places in later.items() if older in served_items for newer, _ in places}
    small = _trifling(options, items, weights)
    telling = [at for at, option in enumerate(options) if not (option.aside or at in small)]
    tiers = [[at for at in telling if (options[at].item in below) is later] for later in (False, True)]
    asides = [at for at, option in enumerate(options) if option.aside]
    # What an assistant advises is told where nobody tells anything.
    own = [at for at in asides if not is_agents(items[options[at].item])]
    return [*tiers, own if telling or own else asides, sorted(small)]


def _trifling(options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]) -> set[int]:
    """Positions of what people say in passing and nobody asks for later: "We have a dog", of a message all or none."""
    by_item: dict[int, list[int]] = {}
    for at, option in enumerate(options if not is_foreign(" ".join(item.text for item in items)) else ()):
        by_item.setdefault(option.item, []).append(at)
    small = {
        at
        for own in by_item.values()
        if all(_says_little(options[at], items) for at in own)
        and statement_of("", [options[at] for at in own], items, weights).importance < _TRIFLING
        for at in own
    }
    small |= {at for own in by_item.values() for at in own if _only_remarks(options[at], items)}
    while needed := {
        other
        for at, option in enumerate(options)
        if at not in small
        for other in (option.points_to, *option.followed_by)
        if other in small
    }:
        small -= needed
    return small


def _may_be_small(option: Candidate, items: Sequence[Item]) -> bool:
    item = items[option.item]
    if not item.speaker or option.derived or option.aside or option.code or option.order or len(option.sources) > 1:
        return False
    if option.standing or option.changes or option.of_health or option.led is not None:
        return False
    # Of a period: what came back on other days is no trifle, though each of them says little.
    if option.stands or option.ends:
        return False
    return not (says_what_somebody_did(option.text) or changes(option.text) or turns(option.text))


def _only_remarks(option: Candidate, items: Sequence[Item]) -> bool:
    """Whether it says how somebody finds something, or one thing at most to the listener."""
    parts = sentences(option.text)
    says_that = all(map(only_remarks, parts)) or (to_listener(option.text) and all(map(says_little, parts)))
    return says_that and _may_be_small(option, items)


def _says_little(option: Candidate, items: Sequence[Item]) -> bool:
    if not _may_be_small(option, items):
        return False
    points = option.dangling or option.of_listener or to_listener(option.text)
    return points or all(map(says_little, sentences(option.text)))
