"""Whether the word that was asked for only says of what kind another thing is: "a family car", of "my family"."""

from collections.abc import Sequence

from precis.finding.about.clauses import is_compound
from precis.finding.identifiers import names_number
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words, unelided, word_from
from precis.finding.tables import all_words, name_words
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.language.values import unit_of

#: What joins a thing and what kind it is, with nothing between: "coche de familia".
_KIND_OF = {
    "fr": frozenset({"de", "d"}),
    "es": frozenset({"de"}),
    "pt": frozenset({"de"}),
    "it": frozenset({"di", "da"}),
}
#: So many words may stand between an owner and the thing: "my old school bus".
_BETWEEN = 2


def only_modifies(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it stands before or behind another thing, and is called nobody's."""
    if not subject.mine or subject.clause or subject.names or subject.numbered or not spans:
        return False
    words = read_words(text)
    language = language_of([word.low for word in words], text, subject.language)
    places = [(word_from(words, start), word_from(words, end)) for start, end in spans]
    if language == "en":
        starts = {start for start, _ in spans}
        return all(is_compound(words, span, starts) for span in spans) and not any(
            _is_owned(words, first) for first, _ in places
        )
    return language in _KIND_OF and all(_is_kind(words, first, _KIND_OF[language]) for first, _ in places)


def _is_owned(words: Sequence[Word], at: int) -> bool:
    """Whether an owner stands before it: "user's family doctor"."""
    return any(word.owns or word.low in all_words("first") for word in words[max(0, at - _BETWEEN) : at + 1])


def _counts(head: Word) -> bool:
    """Whether it is a number, a unit, a time or a place, and behind it stands no kind: "dos semanas de viaje"."""
    return head.text[0].isdigit() or head.capital or bool(unit_of(head.low)) or head.low in name_words("weeks")


def _is_kind(words: Sequence[Word], at: int, joints: frozenset[str]) -> bool:
    """Whether a thing stands before it of which it says the kind: not "el numero de cuenta"."""
    if at < len(words) and words[at].low.partition("'")[0] in joints and "'" in words[at].low:
        head = words[at - 1] if at else None
    else:
        head = words[at - 2] if at > 1 and words[at - 1].low in joints else None
    plain = (
        head is not None
        and not _counts(head)
        and head.low not in name_words("articles")
        and not names_number(unelided(head.low))
    )
    return plain and head is not None and head.low.isalpha()
