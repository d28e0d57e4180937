"""Which aim a group of items needs: do they say different things, or judge the same thing again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from precis.engine.ports import Aim, Item
from precis.sentences import is_question, sentences
from precis.words import content, names, numbers, stem, words

#: Words of judgment.
_VERDICTS = frozenset(
    stem(word)
    for word in """accurate amazing awesome awful bad beautiful best better bright cheap clean clear comfortable cool
    cute decent delicious dirty disappointed disappointing easily easy enjoy enjoyed excellent expensive fantastic fast
    favorite fine fresh friendly good great happy hard helpful highly horrible impressed like liked love loved nice
    overall perfect perfectly pleased poor poorly pretty price problem quality recommend recommended rude service slow
    solid super terrible well wonderful worst worth""".split()
)
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
    said = sum(weights.get(term, 0.0) * times for term, times in sorted(seen.items()))
    again = sum(weights.get(term, 0.0) * times * (times - 1) for term, times in sorted(seen.items()))
    return again / (said * (len(texts) - 1)) if said and len(texts) > 1 else 0.0


def _talk(items: Sequence[Item]) -> bool:
    """Whether a few people speak in turn, which reviews of many people or notes of nobody do not show."""
    speakers = {item.speaker for item in items if item.speaker}
    return 1 < len(speakers) <= len(items) / 2


def _asking(texts: Sequence[str]) -> float:
    """Share of the texts that ask something: people who talk to each other do, people who judge do not."""
    return sum(any(map(is_question, sentences(text))) for text in texts) / len(texts)


def _tone(texts: Sequence[str]) -> tuple[float, float]:
    """Shares of words that judge, and of numbers and names."""
    said = [stem(word) for text in texts for word in words(text)]
    hard = sum(len(numbers(text)) + len(names(text)) for text in texts)
    size = max(1, len(said))
    return sum(word in _VERDICTS for word in said) / size, hard / size
