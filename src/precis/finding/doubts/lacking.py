"""Whether a memory has only one of the two words of which a word of the request is made: "das WLAN-Passwort"."""

from collections.abc import Iterator, Sequence

from precis.finding.identifiers import names_number
from precis.finding.parts import Subject
from precis.finding.reading import folded, read_words
from precis.finding.tables import any_group, groups, name_words
from precis.finding.values import Span
from precis.language.words import kept

#: Languages that make one word of two, the second of which says what it is.
_JOINING = frozenset({"de", "nl", "sv"})
#: Shorter pieces go with the one behind them: "E-Mail", "Wi-Fi".
_PIECE = 3
#: So many letters of a word are more than an ending, and as many of two forms of one are the same but for these.
_MORE, _ENDING = 5, 2


def lacks_part(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether one of the two words has nothing in the text that is it, or means the same."""
    if subject.language not in _JOINING or not spans or not subject.parts:
        return False
    low, called = folded(text), {part.word for part in subject.parts}
    names = {word for name in subject.names for word in name}
    for word in read_words(subject.text):
        if word.low in names or ("-" in word.low and word.low in called):
            continue
        pieces = [*_pieces(word.low)] if "-" in word.low else [*_halves(subject, word.low, low, spans)]
        if len(pieces) > 1 and not all(_holds(piece, low) for piece in pieces):
            return True
    return False


def _pieces(word: str) -> Iterator[str]:
    """The words of one with hyphens: "e-mail-adresse" is "email" and "adresse"."""
    short = ""
    for piece in word.split("-"):
        short += piece
        if len(piece) >= _PIECE or (len(short) > len(piece) and len(short) > _PIECE):
            yield short
            short = ""
    if short:
        yield short


def _halves(subject: Subject, word: str, low: str, spans: Sequence[Span]) -> Iterator[str]:
    """A word without a hyphen of which the text has the beginning, and what stands behind that: "Geburtstagskuchen"."""
    part = next((part for part in subject.parts if part.word == word), None)
    there = {low[slice(*span)] for span in spans}
    begun = max((it for it in there if word.startswith(it)), key=len, default="") if part and part.groups else ""
    rest = word[len(begun) :].removeprefix("e").lstrip("ns")
    # Of a word that a table has for itself it is known in what other words it is told.
    if (
        begun
        and len(rest) >= _MORE
        and word not in there
        and not (_groups_of(rest) or rest in name_words("weak_heads"))
    ):
        yield from (begun, rest)


def _holds(piece: str, low: str) -> bool:
    """Whether a text has a word, within another one, too, or one that means the same."""
    if names_number(piece) or piece[: max(_MORE, len(piece) - _ENDING)] in low.replace("-", ""):
        return True
    meant = _groups_of(piece)
    return bool(meant) and any_group(meant, plain=low.isascii()).search(low) is not None


@kept
def _groups_of(word: str) -> frozenset[str]:
    return frozenset(name for name, (called, _) in groups().items() if called.fullmatch(word))
