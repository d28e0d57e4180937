"""Whether one sentence says what another says, word for word. Pure.

A sentence says another where it holds its words in their order, and nothing more by which it would not be so: a denial,
a "might", a report of somebody else's opinion, another clause in between. Words that tell nothing are passed over;
names, numbers and signs never are.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from precis.language import grammar, script, sentences, tables, vocabulary
from precis.language.words import STOP_WORDS, THOUSANDS, kept, names, normal, numbers, stem, words

#: Words that change nothing of what is said.
_LIGHT = frozenset(tables.words("repeats.light"))
#: Words by which a sentence that holds another does not say it.
_TURNING = vocabulary.NEGATORS | vocabulary.MODALS | frozenset(tables.words("repeats.turning"))
#: Fewer content words than this are too few to be found in another sentence.
_LEAST = 3
#: Words that nearly equal sentences share: who it is about, whence and whither.
_RELATING = frozenset(tables.words("repeats.relating"))
_OWN = frozenset(tables.words("repeats.own"))
_RELATING_OTHERS = _RELATING - _OWN
_MEASURING = frozenset(tables.words("repeats.measuring"))
#: Words behind which another clause, or another of a list, begins; so do these marks.
_JOINING = frozenset(tables.words("repeats.joining"))
_JOINT = ","
#: A number as it is written, the minus that belongs to one, a mark between clauses, and any other sign.
_SIGN = re.compile(
    r"(?P<number>(?<![^\W_])(?P<minus>(?<![^\s(])[-\u2212](?=[$\u20ac\u00a3\u00a5]?\d))?\d+(?:[.,:/]\d+)*(?![^\W_]))"
    r"|(?P<minus_of_money>(?<![^\s(])[-\u2212](?=[$\u20ac\u00a3\u00a5]\d))"
    r"|(?P<joint>[,;:\u2014\u3001\uff0c\uff1b\uff1a]|\s[-\u2013]+\s)|(?P<sign>[^\w\s])"
)
#: Signs of these categories tell something wherever they stand, and so do these.
_TELLING, _TELLING_SIGNS = frozenset({"Sc", "Sm", "So"}), frozenset("#%&@/\u2030")
#: A line that divides, and one that strikes through.
_DRAWN = frozenset("|~")


@dataclass(frozen=True, slots=True)
class Saying:
    """One sentence, as it is compared."""

    #: Words, numbers and signs in their order, without the light words.
    words: tuple[str, ...]
    #: The same with a comma where a clause ends.
    clauses: tuple[str, ...]
    #: Its content words by stem, each with its spellings, in their order.
    terms: Mapping[str, frozenset[str]]
    names: frozenset[str]
    exact: frozenset[str]
    turning: frozenset[str]
    #: Words that say how much or how often, and signs that reckon.
    measuring: frozenset[str]
    relating: frozenset[str]
    asks: bool
    english: bool


@kept
def saying_of(sentence: str) -> Saying:
    """The sentence, read."""
    clauses = tuple(word for word in _tokens(sentences.undecorated(sentence)) if word not in _LIGHT)
    spoken = [word for word in words(sentence) if word not in _LIGHT]
    terms: dict[str, set[str]] = defaultdict(set)
    for word in spoken:
        if word not in STOP_WORDS:
            terms[stem(word)].add(word)
    named = frozenset(words(" ".join(names(sentence))))
    return Saying(
        words=tuple(word for word in clauses if word != _JOINT),
        clauses=clauses,
        terms={term: frozenset(spellings) for term, spellings in terms.items()},
        names=named,
        exact=named | frozenset(numbers(sentence)),
        turning=_TURNING.intersection(spoken),
        measuring=_MEASURING.intersection(clauses) | frozenset(filter(_reckons, clauses)),
        relating=_RELATING.intersection(word.split("'")[0] for word in spoken),
        asks=sentences.is_question(sentence),
        english=script.is_english(sentence),
    )


def _reckons(word: str) -> bool:
    """Whether a word is a sign that no other word stands for: an emoji, a plus, below zero; but no currency."""
    return unicodedata.category(word[0]) in {"Sm", "So"} or word[0] in "-#"


def _tokens(sentence: str) -> Iterator[str]:
    """Words in small letters, numbers as they are written, signs that tell something, and commas between clauses."""
    text = normal(sentence)
    start = 0
    for match in _SIGN.finditer(text):
        token = _token(match)
        if token is None:
            continue
        yield from words(text[start : match.start()])
        yield token
        start = match.end()
    yield from words(text[start:])


def _token(match: re.Match[str]) -> str | None:
    """What a match is compared as; nothing where it is part of a word, or tells nothing."""
    if match["joint"]:
        return _JOINT
    if match["minus_of_money"]:
        return "-"
    if match["number"]:
        return THOUSANDS.sub("", match["number"]).replace("\u2212", "-")
    sign = match["sign"]
    telling = unicodedata.category(sign) in _TELLING or sign in _TELLING_SIGNS
    return sign if telling and sign not in _DRAWN else None


def holds(saying: Saying, other: Saying) -> bool:
    """Whether a sentence says what the other says, word for word."""
    if saying.words == other.words:
        return saying.asks == other.asks and bool(other.words)
    if not (saying.english and other.english) or saying.asks or other.asks or len(other.terms) < _LEAST:
        return False
    at = 0
    for word in saying.clauses:
        if at < len(other.words) and word == other.words[at]:
            at += 1
        elif not _may_be_passed(word, saying, begun=at > 0, done=at == len(other.words)):
            return False
    return at == len(other.words)


def _may_be_passed(word: str, saying: Saying, *, begun: bool, done: bool) -> bool:
    """Whether a sentence with this word besides still says what another says, of which words came or come yet."""
    if word == _JOINT or (word in _JOINING and word not in _TURNING):
        return done or not begun
    if word in _TURNING or word in saying.names or not word[-1].isalnum():
        return False
    return begun or (word in STOP_WORDS and word not in grammar.FORMS)


def nearly_holds(saying: Saying, other: Saying) -> bool:
    """Whether a sentence has the content words of the other, in their order and tense, and turns none of them."""
    if not other.terms or saying.asks != other.asks or not (saying.english and other.english):
        return False
    if (saying.turning, saying.measuring) != (other.turning, other.measuring) or not (
        other.relating <= saying.relating and other.exact <= saying.exact
    ):
        return False
    if saying.names - other.names or len(other.exact) > 1:
        return False
    if len(other.terms) < _LEAST and saying.terms.keys() != other.terms.keys():
        return False
    shared = [term for term in saying.terms if term in other.terms]
    # What stands before the first of them may be who only says so: "Ben claims ...".
    if shared != list(other.terms) or next(iter(saying.terms)) != shared[0]:
        return False
    return all(_is_past(saying.terms[term]) == _is_past(other.terms[term]) for term in shared)


def _is_past(spellings: Collection[str]) -> bool:
    return any("past" in grammar.FORMS[word].kinds for word in spellings if word in grammar.FORMS)


def says(saying: Saying, other: Saying) -> bool:
    """The same where the other may go for it: its words stand in a row, and its clause ends with them."""
    return holds(saying, other) and (saying.words == other.words or part_of(saying, other))


def part_of(saying: Saying, other: Saying) -> bool:
    """Whether the clauses of the other stand in a row in a sentence, up to the end of a clause or a function word."""
    size, wording = len(other.clauses), saying.clauses
    if other.clauses and other.clauses[0] not in wording:
        return False
    return saying.words == other.words or any(
        wording[at : at + size] == other.clauses
        and (len(wording) == at + size or wording[at + size] == _JOINT or wording[at + size] in STOP_WORDS)
        for at in range(len(wording) - size + 1)
    )


def may_say(sayings: Sequence[Saying], other: Saying) -> bool:
    """Whether sentences with the words of another may say it in other words.

    They have every word that turns, relates or measures, but for who speaks of themselves; every sign; and names and
    numbers in the same order: "the key is on the mat" is not where it lies under it, "Ben owes Ana" not what Ana owes.
    So what stands before and behind a word that relates: "the box is in the lid" is not where the lid is. Who speaks of
    themselves does so in the same word: "our flight" is not "my flight".
    """
    spoken = [word.split("'")[0] for saying in sayings for word in saying.words]
    turning = other.turning | (other.relating - _OWN) | other.measuring
    if not turning <= {*spoken, *(word for saying in sayings for word in saying.words)}:
        return False
    own = _OWN.intersection(spoken)
    if (own and not other.relating & _OWN <= own) or not all(_in_order(pair, spoken) for pair in _related(other)):
        return False
    following = iter(spoken)
    return all(any(word == follows for follows in following) for word in _exact_in_order(other))


def _related(saying: Saying) -> Iterator[tuple[str, str]]:
    """The stems of the content words next before and next behind each word that relates."""
    bare = [word.split("'")[0] for word in saying.words]
    for place, word in enumerate(bare):
        if word in _RELATING_OTHERS:
            before = next((term for term in reversed(bare[:place]) if term not in STOP_WORDS), None)
            behind = next((term for term in bare[place + 1 :] if term not in STOP_WORDS), None)
            if before and behind:
                yield stem(before), stem(behind)


def _in_order(pair: tuple[str, str], spoken: Sequence[str]) -> bool:
    """Whether both stand in this order, or not both stand there."""
    stems = [stem(word) for word in spoken]
    first, second = pair
    if first not in stems or second not in stems:
        return True
    return stems.index(first) <= len(stems) - 1 - stems[::-1].index(second)


def _exact_in_order(saying: Saying) -> Iterator[str]:
    """Its names and numbers as they come."""
    bare = (word.split("'")[0] for word in saying.words)
    return (word for word in bare if word in saying.names or word[-1:].isdigit())
