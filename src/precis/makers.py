"""What the engine needs from outside. Each protocol here has at least two real implementations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Protocol

from precis.memory import Extracted
from precis.trust import USERS, SourceClass, Voice, voice_of

#: Counts the tokens of a text with the tokenizer of the model in use.
TokenCounter = Callable[[str], int]
#: Place of a lower-cased word among all by how often people write it; None for a rare one.
WordRank = Callable[[str], int | None]
#: The time now, aware. Frozen in tests.
Clock = Callable[[], datetime]


class Aim(StrEnum):
    """What a summary is for. ``AUTO`` measures how redundant the items are and picks one of the others."""

    AUTO = "auto"
    #: Keep the distinct facts.
    FACTS = "facts"
    #: Say what the items agree on.
    OPINION = "opinion"


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One numbered entry of a prompt: a memory, or a statement of a node below."""

    text: str
    #: Base memories it rests on: one for a memory, and what puts that right; several for a statement.
    source_ids: tuple[str, ...]
    #: When it was written; None where nobody says: it names no day then, and what comes later in the list is newer.
    created_at: datetime | None
    speaker: str | None = None
    importance: float = 0.5
    #: True for a statement of a node: already checked, already made to stand alone.
    derived: bool = False
    #: From whom it is; of a statement, all those it rests on.
    classes: frozenset[SourceClass] = USERS
    #: Whether something else was said between the item before it and this one: then it answers another.
    apart: bool = False
    #: Whether it was written by itself, as a note is, and not said in a talk: it goes on from nothing before it.
    alone: bool = False

    @property
    def day(self) -> date | None:
        """The day on which it was written."""
        return None if self.created_at is None else self.created_at.date()

    @property
    def voice(self) -> Voice:
        """Who speaks in it."""
        return voice_of(self.classes)


def newness(items: Sequence[Item]) -> list[int]:
    """How new each item is beside the others, from 0 on: by date, or by place where one of them has none.

    Items of one moment are as new as each other.
    """
    moments = [item.created_at for item in items if item.created_at is not None]
    if len(moments) < len(items):
        return list(range(len(items)))
    ranks = {moment: rank for rank, moment in enumerate(sorted(set(moments)))}
    return [ranks[moment] for moment in moments]


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What a summarizer is asked for."""

    #: Oldest first.
    items: tuple[Item, ...]
    #: Limit of the whole answer's text, in tokens.
    max_tokens: int
    #: The instruction part of the prompt (a file in precis/prompts, or a view's own).
    prompt: str
    aim: Aim = Aim.AUTO
    #: Overrides the configured model.
    model: str | None = None
    #: For the ledger: whose budget it is, and which policy and group ask.
    tenant_id: str = ""
    policy: str = ""
    group_id: str = ""
    #: Statements less important than this are not served: the others come first.
    served_from: float = 0.0
    #: What kind of node it is for.
    kind: str = ""
    #: Tokens of the items' texts.
    tokens_read: int = 0
    #: After forgetting or an edit: may use the part of the ceiling that is kept for it.
    rederives: bool = False
    #: The prompt asks for free text in place of statements.
    prose: bool = False
    #: The items were picked by what they are about: what was said between two of them may be missing.
    picked: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftStatement:
    """A statement as a summarizer claims it; nothing is believed before the checks."""

    text: str
    importance: float
    #: Indices into Request.items.
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What a draft took. Zero for the offline summarizer."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    #: US dollars.
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(**{part.name: getattr(self, part.name) + getattr(other, part.name) for part in fields(self)})


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """An answer nobody has committed to."""

    statements: tuple[DraftStatement, ...]
    made_by: str
    usage: Usage = Usage()
    #: True when the offline summarizer stood in for a model that could not be used.
    fallback: bool = False
    #: True where its statements are the items' own sentences: those that pass are trusted beside those that do not.
    quoted: bool = False
    #: Where it was asked for; there are no statements then.
    prose: str | None = None


class Summarizer(Protocol):
    """Turns items into statements. Raises DraftFailed (and kin) instead of answering badly."""

    #: Names what makes the drafts, e.g. ``extractive@2``; part of the definition.
    name: str

    async def summarize(self, request: Request) -> Draft:
        """One draft for one request."""


class Ruling(StrEnum):
    """Whether the cited items support a statement."""

    SUPPORTED = "supported"
    #: Something in it stands in none of them.
    UNSUPPORTED = "unsupported"
    #: They say otherwise.
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgment:
    """What a judge says, by position of the statement; where it says nothing the checks stand."""

    rulings: Mapping[int, Ruling]
    usage: Usage = Usage()


class Judge(Protocol):
    """A second opinion on statements that passed the checks. Raises DraftFailed (and kin) where it has none."""

    #: Part of the definition: who judges shapes what is said.
    name: str

    async def judge(self, statements: Sequence[DraftStatement], request: Request) -> Judgment:
        """Rulings on statements drafted for ``request``; their sources are indices into its items."""


class Extractor(Protocol):
    """Finds type, subject, person and importance of what is written. Always answers."""

    async def extract(self, rows: Sequence[tuple[str, str | None]], *, tenant_id: str) -> list[Extracted]:
        """One for each (text, speaker), in order."""


class Proposal(StrEnum):
    """What a model would do with a memory that a request to forget may mean."""

    FORGET = "forget"
    KEEP = "keep"


class Proposer(Protocol):
    """An opinion on memories of which it is in doubt whether a request to forget means them. Always answers."""

    async def propose(self, what: str, texts: Sequence[str], *, tenant_id: str) -> Mapping[int, Proposal]:
        """By the place of the text; of none where it has no opinion."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    #: Name and version, stored beside each vector; vectors of two versions are never compared.
    version: str
    dimensions: int

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """One unit vector a text, in order; batches are the adapter's business."""


async def arrays_of(embedder: Embedder, texts: list[str]) -> Sequence[Any]:
    """What it embeds as arrays, where it makes such: lists of numbers take longer to write and read than to embed."""
    arrays: Callable[[list[str]], Awaitable[Sequence[Any]]] | None = getattr(embedder, "arrays", None)
    return await (embedder.embed(texts) if arrays is None else arrays(texts))


#: Share of a text that an embedder must know before its vector goes by meanings: of one in another language
#: it reads the names and numbers at most.
READABLE = 0.5


def share_known(embedder: Embedder, text: str, *, foreign: bool = False) -> float:
    """How much of a text (0 to 1) the embedder reads; an embedder that cannot tell is taken to read everything.

    One that can reads English: of a text that is surely ``foreign`` it may know a word by chance, as of "Dove abita".
    """
    knows: Callable[[str], float] | None = getattr(embedder, "knows", None)
    return 1.0 if knows is None else 0.0 if foreign else knows(text)


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """What is known of a text for grouping, beside its vector."""

    #: Whether its vector is of the letters of its words.
    lettered: bool = False
    #: Unit vector of those of its words that may say what it is about, as an array; None where that is not known.
    topic: Any = None
    #: Of which embedder that is.
    version: str | None = None


def about(embedder: Embedder, texts: Sequence[str]) -> list[About]:
    """One for each text, in order; an embedder without ``topics`` cannot tell words of a subject from others."""
    topics: Callable[[Sequence[str]], Sequence[Any]] | None = getattr(embedder, "topics", None)
    vectors = [None] * len(texts) if topics is None else topics(texts)
    return [
        About(lettered=share_known(embedder, text) < READABLE, topic=topic, version=embedder.version)
        for text, topic in zip(texts, vectors, strict=True)
    ]
