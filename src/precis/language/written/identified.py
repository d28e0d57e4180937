"""Numbers that name something and are looked up, not told: of a passport, an account, a phone, a contract."""

from precis import patterns as re

#: Seven digits or more, in groups or not, with the letters before and between them.
_IDENTIFIER = re.compile(r"(?<![\w.,])[A-Z]{0,2}\+?(?:\d[ /\u2013-]?){7,}(?![\d.,]\d)")
#: Days of the calendar, and spans of them.
_DAYS = re.compile(r"\b(?:\d{4}[-\u2013/.]\d\d?[-\u2013/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}|\d{4}[-\u2013]\d{2,4})\b")


def without_identifiers(text: str) -> str:
    """The text without such numbers. A day, a sum and a span of years are none."""
    return _IDENTIFIER.sub(" ", _DAYS.sub(" ", text))


def has_identifier(text: str) -> bool:
    """Whether such a number is in it."""
    return _IDENTIFIER.search(_DAYS.sub(" ", text)) is not None
