"""Whether a memory answers what a clause asks: of "where I grew up" or "who I work for" "I grew up poor" tells nothing.

It is looked at only where the memory has the verb of the clause; what tells it by other words is weighed elsewhere.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from precis.finding.capitals import ADVERBS, calendar
from precis.finding.parts import Subject
from precis.finding.reading import Word, is_caseless, read_words, sentence_spans, users_of
from precis.finding.tables import all_words, by_language, name_words
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import is_being, relations_of
from precis.language import tables
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS, stem

#: Two forms of a verb in other languages begin alike in so many letters.
_ALIKE = 4
_ARTICLES = frozenset({"a", "an", "the"})
_CLAUSE, _SAYING = 6, frozenset("say says said tell told mention mentioned wrote".split())
#: What asks is one of so many first words: the first may be what asks to forget it.
_OPENING = 2
_BEFORE = re.compile(r"\b(?:before|previously|formerly|earlier|used to)\b", re.IGNORECASE)
_WITH_DEED = re.compile(
    r"^(?:the|that|a|an) [\w' -]+ (?:that |which )?(?:i|we) (?:\w+ly )?(?P<deed>[a-z]+)", re.IGNORECASE
)
#: Languages in which a preposition stands before whom a clause asks for.
_BEFORE_IT = frozenset({"es", "pt", "it"})
_FEASTS = frozenset(tables.words("calendar.anchors"))


def tells_no_place(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked where something is done, and what is said of that there names no place."""
    asking = by_language("asks_where").get(subject.language, frozenset())
    asked = read_words(subject.text)
    if asking.isdisjoint(it.low for it in asked[:_OPENING]) or any(it.low in _SAYING for it in asked[:_CLAUSE]):
        return False  # of "the bit where I say that ..." it is no place
    words = _told(subject, text, spans)
    if not words:
        return (
            subject.mine
            and bool(spans)
            and not any(map(str.isdigit, text.partition(":")[2]))
            and not _names_anything(text)
        )
    before = _before("before_places", subject, words)
    return bool(words) and not any(
        word.low in name_words("place_adverbs")
        or (word.low in before and _is_place(words, at))
        or (word.low == "for" and _is_somebody(words, at))  # where somebody works
        for at, word in enumerate(words)
    )


def _names_anything(text: str) -> bool:
    """Whether there is a word with a capital that opens no sentence: what tells of a place in other words names it."""
    return is_caseless(text) or any(it.capital and not it.opens and not _is_time(it) for it in read_words(text))


def tells_nobody(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked for or with whom something is done, and what is said of that there names nobody."""
    asked = _preposition(subject)
    opening = next((word.low for word in read_words(subject.text)), "")
    is_ = any(word.low in name_words("copulas") | name_words("past_copulas") for word in read_words(subject.text))
    whom = by_language("asks_whom").get(subject.language, ())
    if not asked and subject.language in _BEFORE_IT and opening in whom and not is_:
        joins = by_language("before_people")[subject.language]  # what stood before it was read as something else
    else:
        joins = frozenset({asked, "at"} if asked == "for" else {asked}) - {""}
    words = _told(subject, text, spans) if joins else []
    return bool(words) and not any(word.low in joins and _is_somebody(words, at) for at, word in enumerate(words))


def tells_of_now(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked what something was, and what is said of that there is what it is."""
    was = name_words("past_copulas")
    asked = read_words(subject.text)
    if subject.old or not spans or was.isdisjoint(word.low for word in asked) or _is_now(asked):
        return False
    words = read_words(text)
    sentences = [it for it in sentence_spans(text) if any(it[0] <= start < it[1] for start, _ in spans)]
    told = [word for word in words if any(start <= word.start < end for start, end in sentences)]
    return _is_now(told) and was.isdisjoint(word.low for word in told)


def _is_now(words: Sequence[Word]) -> bool:
    """Whether something is something there; "e" alone is an "and"."""
    return any(word.low in name_words("present_copulas") or word.text.lower() in {"\u00e8", "\u00e9"} for word in words)


def _preposition(subject: Subject) -> str:
    """What stands before whom the clause asks for, "f\u00fcr wen", or is left behind: "who I work for"."""
    words = [word.low for word in read_words(subject.text)]
    whom = by_language("asks_whom").get(subject.language, frozenset[str]())
    before = by_language("before_people").get(subject.language, frozenset[str]())
    joined = (low for low, behind in pairwise(words[: _OPENING + 1]) if behind in whom and low in before)
    if first := next(joined, ""):
        return first
    if subject.language not in {"en", "sv"} or words[:1] == [] or words[0] not in whom:
        return ""
    ends = (low for low, behind in zip(words, (*words[1:], ""), strict=True) if not behind or behind in before)
    return next((low for low in ends if low in before), "")


def _told(subject: Subject, text: str, spans: Sequence[Span]) -> list[Word]:
    """The words of the sentences that have the verb of a clause, without those asked for; none where none has it."""
    asked = {word.low for word in read_words(subject.text)} - STOP_WORDS - name_words("questions")
    asked -= by_language("before_people").get(subject.language, frozenset())
    asked -= {word for name in subject.names for word in name}
    words = read_words(text)
    there = [word for word in words if any(start <= word.start < end for start, end in spans)]
    same = [word for word in there if any(_is_same(word.low, low, subject.language) for low in asked)]
    sentences = [it for it in sentence_spans(text) if any(it[0] <= word.start < it[1] for word in same)]
    return [
        word
        for word in words
        if any(start <= word.start < end for start, end in sentences) and not (word in there and word.low in asked)
    ]


def is_of_another_time(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether it was asked where or for whom something was done, and is told as it is now, or the other way round."""
    words = read_words(subject.text)
    whom = by_language("asks_where")["en"] | by_language("asks_whom")["en"]
    if subject.language != "en" or subject.old or not words or words[0].low not in whom or _BEFORE.search(subject.text):
        return False
    asked = [form for word in words if (form := form_of(token(word.low))) is not None]
    inside = [word for word in read_words(text) if any(start <= word.start < end for start, end in spans)]
    told = [form for word in inside if (form := form_of(token(word.low))) is not None]
    pairs = [("past" in one.kinds, "past" in it.kinds) for one in asked for it in told if it.lemma == one.lemma]
    if not pairs and not any("past" in one.kinds for one in asked):
        return _only_was(text, spans)
    return bool(pairs) and not any(one is it for one, it in pairs)


def _only_was(text: str, spans: Sequence[Span]) -> bool:
    """Whether each sentence of it tells what was, and none what is: "My address in Hull was 3 Pier Street"."""
    sentences = [text[s:e] for s, e in sentence_spans(text) if any(s <= start < e for start, _ in spans)]
    told = [word for sentence in sentences for word in read_words(sentence)]
    return not (name_words("past_copulas").isdisjoint(word.low for word in told) or _is_now(told))


def lacks_deed(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether of a thing that the user does something with only another of its kind is there: "I wear a key ring".

    "The ring I lost" is told by "lost", and by "my ring"; of a ring that another thing says the kind of neither.
    """
    match = _WITH_DEED.search(subject.text) if subject.language == "en" and subject.clause else None
    form = form_of(token(match["deed"].lower())) if match else None
    if match is None or form is None or not spans:
        return False
    words = read_words(text)
    forms = (form_of(token(word.low)) for word in words)
    if any(it is not None and it.lemma == form.lemma for it in forms):
        return False
    places = [at for at, word in enumerate(words) if any(start <= word.start < end for start, end in spans)]
    return bool(places) and all(at > 1 and words[at - 2].low in _ARTICLES and _is_sort(words[at - 1]) for at in places)


def _is_sort(word: Word) -> bool:
    return not (word.capital or word.owns or word.low in STOP_WORDS | name_words("plain") | all_words("first"))


def _is_same(told: str, asked: str, language: str) -> bool:
    if told == asked or stem(told) == stem(asked):
        return True
    if language != "en":
        return len(told) >= _ALIKE and told[:_ALIKE] == asked[:_ALIKE]
    first, second = form_of(token(told)), form_of(token(asked))
    return (first.lemma if first else told) == (second.lemma if second else asked)


def _before(what: str, subject: Subject, words: Sequence[Word]) -> Collection[str]:
    """The prepositions of a list in the language of a request, and in that of a memory."""
    spoken = language_of([word.low for word in words], " ".join(word.text for word in words), subject.language)
    listed = by_language(what)
    return listed.get(subject.language, frozenset()) | listed.get(spoken, frozenset())


def _behind(words: Sequence[Word], at: int) -> tuple[Word | None, bool]:
    """The first word of what stands behind a preposition, and whether an article or an owner stands before that."""
    place = at + 1
    aside = name_words("articles") | name_words("possessives") | all_words("articles") | all_words("first")
    while place < len(words) - 1 and words[place].low in aside and not words[place].text.isupper():
        place += 1
    plain = place < len(words) and words[place].gap in {" ", ""}
    return (words[place] if plain else None), place > at + 1


def _is_place(words: Sequence[Word], at: int) -> bool:
    """Whether a place stands behind a preposition: what has a capital or an article, or a number of a house."""
    word, definite = _behind(words, at)
    if word is None or _is_time(word) or (definite and is_being(word.low) and not word.owns):
        return False
    if word.text[0].isdigit():
        return any(it.capital and it.gap == " " and not _is_time(it) for it in words[words.index(word) + 1 :][:2])
    return (
        word.capital or (definite and word.low not in name_words("no_places")) or word.low in name_words("bare_wheres")
    )


def _is_somebody(words: Sequence[Word], at: int) -> bool:
    """Whether somebody or a firm stands behind a preposition."""
    word, definite = _behind(words, at)
    if word is None or _is_time(word):
        return False
    behind = [it for it in words[words.index(word) :][:3] if it is word or it.gap == " "]
    others = name_words("others") | name_words("institutions")
    known = any(it.owns or it.low in others or it.low.removesuffix("s") in others for it in behind)
    # "With great pleasure": many a plain word is somebody in a rare sense.
    known = known or any(relations_of(it) or (definite and is_being(it.low)) for it in behind)
    known = known or word.low in name_words("somebody") | name_words("companies") | users_of(())
    german = definite and language_of([it.low for it in words], "") == "de"
    return known or (word.capital and not german)


def _is_time(word: Word) -> bool:
    low = word.low.removesuffix("s")
    times = name_words("times") | name_words("weeks") | name_words("unplaced") | ADVERBS
    return calendar(word.low) or low in _FEASTS or word.low in times or low in times
