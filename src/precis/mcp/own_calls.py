"""Which calls in a conversation are of precis's own memory tools.

What they write or show is stored as memories. A copy of it among the messages would be recalled before the memory
itself, and would be left when the memory is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from precis.mcp.wording import is_answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Calling:
    """What one message asks of tools, and what it brings from them."""

    #: Names of tools by the ids of their calls.
    asks: Mapping[str, str] = field(default_factory=dict)
    #: Texts by the ids of the calls; None where the tool itself says that it is precis's.
    answers: Mapping[str, str | None] = field(default_factory=dict)


def own_calls(messages: Sequence[Calling]) -> list[frozenset[str]]:
    """For each message the ids of the calls in it that precis's tools have answered, asked there or answered there.

    A call without an answer is anybody's, and so is one that was refused. Ids may come again in later turns.
    """
    own: list[set[str]] = [set() for _ in messages]
    waiting: dict[str, tuple[int, str]] = {}
    for place, message in enumerate(messages):
        for id_, answer in message.answers.items():
            at, name = waiting.pop(id_, (place, ""))
            if at != place and (answer is None or is_answer(name, answer)):
                own[at].add(id_)
                own[place].add(id_)
        waiting |= {id_: (place, name) for id_, name in message.asks.items()}
    return [frozenset(ids) for ids in own]
