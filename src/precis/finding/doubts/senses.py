"""Whether a memory has a word for what was asked for in a sense that tells nothing of it, or only supposes it."""

from collections.abc import Collection, Sequence

from precis.finding.about.clauses import is_compound
from precis.finding.capitals import finite
from precis.finding.kinds import is_person
from precis.finding.nouns import known
from precis.finding.parts import Part, Subject
from precis.finding.reading import (
    Word,
    folded,
    places_of,
    read_words,
    sentence_spans,
    users_of,
    word_from,
    words_before,
)
from precis.finding.tables import all_words, any_group, by_language, name_words, phrases_of, words_of
from precis.finding.values import Span
from precis.finding.written import languages, speaking, told
from precis.language.newest.taken_back import laughs

#: Languages in which a place without an article says how something is done: "desde casa".
_ARTICLED = frozenset({"es", "pt", "it", "fr"})
_PLAYED = frozenset({"sport", "game"})
#: So many words are a clause with a thing at its end.
_CLAUSE = 4
#: What ends a verb of the third person in the past there; without the accent it is the first person of now.
_PAST = "\u00f3\u00f2"


def is_supposed(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether other words for what was asked for stand in jokes and in what would be, each: "If it rains, I move"."""
    low = folded(text)
    exact = {span for part in subject.parts for span in places_of(part.word, low, subject.language)}
    if not subject.parts or not spans or any(span in exact for span in spans):
        return False
    sentences = [(s, e) for s, e in sentence_spans(text) if any(s <= first < e for first, _ in spans)]
    return bool(sentences) and all(_supposes(text[start:end], subject.language) for start, end in sentences)


def _supposes(sentence: str, likely: str) -> bool:
    words = read_words(sentence)
    language = languages.language_of([word.low for word in words], sentence, likely)
    opening = words[0].low if words else ""
    supposing = any(opening in by_language("supposing").get(code, ()) for code in {language, likely})
    return supposing or laughs(sentence) or any(word.low in name_words("joking") for word in words)


def opens_with_namesake(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether each sentence tells it of somebody whose name is a verb as well: "Will takes it, too", of what I take."""
    if not subject.mine or subject.names or not spans:
        return False
    sentences = [
        read_words(text[s:e])[:2] for s, e in sentence_spans(text) if any(s <= first < e for first, _ in spans)
    ]
    return bool(sentences) and all(
        len(it) > 1 and it[0].low in name_words("auxiliaries") | name_words("verbs") and finite(it[1])
        for it in sentences
    )


def is_figure(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether each word for somebody says what a thing is, or whom it is told with: "partner company"; English only."""
    words, starts = read_words(text), {start for start, _ in spans}
    if not subject.parts or not spans or languages.language_of([word.low for word in words], text) != "en":
        return False
    return all(_is_thing(text, span, starts) for span in spans)


def _is_thing(text: str, span: Span, starts: set[int]) -> bool:
    words = read_words(text)
    behind = words[word_from(words, span[1]) :][:3]
    inside = [word for word in words if span[0] <= word.start < span[1]]
    if not behind or not inside or not (speaking.relations_of(inside[-1]) or speaking.is_being(inside[-1].low)):
        return False
    if is_compound(words, span, starts):
        return is_person(inside[-1].low) and not _is_somebody(behind[0])
    to = len(behind) > 2 and behind[0].low == "to" and behind[1].low in name_words("articles")
    return to and not (behind[2].capital or _is_somebody(behind[2]))


def _is_somebody(word: Word) -> bool:
    return is_person(word.low) or speaking.is_being(word.low)


def is_called_so(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody is only called so in each place: "called him Limpet", of the limpets; English only."""
    if subject.names or subject.foreign or not spans:
        return False
    words = read_words(text)
    places = [word_from(words, start) for start, _ in spans]
    return all(
        0 < at < len(words)
        and words[at].capital
        and any(word.low in {"called", "named"} for word in words[max(0, at - 2) : at])
        for at in places
    )


def is_phrasal(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a noun was asked for, and each place of it is a verb of another sense: "works out", of "my work"."""
    if subject.foreign or subject.clause or subject.names or not spans:
        return False
    words = read_words(text)
    behind = [words[at] if at < len(words) else None for at in (word_from(words, end) for _, end in spans)]
    return all(it is not None and it.low in name_words("particles") and it.gap == " " for it in behind)


def is_named_for(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether the one thing at the end of a clause only says of what kind another is: "a ring light", of "the ring"."""
    asked = read_words(subject.text)
    if not subject.clause or subject.foreign or len(asked) < _CLAUSE or asked[-2].low != "the":
        return False
    words, starts = read_words(text), {start for start, _ in spans}
    placed = [(word.start, word.end) for word in words if word.low == asked[-1].low]
    return bool(placed) and all(is_compound(words, span, starts) for span in placed)


def is_otherwise_written(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all of it is another word but for an accent, or says only where something is done: "desde casa"."""
    if subject.language not in _ARTICLED or not spans or not subject.parts:
        return False
    asked = {word.text.lower() for word in read_words(subject.text)}
    words = read_words(text)
    articles = words_of(subject.language, "articles")
    places = name_words("bare_places")

    def other(span: Span) -> bool:
        word = text[slice(*span)].lower()
        if word[-1:] in _PAST and word not in asked and f"{word[:-1]}o" in asked:
            return True
        at = word_from(words, span[0])
        before = words[at - 1] if 0 < at < len(words) else None
        bare = before is not None and before.low in name_words("bare_prepositions") and before.low not in articles
        return bare and folded(word) in places

    return all(map(other, spans))


# Whether what is asked for is only told by words that may tell anything else: "andiamo in Sardegna", of a trip.
#: Letters that are folded, and so many may stand behind the beginning of an inflected word: "Brüder", "Ärztin".
_UMLAUT, _INFLECTED = frozenset("äöü"), 3
_ILLNESSES = frozenset({"illness"})


def told_weakly(
    subject: Subject, text: str, low: str, hits: Sequence[tuple[Sequence[Span], bool]], tongues: Collection[str]
) -> bool:
    """Whether all that tells one of the words of a subject may tell something else there."""
    return any(
        not exact
        and bool(places)
        and all(told.is_weak(low[slice(*it)], tongues, part.roots) or _is_widened(part, text, it) for it in places)
        and not _is_clear(subject, part, text, low, places)
        for part, (places, exact) in zip(subject.parts, hits, strict=True)
    )


def tells_in_general(text: str, spans: Sequence[Span], own_names: Collection[str]) -> bool:
    """Whether each sentence of it tells of things of a kind in general: "Pear and maple are common"; English only."""
    words = read_words(text)
    if languages.language_of([word.low for word in words], text) != "en":
        return False
    own = {*words_of("en", "first"), *name_words("subjects"), *own_names, "you", "your"}
    touched = [(s, e) for s, e in sentence_spans(text) if any(s <= first < e for first, _ in spans)]
    return bool(touched) and all(
        _is_general([word for word in words if start <= word.start < end], own) for start, end in touched
    )


def _is_general(words: Sequence[Word], own: Collection[str]) -> bool:
    """Whether a sentence opens with a bare noun and says what such things are or do, and has no word for the user."""
    bare = len(words) > 2 and known(words[0].low) and not words[0].owns
    told = any(word.low in name_words("copulas") or finite(word) for word in words[1:])
    return bare and told and not any(word.low in own for word in words)


def _is_widened(part: Part, text: str, place: Span) -> bool:
    """Whether the beginning of a phrase meets a longer word there for a folded umlaut alone: "Räucherlachs"."""
    written = text[slice(*place)].casefold()
    if _UMLAUT.isdisjoint(written) or len(folded(text)) != len(text):
        return False
    bare = folded(written)
    begun = {phrase.strip("?*").casefold() for group in part.groups for phrase in phrases_of(group)}
    met = [phrase for phrase in begun if bare.startswith(folded(phrase))]
    return bool(met) and all(not written.startswith(it) and len(bare) > len(folded(it)) + _INFLECTED for it in met)


def is_only_place(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it only tells of a house of worship, or plays where a court is: "the old church is being renovated"."""
    roots = {root for part in subject.parts for root in part.roots}
    places = {"faith": _is_only_house, "law": _is_played_on}
    holds = next((places[root] for root in roots & {*places}), None)
    return holds is not None and bool(spans) and all(holds(text, span) for span in spans)


def _is_only_house(text: str, span: Span) -> bool:
    """Whether a sentence opens with a house, with an article, and has no word for the user."""
    inside = [word for word in read_words(_sentence(text, span)) if word.text[0].isalpha()]
    house = next((word for word in inside[1:_CLAUSE] if word.low in name_words("worship_houses")), None)
    own = any(word.low in all_words("first") or word.low in users_of(()) for word in inside[1:])
    opens = house is not None and house.start == span[0] - text.index(_sentence(text, span))
    return opens and inside[0].low in name_words("articles") and not own


def _is_played_on(text: str, span: Span) -> bool:
    """Whether it is a court, and something is played in the sentence, or "on" it."""
    words = read_words(text)
    before = [word.low for word in words[: word_from(words, span[0])]][-2:]
    played = any_group(_PLAYED, plain=text.isascii()).search(folded(_sentence(text, span))) is not None
    return text[slice(*span)].casefold() in {"court", "courts"} and (played or "on" in before)


def _sentence(text: str, span: Span) -> str:
    return next((text[start:end] for start, end in sentence_spans(text) if start <= span[0] < end), text)


def drives_somebody(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all that tells of a car is what somebody is driven to: "drives me mad"; English only."""
    if subject.foreign or not any("car" in part.roots for part in subject.parts):
        return False
    names = {word for name in subject.names for word in name}
    words = read_words(text)
    places = [words[word_from(words, start) :][:3] for start, _ in spans]
    places = [near for near in places if near and near[0].low not in names]
    return bool(places) and all(map(_drives, places))


def _drives(words: Sequence[Word]) -> bool:
    if len(words) < 2 or words[0].low not in name_words("driving"):
        return False
    return words[1].low in name_words("driven_somewhere") or (len(words) > 2 and _is_somebody(words[2]))


def _is_clear(subject: Subject, part: Part, text: str, low: str, places: Sequence[Span]) -> bool:
    if part.roots == {"medicine"}:
        return any_group(_ILLNESSES, plain=low.isascii()).search(low) is not None
    names = {word for name in subject.names for word in name}
    return part.roots == {"travel"} and bool(names) and any(_is_beside(read_words(text), it, names) for it in places)


def _is_beside(words: Sequence[Word], place: Span, names: Collection[str]) -> bool:
    """Whether where somebody goes is named right behind, or right before where a verb stands last: "गोवा जाने"."""
    at, behind = word_from(words, place[0]), words_before(words, place[1])
    beside = (*words[max(0, at - 1) : at], *words[behind : behind + 1])
    return any(word.low in names for word in beside)
