"""Ids are made by the client: UUIDv7, so that they sort by the time they were made."""

from __future__ import annotations

import uuid_utils


def new_id() -> str:
    """A new id, 36 characters."""
    return str(uuid_utils.uuid7())
