"""Texts that come without being stored: what a caller may hand in, and how they become the items of a prompt."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from precis.app.inputs import NOT_BLANK, When, Word
from precis.ids import storable
from precis.language.orders import is_order
from precis.language.sentences import sentences
from precis.language.visible import visible
from precis.makers import Item, TokenCounter

MAX_TEXTS = 5_000
#: Characters of one text, and of all texts of one call.
MAX_TEXT_CHARS = 200_000
MAX_CHARS = 1_000_000
MAX_SUMMARY_CHARS = 100_000
MAX_PROMPT_CHARS = 8_000
MAX_WORDS = 2_500
MAX_TOKENS = 3_500
#: A longer text becomes several items, so that none of it is cut away.
PIECE_TOKENS = 800
#: The same for a text that gives orders somewhere: only what stands near them is lost with them.
TAINTED_TOKENS = 80
#: A sentence longer than a piece is broken into lines of so many characters.
_LINE_CHARS = 600
#: When texts without a date are said to be from: a day of no calendar in use.
NO_DAY = datetime(8888, 1, 15, tzinfo=UTC)
#: Half a year away from it: what holds on both days rests on neither.
OTHER_DAY = datetime(8877, 7, 24, tzinfo=UTC)


def _checked(value: str) -> str:
    if not value.strip():
        raise ValueError("the text is empty")
    return storable(value)


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextInput(_Given):
    """One text: a string, or an object with who said it and when."""

    text: Annotated[str, Field(max_length=MAX_TEXT_CHARS), AfterValidator(_checked)]
    speaker: Word | None = None
    created_at: When | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_string(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"text": value}
        if not isinstance(value, dict | TextInput):
            raise ValueError("a text is a string, or an object with text, speaker and created_at")  # noqa: TRY004
        return value


_NOT_BLANK = {"type": "string", **NOT_BLANK.keywords}
_SCHEMA = {
    "anyOf": [
        _NOT_BLANK,
        {
            "type": "object",
            "properties": {
                "text": _NOT_BLANK,
                "speaker": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[^\x00]*$"},
                "created_at": {"type": "string", "format": "date-time"},
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    ]
}
_Text = Annotated[TextInput, WithJsonSchema(_SCHEMA)]


def _together(texts: list[TextInput]) -> list[TextInput]:
    size = sum(len(one.text) for one in texts)
    if size > MAX_CHARS:
        message = f"{size} characters together; the limit of one call is {MAX_CHARS}. Store them, or send fewer."
        raise ValueError(message)
    if 0 < sum(one.created_at is None for one in texts) < len(texts):
        raise ValueError("some texts have a date and some have none: give created_at for each of them or for none")
    return texts


Texts = Annotated[list[_Text], Field(min_length=1, max_length=MAX_TEXTS), AfterValidator(_together)]


class SummarizeInput(_Given):
    """What is to be summarized, and how long the summary may be."""

    texts: Texts
    max_words: Annotated[int, Field(ge=5, le=MAX_WORDS, strict=True)] | None = Field(
        default=None, description="words between white space; without either limit 20 % of the input, at least 40 words"
    )
    max_tokens: Annotated[int, Field(ge=10, le=MAX_TOKENS, strict=True)] | None = Field(
        default=None, description="tokens as the model counts them; given with max_words, both limits hold"
    )
    prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS), AfterValidator(_checked), NOT_BLANK] | None = Field(
        default=None, description="the instruction of a model in place of ours; without a model it has no effect"
    )
    model: Word | None = Field(
        default=None, description="a model of the endpoint that is configured, or extractive for none at all"
    )


class CheckInput(_Given):
    """A summary and what it claims to rest on."""

    summary: Annotated[str, Field(max_length=MAX_SUMMARY_CHARS), AfterValidator(_checked), NOT_BLANK]
    sources: Texts


def items_of(texts: Sequence[TextInput], *, day: datetime = NO_DAY) -> tuple[Item, ...]:
    """Each text as one item, its place in the list as the source."""
    return tuple(_item(one, index, 0, one.text, day) for index, one in enumerate(texts))


def pieces_of(texts: Sequence[TextInput], count: TokenCounter) -> tuple[Item, ...]:
    """The same with long texts in several pieces, oldest first."""
    found = [
        _item(one, index, part, said, NO_DAY)
        for index, one in enumerate(texts)
        for part, said in enumerate(_pieces(one.text, count))
    ]
    return tuple(sorted(found, key=lambda item: (item.created_at, item.source_ids)))


def places(source_ids: Iterable[str]) -> tuple[int, ...]:
    """Places in the list of texts, in order, each once."""
    return tuple(sorted({int(id_.partition(".")[0]) for id_ in source_ids}))


def are_dated(texts: Sequence[TextInput]) -> bool:
    """Whether the texts say when they are from."""
    return texts[0].created_at is not None


def _item(text: TextInput, index: int, part: int, said: str, day: datetime) -> Item:
    # Later in the list is newer; a microsecond apart, so that all fall on one day.
    when = text.created_at or day + timedelta(microseconds=index)
    return Item(text=visible(said), source_ids=(f"{index:05}.{part:05}",), created_at=when, speaker=text.speaker)


def _pieces(text: str, count: TokenCounter) -> Iterator[str]:
    """The text itself where it is short enough, else whole sentences up to the length of a piece."""
    limit = TAINTED_TOKENS if is_order(text) else PIECE_TOKENS
    # A token is one character at least, so most texts need no counting.
    if len(text) <= limit or count(text) <= limit:
        yield text
        return
    gathered: list[str] = []
    size = 0
    for sentence in _sentences(text, limit, count):
        more = count(sentence)
        if gathered and size + more > limit:
            yield " ".join(gathered)
            gathered, size = [], 0
        gathered.append(sentence)
        size += more
    yield " ".join(gathered)


def _sentences(text: str, limit: int, count: TokenCounter) -> Iterator[str]:
    for sentence in sentences(text):
        if count(sentence) <= limit:
            yield sentence
        else:
            yield from textwrap.wrap(sentence, _LINE_CHARS, break_on_hyphens=False)
