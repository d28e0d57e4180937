"""How much a word tells. Rare words tell more; how rare a word is, the ranks of the tokenizer say without a corpus.

Byte-pair ranks were given in order of frequency over a very large text of many languages, so the rank of a word that is
one token is its place in a frequency list, and a word of several tokens is rarer than all of those.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from precis.chitchat import KIND, MOOD
from precis.llm.tokens import rank
from precis.words import STOP_WORDS, numbers, stem, words

#: Log rank below which a word tells nothing, and the log rank given to words of several tokens.
_FLOOR = 5.5
_RARE = math.log(100_000)
#: A polite or merely emotional word tells this much of what its rank says.
_KIND_SHARE = 0.15
#: A word of opinion or vague doing this much.
_MOOD_SHARE = 0.5
#: A word that comes back in several items is what they are about.
_RETURNS = 0.2


def weigh(texts: Iterable[str]) -> dict[str, float]:
    """Weight of each stem in these texts, about 0 to 7."""
    shortest: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for text in texts:
        here = set()
        for word in words(text):
            if word not in STOP_WORDS:
                term = stem(word)
                here.add(term)
                if len(word) <= len(shortest.get(term, word)):
                    shortest[term] = word
        seen.update(here)
    return {term: _rarity(shortest[term]) * (1 + _RETURNS * math.log(times)) for term, times in seen.items()}


@lru_cache(maxsize=65536)
def _rarity(word: str) -> float:
    """What the word tells by itself."""
    if numbers(word):
        return _RARE - _FLOOR
    place = rank(word)
    rarity = max(0.0, (math.log(place) if place else _RARE) - _FLOOR)
    term = stem(word)
    return rarity * (_KIND_SHARE if term in KIND else _MOOD_SHARE if term in MOOD else 1.0)
