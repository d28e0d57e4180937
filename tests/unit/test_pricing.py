"""What a call costs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from precis.errors import ConfigurationError
from precis.models.tokens import UNKNOWN, Price, Prices

MILLION = 1_000_000


def test_a_listed_model_costs_what_the_offline_list_says() -> None:
    """gpt-4o-mini: 15 cents a million in, 60 cents a million out."""
    assert Prices().cost("gpt-4o-mini", MILLION, MILLION) == pytest.approx(0.75)


def test_cached_input_is_part_of_the_input_and_cheaper() -> None:
    """Half of the input at half of its price."""
    assert Prices().cost("gpt-4o-mini", MILLION, 0, MILLION // 2) == pytest.approx(0.1125)


def test_a_provider_before_the_name_does_not_hide_the_model() -> None:
    """Gateways write openai/gpt-4o-mini."""
    assert Prices().cost("gateway/gpt-4o-mini", MILLION, 0) == pytest.approx(0.15)


def test_the_settings_go_before_the_list() -> None:
    """A negotiated or local price replaces the listed one."""
    prices = Prices.of({"gpt-4o-mini": {"input_per_million": 1, "output_per_million": 2, "cached_per_million": 0}})
    assert prices.cost("gpt-4o-mini", MILLION, MILLION, MILLION // 2) == pytest.approx(2.5)


def test_a_price_without_a_cached_one_charges_cached_input_in_full() -> None:
    """Nothing is given away for want of a figure."""
    prices = Prices.of({"mine": {"input_per_million": 4, "output_per_million": 0}})
    assert prices.cost("mine", MILLION, 0, MILLION) == pytest.approx(4.0)


def test_an_unknown_model_costs_the_default() -> None:
    """A monthly ceiling must mean something for it too."""
    configured = Prices.of({}, {"input_per_million": 3, "output_per_million": 5})
    assert Prices().cost("nobody-knows-it", MILLION, MILLION) == pytest.approx(10.0)
    assert configured.cost("nobody-knows-it", MILLION, MILLION) == pytest.approx(8.0)
    assert UNKNOWN == Prices().default


def test_known_tells_a_priced_model_from_a_guessed_one() -> None:
    """So that a report can say which costs are guesses."""
    prices = Prices(overrides={"mine": Price(input_per_million=0, output_per_million=0)})
    assert [True, True, False] == [prices.known(m) for m in ("mine", "gpt-4o-mini", "nobody-knows-it")]


def test_more_cached_than_read_is_taken_as_all_cached() -> None:
    """A provider's odd figures never make a cost negative."""
    assert Prices().cost("gpt-4o-mini", 1000, 0, 5000) == pytest.approx(1000 * 0.075 / MILLION)


def test_a_price_of_an_earlier_time_can_be_asked_for() -> None:
    """The list knows when prices changed; the caller's clock may choose."""
    assert Prices().cost("gpt-4o-mini", MILLION, 0, at=datetime(2026, 1, 1, tzinfo=UTC)) == pytest.approx(0.15)


@pytest.mark.parametrize(
    "fields",
    [
        {"input_per_million": 1.0},
        {"input_per_million": 1.0, "output_per_million": 1.0, "per_call": 1.0},
        {"input_per_million": -1.0, "output_per_million": 1.0},
        {"input_per_million": float("nan"), "output_per_million": 1.0},
    ],
)
def test_a_wrong_price_is_refused(fields: dict[str, float]) -> None:
    """A typing error in the settings must not become a free model."""
    with pytest.raises(ConfigurationError):
        Prices.of({"mine": fields})
