"""What somebody takes back within a sentence, "to me: no wait, to Tomasz": the value that they mean counts. Pure.

Where it is not plain what is meant, there is none; what the next sentence says of the same thing is.
"""

from collections.abc import Sequence

from precis import patterns as re
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.newest.signs import OPENS, SURE
from precis.language.newest.swapping import corrected
from precis.language.sentences import is_question

#: What parts a value from what takes it back, and that.
_SIGN = re.compile(
    r"[,;:.\u2026\u2013\u2014-]+\s*(?:(?:no|ah|oh|well|and|but)\b[,\s]*)*"
    rf"{SURE.pattern}[\s,;:.!\u2026-]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'\u2019-]+")
#: What says of the thing that was named what is meant.
_OF_THE_SAME = re.compile(r"(?:(?:so|and|instead|actually)[, ]+)?(?:it|they|that|he|she)(?= [a-z])", re.IGNORECASE)
_LIKE_A_VERB = re.compile(r"(?<=\w) [a-z]{3,}(?:s|ed)(?= (?:from|to|in|at|on|with|by|for|until|the|an?)\b)")
_OF_SEVERAL = re.compile(r"(?<=\w) [a-z]{2,}(?= (?:from|to)\b)")
#: What is said instead has at most so many words.
_MOST = 12


def as_meant(parts: Sequence[str]) -> list[str]:
    """The sentences of a message, each as it is meant, and none that is taken back before it ends."""
    every: list[str] = []
    subject = ""
    for part in parts:
        pieces = _SIGN.split(part)
        again = _OF_THE_SAME.match(part) if subject else None
        if again:
            every.append(f"{subject}{part[again.end() :]}")
        elif len(pieces) == 1 or not pieces[0].strip() or is_question(part):
            every.append(part)
        elif meant := _put_right(pieces):
            every.append(meant)
        subject = _subject(pieces[0]) if len(pieces) > 1 and pieces[0].strip() else ""
    return every


def _put_right(pieces: Sequence[str]) -> str | None:
    """The first piece with what the later ones say instead, each in its turn; None where one of them is not plain."""
    sentence = f"{pieces[0].strip()}."
    for piece in pieces[1:]:
        better = corrected(sentence, f"No wait, {piece}") or _with_ending(sentence, piece.strip(" .,!;:"))
        if better is None:
            return None
        sentence = better
    return sentence


def _with_ending(sentence: str, instead: str) -> str | None:
    """The sentence with another ending from the word on which that begins: "to me", "to Tomasz"."""
    rest = OPENS.sub("", instead).strip()
    opening = _WORD.match(rest)
    if opening is None or len(rest.split()) > _MOST:
        return None
    places = [match.start() for match in re.finditer(rf"\b{re.escape(opening.group())}\b", sentence)]
    if not places or places[-1] == 0 or opening.end() == len(rest):
        return None
    return f"{sentence[: places[-1]]}{rest}."


def _subject(piece: str) -> str:
    """What a sentence opens on, up to its verb; nothing where that is not known."""
    spoken = list(_WORD.finditer(piece))
    for at, match in enumerate(spoken):
        form = FORMS.get(match.group()) or AMBIGUOUS_FORMS.get(match.group())
        if at and form is not None and not form.kinds.isdisjoint({"third", "past"}):
            return piece[: spoken[at - 1].end()]
    verb = _LIKE_A_VERB.search(piece) or _OF_SEVERAL.search(piece)
    return piece[: verb.start()] if verb else ""
