"""Whose something is called in scripts that set no spaces between words, owner by owner."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from precis.finding.tables import name_words, words_of
from precis.finding.written.beings import is_being

#: What joins owners where no spaces part words, and what ends the words before the first of them.
JOINTS, _BOUNDS = (
    re.compile("[\u7684\u306e\u4e4b]"),
    re.compile(
        r"[\s\u3001\u3002,.:;!?\uff0c\uff1a\uff1b\uff01\uff1f\u300c\u300d\u306f\u304c\u3092\u3082]"
        "|\u662f|\u8bf4|\u548c|\u4e0e|\u8ddf|\u628a"
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    """The owners of a thing, the nearest one first, and whether the last of them is the user's, or is the user."""

    owners: tuple[str, ...] = ()
    users: bool = False


def unspaced_owners(before: str, language: str, users: Collection[str]) -> Chain:
    """The owners at the end of a text without spaces."""
    tail = _BOUNDS.split(before)[-1]
    called = sorted({*words_of(language, "first"), *name_words("users_unspaced"), *users}, key=len, reverse=True)
    owners: list[str] = []
    for place, piece in enumerate(reversed(JOINTS.split(tail))):
        user = next((word for word in called if word in piece), "")
        owner = piece.rpartition(user)[2] if user else piece
        # Right before the thing, without a joint, only somebody is its owner: no "\u7528\u6237\u5bf9\u732b".
        owners += [owner] if owner and (place or is_being(owner)) else []
        if user:
            return Chain(owners=tuple(owners), users=True)
    return Chain(owners=tuple(owners))
