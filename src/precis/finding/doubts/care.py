"""Words that only say of what kind another thing is, or where somebody works.

"I earn 29,400 pounds at the clinic" tells no illness, and "a family car" nothing of "my family".
"""

import re
from collections.abc import Collection, Sequence

from precis.finding import identifiers, nouns
from precis.finding.about.clauses import is_compound
from precis.finding.beyond.tables import any_language
from precis.finding.kinds import is_animal, is_person
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, joined_spans, read_words, sentence_spans, unelided, word_from
from precis.finding.tables import (
    all_words,
    any_group,
    by_language,
    framed_languages,
    frames,
    groups,
    name_words,
    words_of,
)
from precis.finding.values import Span
from precis.finding.written import languages, speaking
from precis.finding.written.clauses import clauses_of
from precis.language.values import unit_of

HEALTH = frozenset("allergy medicine doctor illness mind pregnancy body sleep disability surgery".split())
#: Whoever is met at work is no place of work.
_COLLEAGUES = frozenset({"role.boss", "role.colleague", "role.client"})
_WORK = frozenset({"job", "salary"})
#: The user does something, and is not only called whose a colleague is.
_ACTS_UNSPACED = re.compile("[\u6211\u4ffa\u79c1\u50d5](?![\u7684\u306e]|\u4eec\u7684|\u540c[\u4e8b\u50da])")
_FELLOWS = frozenset({"role.colleague"})
#: What somebody has, and others have too, by the groups of its words; nobody has music, or a dish.
_HAD = frozenset(
    "pet child relative parent sibling partner job salary home house insurance debt tax faith law conviction".split()
)
#: What is so of somebody, and of whoever else it is told.
_LIVED = frozenset("diet faith politics orientation smoking drinking origin".split())
#: So many words lie at most between it and what is felt.
_BESIDE = 5
_ARTICLES = frozenset("a an ein eine un une una uma".split())
_BEING = frozenset("is am was as be become became becoming i'm ist war bin est suis es soy era e sou sono".split())
_UNITS = frozenset("department unit team station nurse".split())
#: So many words lie between what somebody is and the article before it: "a senior night nurse".
_BETWEEN = 4
#: An animal that a sentence tells of is one of so many first words.
_OPENING = 3


def _roots_of(subject: Subject) -> set[str]:
    """The groups of words that were asked for."""
    return {root for part in subject.parts for root in part.roots}


def only_at_work(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether health or a doctor was asked for, and each place of it is a place of work, a trade or a study."""
    roots = _roots_of(subject)
    if not roots or not roots <= HEALTH or not spans:
        return False
    words = read_words(text)
    clauses = clauses_of(text)
    return all(_is_of_work(words, span, clauses, subject.parts) for span in spans)


def _is_of_work(words: Sequence[Word], span: Span, clauses: Sequence[Span], parts: Sequence[Part]) -> bool:
    inside = [word for word in words if span[0] <= word.start < span[1]]
    place, trade = name_words("care_places"), name_words("care_trades")
    if not inside or any(word.low not in place | trade for word in inside):
        return False
    start, end = next((piece for piece in clauses if piece[0] <= span[0] < piece[1]), (0, span[1]))
    beside = [word for word in words if start <= word.start < end]
    lows = {word.low for word in beside if word not in inside}
    at_work = name_words("at_work")
    if any(word.low in place for word in inside):
        return not lows.isdisjoint(at_work | name_words("studying")) or _is_trade(words, inside[0], {})
    called = {part.word for part in parts}
    behind = words[word_from(words, span[1]) :][:1]
    if behind and behind[0].low in name_words("care_places") | _UNITS and behind[0].gap == " ":
        return True
    return _is_trade(words, inside[0], called)


def _is_trade(words: Sequence[Word], word: Word, called: Collection[str]) -> bool:
    """Whether it is what somebody is, or has studied: "User is a nurse", "works as a dentist", "studied medicine"."""
    at = word_from(words, word.start)
    before = [it.low for it in words[max(0, at - _BETWEEN) : at]]
    if not name_words("studying").isdisjoint(before):
        return True
    opening = next((place for place in range(len(before) - 1, -1, -1) if before[place] in _ARTICLES), 0)
    if opening and before[opening - 1] in _BEING:
        return True
    # "Jule ist Krankenschwester", "works in cardiology"; "is User's dentist" is whose it is.
    return bool(before) and (before[-1] in _BEING or _works_in(before)) and word.low not in called


def _works_in(before: Sequence[str]) -> bool:
    return not name_words("at_work").isdisjoint(before) or (
        bool({"ward", "department", "unit"} & {*before}) and "on" in before
    )


def only_colleagues(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether the user's work was asked for, and this only tells of somebody there.

    Where a clause asks for it, that is "my boss at the clinic"; else what a colleague does, without the user.
    """
    of_work = bool(subject.parts) and all({"job"} <= part.roots <= _WORK for part in subject.parts)
    if not (subject.mine and spans and of_work) or subject.names:
        return False
    low = folded(text)
    acts = any(word.low in name_words("subjects") for word in read_words(text))
    if not subject.clause and (acts or _ACTS_UNSPACED.search(text)):
        return False
    called = any_group(_COLLEAGUES if subject.clause else _FELLOWS, plain=low.isascii())
    colleague = [match.span() for match in called.finditer(low)]
    return bool(colleague) and all(any(s < end and e > start for s, e in colleague) for start, end in spans)


def of_an_animal(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether the user's health was asked for, and each sentence of it opens with an animal: "Mon chien a mal"."""
    roots = _roots_of(subject)
    if not subject.mine or not roots or not roots <= HEALTH or not spans:
        return False
    touched = [text[start:end] for start, end in sentence_spans(text) if any(start <= at < end for at, _ in spans)]
    return bool(touched) and all(map(_opens_with_animal, touched))


def _opens_with_animal(sentence: str) -> bool:
    pets = [called for name, both in groups().items() if name.partition(".")[0] == "pet" for called in both]
    opening = read_words(sentence)[:_OPENING]
    return any(is_animal(word.low) or any(called.fullmatch(word.low) for called in pets) for word in opening)


#: What joins a thing and what kind it is, with nothing between: "coche de familia".
_KIND_OF = by_language("joins_kind")
_QUALITIES = ("ar", "al", "ares", "ales", "ale", "are", "aux")
#: So many words may stand between an owner and the thing: "my old school bus".
_BETWEEN_THEM = 2


def only_modifies(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it stands before or behind another thing, and is called nobody's."""
    if not subject.mine or subject.clause or subject.names or subject.numbered or not spans:
        return False
    words = read_words(text)
    language = languages.language_of([word.low for word in words], text, subject.language)
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
        _is_kind(words, first, joints) or _is_house_of(words, first, last, joints) or _is_quality(words, first)
        for first, last in places
    )


def is_only_felt(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether what the user has was asked for, and all of it is only liked, feared or not borne: "allergic to cats"."""
    roots = _roots_of(subject)
    if not subject.mine or subject.names or not spans or not roots or not roots <= _HAD:
        return False
    words, clauses = read_words(text), clauses_of(text)
    language = languages.language_of([word.low for word in words], text, subject.language)
    if any(word.low in listed for word in read_words(subject.text) for listed in by_language("felt").values()):
        return False
    felt, own = by_language("felt").get(language, frozenset()), frozenset(words_of(language, "first"))

    def is_felt(span: Span) -> bool:
        at = word_from(words, span[0])
        start, end = next((piece for piece in clauses if piece[0] <= span[0] < piece[1]), (0, span[1]))
        beside = {word.low for word in words[max(0, at - _BESIDE) : at + _BESIDE] if start <= word.start < end}
        # "My two cats" and "I love my cats", but not "I like cats".
        before = [word.low for word in words[max(0, at - _BETWEEN_THEM) : at]]
        nearest = next((low for low in reversed(before) if low in own or low in felt), "")
        return not felt.isdisjoint(beside) and nearest not in own

    return all(map(is_felt, spans))


def is_told_of_own(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether how somebody lives was asked for, and each is what somebody of the user's is: "our au pair is vegan"."""
    roots = _roots_of(subject)
    if subject.names or not spans or roots.isdisjoint(_LIVED):
        return False
    words, clauses = read_words(text), clauses_of(text)
    language = languages.language_of([word.low for word in words], text, subject.language)
    pronouns = frames(language).get("first", "").split() if language in framed_languages() else []
    owners = {low for low in words_of(language, "first") if "'" not in low}.difference(map(folded, pronouns))

    def is_of_own(span: Span) -> bool:
        start = next((start for start, end in clauses if start <= span[0] < end), 0)
        before = [word.low for word in words if start <= word.start < span[0]]
        opening = next((low for low in before if low not in name_words("articles")), "")
        # "My diet is vegan" is the user's: what is asked for stands before the verb as well, and that is not of this.
        return opening in owners and not _BEING.isdisjoint(before[2:])

    return all(map(is_of_own, spans))


def is_of_youth(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether children were asked for, and each there is the user, long ago: "as a child I was often ill"."""
    roots = _roots_of(subject)
    places = [match.span() for match in any_language("in_youth").finditer(text)] if roots == {"child"} else []
    return bool(spans) and bool(places) and all(any(s <= start < e for s, e in places) for start, _ in spans)


def is_of_several(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether those whose it is stand right before all of it, and were not asked for: "the neighbors' au pair"."""
    before = [text[:start].rstrip() for start, _ in joined_spans(text, sorted(spans))]
    return bool(before) and not subject.names and all(it.endswith(("s'", "s\u2019")) for it in before)


def _asks_for_people(subject: Subject) -> bool:
    """Whether relatives were asked for, by one word for all of them."""
    return any(part.field and part.roots <= speaking.RELATIONS for part in subject.parts)


def _is_sort(words: Sequence[Word], at: int) -> bool:
    """Whether an animal or a thing before it says that it is no people: "the cat family", of "my family"."""
    if not 0 < at < len(words) or words[at].gap != " " or is_person(words[at].low):
        return False
    before = words[at - 1]
    plain = not (before.owns or before.capital or speaking.relations_of(before))
    return plain and (is_animal(before.low) or (nouns.names_thing(before.low) and not is_person(before.low)))


def _is_owned(words: Sequence[Word], at: int) -> bool:
    """Whether an owner stands before it: "user's family doctor"."""
    return any(word.owns or word.low in all_words("first") for word in words[max(0, at - _BETWEEN_THEM) : at + 1])


def _is_quality(words: Sequence[Word], at: int) -> bool:
    """Whether it describes a thing before it, as adjectives of Romance languages do: "un coche familiar"."""
    if not 1 < at < len(words) or not words[at].low.endswith(_QUALITIES) or words[at].gap != " ":
        return False
    thing, article = words[at - 1], words[at - 2]
    return thing.low.isalpha() and not thing.capital and article.low in name_words("articles")


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
        and not identifiers.names_number(unelided(head.low))
    )
    return plain and head is not None and head.low.isalpha()
