"""Whether the word that was asked for only says of what kind another thing is: "a family car", of "my family"."""

from collections.abc import Sequence

from precis.finding.about.clauses import is_compound
from precis.finding.identifiers import names_number
from precis.finding.kinds import is_animal, is_person
from precis.finding.nouns import names_thing
from precis.finding.parts import Subject
from precis.finding.reading import Word, joined_spans, read_words, unelided, word_from
from precis.finding.tables import all_words, by_language, name_words
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import RELATIONS, relations_of
from precis.language.values import unit_of

#: What joins a thing and what kind it is, with nothing between: "coche de familia".
_KIND_OF = by_language("joins_kind")
#: So many words may stand between an owner and the thing: "my old school bus".
_BETWEEN = 2


def only_modifies(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it stands before or behind another thing, and is called nobody's."""
    if not subject.mine or subject.clause or subject.names or subject.numbered or not spans:
        return False
    words = read_words(text)
    language = language_of([word.low for word in words], text, subject.language)
    places = [(word_from(words, start), word_from(words, end)) for start, end in spans]
    if language == "en" and _asks_for_people(subject) and all(_is_sort(words, first) for first, _ in places):
        return True
    if language == "en":
        starts = {start for start, _ in spans}
        return all(is_compound(words, span, starts) for span in spans) and not any(
            _is_owned(words, first) for first, _ in places
        )
    joints = _KIND_OF.get(language, frozenset())
    return bool(joints) and all(
        _is_kind(words, first, joints) or _is_house_of(words, first, last, joints) for first, last in places
    )


def is_of_several(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether those whose it is stand right before all of it, and were not asked for: "the neighbors' au pair"."""
    before = [text[:start].rstrip() for start, _ in joined_spans(text, sorted(spans))]
    return bool(before) and not subject.names and all(it.endswith(("s'", "s\u2019")) for it in before)


def _asks_for_people(subject: Subject) -> bool:
    """Whether relatives were asked for, by one word for all of them."""
    return any(part.field and part.roots <= RELATIONS for part in subject.parts)


def _is_sort(words: Sequence[Word], at: int) -> bool:
    """Whether an animal or a thing before it says that it is no people: "the cat family", of "my family"."""
    if not 0 < at < len(words) or words[at].gap != " " or is_person(words[at].low):
        return False
    before = words[at - 1]
    plain = not (before.owns or before.capital or relations_of(before))
    return plain and (is_animal(before.low) or (names_thing(before.low) and not is_person(before.low)))


def _is_owned(words: Sequence[Word], at: int) -> bool:
    """Whether an owner stands before it: "user's family doctor"."""
    return any(word.owns or word.low in all_words("first") for word in words[max(0, at - _BETWEEN) : at + 1])


def _is_house_of(words: Sequence[Word], first: int, last: int, joints: frozenset[str]) -> bool:
    """Whether it has "a" before it and "of" a kind of things behind it: "une maison de disques", of "ma maison"."""
    if not 0 < first < len(words) or words[first - 1].low not in name_words("some") or last + 1 >= len(words):
        return False
    kind = words[last + 1]
    plain = not kind.capital and kind.low.endswith("s") and kind.low not in name_words("weeks") and kind.low.isalpha()
    return words[last].low in joints and plain and not unit_of(kind.low)


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
