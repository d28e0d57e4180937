"""What a move did, count for count, and what was left out, by reason."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: Ids that are named of what is left out for one reason.
_EXAMPLES = 3
#: What differs between errors of one kind: where in the batch, which id, how long, when.
_PLACE = re.compile(r"memories\.\d+\.| at index \d+")
_NAMED = re.compile(r"(?<=memory) '[^']*'")
_FIGURE = re.compile(r"\b\d{4}-\d\d-\d\dT\S+|\b\d+(?= characters;)")


@dataclass(kw_only=True)
class Count:
    """Of memories, messages, sessions or views."""

    shown: int = 0
    #: In a dry run: would be written.
    written: int = 0
    already_there: int = 0
    #: A person forgot them here; they stay away.
    forgotten: int = 0
    refused: int = 0


@dataclass(kw_only=True)
class Reason:
    """Why something was left out."""

    reason: str
    #: It should have been moved.
    refused: bool
    count: int = 0
    #: Ids of the first of them.
    examples: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class Report:
    """Filled while things move."""

    dry_run: bool
    memories: Count = field(default_factory=Count)
    messages: Count = field(default_factory=Count)
    sessions: Count = field(default_factory=Count)
    views: Count = field(default_factory=Count)
    #: Those with a name.
    users: set[str] = field(default_factory=set)
    #: Memories and messages of this move that are in precis, counted after it.
    in_precis: int = 0
    reasons: dict[tuple[str, bool], Reason] = field(default_factory=dict)

    def leave(self, id_: str, reason: str, *, refused: bool = False) -> None:
        """Note something that is left out."""
        reason = _FIGURE.sub("…", _NAMED.sub("", _PLACE.sub("", reason)))
        entry = self.reasons.setdefault((reason, refused), Reason(reason=reason, refused=refused))
        entry.count += 1
        if len(entry.examples) < _EXAMPLES:
            entry.examples.append(id_)

    @property
    def refused(self) -> int:
        """How much should have been moved and is not."""
        return sum(entry.count for entry in self.reasons.values() if entry.refused)
