"""Texts that come without being stored: what a caller may hand in, and how they become the items of a prompt."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from precis.engine.segments import NEVER
from precis.ids import is_blank, storable
from precis.language.orders import is_order
from precis.language.sentences import sentences
from precis.language.written.markdown import visible
from precis.makers import Item, TokenCounter
from precis.summary import Statement, assemble
from precis.typed import NOT_BLANK, When, Word

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
#: Without a limit: the share of the texts that a summary has, and the fewest words or tokens.
_SHARE = 0.2
_FEWEST_WORDS = 40
_FEWEST_TOKENS = 60
#: More tokens a word than this: a script that does not put spaces between words.
_UNSPACED = 6.0


def _checked(value: str) -> str:
    if is_blank(value):
        raise ValueError("the text is empty")
    return storable(value)


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextInput(_Input):
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
_NULL = {"type": "null"}
_SPEAKER = {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[^\x00]*$"}, _NULL]}
_DATE = {"type": "string", "format": "date-time"}


def _object(properties: Mapping[str, Any], *optional: str) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(*kinds: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"anyOf": [*kinds]}, "minItems": 1, "maxItems": MAX_TEXTS}


_DATED = _object({"text": _NOT_BLANK, "speaker": _SPEAKER, "created_at": _DATE}, "speaker")
_UNDATED = _object({"text": _NOT_BLANK, "speaker": _SPEAKER, "created_at": _NULL}, "speaker", "created_at")
#: Each of them has a date, or none has.
_SCHEMA = {"anyOf": [_list(_NOT_BLANK, _UNDATED), _list(_DATED)]}


def _together(texts: list[TextInput]) -> list[TextInput]:
    size = sum(len(text.text) for text in texts)
    if size > MAX_CHARS:
        message = f"{size} characters together; the limit of one call is {MAX_CHARS}. Store them, or send fewer."
        raise ValueError(message)
    if 0 < sum(text.created_at is None for text in texts) < len(texts):
        raise ValueError("some texts have a date and some have none: give created_at for each of them or for none")
    return texts


Texts = Annotated[
    list[TextInput],
    Field(min_length=1, max_length=MAX_TEXTS),
    AfterValidator(_together),
    WithJsonSchema(_SCHEMA),
]


class SummarizeInput(_Input):
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


class CheckInput(_Input):
    """A summary and what it claims to rest on."""

    summary: Annotated[str, Field(max_length=MAX_SUMMARY_CHARS), AfterValidator(_checked), NOT_BLANK]
    sources: Texts


def items_of(texts: Sequence[TextInput]) -> tuple[Item, ...]:
    """Each text as one item, its place in the list as the source."""
    return tuple(_item(text, index, 0, text.text) for index, text in enumerate(texts))


def pieces_of(texts: Sequence[TextInput], count: TokenCounter) -> tuple[Item, ...]:
    """The same with long texts in several pieces, oldest first."""
    items = [
        _item(text, index, part, piece)
        for index, text in enumerate(texts)
        for part, piece in enumerate(_pieces(text.text, count))
    ]
    # Without dates, later in the list is newer.
    return tuple(sorted(items, key=lambda item: (item.created_at or NEVER, item.source_ids)))


def places(source_ids: Iterable[str]) -> tuple[int, ...]:
    """Places in the list of texts, in order, each once."""
    return tuple(sorted({int(id_.partition(".")[0]) for id_ in source_ids}))


def are_dated(texts: Sequence[TextInput]) -> bool:
    """Whether the texts say when they are from."""
    return texts[0].created_at is not None


def _item(text: TextInput, index: int, part: int, piece: str) -> Item:
    ids = (f"{index:05}.{part:05}",)
    return Item(text=visible(piece), source_ids=ids, created_at=text.created_at, speaker=text.speaker)


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


def count_words(text: str) -> int:
    """Words between white space."""
    return len(text.split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Length:
    """A limit and what it is measured in."""

    limit: int
    measure: TokenCounter
    #: About the same in tokens, for a model.
    tokens: int

    def cut(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The most important statements that fit when assembled, in their order."""
        if self.measure(assemble(tuple(statements))) <= self.limit:
            return tuple(statements)
        kept: set[int] = set()
        for place in sorted(range(len(statements)), key=lambda at: -statements[at].importance):
            if self.measure(assemble(tuple(statements[at] for at in sorted({*kept, place})))) <= self.limit:
                kept.add(place)
        return tuple(statements[at] for at in sorted(kept))


def length_of(inputs: SummarizeInput, count: TokenCounter) -> Length:
    """The limits that were given; without any, a fifth of the texts."""
    texts = [text.text for text in inputs.texts]
    tokens, words = sum(map(count, texts)), sum(map(count_words, texts))
    most_words, most_tokens = inputs.max_words, inputs.max_tokens
    if most_words is None and most_tokens is None:
        if tokens > _UNSPACED * words:
            most_tokens = min(MAX_TOKENS, max(_FEWEST_TOKENS, round(_SHARE * tokens)))
        else:
            most_words = min(MAX_WORDS, max(_FEWEST_WORDS, round(_SHARE * words)))
    if most_words is None:
        limit = most_tokens or 0
        return Length(limit=limit, measure=count, tokens=limit)
    about = min(MAX_TOKENS, max(10, round(most_words * tokens / words)))
    if most_tokens is None:
        return Length(limit=most_words, measure=count_words, tokens=about)
    return Length(limit=most_tokens, measure=_both(most_words, most_tokens, count), tokens=min(about, most_tokens))


def _both(words: int, tokens: int, count: TokenCounter) -> TokenCounter:
    """At most ``tokens`` exactly where both limits hold."""

    def measure(text: str) -> int:
        return max(count(text), ceil(count_words(text) * tokens / words))

    return measure
