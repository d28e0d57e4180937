"""What is left of a memory that says nothing alone, "Yes.", or would be read of the user, "the date is 9 May"."""

from collections.abc import Sequence

from precis.finding.halves import Places
from precis.finding.kinds import is_animal
from precis.finding.names import people
from precis.finding.reading import Word, read_words, sentence_spans, users_of, word_from
from precis.finding.tables import all_words, name_words
from precis.finding.values import Span
from precis.finding.written.beings import is_being
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import OF, relations_of
from precis.language.newest.taken_back import laughs

#: A crumb has so many words at most, and behind so many words that open a part it says what something is.
_CRUMB, _STATED = 4, 3


def only_crumbs(text: str, keeps: Sequence[Span]) -> bool:
    """Whether each part that would stay only answers or sighs: "Ja.", "Oh je!"."""
    return bool(keeps) and all(_is_crumb(text[slice(*piece)]) for piece in keeps)


def _is_crumb(piece: str) -> bool:
    words = read_words(piece)
    if len(words) > _CRUMB or any(sign.isdigit() for sign in piece):
        return False
    return laughs(piece) or all(word.low in name_words("crumbs") for word in words)


def becomes_users(text: str, spans: Sequence[Span], keeps: Sequence[Span]) -> bool:
    """Whether a part would stay that says of nobody whose it is, of a sentence that opens with whom goes.

    "Sabrina says it is a girl, the due date is 9 November": alone it would be read of the user.
    """
    words, places = read_words(text), Places(spans)
    language = language_of([word.low for word in words], text)
    for start, end in sentence_spans(text):
        inside = words[word_from(words, start) : word_from(words, end)]
        opening = next((word for word in inside if word.low not in name_words("articles")), None)
        if opening is None or not places.touch((opening.start, opening.end)):
            continue
        for first, last in keeps:
            if start < first and last <= end and _is_nobodys(text[first:last], language):
                return True
    return False


def _is_nobodys(piece: str, language: str) -> bool:
    """Whether it begins with a thing that is something, and has no word for the user or anybody else."""
    words = read_words(piece)
    own = all_words("first") | users_of(())
    taken_up = all_words("third") - name_words("articles") - OF
    somebody = any(word.low in own | taken_up for word in words)
    named = {start for start, _, _ in people(piece)}
    opening = next((word for word in words if word.low not in name_words("articles")), None)
    if opening is None or not opening.text.isalpha() or (opening.capital and language != "de"):
        return False  # a thing with a name of its own
    if somebody or any(map(_is_somebody, words)) or _names(words, named):
        return False
    return any(word.low in name_words("copulas") for word in words[1 : _STATED + 1])


def _is_somebody(word: Word) -> bool:
    known = word.owns or bool(relations_of(word)) or word.low in name_words("others") or is_animal(word.low)
    return known or (not word.text.isascii() and is_being(word.low))


def _names(words: Sequence[Word], named: set[int]) -> bool:
    """Whether somebody is named where it opens."""
    return any(word.start in named and word.low in name_words("given") for word in words[:_STATED])
