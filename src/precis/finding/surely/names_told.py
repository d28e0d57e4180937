"""What somebody of the user's is called, where their name was asked for: "My boss is called Ana"."""

from collections.abc import Sequence

from precis.finding.parts import NAMING, Subject
from precis.finding.reading import Word, folded, read_words, word_from, words_before
from precis.finding.tables import name_words
from precis.finding.values import Span
from precis.finding.written.beings import is_being

#: Verbs and nouns behind somebody that say what they are called.
_CALLED = frozenset("called named name".split())
_FORMER = frozenset("old former previous ex late first".split())
#: So many words may stand between somebody and what says that a name follows: "is now called".
_BETWEEN = 2


def tells_name(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody who was asked for is said to be called so, and nobody of theirs."""
    if not any(part.groups == NAMING for part in subject.parts):
        return False
    words = read_words(text)
    for start, end in spans:
        if not is_being(folded(text[start:end]).removesuffix("'s")):
            continue
        at, behind = word_from(words, start), words_before(words, end)
        if at and words[at - 1].low in _FORMER:
            continue
        if _is_called(words[behind : behind + _BETWEEN + 2]):
            return True
    return False


def _is_called(words: Sequence[Word]) -> bool:
    """Whether a verb of naming follows, and then a name."""
    place = next((at for at, word in enumerate(words) if word.low in _CALLED), None)
    if place is None or any(word.gap != " " for word in words[: place + 1]):
        return False
    before = all(word.low in name_words("copulas") | name_words("present") for word in words[:place])
    behind = [word for word in words[place + 1 :] if word.low not in name_words("copulas")]
    return before and bool(behind) and behind[0].capital
