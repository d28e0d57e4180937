"""Counting tokens. The ranks of o200k_base lie beside this file, so nothing is fetched when it runs.

A model's own tokenizer may be given as a file in the format of the package ``tokenizers``.

What a call costs: an offline price list, the prices of the settings before it, a default after it.
"""

from __future__ import annotations

import binascii
import gzip
import math
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import tiktoken

from precis.errors import ConfigurationError
from precis.language.words import kept_where_short
from precis.makers import Request, TokenCounter, Usage

#: SHA-256 of the unpacked ranks: the value tiktoken expects of o200k_base.
RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
#: How much longer a text may be in the tokens of a model whose own tokenizer we do not have.
FOREIGN_MARGIN = 1.15

_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_PIECES = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    + _CONTRACTION
    + r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    + _CONTRACTION
    + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
#: Models that read o200k_base: the 4o, 4.1, 4.5 and 5 families, the o-series and the open-weight gpt-oss.
_OWN = re.compile(r"(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-[5-9]|gpt-oss|o\d)(?![0-9a-z])")
_loading = threading.Lock()


def counter(model: str | None = None) -> TokenCounter:
    """A function that counts the tokens of a text for this model; multiply by ``margin(model)`` to be safe.

    Text is counted as text: what looks like a special token (``<|endoftext|>``) is counted letter by letter and
    nothing raises. One table serves every model; ``Tokenizers`` knows a model's own.
    """
    del model
    return count


def margin(model: str | None = None) -> float:
    """1.0 where the counter is the model's own tokenizer, else 1.15."""
    return 1.0 if model and _OWN.match(_family(model)) else FOREIGN_MARGIN


@kept_where_short
def count(text: str) -> int:
    """Tokens of a text in o200k_base."""
    return len(_encoding().encode_ordinary(text))


@dataclass(frozen=True, kw_only=True, slots=True)
class Tokenizers:
    """The tokenizer of one model, if there is a file of it; the shipped ranks for every other."""

    #: Whose tokenizer it is.
    model: str | None = None
    own: TokenCounter | None = None

    def counter(self, model: str | None = None) -> TokenCounter:
        """What counts for this model."""
        return self.own if self.own is not None and model == self.model else counter(model)

    def margin(self, model: str | None = None) -> float:
        """1.0 where that is the model's own tokenizer."""
        return 1.0 if self.own is not None and model == self.model else margin(model)


def tokenizers_for(model: str | None, path: Path | None) -> Tokenizers:
    """With the file of the model's tokenizer, if one is named. Raises ConfigurationError."""
    return Tokenizers(model=model, own=None if path is None else counter_of_file(path))


def counter_of_file(path: Path) -> TokenCounter:
    """Counts as a ``tokenizer.json`` does. Raises ConfigurationError where it or the package cannot be read."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra, needed only where a file is named
    except ImportError as error:
        message = "PRECIS_TOKENIZER needs the package tokenizers: pip install 'precis-memory[tokenizers]'"
        raise ConfigurationError(message) from error
    if not path.is_file():
        raise ConfigurationError(f"PRECIS_TOKENIZER: there is no file {path}")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing more particular
        raise ConfigurationError(f"PRECIS_TOKENIZER: {path} is not a tokenizer.json: {error}") from error
    # A file may say how training cut and padded; and text is counted as text, whatever it looks like.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True

    def count_own(text: str) -> int:
        # Half a surrogate pair is no text to the package.
        return len(tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids)

    return count_own


def rank(word: str) -> int | None:
    """Place of a lower-cased word in the frequency order of the ranks; None for a word of several tokens."""
    best = [tokens[0] for tokens in map(_encoding().encode_ordinary, (f" {word}", word)) if len(tokens) == 1]
    return min(best, default=None)


def _family(model: str) -> str:
    """The model's own name: ``openai/gpt-4o-mini`` and ``ft:gpt-4o:team`` are both ``gpt-4o...``."""
    return model.lower().rsplit("/", 1)[-1].removeprefix("openai:").removeprefix("azure:").removeprefix("ft:")


def _encoding() -> tiktoken.Encoding:
    """The tokenizer, made once a process whoever asks first."""
    with _loading:
        return _load()


@lru_cache(maxsize=1)
def _load() -> tiktoken.Encoding:
    # Tokens and ranks in turn. Every process that counts reads all 200,000, so each step is one loop in C.
    parts = gzip.decompress(ranks_file()).split()
    ranks = dict(zip(map(binascii.a2b_base64, parts[::2]), map(int, parts[1::2]), strict=True))
    return tiktoken.Encoding(name="o200k_base", pat_str=_PIECES, mergeable_ranks=ranks, special_tokens={})


def ranks_file() -> bytes:
    """The packed ranks as shipped."""
    return (files("precis.models") / "tables" / "o200k_base.tiktoken.gz").read_bytes()


_MILLION = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """US dollars a million tokens."""

    input_per_million: float
    output_per_million: float
    #: Input the provider had in its cache; None charges it like other input.
    cached_per_million: float | None = None

    def __post_init__(self) -> None:
        prices = [self.input_per_million, self.output_per_million, self.cached_per_million or 0.0]
        if not all(math.isfinite(value) and value >= 0 for value in prices):
            raise ConfigurationError(f"A price must be a number of US dollars from 0 up, not {prices}.")

    def cost(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """US dollars; ``tokens_in`` includes the cached ones."""
        cached_price = self.input_per_million if self.cached_per_million is None else self.cached_per_million
        fresh = tokens_in - tokens_cached
        spent = fresh * self.input_per_million + tokens_cached * cached_price + tokens_out * self.output_per_million
        return spent / _MILLION


#: For a model nobody knows: the list price of a middling hosted one, so that a ceiling means something.
UNKNOWN = Price(input_per_million=2.0, output_per_million=8.0, cached_per_million=0.5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Prices:
    """Prices by model. A local model is free only if the settings say so: hosted ones share its name."""

    overrides: Mapping[str, Price] = field(default_factory=dict)
    default: Price = UNKNOWN

    @classmethod
    def of(cls, models: Mapping[str, Mapping[str, float]], default: Mapping[str, float] | None = None) -> Prices:
        """From the settings: ``{model: {input_per_million, output_per_million, cached_per_million}}``."""
        overrides = {model: _price(model, fields) for model, fields in models.items()}
        return cls(overrides=overrides, default=_price("default", default) if default else UNKNOWN)

    def cost(
        self,
        model: str,
        tokens_in: int,
        tokens_out: int,
        tokens_cached: int = 0,
        *,
        at: datetime | None = None,
    ) -> float:
        """US dollars of one call. ``at`` picks the price of a time, where it changed; None is now."""
        tokens_cached = min(tokens_cached, tokens_in)
        own = self.overrides.get(model)
        if own is not None:
            return own.cost(tokens_in, tokens_out, tokens_cached)
        listed = _listed(model, tokens_in, tokens_out, tokens_cached, at)
        return self.default.cost(tokens_in, tokens_out, tokens_cached) if listed is None else listed

    def known(self, model: str) -> bool:
        """Whether the model has a price of its own, from the settings or the list."""
        return model in self.overrides or _listed(model, 0, 0, 0, None) is not None


def _price(model: str, fields: Mapping[str, float]) -> Price:
    try:
        return Price(**fields)
    except TypeError:
        fields_needed = "input_per_million, output_per_million and, if there is one, cached_per_million"
        raise ConfigurationError(f"The price of {model!r} needs {fields_needed}; it has {sorted(fields)}.") from None


def _listed(model: str, tokens_in: int, tokens_out: int, tokens_cached: int, at: datetime | None) -> float | None:
    """By the offline list, also under the bare name of ``provider/model``; None when it is in neither."""
    import genai_prices  # noqa: PLC0415  (0.3 s, and needed only where a model is)

    usage = genai_prices.Usage(input_tokens=tokens_in, output_tokens=tokens_out, cache_read_tokens=tokens_cached)
    for name in dict.fromkeys([model, model.rpartition("/")[2]]):
        try:
            price = genai_prices.calc_price(usage, name, genai_request_timestamp=at)
        except LookupError:
            continue
        return float(price.total_price)
    return None


@lru_cache(maxsize=256)
def window_of(model: str) -> int | None:
    """Tokens of the model's context window; None for a model or a window the list does not know."""
    from genai_prices import data_snapshot  # noqa: PLC0415  (0.3 s, and needed only where a model is named)

    try:
        _, model_info = data_snapshot.get_snapshot().find_provider_model(model, None, None, None)
    except LookupError:
        return None
    return model_info.context_window


class Meter(Protocol):
    """Reserves the price of an attempt before it is made, and settles it afterwards."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Set aside what the attempt may take at most. Raises BudgetExhausted when there is not enough."""

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """What it took. ``outcome`` is ``ok`` or what went wrong; ``latency`` is in seconds."""


class Unmetered:
    """The meter of somebody who does not count."""

    async def reserve(self, request: Request, estimate: Usage) -> object:
        """Always granted."""
        del request, estimate
        return None

    async def settle(self, token: object, usage: Usage, outcome: str, latency: float) -> None:
        """Nothing to note."""
        del token, usage, outcome, latency
