"""What a call costs: an offline price list, the prices of the settings before it, a default after it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from precis.errors import ConfigurationError

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
