"""precis: memory summaries that stay small, current, honest and forgettable.

>>> async with precis.open() as app:
...     await app.memories.add([{"text": "I moved to Lisbon.", "user_id": "ana"}])

Without a database:

>>> made = await precis.summarize(["I moved to Lisbon.", "My flat there has a balcony."], max_words=20)
>>> precis.check("Ana moved to Porto.", ["Ana moved to Lisbon."]).score
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from precis.app import App
    from precis.bootstrap import open  # noqa: A004 - precis.open() reads as what it is
    from precis.settings import Settings
    from precis.texts.drafting import Summarized
    from precis.texts.public import CheckedSummary, check, summarize

__version__ = "0.2.0"
__all__ = ["App", "CheckedSummary", "Settings", "Summarized", "__version__", "check", "open", "summarize"]

#: Where each name is written. It is read when it is first used, so that importing precis costs next to nothing.
_WRITTEN_IN = {
    "App": "precis.app",
    "CheckedSummary": "precis.texts.public",
    "Settings": "precis.settings",
    "Summarized": "precis.texts.drafting",
    "check": "precis.texts.public",
    "open": "precis.bootstrap",
    "summarize": "precis.texts.public",
}


def __getattr__(name: str) -> Any:
    if name not in _WRITTEN_IN:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = globals()[name] = getattr(import_module(_WRITTEN_IN[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
