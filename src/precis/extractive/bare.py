"""Bare lines of what was picked out of talks: what says hardly more than what all of it is about, or has no verb."""

from collections import Counter
from collections.abc import Collection, Sequence

from precis import patterns as re
from precis.checks.reactions import lacks_verb
from precis.extractive.candidate import Candidate, size_of
from precis.language.chitchat import telling_in
from precis.language.newest.slots import changes
from precis.language.vocabulary import NEGATORS
from precis.language.words import words
from precis.makers import Item

#: A line without a verb of no more words is bare: "Nineteen tickets, all very polite."
_SHORT = 6
#: So many words beside what all of it is about are little.
_LITTLE = 1
#: So many other lines are told beside a bare one at least.
_FEWEST = 3


def bare_lines(options: Sequence[Candidate], items: Sequence[Item]) -> set[int]:
    """Positions of the bare lines, where at least three others tell something."""
    told = [at for at, option in enumerate(options) if not option.aside]
    topic = _topic(options, told)
    clauses = Counter(options[at].place for at in told)
    bare = {
        at
        for at in told
        if clauses[options[at].place] == 1 and _may_be_bare(options[at], items) and _is_bare(options[at].text, topic)
    }
    others = {options[at].item for at in told if at not in bare}
    return bare if len(others) >= _FEWEST else set()


def _topic(options: Sequence[Candidate], told: Sequence[int]) -> frozenset[str]:
    """Stems that half of the memories have in common."""
    by_item: dict[int, set[str]] = {}
    for at in told:
        by_item.setdefault(options[at].item, set()).update(telling_in(options[at].text))
    times = Counter(term for terms in by_item.values() for term in terms)
    return frozenset(term for term, number in times.items() if number > 1 and 2 * number >= len(by_item))


def _may_be_bare(option: Candidate, items: Sequence[Item]) -> bool:
    if not items[option.item].speaker or option.derived or option.code or len(option.sources) > 1:
        return False
    if option.standing or option.changes or option.of_health or option.order or changes(option.text):
        return False
    return NEGATORS.isdisjoint(words(option.text))


def _is_bare(text: str, topic: Collection[str]) -> bool:
    if re.search(r"\d", text):
        return False
    if lacks_verb(text) and size_of(text) <= _SHORT:
        return True
    return len(telling_in(text) - set(topic)) <= _LITTLE
