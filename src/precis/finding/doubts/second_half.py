"""Whether a sentence tells two values of which one was asked for, and what the part of it that stays says.

"Yes." says nothing, and "the date is 9 May" would be read of the user.
"""

import re
from collections.abc import Sequence
from functools import cache

from precis.finding import halves, kinds, names
from precis.finding.about.theirs import opens_with_user
from precis.finding.parts import Subject
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words, sentence_spans, users_of, word_from
from precis.finding.tables import all_words, any_group, languages, name_words, patterns, sayings, words_of
from precis.finding.values import Level, Span
from precis.finding.written.alike import tells_now
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import OF, is_being, relations_of
from precis.language.newest.taken_back import laughs

_JOINT = re.compile(r"[,;、，；]\s*|\s+(?:and|und|et|y|e|ed|i|en|och|ve|и|а|और|و|but|mais|pero|mas|ma|aber)\s+")
_MEDICINE, _CARE = frozenset({"medicine"}), frozenset({"doctor"})
_DIGIT = re.compile(r"\d")
_BRACKETS = (("(", ")"), ("[", "]"), ("\uff08", "\uff09"), ("\u300c", "\u300d"))


def tells_two_values(text: str, spans: Sequence[Span]) -> bool:
    """Whether two parts of a sentence have a number each, and each other words of those that were asked for.

    "The code of the gate is 5820 and that of the garage 1147", of the code of the garage.
    """
    for start, end in sentence_spans(text):
        cuts = [start, *(cut for it in _JOINT.finditer(text, start, end) for cut in it.span()), end]
        parts = [part for part in zip(cuts[::2], cuts[1::2], strict=True) if _DIGIT.search(text, *part)]
        touched = [
            frozenset(text[slice(*span)].casefold() for span in spans if first <= span[0] < last)
            for first, last in parts
        ]
        named = {words for words in touched if words}
        points = any(_points(text[first:last]) for (first, last), words in zip(parts, touched, strict=True) if words)
        if len(named) > 1 and (points or any(one < other for one in named for other in named)):
            return True
    return False


def is_torn(piece: str) -> bool:
    """Whether a part has only one of two brackets: "Vicente) est\u00e1n conmigo"."""
    return any(piece.count(opening) != piece.count(closing) for opening, closing in _BRACKETS)


def _points(part: str) -> bool:
    """Whether it opens with what only points at a thing that is named before: "that of the garage"."""
    return any(
        re.match(pattern, part, re.IGNORECASE) for language in languages() for pattern in patterns(language, "that_of")
    )


def takes_now(text: str, going: Sequence[Span], keeps: Sequence[Span]) -> Level | None:
    """Whether a part that would stay says what the user takes now, and what goes before it that it was changed.

    Of "the doctor raised the dose, now I take Euthyrox 75" the rest is the medicine itself: how surely all of it goes.
    Where only a doctor is named before that is in doubt. None where nothing is taken.
    """
    last = max((end for _, end in going), default=0)
    taken = next((start for start, end in keeps if start >= last and _takes(text[start:end])), 0)
    before = folded(text[:taken])
    medicine, care = (any_group(it, plain=before.isascii()).search(before) for it in (_MEDICINE, _CARE))
    dose = any(word.low in name_words("doses") for word in read_words(text[:taken]))
    return Level.SURE if medicine or dose else Level.DOUBTFUL if care else None


def _takes(piece: str) -> bool:
    low = folded(piece)
    taken = name_words("takes")
    lows = {word.low for word in read_words(piece)}
    verb = not lows.isdisjoint(taken) or any(it in low for it in taken if UNSPACED.search(it))
    return verb and tells_now(piece)


def leans_on_them(text: str, piece: Span, going: Span) -> bool:
    """Whether a part of a sentence, behind one that goes, is of somebody of whoever that one tells of.

    "... e o namorado dela toca bateria", "...、彼氏は消防士だ": alone it would be told of the user, or of nobody.
    """
    if piece[0] < going[1] or _opens_with_user(text[slice(*going)]) or _ends_sentence(text, going):
        return False
    if UNSPACED.search(text[piece[0] : piece[0] + 2]):
        who = topic_of(text[slice(*piece)])
        if who in name_words("topics_of_time"):
            return True
        return who is not None and (is_being(who) or any(is_being(who[:cut]) for cut in range(1, len(who))))
    words = read_words(text[slice(*piece)])
    language = language_of([word.low for word in read_words(text)], text)
    return language != "en" and _is_of_them(words, language)


def _is_of_them(words: Sequence[Word], language: str) -> bool:
    """Whether it opens with somebody who is called nobody's, or somebody's by a pronoun."""
    articles, own = name_words("articles"), all_words("first")
    third = ({*words_of(language, "third")} | _possessors()) - articles - OF
    for at, word in enumerate(words):
        plain = word.low not in articles or word.text.lower() != word.low
        if word.low in own or (word.capital and not is_being(word.low)):
            return False
        if at and plain and word.low in third and any(is_being(before.low) for before in words[:at]):
            return True
    opening = next((word for word in words if word.low not in articles), None)
    return opening is not None and is_being(opening.low) and not opening.capital


def points_back(text: str, going: Sequence[Span], keeps: Sequence[Span]) -> bool:
    """Whether a sentence that would stay says of what goes right before it when, or how much: "It's due on 12 May"."""
    spans = sentence_spans(text)
    gone = [any(start <= first < end for first, _ in going) for start, end in spans]
    return any(
        gone[at - 1]
        and not gone[at]
        and any(first <= start < last for first, last in keeps)
        and _points_at().match(text, start) is not None
        and _DIGIT.search(text, start, end) is not None
        for at, (start, end) in enumerate(spans)
        if at
    )


@cache
def _points_at() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(sayings('points_back'))})(?!\w)", re.IGNORECASE)


@cache
def _possessors() -> frozenset[str]:
    return frozenset("dele dela deles delas ella ellos ellas lei lui loro ihr ihm elle eux".split())


def _opens_with_user(piece: str) -> bool:
    first = tuple(filter(None, all_words("first")))
    return opens_with_user(piece) or (UNSPACED.search(piece[:1]) is not None and folded(piece).startswith(first))


def _ends_sentence(text: str, piece: Span) -> bool:
    return any(end == piece[1] for _, end in sentence_spans(text))


# Whether a memory without spaces tells of its topic what a request says of the user: "Kenta keeps a dog" of "I do".
#: What marks whom a Japanese or Korean sentence is about, and the most signs before it.
_TOPIC = {
    "ja": re.compile("^\\W*(?P<who>[^\\s\u3001\u3002,]{1,12}?)(?:\u306f|\u304c|\u3082)"),
    "ko": re.compile("^\\W*(?P<who>[^\\s,]{1,8}?)(?:\uc740|\ub294|\uc774|\uac00|\ub3c4)(?=\\s)"),
}


def topic_of(text: str) -> str | None:
    """Whom or what a Japanese clause is about; None where it has no topic."""
    topic = _TOPIC["ja"].match(folded(text))
    return topic["who"] if topic else None


def told_of_topic(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether all that fits a clause about the user is told of somebody else, by whom the sentence opens."""
    topic = _TOPIC.get(subject.language)
    if topic is None or not (UNSPACED.search(text) or HANGUL.search(text)):
        return False
    first = tuple(filter(None, (*words_of(subject.language, "first"), *users_of(()), *name_words("users_unspaced"))))
    asked = folded(subject.text)
    opening = topic.match(asked)
    if opening is None or not opening["who"].startswith(first):
        return False
    told = [
        text[start:end] for start, end in sentence_spans(text) if any(start < last and at < end for at, last in spans)
    ]
    return bool(told) and all(_is_of_another(topic.match(folded(it)), first, asked) for it in told)


def _is_of_another(opening: re.Match[str] | None, first: tuple[str, ...], asked: str) -> bool:
    """Whether a sentence opens with whom it is about, who is neither the user nor a word of the request."""
    if opening is None or opening["who"].startswith(first):
        return False
    return opening["who"] not in asked


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
    words, places = read_words(text), halves.Places(spans)
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
    named = {start for start, _, _ in names.people(piece)}
    opening = next((word for word in words if word.low not in name_words("articles")), None)
    if opening is None or not opening.text.isalpha() or (opening.capital and language != "de"):
        return False  # a thing with a name of its own
    if somebody or any(map(_is_somebody, words)) or _names(words, named):
        return False
    return any(word.low in name_words("copulas") for word in words[1 : _STATED + 1])


def _is_somebody(word: Word) -> bool:
    known = word.owns or bool(relations_of(word)) or word.low in name_words("others") or kinds.is_animal(word.low)
    return known or (not word.text.isascii() and is_being(word.low))


def _names(words: Sequence[Word], named: set[int]) -> bool:
    """Whether somebody is named where it opens."""
    return any(word.start in named and word.low in name_words("given") for word in words[:_STATED])
