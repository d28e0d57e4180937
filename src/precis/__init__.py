"""precis: memory summaries that stay small, current, honest and forgettable.

>>> async with precis.open() as app:
...     await app.memories.add([{"text": "I moved to Lisbon.", "user_id": "ana"}])
"""

from __future__ import annotations

from precis.app import App
from precis.bootstrap import open  # noqa: A004 - precis.open() reads as what it is
from precis.settings import Settings

__version__ = "0.1.0"
__all__ = ["App", "Settings", "__version__", "open"]
