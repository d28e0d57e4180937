"""Ids are made by the client: UUIDv7, so that they sort by the time they were made."""

from __future__ import annotations

import uuid_utils

#: Digits of a ULID: no letter that could be taken for a digit.
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id() -> str:
    """A new id, 36 characters."""
    return str(uuid_utils.uuid7())


def new_ulid() -> str:
    """The same as a ULID, 26 characters, where the wire format asks for one."""
    number = uuid_utils.uuid7().int
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
