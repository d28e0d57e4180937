"""The facts that rules find in messages, as they were meant: what is put right a moment later counts. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from precis.facts.rules import facts_in
from precis.language.newest.corrections import Settled, Turn, settled
from precis.language.newest.taken_back import beyond_doubt
from precis.store.facts import Unread
from precis.trust import RELAYED, role_in_chats


@dataclass(frozen=True, kw_only=True, slots=True)
class FactDraft:
    """A fact before it is a memory."""

    text: str
    sources: tuple[str, ...]
    speaker: str | None = None
    importance: float | None = None
    type: str | None = None
    #: The text of a fact that was found before, of which it takes the place, and on which messages that rests.
    in_place_of: tuple[tuple[str, tuple[str, ...]], ...] = ()


def by_rules(before: Sequence[Unread], messages: Sequence[Unread], telling: Sequence[Unread]) -> list[FactDraft]:
    """The facts in those messages that tell something; they rest on what puts them right as well.

    Of those that were read ``before`` only what is put right now, in place of what was found then.
    """
    every = (*before, *messages)
    as_meant = _beyond_doubt(every)
    as_before = _beyond_doubt(before)
    ids = [message.memory.id for message in every]
    ids_telling = {message.memory.id for message in telling}
    drafts = []
    for message, meant, then in zip(before, as_meant, as_before, strict=False):
        if meant == then:
            continue
        new, old = _facts(message, meant, ids), _facts(message, then, ids)
        stays = {fact.text for fact in new} & {fact.text for fact in old}
        wrong = tuple((fact.text, fact.sources) for fact in old if fact.text not in stays)
        drafts += [replace(fact, in_place_of=wrong) for fact in new if fact.text not in stays]
    for message, meant in zip(messages, as_meant[len(before) :], strict=True):
        drafts += _facts(message, meant, ids) if message.memory.id in ids_telling else []
    return drafts


def _beyond_doubt(messages: Sequence[Unread]) -> list[Settled]:
    """The messages as they were meant, without what was taken back where nobody knows what counts instead."""
    turns = [_turn(message) for message in messages]
    return beyond_doubt(turns, settled(turns))


def _turn(message: Unread) -> Turn:
    memory = message.memory
    return Turn(memory.text or "", None if memory.source_class in RELAYED else memory.speaker, memory.created_at)


def _facts(message: Unread, meant: Settled, ids: Sequence[str]) -> list[FactDraft]:
    name = message.memory.speaker if message.memory.speaker != message.role else None
    sources = tuple(ids[at] for at in meant.of)
    return [
        FactDraft(text=fact.text, sources=sources, speaker=fact.speaker, type=fact.type)
        for fact in facts_in(meant.text, name=name, role=role_in_chats(message.role))
    ]
