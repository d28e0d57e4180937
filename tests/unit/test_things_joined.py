"""Things of one request that are joined by "and", each with its article: each is looked for by itself."""

import pytest

from finding_levels import levels

KEPT = ["The garage code is 9026.", "The wifi password is larch-12.", "The garage is full.", "I changed my password."]


@pytest.mark.parametrize(
    "request_",
    [
        "Forget the garage code and the wifi password.",
        "Delete the wifi password and the garage code",
        "Forget my garage code and my wifi password.",
    ],
)
def test_each_is_a_thing_of_its_own(request_: str) -> None:
    """Both go, and nothing that only shares a word with one of them."""
    assert ["sure", "sure"] == levels(request_, *KEPT)[:2]
    assert "sure" not in levels(request_, *KEPT)[2:]
