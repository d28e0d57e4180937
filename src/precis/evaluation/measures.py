"""Measures of summaries, as pure functions over (memories, statements): the texts that were read, and what is said.

No model and no labels. Each takes the texts of one summary and answers a ``Share``; shares of several summaries add up,
so that a figure over all of them weighs each word, fact or statement alike. None of them is a step of making a summary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from precis.language import tables
from precis.language.sentences import is_question, sentences
from precis.language.values import typed
from precis.language.words import STOP_WORDS, content, names, stem, words

#: From this likeness on two statements are near-duplicates, unless one has fewer stems than so many.
ALIKE, FEWEST_STEMS = 0.8, 3
#: A fact is kept where one statement holds its value and this share of what its sentence says of it.
SAYS_OF_IT = 0.5
#: A text in which fewer of the words are English stop words is not read by the measures of readability.
_ENGLISH = 0.2
#: A sentence with an exclamation mark and at most so many words may be a shout.
_SHOUT = 8

_LEAD = re.compile(r"(?:[^\s:][^:\n]{0,60}: )+(?=\S)")
_YOU = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Mm]ine|[Oo]ur|[Oo]urs|[Mm]yself)\b")
_REACTION = re.compile(rf"\W*(?:{tables.choices('readability.reactions')})\b", re.IGNORECASE)
#: Somebody called by name at the end of a sentence: "That's great, Ana!"
_CALLED = re.compile(r",\s+[^\W\d_][\w'\u2019-]*(?=[.!?\s]*$)")
_JOINTS = frozenset(tables.words("readability.joints"))
_PRONOUNS = frozenset(tables.words("readability.pronouns"))
_DEMONSTRATIVES = frozenset(tables.words("readability.demonstratives"))
_FOLLOWERS = frozenset(tables.words("readability.followers"))
Statements = Sequence[str]
Memories = Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """So many of so many; several add up."""

    hits: int = 0
    of: int = 0

    @property
    def value(self) -> float | None:
        """``hits / of``; None of nothing."""
        return self.hits / self.of if self.of else None

    def __add__(self, other: Share) -> Share:
        """Both together."""
        return Share(hits=self.hits + other.hits, of=self.of + other.of)


def total(shares: Iterable[Share]) -> Share:
    """All of them together."""
    return sum(shares, start=Share())


def recall(expected: frozenset[str], present: frozenset[str]) -> float:
    """The share of what is expected that is present, 0..1: recall over different stems, as in ROUGE-1 (Lin 2004).

    What is expected may not be empty.
    """
    return len(expected & present) / len(expected)


# --- retention: higher is better, at the same length ---


def length(memories: Memories, statements: Statements) -> Share:
    """Words of the statements beside words of the memories; below 1, unless a summary is longer than what it read."""
    return Share(hits=sum(map(_size, statements)), of=sum(map(_size, memories)))


def words_kept(memories: Memories, statements: Statements) -> Share:
    """Different content words of the memories that the statements say, by stem; 0..1, as ``recall``."""
    return _kept(content("\n".join(memories)), content("\n".join(statements)))


def values_kept(memories: Memories, statements: Statements) -> Share:
    """Different amounts, dates and times of the memories that the statements give; 0..1.

    Each counts with its kind and unit, so that ``950 euros`` does not keep ``950 dollars``.
    """
    return _kept(_values("\n".join(memories)), _values("\n".join(statements)))


def names_kept(memories: Memories, statements: Statements) -> Share:
    """Different likely names of the memories that the statements say; 0..1. Of scripts without capitals there are none.

    A name is a capitalized word inside a sentence, or one of capitals; statements may have it anywhere.
    """
    expected, present = _names("\n".join(memories)), _words("\n".join(statements))
    return Share(hits=sum(name <= present for name in expected), of=len(expected))


def facts_kept(memories: Memories, statements: Statements) -> Share:
    """Values and names of the memories that are said together with what they are about; 0..1.

    A fact is a value or a name in a sentence with the other content words of it. It is kept where one statement holds
    the value and at least half of those words: a number by itself tells nothing. Questions and reactions have no facts.
    It follows the question-based measures of faithfulness (QAGS, Wang 2020) without a model that asks.
    """
    stated = [(_values(text) | _words(text), content(text)) for text in statements]
    facts = set(_facts(memories))
    return Share(hits=sum(any(_is_in(*fact, *text) for text in stated) for fact in facts), of=len(facts))


def _facts(memories: Memories) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Each value and name with the other words of its sentence."""
    for sentence in (sentence for text in memories for sentence in sentences(text)):
        if not is_question(sentence) and not is_reaction(sentence):
            terms = content(sentence)
            yield from ((frozenset({value}), terms - content(value.partition(" = ")[2])) for value in _values(sentence))
            yield from ((name, terms - frozenset(map(stem, name))) for name in _names(sentence))


def _is_in(value: frozenset[str], about: frozenset[str], values: frozenset[str], terms: frozenset[str]) -> bool:
    return value <= values and len(about & terms) >= SAYS_OF_IT * len(about)


def _kept(expected: frozenset[str], present: frozenset[str]) -> Share:
    return Share(hits=len(expected & present), of=len(expected))


def _values(text: str) -> frozenset[str]:
    """Each with its kind. A time of unknown half of the day is the same as one of either."""
    return frozenset(
        f"{kind} = {_of_half_a_day(value) if kind == 'time' else value}"
        for kind, values in typed(text).items()
        for value in values
    )


def _of_half_a_day(time: str) -> str:
    hour, mark, minute = time.partition(":")
    return f"{int(hour) % 12}:{minute}" if mark else time


def _names(text: str) -> frozenset[frozenset[str]]:
    """Each as the words that it has, without capitals."""
    own = _words(text)
    return frozenset(name for name in map(_words, names(text)) if name and name <= own)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("'s") for word in words(text))


# --- readability: lower is better ---


def dangling(statement: str) -> bool:
    """Whether a statement opens on a pronoun that stands for something named elsewhere; who speaks is no such name.

    "It" that stands for nothing ("It rained") counts as well: the share is a little too high rather than too low.
    """
    opening = [word for word in words(_bare(sentences(statement)[:1])) if word not in _JOINTS][:2]
    if not opening:
        return False
    first, _, rest = opening[0].partition("'")
    if first in _DEMONSTRATIVES:
        return bool(rest) or len(opening) < 2 or opening[1] in _FOLLOWERS
    return first in _PRONOUNS


def addresses_listener(statement: str) -> bool:
    """Whether a statement says "you" to somebody, anywhere in it."""
    return _YOU.search(statement) is not None


def is_reaction(statement: str) -> bool:
    """Whether every sentence of a statement only reacts to somebody: no figure, no name, nothing of the speaker."""
    return all(_reacts(sentence) for sentence in sentences(_bare([statement])))


def _reacts(sentence: str) -> bool:
    rest = _REACTION.sub("", sentence, count=1)
    if re.search(r"\d", sentence) or names(_CALLED.sub("", sentence)) or _SELF.search(rest):
        return False
    return rest != sentence or (sentence.rstrip().endswith("!") and _size(sentence) <= _SHOUT)


def hard_to_read(statements: Statements, fault: Callable[[str], bool]) -> Share:
    """Statements with a fault; 0..1."""
    return Share(hits=sum(map(fault, statements)), of=len(statements))


def has_fault(statement: str) -> bool:
    """Whether a statement dangles, says "you" or only reacts."""
    return dangling(statement) or addresses_listener(statement) or is_reaction(statement)


def is_english(texts: Iterable[str]) -> bool:
    """Whether the measures of readability can read these texts: their words are those of English."""
    every = [word for text in texts for word in words(text)]
    return sum(word in STOP_WORDS for word in every) >= _ENGLISH * len(every)


def near_duplicates(statements: Statements) -> int:
    """Pairs of statements of one summary that say nearly the same: resemblance (Broder 1997) of 0.8 or more."""
    stems = [content(_bare([text])) for text in statements]
    long = [each for each in stems if len(each) >= FEWEST_STEMS]
    return sum(len(a & b) >= ALIKE * len(a | b) for a, b in combinations(long, 2))


def _bare(texts: Sequence[str]) -> str:
    """Without who speaks."""
    return " ".join(_LEAD.sub("", text, count=1) for text in texts)


def _size(text: str) -> int:
    return sum(1 for _ in words(text))


# --- all of them ---


@dataclass(frozen=True, kw_only=True, slots=True)
class Measures:
    """What was measured over several summaries."""

    summaries: int
    statements: int
    #: Words, and tokens, of the summaries beside those of what they were made of.
    length: Share
    compression: Share
    words_kept: Share
    facts_kept: Share
    values_kept: Share
    names_kept: Share
    #: Of statements; None where the texts are not English.
    dangling: Share | None
    addressing: Share | None
    reactions: Share | None
    hard_to_read: Share | None
    #: Summaries with a pair of near-duplicates.
    repeating: Share


def measure(summaries: Sequence[tuple[Memories, Statements]], count: Callable[[str], int]) -> Measures:
    """All measures over summaries, each with the texts it was made of; ``count`` counts the tokens of a text."""
    statements = [text for _, texts in summaries for text in texts]
    english = is_english(text for memories, _ in summaries for text in memories)

    def faults(fault: Callable[[str], bool]) -> Share | None:
        return hard_to_read(statements, fault) if english else None

    def tokens(memories: Memories, statements: Statements) -> Share:
        return Share(hits=sum(map(count, statements)), of=sum(map(count, memories)))

    def over_all(share: Callable[[Memories, Statements], Share]) -> Share:
        return total(share(memories, texts) for memories, texts in summaries)

    return Measures(
        summaries=len(summaries),
        statements=len(statements),
        length=over_all(length),
        compression=over_all(tokens),
        words_kept=over_all(words_kept),
        facts_kept=over_all(facts_kept),
        values_kept=over_all(values_kept),
        names_kept=over_all(names_kept),
        dangling=faults(dangling),
        addressing=faults(addresses_listener),
        reactions=faults(is_reaction),
        hard_to_read=faults(has_fault),
        repeating=Share(hits=sum(near_duplicates(texts) > 0 for _, texts in summaries), of=len(summaries)),
    )
