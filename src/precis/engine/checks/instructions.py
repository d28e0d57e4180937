"""Text that speaks to the model instead of about somebody: never a fact, wherever it stands."""

from __future__ import annotations

import re

from precis.engine.checks.reading import normal

_ORDER = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|other|system|these|your)\b"
    r".{0,30}\b(?:instruction|prompt|rule|direction|guideline|message|command)"
    r"|\bsystem prompt\b|\bdeveloper mode\b|\byou are now (?:a|an|the|in)\b"
    r"|\b(?:reply|respond|answer|output|print|write|say|return)\b.{0,20}\b(?:only|exactly|nothing but|verbatim)\b"
    r"|\binstead of (?:a |the )?summar|\bdo not summari[sz]e|\bnew instructions?:",
    re.IGNORECASE | re.DOTALL,
)


def is_order(text: str) -> bool:
    """Whether a text gives a language model orders."""
    return _ORDER.search(normal(text)) is not None
