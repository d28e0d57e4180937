"""What a later item says to be otherwise now is not told without that, and counts no more than that."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.extractive.candidate import Candidate
from precis.language.newest.followed import followed, overtaken
from precis.language.newest.slots import Said
from precis.language.newest.unnamed import unnamed
from precis.language.reading import Place
from precis.makers import DraftStatement, Item
from precis.summary import speaker_of, unattributed
from precis.trust import Voice

#: How much more important what is so now is.
_MORE = 0.001


def following(items: Sequence[Item]) -> dict[Place, Place]:
    """For each sentence of an item that a later item says to be otherwise the newest that does; of a statement it is 0.

    What only tools and documents say follows nothing that somebody says, and is followed by it.
    """
    lines = [_line(item, at) for at, item in enumerate(items)]
    pairs = {
        older: newer
        for older, newer in (unnamed(lines) | overtaken(lines) | followed(lines)).items()
        if items[newer[0]].voice is Voice.VOUCHED or items[older[0]].voice is not Voice.VOUCHED
    }
    return {_place(older, items): _place(newer, items) for older, newer in pairs.items()}


def _line(item: Item, at: int) -> Said:
    if item.derived:
        return Said(unattributed(item.text), speaker_of(item.text), at)
    return Said(item.text, item.speaker, at)


def _place(spot: Place, items: Sequence[Item]) -> Place:
    return (spot[0], 0) if items[spot[0]].derived else spot


def bound(options: Sequence[Candidate], later: Mapping[Place, tuple[Place, ...]]) -> list[Candidate]:
    """The candidates; those of which a later sentence says what became of them are bound to the candidates of that.

    Those say what stands, and are worth as much as that; where a summary leaves them no room, neither is told.
    """
    at_place: dict[Place, list[int]] = defaultdict(list)
    of_item: dict[int, list[int]] = defaultdict(list)
    for at, option in enumerate(options):
        at_place[option.place].append(at)
        of_item[option.item].append(at)
    newest = {newer for older, places in later.items() if older in at_place for newer in places}
    if not newest and not any(option.followed_by for option in options):
        return list(options)

    def newer_of(option: Candidate) -> tuple[int, ...]:
        return tuple(at for newer in later.get(option.place, ()) for at in at_place[newer] or of_item[newer[0]])

    return [
        replace(
            option,
            followed_by=newer_of(option),
            standing=option.standing or option.place in newest,
            aside=option.aside and option.place not in newest,
        )
        for option in options
    ]


def as_important(
    statements: Sequence[DraftStatement], later: Mapping[Place, tuple[Place, ...]]
) -> list[DraftStatement]:
    """The statements; what says how things are now is a little more important than what it was before."""
    newer_of = defaultdict(set)
    for (older, _), places in later.items():
        for newer, _ in places:
            newer_of[newer].add(older)
    return [
        replace(
            statement,
            importance=max(
                statement.importance,
                *(
                    min(1.0, other.importance + _MORE)
                    for other in statements
                    if any(not newer_of[at].isdisjoint(other.sources) for at in statement.sources)
                ),
                0.0,
            ),
        )
        for statement in statements
    ]
