"""How long the answers of models are, against what was asked of them."""

from __future__ import annotations

import pytest

from precis.engine.spending import Answers, Lengths


def test_the_ratio_of_answers() -> None:
    """A guess until there are answers, then what they say, the more so the more there are; each kind for itself."""
    assert Answers().ratio("root") == 1.6
    assert 1.6 < Answers({"root": Lengths(allowed=60, written=180)}).ratio("root") < 3
    known = Answers(
        {"root": Lengths(allowed=100_000, written=100_000), "segment": Lengths(allowed=50_000, written=150_000)}
    )
    assert known.ratio("root") == pytest.approx(1, rel=0.01)
    assert known.ratio("segment") == pytest.approx(3, rel=0.01)
    assert known.ratio("fold") == pytest.approx(250 / 150, rel=0.01)
    assert known.text_ratio("root") == pytest.approx(1 / 1.6, rel=0.01)
    assert known.text_ratio("segment") == 1
