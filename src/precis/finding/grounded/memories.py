"""What the memories have of the words of a request: which of them are names, and in which forms."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from precis.finding.names import Name, people
from precis.finding.reading import Word, folded, read_words
from precis.finding.spelling import slips
from precis.finding.tables import ground_cases
from precis.finding.values import Row
from precis.language.words import STOP_WORDS, is_form

#: The least that two cases of a name have in common, and the most that each ends with.
_SHARED, _ENDING = 3, 4
#: Shorter words are one slip away from too many others.
_LONG = 5
#: Where "s" at the end of a name says whose something is.
_OWNING = frozenset({"de", "nl", "sv", "da", "no"})


@dataclass(frozen=True, kw_only=True)
class Memories:
    """What they have of the words of one request."""

    #: Its words with a capital, those that so are names (inside a sentence, or known to be), and other words.
    capital: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    small: Counter[str] = field(default_factory=Counter)
    #: Names, as runs of words.
    names: set[Name] = field(default_factory=set)
    #: The code of the language of the request: theirs, where they have its words.
    language: str = "en"
    #: The memories that have any of its words, folded.
    texts: list[str] = field(default_factory=list)

    def has(self, low: str) -> bool:
        """Whether they have a word in any of its forms."""
        return any(is_form(low, word, self.language) for word in (*self.small, *self.capital))

    def cases(self, low: str, language: str) -> list[str]:
        """The forms in which they have a name."""
        if ground_cases(language):
            return [form for form in self.capital if _is_case(low, form)]
        forms = [low, *([f"{low}s", low.removesuffix("s")] if language in _OWNING else [])]
        return [form for form in dict.fromkeys(forms) if form in self.capital]

    def slip(self, low: str) -> str:
        """The one word of theirs that a longer word, which none has, is a slip of typing away from; else nothing."""
        if len(low) < _LONG or low in self.capital or low in self.small:
            return ""
        likely = slips(low)[:3]
        near = {word for word in {*self.capital, *self.small} if any(word in kind for kind in likely)}
        return near.pop() if len(near) == 1 else ""

    def forms(self, name: Name, language: str) -> list[Name]:
        """The forms in which they have a name of several words; the name itself where they have none."""
        same = [set(self.cases(low, language)) or {low} for low in name]
        return [
            run for run in sorted(self.names)
            if len(run) == len(name) and all(low in forms for low, forms in zip(run, same, strict=True))
        ] or [tuple(low if low in forms else min(forms) for low, forms in zip(name, same, strict=True))]  # fmt: skip


def memories_of(text: str, language: str, rows: Sequence[Row]) -> Memories:
    """What the memories have of the words of a text."""
    memories = Memories(language=language)
    lows = {word.low for word in read_words(text) if len(word.low) > 1}
    if not lows:
        return memories
    heads = sorted({re.escape(low[: max(2, min(len(low) - 2, 4))]) for low in lows})
    opening = re.compile(rf"(?<![^\W_])(?:{'|'.join(heads)})")
    for row in rows:
        low = folded(row.text)
        if not opening.search(low):
            continue
        words = read_words(row.text)
        known = {start for start, _, _ in people(row.text)}
        memories.texts.append(low)
        for word in words:
            if not word.capital:
                memories.small[word.low] += 1
            elif not word.opens or word.low not in STOP_WORDS:
                memories.capital[word.low] += 1
                memories.named[word.low] += not word.opens or word.start in known
        memories.names.update(_names_of(words))
    return memories


def _names_of(words: Sequence[Word]) -> Iterator[Name]:
    """Runs of capitals; without the first word as well, where that may only open a sentence."""
    run: list[Word] = []
    for before, word in pairwise([None, *words, None]):
        follows = word is not None and word.capital and word.gap in {" ", ". "} and not (before and before.owns)
        if run and not (follows and before is run[-1]):
            yield from ((tuple(each.low for each in run[first:])) for first in range(min(2, len(run))))
            run = []
        if word is not None and word.capital:
            run.append(word)


@lru_cache(maxsize=8192)
def _is_case(first: str, second: str) -> bool:
    """Whether two words may be cases of one name: they begin alike, and end as words end."""
    short, long = sorted(map(len, (first, second)))
    shared = next((at for at in range(short) if first[at] != second[at]), short)
    if short <= _SHARED + 1:
        return shared >= max(2, short - 1) and long - shared <= 2
    return shared >= max(_SHARED, short - 2) and long - shared <= _ENDING
