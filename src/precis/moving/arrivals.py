"""What comes out of another memory: which kinds there are, what each can be asked, what all of them give; the report.

The file of a kind is read when it is used. A report says what a move did, count for count, and what was left out.
"""

import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from pydantic import ValidationError

from precis import conversation, errors, ids, typed
from precis.app.inputs import UnownedInput
from precis.app.redis import long_term, working_memory

#: Characters of a label; what is longer is cut.
_LABEL = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveOptions:
    """What is said of a move, beside the place to move from."""

    now: datetime
    #: Whose that is which names nobody.
    user_id: str | None = None
    #: Whether what an assistant said is moved as well.
    assistant: bool = False
    #: A header of requests, as ``Name: value``.
    header: str | None = None
    #: Which label of a namespace names the user: 1 the first, -1 the last.
    user_label: int = 1
    #: Rows of a page.
    page: int = 100

    def owner(self) -> str:
        """Whose all of it is, where the place knows one person only. Raises InvalidInput."""
        if not self.user_id:
            raise errors.InvalidInput("--user-id: say whose memories these are; they do not say it themselves")
        return self.user_id


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Something that is not moved, and why, in words that are the same for all of its kind."""

    id: str
    reason: str
    #: It should have been moved and cannot be.
    refused: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionIn:
    """A session of the wire: a conversation written whole."""

    address: conversation.Address
    written: working_memory.Written
    memories: Sequence[long_term.Recorded] = field(default=())


@dataclass(frozen=True, kw_only=True, slots=True)
class ViewIn:
    """The declaration of a summary view, as the wire has it."""

    id: str
    body: Mapping[str, Any]


Arrival = long_term.Recorded | SessionIn | ViewIn | LeftOut


class Origin(Protocol):
    """Another memory. Read twice it shows the same under the same ids, so that nothing is moved twice."""

    #: How many memories there are; None until that is known.
    total: int | None

    def arrivals(self) -> AsyncGenerator[Arrival, None]:
        """Everything it shows. Raises PrecisError where it cannot be read; what came before that stays valid."""


def memory(id_: str, fields: Mapping[str, Any], kind: type[UnownedInput] = UnownedInput) -> Arrival:
    """A memory with these fields (see MemoryInput), or why it cannot be one. Empty fields are no fields."""
    filled = {name: value for name, value in fields.items() if value not in (None, "", (), [], {})}
    try:
        return long_term.Recorded(memory=kind.model_validate({"user_id": "", **filled, "id": id_}))
    except ValidationError as error:
        return LeftOut(id=id_, reason=str(typed.invalid(error)), refused=True)


def made_id(kind: str, *parts: str) -> str:
    """An id that follows from what is known of something that has none: the same at each reading."""
    return f"{kind}-{blake2b(chr(31).join(parts).encode(), digest_size=16).hexdigest()}"


def labels(values: object) -> tuple[str, ...]:
    """Texts as topics or entities."""
    listed = values if isinstance(values, Iterable) and not isinstance(values, str | Mapping) else ()
    return tuple(dict.fromkeys(cleaned(each).strip()[:_LABEL] for each in listed if isinstance(each, str) and each))


def cleaned(text: str) -> str:
    """The text without what cannot be stored: null characters, and halves of a character that was cut in two."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


#: Seconds since 1970 that were written as text; fewer digits are a year, or a day without dashes.
_SECONDS = re.compile(r"\d{9,11}(?:\.\d+)?")


def moment(value: object) -> datetime | None:
    """A date as exports write it: seconds since 1970, or ISO 8601, which means UTC where it names no zone."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC) if value > 0 else None
        if isinstance(value, datetime):
            read = value
        elif isinstance(value, str):
            if _SECONDS.fullmatch(value.strip()):
                return moment(float(value))
            read = datetime.fromisoformat(value.strip())
        else:
            return None
        return ids.zoned(read).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def existing(source: str) -> Path:
    """The file or folder of that name. Raises InvalidInput."""
    path = Path(source)
    if not path.exists():
        raise errors.InvalidInput(f"{source}: there is no such file or folder")
    return path


class Kind(StrEnum):
    """What ``--from`` names."""

    AGENT_MEMORY_SERVER = "agent-memory-server"
    MEM0 = "mem0"
    LANGGRAPH = "langgraph"
    HINDSIGHT = "hindsight"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MARKDOWN = "markdown"


_WRITTEN_IN = {
    Kind.AGENT_MEMORY_SERVER: "agent_memory_server:AgentMemoryServer",
    Kind.MEM0: "mem0:Mem0",
    Kind.LANGGRAPH: "langgraph:LangGraphStore",
    Kind.HINDSIGHT: "hindsight:Hindsight",
    Kind.CHATGPT: "chats:ChatGPT",
    Kind.CLAUDE: "chats:Claude",
    Kind.MARKDOWN: "notes:Notes",
}


def origin_of(kind: Kind, source: str, options: MoveOptions) -> Origin:
    """The memory of that kind and place. Raises InvalidInput."""
    module, _, name = _WRITTEN_IN[kind].partition(":")
    return cast("Origin", getattr(import_module(f"precis.moving.{module}"), name)(source, options))


#: Ids that are named of what is left out for one reason.
_EXAMPLES = 3
#: What differs between errors of one kind: where in the batch, which id, how long, when.
_PLACE = re.compile(r"memories\.\d+\.| at index \d+")
_NAMED = re.compile(r"(?<=memory) '[^']*'")
_FIGURE = re.compile(r"\b\d{4}-\d\d-\d\dT\S+|\b\d+(?= characters;)")


@dataclass(kw_only=True)
class Count:
    """How many memories, messages, sessions or views were shown, and what became of them."""

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
