"""Amounts of conversation as settings and callers write them: ``20 messages``, ``4000 tokens``, ``0.7 window``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator

from precis.errors import ConfigurationError


class Unit(StrEnum):
    """What is counted."""

    MESSAGES = "messages"
    TOKENS = "tokens"
    #: A share of the window, 0..1.
    WINDOW = "window"


_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(messages?|tokens?|window)\s*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """An amount of conversation, written ``20 messages``, ``4000 tokens`` or ``0.7 window``."""

    amount: float
    unit: Unit

    @classmethod
    def parse(cls, text: str) -> Size:
        """From how it is written. Raises ConfigurationError."""
        written = _SIZE.fullmatch(text)
        unit = (
            Unit(written[2].lower().rstrip("s") + ("" if written[2].lower() == "window" else "s")) if written else None
        )
        amount = float(written[1]) if written else 0.0
        if unit is None or (unit is Unit.WINDOW and not 0 < amount <= 1) or (unit is not Unit.WINDOW and amount % 1):
            message = f"{text!r} is no size of a conversation: write '20 messages', '4000 tokens' or '0.7 window'"
            raise ConfigurationError(message)
        return cls(amount=amount, unit=unit)

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.amount:g} {self.unit}"

    def in_tokens(self, window: int) -> float | None:
        """How many tokens it is, for a model that reads so many; None of an amount of messages."""
        if self.unit is Unit.MESSAGES:
            return None
        return self.amount * (window if self.unit is Unit.WINDOW else 1)

    def is_over(self, other: Size, *, window: int) -> bool:
        """Whether it is more than another; of messages and tokens nobody knows."""
        if self.unit is Unit.MESSAGES or other.unit is Unit.MESSAGES:
            return self.unit is other.unit and self.amount > other.amount
        return (self.in_tokens(window) or 0) > (other.in_tokens(window) or 0)


def _checked(text: str) -> str:
    try:
        Size.parse(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from error
    return text


#: A size as a setting has it.
SizeText = Annotated[str, AfterValidator(_checked)]


def refuse_more(keep: str, triggers: Sequence[str], *, window: int) -> None:
    """Raise ValueError where what stays verbatim is more than what makes a summary due."""
    for trigger in triggers:
        if Size.parse(keep).is_over(Size.parse(trigger), window=window):
            raise ValueError(
                f"conversation_keep: {keep} would stay verbatim, and over {trigger} (conversation_triggers) a summary "
                "is due: keep less, or set a larger trigger"
            )
