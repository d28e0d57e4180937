"""A conversation as it is read: its row, what its summary says, and the messages that summary does not speak for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from hashlib import blake2b
from typing import Any

from precis.engine.messages import Message, tokens_of
from precis.engine.placing import Place
from precis.lineage import Counts, Statement
from precis.memory import Scope
from precis.sentences import sentences
from precis.storable import checked_name

#: The policy, and how a group of it is named.
POLICY = "conversations"
#: Words of a title that is made of a statement.
_TITLE_WORDS = 8
#: Who said it does not name a conversation.
_SPEAKER = re.compile(r"^[^\s:][^:\n]{0,60}: (?=\S)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Which conversation, as a caller names it; what is None is not asked about, an empty namespace is none."""

    session_id: str
    user_id: str | None = None
    namespace: str | None = None
    project_id: str | None = None
    environment: str | None = None

    def __post_init__(self) -> None:
        """Raises InvalidInput for a name that no conversation can have."""
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None or one.name == "session_id":
                checked_name(value, one.name)

    def scope(self, tenant_id: str) -> Scope:
        """Whose it is when it is opened under this name."""
        return Scope(
            tenant_id=tenant_id,
            user_id=self.user_id or "",
            project_id=self.project_id or "",
            environment=self.environment or "production",
        )

    @property
    def conversation_id(self) -> str:
        """The id of the conversation that is opened under this name."""
        scope = self.scope("")
        parts = (scope.user_id, scope.project_id, scope.environment, self.namespace or "", self.session_id)
        return blake2b("\x1f".join(parts).encode(), digest_size=16, person=b"precis-talk").hexdigest()


def memory_id(conversation_id: str, given: str) -> str:
    """The id of the memory that a message is."""
    digest = blake2b(f"{conversation_id}\x1f{given}".encode(), digest_size=16, person=b"precis-message")
    return digest.hexdigest()


def place_of(conversation_id: str, scope: Scope, *, due_at: datetime | None = None) -> Place:
    """The group whose members its summary speaks for."""
    return Place(
        policy=POLICY, name=conversation_id, user_id=scope.user_id, project_id=scope.project_id,
        environment=scope.environment, due_at=due_at,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """Its row."""

    id: str
    session_id: str
    namespace: str | None
    scope: Scope
    group_id: str
    #: Raised by each write.
    version: int
    summary_id: str | None
    #: Whether members came, changed or left since the summary was made.
    behind: bool
    #: What a caller keeps beside the messages.
    properties: Mapping[str, Any]
    ttl_seconds: int | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What the standing summary says."""

    id: str
    statements: tuple[Statement, ...]
    #: None while it waits to be made anew.
    title: str | None
    made_by: str
    fallback: bool
    #: Messages it has read.
    covered: int
    #: Law 7: what became of them.
    counts: Counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """A conversation at one moment. Its messages come without text: that is read once it is known which are wanted."""

    conversation: Conversation
    spoken: Spoken | None
    #: Messages the summary has not read, oldest first; and before them the newest it has, up to the number asked for.
    open: tuple[Message, ...]
    recent: tuple[Message, ...] = field(default=())
    #: Place of the newest message that the summary has read; 0 where there is none.
    after: int = 0

    @property
    def title(self) -> str | None:
        """The title; where it was withdrawn, the first words of the first statement."""
        return (self.spoken.title or companion(self.spoken.statements)) if self.spoken else None

    @property
    def total(self) -> int:
        """Messages in the context or behind the summary."""
        return (self.spoken.covered if self.spoken else 0) + len(self.open)

    @property
    def open_tokens(self) -> int:
        """Tokens of what no summary speaks for."""
        return tokens_of(self.open)


def companion(statements: tuple[Statement, ...]) -> str | None:
    """A title without a model: the first words of the first statement."""
    first = next((one.text for one in statements if one.superseded_by is None), "")
    first = _SPEAKER.sub("", first)
    words = next(iter(sentences(first)), "").split()
    if not words:
        return None
    title = " ".join(words[:_TITLE_WORDS]).rstrip(".,;:")
    return f"{title} \u2026" if len(words) > _TITLE_WORDS else title
