"""Lists within a sentence: what goes of "I have asthma, diabetes and a bad knee" is what was asked for of it.

Where the rest reads as a sentence an item is taken out, and the others stay; elsewhere the memory is in doubt.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial

from precis.finding.capitals import finite
from precis.finding.nouns import known
from precis.finding.reading import Word, read_words, sentence_spans
from precis.finding.tables import all_words, name_words, refusals
from precis.finding.values import Level, Span
from precis.finding.written.clauses import is_clause
from precis.finding.written.languages import language_of
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: Most words of an item that names a thing, of one that tells a deed, and signs of one where no space parts words.
_THING, _DEED, _SIGNS = 5, 10, 12
_DETERMINERS = frozenset(
    "a an the my our his her their some no one two three four five six seven eight nine ten".split()
)
#: Before a list they say how many there are, or what holds of all of them together.
_TOGETHER = frozenset("between both either neither two three four five six several same each together mix pair".split())
_ENDS = ".!?\u3002\uff01\uff1f\u0964\u061f"
_STATES = frozenset("am are is was were have has had".split())
#: Languages whose verb stands behind the last item.
_VERB_LAST = frozenset({"tr", "hi", "ja", "ko"})
#: A longer memory is no sentence with a list.
_LONGEST = 600
#: They take up whoever or whatever was named before.
TAKEN_UP = frozenset("him her them it his hers their its".split())
_PERSONS = frozenset("i he she it they we you who which that".split())


def with_lists(
    text: str, spans: Sequence[Span], kept: Callable[[Span], bool], keeps: Sequence[Span], level: Level
) -> tuple[tuple[Span, ...], Level]:
    """What stays, and how surely the rest goes, once lists are seen: no other item of a list goes surely.

    ``spans`` are the places of what was asked for, ``kept`` says of a part of the text whether it stays anyway.
    """
    if level is not Level.SURE or len(text) > _LONGEST:
        return tuple(keeps), level
    touch = partial(_touched, spans)
    sentences = sentence_spans(text)
    language = language_of([word.low for word in read_words(text)], text)
    told = [sentence for sentence in sentences if touch(sentence)]
    if (
        language == "en"
        and len(told) == 1
        and not any(map(kept, told))
        and (fewer := without_one(text, spans, told[0]))
    ):
        beside = tuple(it for it in sentences if it != told[0] and kept(it))
        if len(beside) == len(sentences) - 1:
            return tuple(sorted((*beside, *fewer))), Level.SURE
    for sentence in sentences:
        items = items_of(text, sentence, language) if touch(sentence) else []
        asked = _asked(text, items, spans)
        head = (sentence[0], items[0][0]) if items else sentence
        stay = kept(head) if any(map(kept, items)) else True  # items without what stands before them say nothing
        if not any(asked) or (stay and all(has or kept(item) for has, item in zip(asked, items, strict=True))):
            continue
        others = [it for it in sentences if it != sentence]
        stays = all(kept(it) for it in others) and not any(map(touch, others))
        at = asked.index(True)
        ends = any(last >= items[at][1] for first, last in spans if first < items[at][1])
        # Of "my hobbies are chess and golf" all may be meant.
        named = touch(head) and not text[items[at][0]].isupper() and _states(text[slice(*head)])
        single = sum(asked) == 1 and stays and not named
        if (at == 0 and _says_who(text, items)) or _leans(text, items[at + 1 :]):
            continue
        rest = _without(text, sentence, items, at, language, ends=ends) if single else ()
        parts = (*(it for it in others if it < sentence), *rest, *(it for it in others if it > sentence))
        return (parts, Level.SURE) if rest else ((), Level.DOUBTFUL)
    return tuple(keeps), level


#: Several who do something: names, "I" and somebody of the user's, before a verb of several.
_WHO = r"(?:I|(?:[Mm]y|[Oo]ur) [a-z]+|[A-Z][\w'\u2019-]+(?: [A-Z][\w'\u2019-]+)?)"
_EACH, _SEVERAL = re.compile(_WHO), re.compile(rf"{_WHO}(?:, {_WHO})+,? and {_WHO}(?= [a-z])")
_COUNTING = frozenset("all three four five six seven both each together each other another".split())


def without_one(text: str, spans: Sequence[Span], sentence: Span) -> tuple[Span, ...]:
    """What stays of a sentence whose subject is a list, without one of at least three; none where that may not be read.

    Of "Tim, Jon and I went hiking" without Tim "Jon and I went hiking": the verb stays one of several.
    """
    listed = _SEVERAL.match(text, *sentence)
    inside = [span for span in spans if sentence[0] <= span[0] < sentence[1]]
    rest = {word.low for word in read_words(text[slice(*sentence)])}
    if listed is None or rest & (_COUNTING | TAKEN_UP) or any(end > listed.end() for _, end in inside):
        return ()
    items = [match.span() for match in _EACH.finditer(text, *listed.span())]
    going = [at for at, item in enumerate(items) if _touched(inside, item)]
    if len(going) != 1 or going[0] == len(items) - 1:
        return ()
    if going[0] == 0:
        return ((items[1][0], sentence[1]),)
    return ((sentence[0], items[going[0] - 1][1]), (items[going[0]][1], sentence[1]))


def _says_who(text: str, items: Sequence[Span]) -> bool:
    """Whether the first of two deeds says who does both: "My tenant is called Orla and pays late"."""
    words, behind = read_words(text[slice(*items[0])]), read_words(text[slice(*items[1])])
    named = [word for word in words[1:] if word.low not in {"called", "named"}][:1]
    is_whom = bool(words) and words[0].low in _STATES and any(word.capital for word in named)
    return is_whom and _acts(*behind[:2])


def _leans(text: str, items: Sequence[Span]) -> bool:
    """Whether what stands behind takes somebody up: of "Anna works for Grace and admires her" without Grace, whom."""
    thirds = all_words("third") | TAKEN_UP
    return any(word.low in thirds for item in items for word in read_words(text[slice(*item)]))


def _states(head: str) -> bool:
    """Whether what stands before a list ends in a word that says what something is."""
    words = read_words(head)
    return bool(words) and words[-1].low in name_words("copulas") | _STATES and words[0].low not in _PERSONS


def _touched(spans: Sequence[Span], piece: Span) -> bool:
    return any(first < piece[1] and piece[0] < last for first, last in spans)


def _asked(text: str, items: Sequence[Span], spans: Sequence[Span]) -> list[bool]:
    """Which items were asked for: not one that has only a part of what another has, "a flight to Oslo"."""
    have = [
        frozenset(text[slice(*it)].casefold() for it in spans if it[0] < end and start < it[1]) for start, end in items
    ]
    return [bool(words) and not any(words < others for others in have) for words in have]


def items_of(text: str, sentence: Span, language: str) -> list[Span]:
    """The items of a list in a sentence, the first without what stands before the list; none where it has no list."""
    joints = [*_joint(language).finditer(text, *sentence)]
    if not any(_is_and(joint.group()) for joint in joints):
        return []
    starts = [sentence[0], *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), _ended(text, sentence)]
    segments = [*zip(starts, ends, strict=True)]
    listed = segments[:1]
    for segment in segments[1:]:
        if not _is_item(text[slice(*segment)], language):
            break
        listed.append(segment)
    if len(listed) < 2 or not any(_is_and(joint.group()) for joint in joints[: len(listed) - 1]):
        return []
    first = _first_item(text, listed[0], listed[1], language)
    return [first, *listed[1:]] if first else []


def _ended(text: str, sentence: Span) -> int:
    """Where a sentence ends, without its full stop."""
    return sentence[0] + len(text[slice(*sentence)].rstrip(f"{_ENDS} "))


@cache
def _joint(language: str) -> re.Pattern[str]:
    listed = refusals().get(language, refusals()["en"])
    return re.compile(rf"{listed['and']}|[,\u060c]\s+|[\u3001\uff0c]", re.IGNORECASE)


def _is_and(joint: str) -> bool:
    return re.search(r"[^\W_]|&|\u3001", joint) is not None


def _is_item(text: str, language: str) -> bool:
    """Whether a part of a sentence is short and has no subject of its own."""
    words = read_words(text)
    if not words or words[0].low in all_words("first") | all_words("third") | _PERSONS:
        return False
    if not refusals().get(language, {}).get("spaced", True) and language != "ko":
        return len(text) <= _SIGNS
    if language == "en":
        acts = _acts(*words[:2])
        return len(words) <= (_DEED if acts else _THING) and (acts or not any(finite(word) for word in words[1:]))
    return len(words) <= _THING and not is_clause(text, language)


def _acts(word: Word, behind: Word | None = None) -> bool:
    """Whether an item begins with a verb; of what is a noun as well the word behind decides."""
    if word.capital or word.low in _DETERMINERS:
        return False
    if finite(word) or word.low in _STATES:
        return True
    leads = behind is not None and (behind.low in _DETERMINERS or behind.low in STOP_WORDS)
    return form_of(token(word.low)) is not None and not word.low.endswith("ing") and (leads or not known(word.low))


def _first_item(text: str, segment: Span, following: Span, language: str) -> Span | None:
    """The first item, of what stands before the first joint; None where nothing stands before it."""
    words = [word for word in read_words(text) if segment[0] <= word.start < segment[1]]
    behind = [word for word in read_words(text) if following[0] <= word.start < following[1]]
    if not refusals().get(language, {}).get("spaced", True) and language != "ko":
        having = [*re.finditer(refusals().get(language, {}).get("having", "(?!)"), text[slice(*segment)])]
        length = min(following[1] - following[0], segment[1] - segment[0] - 1)
        start = segment[0] + having[-1].end() if having else segment[1] - length
        return (start, segment[1]) if segment[0] < start < segment[1] else None
    if len(words) < 2:
        return None
    if language == "ko":
        return (words[-1].start, segment[1])
    if language != "en":
        return (words[-min(len(behind), len(words) - 1)].start, segment[1])
    verb = next((at for at, word in enumerate(words) if at and _is_verb(word, words[at - 1])), None)
    if verb is None:
        return None
    at = verb if _acts(*behind[:2]) else _opening(words, verb, behind[0])
    return (words[at if at < len(words) else verb].start, segment[1])


def _is_verb(word: Word, before: Word) -> bool:
    """Whether it is the verb of a sentence; of the user it may be any form."""
    plain = before.low in {"i", "we", "they", "you"} and (
        form_of(token(word.low)) is not None or word.low in STOP_WORDS
    )
    return finite(word) or plain or word.low in {"am", "are", "have", "were", "do"} or "'" in before.text


def _opening(words: Sequence[Word], verb: int, behind: Word) -> int:
    """Where the first item begins: with a word like that which opens the second one, or behind the last small word."""
    if behind.low in _DETERMINERS:
        alike = [at for at in range(verb + 1, len(words)) if words[at].low in _DETERMINERS]
    else:
        alike = [at for at in range(verb + 1, len(words)) if words[at].low == behind.low]
    if alike:
        return alike[-1]
    return max(at for at in range(verb, len(words)) if at == verb or words[at].low in STOP_WORDS) + 1


def _without(
    text: str, sentence: Span, items: Sequence[Span], at: int, language: str, *, ends: bool
) -> tuple[Span, ...]:
    """What is left of a sentence without one item of its list; nothing where that may not read as one.

    ``ends`` says that nothing stands behind what was asked for in that item.
    """
    head = {word.low for word in read_words(text[sentence[0] : items[0][0]])}
    if not head.isdisjoint(_TOGETHER) or any(any(map(str.isdigit, word)) for word in head):
        return ()
    start, end = items[at]
    if at == 0:
        surely = _opens_surely(text, items[0], items[1], language)
        return ((sentence[0], start), (items[1][0], sentence[1])) if surely else ()
    if at < len(items) - 1:
        return ((sentence[0], items[at - 1][1]), (end, sentence[1]))
    words = read_words(text[start:end])
    acts = language == "en" and bool(words) and _acts(*words[:2])
    if language in _VERB_LAST or not (acts or (ends and len(words) <= _THING)):
        return ()
    return ((sentence[0], items[at - 1][1]),)


def _opens_surely(text: str, item: Span, following: Span, language: str) -> bool:
    """Whether an item surely begins there: in English, and elsewhere behind a word for having, being or liking."""
    if language == "en":
        behind = read_words(text[slice(*following)])
        doubtful = len(behind) > 1 and form_of(token(behind[0].low)) is not None and not behind[0].capital
        return not doubtful or _acts(*behind[:2])
    before = text[: item[0]].rstrip()
    having = refusals().get(language, {}).get("having", "(?!)")
    return re.search(rf"(?:{having})$", before, re.IGNORECASE) is not None


def is_cut_out(text: str, end: int, start: int) -> bool:
    """Whether what stands between two parts that stay is an item of a list: they are read as one sentence."""
    gap, before = text[end:start], text[:end].rstrip()[-1:]
    language = language_of([word.low for word in read_words(text)], text)
    joint = _joint(language)
    if before in _ENDS or before == "" or any(sign in _ENDS for sign in gap) or joint.match(gap):
        return False
    return any(match.end() == start for match in joint.finditer(text, end, start + 1))


def begins_with_joint(text: str, start: int) -> bool:
    """Whether a part that stays begins with what joins it to the one before."""
    language = language_of([word.low for word in read_words(text)], text)
    return _joint(language).match(text, start) is not None
