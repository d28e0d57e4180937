"""What an error of the endpoint means, and how long to wait."""

from __future__ import annotations

import pytest

from precis.models.setbacks import Patience, Remedy, of_status, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Mon, 08 May 2023 10:00:30 GMT", "date": "Mon, 08 May 2023 10:00:00 GMT"}, 30.0),
        ({"retry-after": "Mon, 08 May 2023 09:00:00 GMT", "date": "Mon, 08 May 2023 10:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 08 May 2023 10:00:30 GMT"}, None),
    ],
)
def test_retry_after_in_each_of_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds, and a date against the server's own clock."""
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("status", "code", "remedy", "fault"),
    [
        (400, None, Remedy.REPHRASE, False),
        (400, "context_length_exceeded", Remedy.NONE, True),
        (401, None, Remedy.NONE, True),
        (404, None, Remedy.REPHRASE, False),
        (404, "model_not_found", Remedy.NONE, True),
        (409, None, Remedy.WAIT, True),
        (418, None, Remedy.NONE, True),
        (422, None, Remedy.REPHRASE, False),
        (429, None, Remedy.WAIT, True),
        (429, "insufficient_quota", Remedy.NONE, True),
        (500, None, Remedy.WAIT_OR_REPHRASE, True),
        (501, None, Remedy.REPHRASE, False),
        (529, None, Remedy.WAIT, True),
    ],
)
def test_each_status_has_its_remedy(status: int, code: str | None, remedy: Remedy, *, fault: bool) -> None:
    """Wait, ask otherwise, or give up; the complaint itself is not passed on."""
    setback = of_status(status, code, "no: 'Clara likes tea'", {})
    assert (setback.remedy, setback.fault) == (remedy, fault)
    assert "Clara" not in str(setback.error)


def test_waits_grow_to_a_limit_and_half_of_each_is_chance() -> None:
    """A thousand retries later still the longest wait."""
    patience = Patience(first_wait=1.0, longest_wait=8.0)
    assert [1.0, 2.0, 4.0, 8.0, 8.0] == [patience.wait(n, None, 1.0) for n in range(4)] + [patience.wait(999, None, 1)]
    assert patience.wait(3, None, 0.0) == 4.0
    assert patience.wait(0, 5.0, 1.0) == 5.5
