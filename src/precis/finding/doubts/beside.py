"""Whether a sentence that would go whole tells a second thing, on the other side of a joint than what was asked for.

"Tom drinks too much and Anna worries about him" of Anna, "Jule ist Krankenschwester und raucht" of the smoking.
"""

import re
from collections.abc import Sequence
from functools import cache

from precis.finding import capitals, halves, kinds, names, nouns, values
from precis.finding.doubts.care import HEALTH
from precis.finding.doubts.lists import TAKEN_UP
from precis.finding.reading import Word, folded, read_words, sentence_spans, users_of, word_from
from precis.finding.tables import all_words, groups, name_words
from precis.finding.written import languages, speaking
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: What joins two clauses, and what does so in one language and is a frequent word of others.
_JOINTS = "and|but|while|und|aber|et|mais|y|pero|mentre|och|men|og|ve|\u0438|\u043d\u043e"
_ONLY_IN = {
    "pt": "e|mas",
    "it": "e|ma",
    "es": "e",
    "nl": "en|maar",
    "pl": "i|a|ale|oraz",
    "ru": "\u0430",
    "tr": "ama",
    "hi": "\u0914\u0930|\u0932\u0947\u0915\u093f\u0928|\u092e\u0917\u0930",
}
#: So many words open a sentence with whom it tells of; so many more tell something.
_SUBJECT, _TOLD = 4, 2
#: The user in English, and verbs of the user's that no table of forms has.
_USERS, _MINE = frozenset({"i", "we"}), frozenset("am are have do can".split())
#: Clauses of Japanese, and what marks whom or what they tell of.
_CLAUSE_JA, _TOPIC_JA = re.compile("[^\u3001\u3002]+"), re.compile("\\S[\u306f\u304c\u3082]\\S{2,}")
#: Of a long sentence so many joints are looked at, and so many words say in what language it is.
_MOST, _FIRST = 12, 200


def tells_more(text: str, spans: Sequence[values.Span], *, facts: bool) -> bool:
    """Whether what goes has a second fact beside it; ``facts`` says that something of somebody is meant, not all."""
    words, places, named = read_words(text), halves.Places(spans), {first for first, _, _ in names.people(text)}
    touched = {word.start for word in words if places.touch((word.start, word.end))}
    for start, end in sentence_spans(text):
        inside = words[word_from(words, start) : word_from(words, end)]
        if places.touch((start, end)) and inside and _more(text, inside, touched, named, facts=facts):
            return True
        if facts and places.touch((start, end)) and _more_unspaced(text[start:end], start, places):
            return True
        if facts and places.touch((start, end)) and _more_of_another(text, (start, end), spans):
            return True
    return False


def _more_unspaced(sentence: str, start: int, places: halves.Places) -> bool:
    """The same of Japanese: a clause with a topic or a subject of its own that has nothing of what goes."""
    clauses = [match.span() for match in _CLAUSE_JA.finditer(sentence)] if "\u3001" in sentence else []
    own = [sentence[slice(*it)] for it in clauses if not places.touch((start + it[0], start + it[1]))]
    return any(_TOPIC_JA.search(clause) for clause in own)


#: What sets two facts apart in any language: signs, an "and" that Arabic writes to the next word, endings of Korean.
_SIGNS = (
    r"[,;\uff0c\uff1b\u3001\u060c\u061b]\s*|\s+(?:oraz|v\u00e0)\s+|\s+(?=\u0648[^\W\d_]{2})"
    r"|(?<=[\uace0\uba70\ub370])\s+"
)
#: Of these all the sentence is told where it opens with them; and what tells nothing by itself.
_BEINGS = speaking.RELATIONS | {"role", "doctor", "pet"}
_WEAK = frozenset("amount money naming code confidence tax".split())


@cache
def _apart(language: str) -> re.Pattern[str]:
    """The same in one language; of English, for which a short text is taken, only what joins in no English one."""
    if language == "en":
        return re.compile(r"\s+(?:und|aber|et|mais|y|pero|mentre|och|men|og|ve|oraz)\s+")
    return re.compile(rf"{_joint(language).pattern}|{_SIGNS}", re.IGNORECASE)


def _more_of_another(text: str, sentence: values.Span, spans: Sequence[values.Span]) -> bool:
    """Whether a part of a sentence has nothing of what goes, and words for something else; not in English.

    "Anv\u00e4ndaren tj\u00e4nar 32 000 och bor i Lund" tells of a home besides the pay.
    """
    start, end = sentence
    language = languages.language_of([word.low for word in read_words(text[start:end])[:_FIRST]], text[start:end])
    language = "sv" if language == "en" and not text.isascii() else language
    joints = _apart(language).finditer(text, start, end)
    edges = [start, *(place for joint in joints for place in joint.span()), end]
    pieces = [(edges[at], edges[at + 1]) for at in range(0, len(edges), 2)]
    going = [piece for piece in pieces if any(first < piece[1] and last > piece[0] for first, last in spans)]
    if not going or len(going) == len(pieces):
        return False
    asked = {root for span in spans for root in _roots(text[slice(*span)])}
    somebody = all(text[first : first + 1].isupper() for first, _ in spans) if not asked else asked <= _BEINGS
    if somebody and any(first == start for first, _ in spans):
        return False  # the rest is told of them
    asked |= HEALTH if asked & HEALTH else frozenset()  # what ails somebody, and what it does to them
    others = [_roots(text[slice(*piece)]) for piece in pieces if piece not in going]
    return any(roots and roots.isdisjoint(asked) for roots in others)


def _roots(text: str) -> set[str]:
    """Of what people tell of there are words in a text."""
    low = folded(text)
    return {name.partition(".")[0] for name, (_, words) in groups().items() if words.search(low)} - _WEAK


@cache
def _joint(language: str) -> re.Pattern[str]:
    joints = "|".join(filter(None, (_JOINTS, _ONLY_IN.get(language, ""))))
    return re.compile(rf"(?:,\s+|\s+)(?:{joints})\s+|[,;]\s+", re.IGNORECASE)


def _more(text: str, words: Sequence[Word], touched: set[int], named: set[int], *, facts: bool) -> bool:
    language = languages.language_of([word.low for word in words[:_FIRST]], text[words[0].start : words[-1].end])
    words = words[1:] if len(words) > 1 and ":" in words[1].gap else words  # who speaks
    joints = [*_joint(language).finditer(text, words[0].start, words[-1].end)]
    for joint in joints[:_MOST]:
        place = word_from(words, joint.start())
        before, behind = words[:place], words[word_from(words, joint.end()) :]
        if not before or not behind:
            continue
        if _is_lost(before, behind, touched, named, language):
            return True
        if language == "en" and _goes_on_otherwise(before, behind, touched):
            return True
        if facts and joint.group().strip(" ,;") and _is_second(before, behind, touched, named, language):
            return True
    return False


def _is_lost(before: Sequence[Word], behind: Sequence[Word], touched: set[int], named: set[int], language: str) -> bool:
    """Whether one side has nothing of what goes and tells something of somebody, and the other tells on its own."""
    for own, other in ((before, behind), (behind, before)):
        if any(word.start in touched for word in own) or not any(word.start in touched for word in other):
            continue
        # A name that is a word as well is known by the request: "Will plays drums and I sing".
        known = named | touched if own[0].low in _USERS | all_words("first") else named
        mine = language == "en" and other[0].low not in all_words("first") and _is_users(own)
        least = _TOLD - (own[0].low in all_words("first"))
        if (mine or _tells(own, named, language)) and _tells(other, known, language, least):
            return True
        if _is_of_named(own, named, language) and len(other) > _TOLD:
            return True
    return False


def _goes_on_otherwise(before: Sequence[Word], behind: Sequence[Word], touched: set[int]) -> bool:
    """Whether somebody does something behind a number that was asked for: "07700 900418, he wants a net too"."""
    numbers = [word for word in before if word.start in touched]
    plain = numbers and all(any(map(str.isdigit, word.text)) for word in numbers)
    opening = behind[0].low in name_words("opening_persons") | all_words("first")
    return bool(plain) and opening and any(map(capitals.finite, behind[1:_SUBJECT])) and behind[0].start not in touched


def _is_of_named(words: Sequence[Word], named: set[int], language: str) -> bool:
    """Whether a clause tells of somebody by name wherever that stands: "from June on his teacher is Mr. Quist".

    Not one that goes on with who was named before it: "who knows Ben", "she moved in with Ben".
    """
    opening = words[0].low
    aside = name_words("dependent") | name_words("relatives") | name_words("opening_persons")
    if len(words) <= _TOLD or opening in aside or opening in name_words("prepositions") - name_words("opening_times"):
        return False
    titled = (at for at in range(1, len(words)) if words[at - 1].low in name_words("titles"))
    known = any(words[at].capital and words[at - 1].capital for at in titled)
    known = known or any(word.capital and word.low in name_words("given") and word.start in named for word in words)
    return known and (any(map(capitals.finite, words[1:])) if language == "en" else len(words) > _SUBJECT)


def _tells(words: Sequence[Word], named: set[int], language: str, least: int = _TOLD) -> bool:
    """Whether a clause begins with the user, or somebody else, and says something of them, in more words than these."""
    opening = next((word for word in words if word.low not in name_words("articles")), words[0])
    whose = opening.low in name_words("possessives") | all_words("first") or opening.low in users_of(())
    somebody = opening.start in named or opening.low in users_of(()) or opening.low in all_words("first")
    somebody = somebody or any(
        kinds.is_person(word.low) or speaking.relations_of(word) for word in words[: 1 + (whose or language == "hi")]
    )
    if language == "en":
        speaks = any(word.low in speaking.SPEAKING for word in words[1 : _SUBJECT + 1]) and len(words) > _SUBJECT
        acts = any(map(capitals.finite, words[1 : _SUBJECT + 1])) or any(map(_may_act, words[1:_TOLD]))
        return speaks or (somebody and acts)
    return somebody and len(words) > least


def _is_users(words: Sequence[Word]) -> bool:
    """Whether a clause tells what the user does, "I sing", and nothing to who was named before it."""
    form = form_of(token(words[1].low)) if len(words) > 1 else None
    if words[0].low not in _USERS or len(words) < _TOLD or not (words[1].low in _MINE or form is not None):
        return False
    now = form is not None and "past" not in form.kinds  # "I worry about her", and not "I met him there"
    taken = [at for at, word in enumerate(words) if word.low in TAKEN_UP]
    for_them = now and all(words[at - 1].low in name_words("things_aside") | {"about", "of", "to"} for at in taken)
    return not taken or for_them or any(map(str.isdigit, words[-1].text))


def _may_act(word: Word) -> bool:
    """Whether it may be a verb that no list has: "files", which is no thing first of all."""
    return word.low.endswith("s") and not (word.capital or word.low in STOP_WORDS or nouns.names_thing(word.low))


def _is_second(
    before: Sequence[Word], behind: Sequence[Word], touched: set[int], named: set[int], language: str
) -> bool:
    """Whether one subject does two things, of which one was asked for; the subject may have been asked for as well."""
    if before[0].start not in named | touched and before[0].low not in users_of(()):
        return False
    told = [word for word in before[1:] if not word.capital or word.start not in touched]
    first = any(word.start in touched for word in told)
    second = any(word.start in touched for word in behind)
    if first == second:
        return False
    other = behind if first else told
    if language == "en" and not (other and any(map(capitals.finite, other[: 1 if first else _TOLD]))):
        return first and len(other) >= _TOLD and _may_act(other[0])
    plain = other[0].low not in name_words("articles") | name_words("prepositions") if other else False
    return plain and (not first or not other[0].capital) and len(other) >= (1 if first else _TOLD)
