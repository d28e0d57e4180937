"""Public test kit: a temporary database, a model server, a frozen clock, and small fakes."""

from precis.testing.temporary import temporary

__all__ = ["temporary"]
