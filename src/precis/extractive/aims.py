"""Whether a summary is of facts or of opinions, where a policy leaves that to the items."""

from collections import Counter
from collections.abc import Mapping, Sequence

from precis.language import tables
from precis.language.sentences import is_question, sentences
from precis.language.words import content, names, numbers, stem, words
from precis.makers import Aim, Item

#: Words of judgment.
_JUDGING = frozenset(map(stem, tables.words("statements.judging")))
#: Fewer items than this agree on nothing.
_FEWEST = 4
#: Opinions of one thing share at least this much of what they say with each other ...
_SHARED = 0.05
#: ... judge with at least this share of their words ...
_JUDGED = 0.03
#: ... have fewer numbers and names than this among their words, and fewer items that ask.
_HARD = 0.11
_ASKING = 0.15


def settled(aim: Aim, items: Sequence[Item], weights: Mapping[str, float]) -> Aim:
    """The aim itself, or for ``AUTO`` the one the items need."""
    if aim is not Aim.AUTO:
        return aim
    texts = [item.text for item in items]
    if len(items) < _FEWEST or any(item.derived for item in items) or _talk(items) or _asking(texts) > _ASKING:
        return Aim.FACTS
    judged, hard = _tone(texts)
    opinions = judged >= _JUDGED and hard <= _HARD and redundancy(texts, weights) >= _SHARED
    return Aim.OPINION if opinions else Aim.FACTS


def redundancy(texts: Sequence[str], weights: Mapping[str, float]) -> float:
    """How much of what a text says another text says too: 0 nothing, 1 they are all the same."""
    seen = Counter(term for text in texts for term in content(text))
    total = sum(weights.get(term, 0.0) * times for term, times in sorted(seen.items()))
    again = sum(weights.get(term, 0.0) * times * (times - 1) for term, times in sorted(seen.items()))
    return again / (total * (len(texts) - 1)) if total and len(texts) > 1 else 0.0


def _talk(items: Sequence[Item]) -> bool:
    """Whether one or a few people speak, which reviews of many people or notes of nobody do not show."""
    speakers = {item.speaker for item in items if item.speaker}
    return 0 < len(speakers) <= len(items) / 2


def _asking(texts: Sequence[str]) -> float:
    """Share of the texts that ask something: people who talk to each other do, people who judge do not."""
    return sum(any(map(is_question, sentences(text))) for text in texts) / len(texts)


def _tone(texts: Sequence[str]) -> tuple[float, float]:
    """Shares of words that judge, and of numbers and names."""
    stems = [stem(word) for text in texts for word in words(text)]
    hard = sum(len(numbers(text)) + len(names(text)) for text in texts)
    size = max(1, len(stems))
    return sum(word in _JUDGING for word in stems) / size, hard / size
