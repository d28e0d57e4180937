"""What users tell an assistant to do from now on: told before all else, until a newer instruction leaves nothing of it.

Also what of a message is sentences that somebody tells: no code, no credential.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.extractive.candidate import Candidate
from precis.extractive.weights.agents import is_agents, speaks_as_agent, without_offers
from precis.language.newest.instructed import instructs, overruled_instructions
from precis.language.reading import Place
from precis.language.sentences import sentences
from precis.language.written.markdown import as_prose, with_lists
from precis.language.written.secrets import with_confidences, without_secrets
from precis.makers import Item
from precis.summary import speaker_of, unattributed
from precis.trust import KNOWN_ROLES, SourceClass

#: An instruction is worth so many times as much as what has as many words of as much weight.
_WORTH = 8.0
#: And at least so important.
INSTRUCTS = 0.95


def as_told(item: Item) -> Item:
    """An item as what it tells: of an assistant's answer its sentences, without code, tables and credentials.

    What asks for silence stands with what it is of.
    """
    if item.derived:
        return item
    text = without_secrets(item.text)
    text = without_offers(as_prose(text)) if is_agents(item) else with_lists(text)
    text = with_confidences(text)
    return item if text == item.text else replace(item, text=text)


def without_outdated(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items; a statement of a node that says more than an outdated instruction is one without that."""
    if not any(item.derived for item in items):
        return tuple(items)
    lines = _lines(items)
    by = overruled_instructions(lines)
    left = list(items)
    for at in {at for at, _ in by if items[at].derived}:
        stays = [text for place, number, text in lines if place == at and (at, number) not in by]
        if stays:
            label = items[at].text.strip().removesuffix(unattributed(items[at].text))
            left[at] = replace(items[at], text=f"{label}{' '.join(stays)}")
    return tuple(left)


def _lines(items: Sequence[Item]) -> list[tuple[int, int, str]]:
    """The sentences of users, each with its item and its number in that."""
    return [
        (at, number, sentence)
        for at, item in enumerate(items)
        if _is_users(item)
        for number, sentence in enumerate(sentences(unattributed(item.text) if item.derived else item.text))
    ]


def outdated(items: Sequence[Item]) -> Mapping[Place, Place]:
    """For each sentence that is an instruction of which a newer one leaves nothing the place of the newest that does.

    A statement of a node is one where each of its sentences is.
    """
    if not any(item.speaker or item.derived for item in items):
        return {}
    lines = _lines(items)
    by = overruled_instructions(lines)
    sizes = {at: number + 1 for at, number, _ in lines}
    gone: dict[Place, Place] = {}
    for (at, number), newer in by.items():
        newest = (newer[0], 0) if items[newer[0]].derived else newer
        if not items[at].derived:
            gone[at, number] = newest
        elif all((at, other) in by for other in range(sizes[at])):
            gone[at, 0] = newest
    return gone


def instructing(options: Sequence[Candidate], items: Sequence[Item]) -> list[Candidate]:
    """The candidates; instructions of users in a talk are worth more, and each is a statement by itself."""
    with_agent = speaks_with_agent(items)
    return [
        replace(option, order=True, aside=False, share=max(1.0, option.share) * _WORTH)
        if _is_order(option, items[option.item], with_agent=with_agent)
        else option
        for option in options
    ]


def _is_order(option: Candidate, item: Item, *, with_agent: bool) -> bool:
    """Whether it tells an assistant how to work; a statement is what it was where its talk was summarized."""
    if not (with_agent or (option.derived and item.importance >= INSTRUCTS)) or not _is_users(item):
        return False
    return instructs(unattributed(option.text) if option.derived else option.text)


def speaks_with_agent(items: Sequence[Item]) -> bool:
    """Whether an assistant speaks in these items, or somebody as its user: "Never give up!" is said to a friend."""
    return any(is_agents(item) or _is_role(speaker_of(item.text) if item.derived else item.speaker) for item in items)


def _is_role(speaker: str | None) -> bool:
    return speaker is not None and (speaks_as_agent(speaker) or speaker.casefold() in KNOWN_ROLES)


def _is_users(item: Item) -> bool:
    """Whether a user says it, and neither an assistant nor a tool."""
    speaker = speaker_of(item.text) if item.derived else item.speaker
    return speaker is not None and item.classes == {SourceClass.USER} and not speaks_as_agent(speaker)
