"""A text that a reading of dates fails on is a text without dates: what is written and served does not fail with it."""

import traceback
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

import structlog

from precis.metrics import DATES_UNREAD

_log = structlog.get_logger(__name__)
_Meaning = TypeVar("_Meaning")
_Read = Callable[[str, date], Sequence[_Meaning]]


def or_nothing(read: _Read[_Meaning]) -> _Read[_Meaning]:
    """The same reading, which reads nothing where it fails; the log and a counter tell that it did, and no text."""

    def reads(text: str, day: date) -> Sequence[_Meaning]:
        try:
            return read(text, day)
        except Exception as error:  # noqa: BLE001 - whatever it is, the text itself is there to be served
            where = traceback.extract_tb(error.__traceback__)[-1]
            _log.warning(
                "dates_unread", error=type(error).__name__, where=f"{Path(where.filename).name}:{where.lineno}"
            )
            DATES_UNREAD.labels(type(error).__name__).inc()
            return ()

    return reads
