"""What somebody likes better and what they want done, as marks: a memory is filed under them, a question asks by them.

"Which rules has Mara given?" has no word in common with "From now on write dates with the day first". So a memory that
says how somebody wants things has a term more, which no text can hold, and so has a question for all of it. The words
of ten languages stand in ``en/wishes.toml``; a memory that they do not know has no mark and is found by its words.
"""

from collections.abc import Sequence
from typing import NamedTuple

from precis import patterns as re
from precis.language import tables
from precis.language.newest.instructed import instructs_for_good
from precis.language.words import kept_where_short, normal

_MARK = "\0"
#: The scripts of these are looked for only where a text is not all ASCII.
_OTHER_SCRIPTS = ("ru",)
#: An order may open a sentence: "Never call me before nine".
_OPENING = r"(?:^|[.!?;\n]\s*)(?:and |but |so |also |please |oh |okay |ok )*"


class _Wish(NamedTuple):
    """A mark, and what gives it: to any text, and only to one that is not all ASCII."""

    mark: str
    plain: re.Pattern[str]
    beyond_ascii: re.Pattern[str]
    #: So does any word that has one of these in it.
    parts: tuple[str, ...] = ()

    def fits(self, small: str, *, ascii_only: bool) -> bool:
        """Whether a text in small letters has this mark."""
        if self.plain.search(small) or any(part in small for part in self.parts):
            return True
        return not ascii_only and self.beyond_ascii.search(small) is not None


def _wish(wish: str, name: str, opens: str = "", parts: tuple[str, ...] = ()) -> _Wish:
    patterns = {key: tables.choices(f"wishes.{name}.{key}") for key in tables.section(f"wishes.{name}")}
    others = "|".join(patterns.pop(key) for key in _OTHER_SCRIPTS)
    unspaced = (tables.choices(f"wishes.{name}_unspaced.{key}") for key in tables.section(f"wishes.{name}_unspaced"))
    return _Wish(
        mark=f"{_MARK}{wish}",
        # Without IGNORECASE, over small letters, it takes a third of the time.
        plain=re.compile(rf"\b(?:{'|'.join(patterns.values())}){opens}"),
        beyond_ascii=re.compile("|".join([rf"\b(?:{others})", *unspaced])),
        parts=parts,
    )


_SAYS = (
    _wish("liking", "liking"),
    _wish("suits", "suits", parts=tables.words("wishes.parts.suits")),
    _wish("order", "order", rf"|{_OPENING}(?:{tables.choices('wishes.opens.order')})\b"),
    _wish("bounds", "bounds", rf"|{_OPENING}(?:{tables.choices('wishes.opens.bounds')})\b"),
)
_TASK = _wish("bounds", "asks_task")
_ASKS = (_wish("liking", "asks_liking"), _wish("order", "asks_order"), _wish("suits", "asks_advice"), _TASK)
#: What somebody likes suits them: who asks for advice looks for both by one mark.
_LIKING, _SUITS = f"{_MARK}liking", f"{_MARK}suits"
#: An order bounds whatever is done.
_ORDER, _BOUNDS = f"{_MARK}order", f"{_MARK}bounds"


def marks_of(text: str) -> list[str]:
    """The terms that a memory is filed under beside its words: none of a question."""
    marks = [] if text.rstrip().endswith(("?", "\uff1f")) else _fitting(_SAYS, text)
    if _ORDER not in marks and instructs_for_good(text):
        marks.append(_ORDER)
    for mark, other in ((_LIKING, _SUITS), (_ORDER, _BOUNDS)):
        if mark in marks and other not in marks:
            marks.append(other)
    return marks


@kept_where_short
def marks_asked(text: str) -> tuple[str, ...]:
    """The terms that a question looks for beside its words."""
    return tuple(_fitting(_ASKS, text))


def bounds(text: str) -> bool:
    """Whether a memory says what somebody wants kept to."""
    return _BOUNDS in marks_of(text)


def is_task(text: str) -> bool:
    """Whether it asks for something to be done."""
    return _BOUNDS in marks_asked(text)


def is_mark(term: str) -> bool:
    """Whether it is a term that stands in no text."""
    return term.startswith(_MARK)


def _fitting(wishes: Sequence[_Wish], text: str) -> list[str]:
    small = normal(text).lower()
    ascii_only = small.isascii()
    return [wish.mark for wish in wishes if wish.fits(small, ascii_only=ascii_only)]
