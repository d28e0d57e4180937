"""The clauses of a sentence that each have a subject and a verb: "my salary is 54,000 and | my brother's is 49,000"."""

import re
from collections.abc import Sequence
from functools import cache

from precis.finding import capitals, nouns, values
from precis.finding.reading import UNSPACED, Word, folded, read_words, sentence_spans
from precis.finding.tables import groups, name_words, words_of
from precis.finding.written import languages, speaking
from precis.finding.written.alike import alike
from precis.language.tokens import tokens
from precis.language.verbs import form_of, verb_place
from precis.language.words import STOP_WORDS

JOINT = re.compile(
    r"(?:,\s+|\s+)(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|mas|ma|mentre)\s+|;\s+"
    r"|,\s+(?:au\u00dferdem|zudem|sowie|d\u00e9sormais|en outre|de plus|adem\u00e1s|inoltre|al\u00e9m disso|also)\s"
    r"|,\s+(?=(?-i:[A-Z\u00c0-\u00de])[\w'-]+\s)"
    r"|,\s+(?=(?:my|our|his|her|their|the|sein\w*|ihr\w*|son|sa|ses|su|sus|suo|sua|seu|zijn|haar|mein\w*|unser\w*|mon|ma|mes|mi|mis|il|la|o|a)\s)",
    re.IGNORECASE,
)
#: What joins two clauses in languages of which a joint is a frequent word of others.
_JOINTS = {
    language: re.compile(rf"(?:,\s+|\s+)(?:{joints})\s+|[,;]\s+|{JOINT.pattern}", re.IGNORECASE)
    for language, joints in (
        ("nl", "en|maar|terwijl|want"),
        ("pl", "a|i|ale|oraz|natomiast|zaś"),
        ("ru", "а|и|но|зато|тогда как"),
        ("sv", "och|men|medan"),
        ("tr", "ve|ama|fakat|ise"),
        ("hi", "और|लेकिन|जबकि|मगर"),
        ("ar", "(?:و|لكن|بينما) ?(?=[^\\W\\d_]{2})"),
    )
} | {language: re.compile("[\uff0c\uff1b\u3001]|[,;](?=[\u3040-\u30ff\u4e00-\u9fff])") for language in ("zh", "ja")}
#: A joint behind which something may only say when the other is: "while we're away".
_DURING = re.compile(r"(?P<comma>,?)\s+(?:while|während|mientras|mentre|terwijl|medan)\s+", re.IGNORECASE)
#: "\u7531\u7f8e\u306f", what a Japanese clause tells of.
_TOPIC = re.compile("[^\u3001\u3002\u306f\u304c]{1,6}[\u306f\u304c]")
#: So much of a clause says whether it is one: a long list of them is read once, and not from each on.
_CLAUSE = 300
#: Most words of a subject.
_SUBJECT = 4
_THEIR, _LIES, _PLURAL = frozenset("his her their".split()), frozenset({"lies", "lay"}), frozenset(["are", "were"])
PRONOUNS = frozenset("it he she they we this that which who es sie er wir il elle ils elles ella lui lei".split())


def clauses_of(text: str) -> list[values.Span]:
    """The clauses of each sentence that have a subject and a verb of their own."""
    language = languages.language_of([word.low for word in read_words(text)], text)
    pieces = [piece for sentence in sentence_spans(text) for piece in _clauses(text, sentence, language)]
    return [fact for piece in pieces for fact in alike(text, piece, language)]


def _clauses(text: str, sentence: values.Span, language: str) -> list[values.Span]:
    """The clauses of a sentence that each have a subject and a verb; the sentence itself where they do not."""
    start, end = sentence
    joints = [match.span() for match in _JOINTS.get(language, JOINT).finditer(text, start, end)]
    pieces, begin = [], start
    clause = cache(lambda first, last: is_clause(text[first:last], language))
    for first, last in joints:
        if _says_when(text[first:last], text[last:end], language):
            continue
        before, behind = (begin, min(first, begin + _CLAUSE)), (last, min(end, last + _CLAUSE))
        if clause(*before) and clause(*behind) and not is_of_both(text[slice(*before)], text[slice(*behind)]):
            pieces.append((begin, first))
            begin = last
    return [*pieces, (begin, end)]


def _says_when(joint: str, behind: str, language: str) -> bool:
    """Whether what stands behind a joint only says when the other is: without a comma before it, or of the user."""
    during = _DURING.fullmatch(joint)
    opening = read_words(behind[:_CLAUSE])[:1]
    return during is not None and (
        not during["comma"] or any(folded(it.text).partition("'")[0] in words_of(language, "first") for it in opening)
    )


def side_by_side(text: str, parts: Sequence[values.Span]) -> list[values.Span]:
    """The parts, clauses with nothing but a joint between them as they are written."""
    joined: list[values.Span] = []
    for start, end in parts:
        beside = joined and JOINT.fullmatch(text, joined[-1][1], start)
        joined.append((joined.pop()[0], end) if beside else (start, end))
    return joined


def is_of_both(before: str, behind: str) -> bool:
    """Whether the verb is that of both: "my bike and my scooter are in the shed"."""
    opening = read_words(behind)[: _SUBJECT + 1]
    if not opening:
        return False
    plural = any(word.low in _PLURAL for word in opening[1:]) and opening[0].low not in PRONOUNS | {"i"}
    return plural and not any(capitals.finite(word) for word in read_words(before))


def is_clause(text: str, language: str = "en") -> bool:
    """Whether it has a subject of its own and a verb; ``language`` is that of the whole text."""
    if UNSPACED.search(text[:2]):
        return _opens_with_somebody(text, language)
    words = tokens(text)
    if len(words) == 2 and not words[0].small:
        return has_subject(text) and capitals.finite(read_words(text)[-1])
    if language != "en" and _acts_elsewhere(read_words(text), language):
        return True
    if len(words) < 3 or not has_subject(text):
        return False
    if verb_place(words) is not None or any(form_of(word) or word.low in _LIES for word in words[1:4]):
        return True
    low = [word.low for word in words]
    # Another language than English: a small word behind the subject is taken for its verb.
    return languages.language_of(low, text) != "en" and low[1].isalpha() and words[1].small


def has_subject(text: str, language: str = "en") -> bool:
    """Whether it begins with somebody or something of its own, and takes nobody up by a pronoun."""
    words = read_words(text)
    if not words:
        return False
    if language != "en" and (_opens_with_somebody(text, language) or _acts_elsewhere(words, language)):
        return True
    language = languages.language_of([word.low for word in words], text)
    opening = words[0]
    named = opening.capital and not opening.owns and opening.low not in STOP_WORDS
    taken_up = (word for at, word in enumerate(words) if not (named and _is_possessive(words, at)))
    if opening.low in name_words("dependent") or any(word.low in words_of(language, "third") for word in taken_up):
        return False
    if opening.low in name_words("own") | name_words("given") or opening.low in words_of(language, "first"):
        return True
    if opening.capital:
        return opening.owns or opening.low not in STOP_WORDS
    # "... next cleaning is on Monday": a noun before the verb.
    verb = next((at for at, word in enumerate(words[:_SUBJECT]) if capitals.finite(word)), 0)
    return language == "en" and verb > 0 and opening.low not in STOP_WORDS and nouns.names_thing(words[verb - 1].low)


def _is_possessive(words: Sequence[Word], place: int) -> bool:
    """Whether a word says whose the next one is: of "Noah passed his exam" it is Noah's."""
    behind = words[place + 1] if place + 1 < len(words) else None
    return words[place].low in _THEIR and behind is not None and behind.low not in STOP_WORDS


def _acts_elsewhere(words: Sequence[Word], language: str) -> bool:
    """Whether a clause of another language begins with somebody, and a small word behind may be its verb."""
    at = _somebody(words, language) if words else 0
    return 0 < at < len(words) and words[at].low.isalpha() and not words[at].capital and words[at].gap == " "


def _somebody(words: Sequence[Word], language: str) -> int:
    """How many of the first words name somebody: "o Caio", "moja siostra Ola", "тётя Зина"; 0 where none does."""
    possessive = words[0].low in speaking.own_words(language, "mine") or words[0].low in words_of(language, "first")
    possessive = possessive or words[0].low in name_words("possessives")
    at = int(possessive or words[0].low in words_of(language, "articles"))
    named = at < len(words) and (words[at].capital or words[at].low in name_words("given"))
    if at < len(words) and not (named or possessive or speaking.relations_of(words[at])):
        return 0
    at += 1
    while at < len(words) and words[at].capital and words[at].gap == " ":
        at += 1
    return at


def _opens_with_somebody(clause: str, language: str) -> bool:
    """Whether a clause without spaces begins with the user, a pronoun or a relative."""
    if not UNSPACED.search(clause[:2]):
        return False
    low = folded(clause.strip())
    if language == "ja" and _TOPIC.match(low):
        return True
    own = (*words_of(language, "first"), *words_of(language, "third"), *name_words("users_unspaced"))
    return low.startswith(tuple(filter(None, own))) or any(
        pattern.match(low) for name in speaking.RELATIONS for pattern in groups()[name]
    )
