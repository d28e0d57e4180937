"""Whether a newer note opens with the relative whom an older one names: "My aunt Beth", "Beth moved". Pure."""

from itertools import pairwise

from precis.language.words import kept
from precis.recall.persons import folded, is_kin, tokens_of

#: A name opens a note, or stands behind an article.
_OPENING = 2


@kept
def relatives_named(text: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The names that stand right beside a word for a relative, in small letters."""
    tokens = tokens_of(text)
    beside = (pair for two in pairwise(tokens) for pair in (two, two[::-1]))
    pairs = (pair for pair in beside if is_kin(pair[0], languages))
    return frozenset(folded(name) for _, name in pairs if name[0].isupper() and not is_kin(name, languages))


def opens_with_relative(newer: str, older: str, languages: tuple[str, ...]) -> bool:
    """Whether the newer note opens with a name that the older one gives a relative."""
    named = relatives_named(older, languages)
    return any(token[0].isupper() and folded(token) in named for token in tokens_of(newer)[:_OPENING])
