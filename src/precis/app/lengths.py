"""How long a summary may be: in words, in tokens, or in both at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from precis.app.texts import MAX_TOKENS, MAX_WORDS, SummarizeInput
from precis.lineage import Statement
from precis.makers import TokenCounter
from precis.summary import assemble

_SHARE = 0.2
_FEWEST_WORDS = 40
_FEWEST_TOKENS = 60
#: More tokens a word than this: a script that does not put spaces between words.
_UNSPACED = 6.0


def count_words(text: str) -> int:
    """Words between white space."""
    return len(text.split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Length:
    """A limit and what it is measured in."""

    limit: int
    measure: TokenCounter
    #: About the same in tokens, for a model.
    tokens: int

    def cut(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The most important statements that fit when assembled, in their order."""
        if self.measure(assemble(tuple(statements))) <= self.limit:
            return tuple(statements)
        kept: set[int] = set()
        for place in sorted(range(len(statements)), key=lambda at: -statements[at].importance):
            tried = tuple(one for at, one in enumerate(statements) if at in kept or at == place)
            if self.measure(assemble(tried)) <= self.limit:
                kept.add(place)
        return tuple(one for at, one in enumerate(statements) if at in kept)


def length_of(wanted: SummarizeInput, count: TokenCounter) -> Length:
    """The limits that were given; without any, a fifth of the texts."""
    texts = [one.text for one in wanted.texts]
    tokens, words = sum(map(count, texts)), sum(map(count_words, texts))
    most_words, most_tokens = wanted.max_words, wanted.max_tokens
    if most_words is None and most_tokens is None:
        if tokens > _UNSPACED * words:
            most_tokens = min(MAX_TOKENS, max(_FEWEST_TOKENS, round(_SHARE * tokens)))
        else:
            most_words = min(MAX_WORDS, max(_FEWEST_WORDS, round(_SHARE * words)))
    if most_words is None:
        limit = most_tokens or 0
        return Length(limit=limit, measure=count, tokens=limit)
    about = min(MAX_TOKENS, max(10, round(most_words * tokens / words)))
    if most_tokens is None:
        return Length(limit=most_words, measure=count_words, tokens=about)
    return Length(limit=most_tokens, measure=_both(most_words, most_tokens, count), tokens=min(about, most_tokens))


def _both(words: int, tokens: int, count: TokenCounter) -> TokenCounter:
    """At most ``tokens`` exactly where both limits hold."""

    def measure(text: str) -> int:
        return max(count(text), ceil(count_words(text) * tokens / words))

    return measure
