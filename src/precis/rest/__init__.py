"""The REST door: HTTP bodies in, app calls, HTTP bodies out."""

from __future__ import annotations

from precis.rest.server import build, listening, serve

__all__ = ["build", "listening", "serve"]
