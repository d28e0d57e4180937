"""The user as notes speak of them: "the user" is read as "user", which is then the subject like a name."""

import re
from bisect import bisect_right
from dataclasses import replace

from precis.finding.values import Row, Span
from precis.language import tables

_USERS = "|".join(sorted(map(re.escape, tables.words("words.users")), key=len, reverse=True))
_CALLED = re.compile(rf"\b(?P<article>the\s+)(?P<user>{_USERS})(?=\b)", re.IGNORECASE)


class Plain:
    """A row without the article before the user, and the way back to the places of its text."""

    def __init__(self, row: Row) -> None:
        self._starts: list[int] = []
        self._shifts: list[int] = [0]
        text, end, shift = "", 0, 0
        for match in _CALLED.finditer(row.text):
            user = match["user"]
            capital = match["article"][0].isupper()
            text += row.text[end : match.start()] + (user[0].upper() + user[1:] if capital else user)
            self._starts.append(match.start() - shift)
            shift += len(match["article"])
            self._shifts.append(shift)
            end = match.end()
        self.row = replace(row, text=text + row.text[end:]) if self._starts else row

    def back(self, span: Span) -> Span:
        """Where these characters stand in the text as it is."""
        start, end = span
        return (start + self._shift(start), end + self._shift(end))

    def _shift(self, place: int) -> int:
        # What begins at the user begins at the article.
        return self._shifts[bisect_right(self._starts, place - 1)]
