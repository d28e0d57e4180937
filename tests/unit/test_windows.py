"""How much a model reads at once, by the list that comes with the package."""

from __future__ import annotations

from precis.models.tokens import window_of


def test_known_models_have_their_window() -> None:
    """Also the older names that clients of the wire send."""
    assert window_of("gpt-4o") == 128_000
    assert window_of("claude-3-5-sonnet-20241022") == 200_000


def test_a_model_nobody_knows_has_none() -> None:
    """Nothing is guessed."""
    assert window_of("nobody-knows-it") is None
