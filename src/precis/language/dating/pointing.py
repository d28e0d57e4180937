"""What points back at a time that was told before: "that week", "ce week-end-là". Pure."""

from precis import patterns as re
from precis.language import tables
from precis.language.dating.tense import SENTENCE_END

#: What may join it to a date before: "le 8 mai de cette année-là".
_OF = r" (?:de |d['\u2019]|di |van |von |av |z )?"


class Pointing:
    """The phrases of one language that point back."""

    def __init__(self, name: str) -> None:
        rows = tables.entry("pointing").get(name)
        forms = rows["back"].replace("{time}", f"(?:{rows['times']})").split(";") if rows else ["(?!)"]
        any_form = "|".join(form.strip() for form in forms)
        self._any = re.compile(rf"(?<!\w)(?:{any_form})(?!\w)", re.IGNORECASE)
        self._behind = re.compile(rf"{_OF}(?:{any_form})(?!\w)", re.IGNORECASE)

    def places_in(self, text: str) -> list[tuple[int, int]]:
        """Where such phrases begin and end."""
        return [match.span() for match in self._any.finditer(text)]

    def moves(self, text: str, start: int, end: int) -> bool:
        """Whether a date from one place to another of a sentence is of a year that was told before.

        Such a phrase stands before it, or right behind: "cette année-là, le 8 mai"; "le 8 mai de cette année-là".
        """
        return self._any.search(text, 0, start) is not None or self._behind.match(text, end) is not None


_ENGLISH = Pointing("English")


def is_of_that_time(text: str, start: int, end: int) -> bool:
    """Whether an English phrase is of a time that was told before: "that week we met on Friday", "8 May that year"."""
    before = [mark.end() for mark in SENTENCE_END.finditer(text, 0, start)]
    opens = before[-1] if before else 0
    return _ENGLISH.moves(text[opens:], start - opens, end - opens)
