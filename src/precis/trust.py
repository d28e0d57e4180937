"""Trust: from whom a memory is, how far that is trusted, and what may displace what. The one place that says so. Pure.

Classes by the OWASP Agentic threat ASI06 (memory poisoning): what a tool or a document says came from outside, and
whoever wrote it may want it to be remembered in place of what the user said.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Any


class SourceClass(StrEnum):
    """From whom a memory is, the most trusted first."""

    USER = "user"
    AGENT = "agent"
    IMPORTED = "imported"
    DOCUMENT = "document"
    TOOL = "tool"


#: The classes in their order.
ORDER = tuple(SourceClass)
#: What came from outside: nobody the user talks to vouches for it.
RELAYED = frozenset({SourceClass.DOCUMENT, SourceClass.TOOL})
USERS = frozenset({SourceClass.USER})
#: What callers of chat APIs call who speaks; any other role is taken for the user's.
_ROLES = {
    "assistant": SourceClass.AGENT, "ai": SourceClass.AGENT, "agent": SourceClass.AGENT, "model": SourceClass.AGENT,
    "bot": SourceClass.AGENT, "system": SourceClass.AGENT, "developer": SourceClass.AGENT,
    "tool": SourceClass.TOOL, "function": SourceClass.TOOL, "document": SourceClass.DOCUMENT,
}  # fmt: skip

#: Roles of a user who has no other name.
USER_ROLES = frozenset({"user", "human"})
#: Every role by which a message may be handed in as a turn; ``context`` is a summary that came in with a session.
KNOWN_ROLES = USER_ROLES | {"context", *_ROLES}
#: Roles of an assistant, as libraries call it.
_ASSISTANTS = frozenset({"assistant", "ai", "agent", "model", "bot"})


def least(classes: Iterable[SourceClass]) -> SourceClass:
    """The least trusted of these; the user's where there are none."""
    return max(classes, key=ORDER.index, default=SourceClass.USER)


def at_least(trust: SourceClass) -> tuple[SourceClass, ...]:
    """The classes that are trusted no less."""
    return ORDER[: ORDER.index(trust) + 1]


def role_in_chats(role: str) -> str:
    """The role as chat APIs write it: ``human`` is a user, ``model`` an assistant; one that nobody knows as it is."""
    low = role.casefold()
    if low in USER_ROLES:
        return "user"
    return "assistant" if low in _ASSISTANTS else low if low in KNOWN_ROLES else role


def class_of_role(role: object) -> SourceClass:
    """From whom a message of this role is."""
    return _ROLES.get(role.casefold(), SourceClass.USER) if isinstance(role, str) else SourceClass.USER


def class_of(metadata: Mapping[str, Any]) -> SourceClass:
    """From whom a memory is whose writer did not say: by the role or the actor in its metadata, else the user."""
    return class_of_role(metadata.get("role") or metadata.get("actor"))


class Voice(StrEnum):
    """Who speaks in a text, as far as that decides what it may displace."""

    #: Only people and agents.
    VOUCHED = "vouched"
    #: People or agents, and tools or documents as well.
    MIXED = "mixed"
    #: Only tools and documents.
    RELAYED = "relayed"


def voice_of(classes: Collection[SourceClass]) -> Voice:
    """Who speaks in what rests on sources of these classes."""
    if RELAYED.isdisjoint(classes):
        return Voice.VOUCHED
    return Voice.RELAYED if RELAYED.issuperset(classes) else Voice.MIXED


def may_displace(newer: Voice, older: Voice) -> bool:
    """Whether a newer text may stand in place of an older one, where it says otherwise of the same thing.

    What rests on a tool or a document in part may not, where any part of the older is vouched for: a tool that first
    repeats what the user said could else replace it.
    """
    return newer is Voice.VOUCHED or older is Voice.RELAYED


def may_replace(newer: SourceClass, older: SourceClass) -> bool:
    """Whether a memory of the one class may replace a memory of the other."""
    return may_displace(voice_of({newer}), voice_of({older}))
