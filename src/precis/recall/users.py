"""Words for the user whose memory it is, as layers that write notes of them put it: "The user moved to Leeds". Pure.

All notes of such a layer have the word, so it says of no two of them that they are on one thing, and of none that it is
evidence. It says only whose memory is asked: that of the user, not of somebody else.
"""

import re

from precis.language import tables
from precis.language.words import index_terms, stem, words

_LISTED = frozenset(tables.words("words.users"))
#: In English the word has an article, or an owner's ending; without one it may be any user of anything.
_OTHERS = _LISTED - {"user", "users", "user's"}
_THE_USER = re.compile(r"\b(?:the|this|our) user(?:['\u2019]s?)?(?![\w-])", re.IGNORECASE)
#: Where no spaces part words.
_UNSPACED = re.compile(tables.choices("words.users_unspaced"))
#: What French and Italian elide before them.
_ELIDED = ("l'", "d'", "qu'", "dell'", "all'", "dall'", "sull'", "nell'", "un'")
#: Their stems, as rows hold them.
USERS = frozenset(map(stem, _LISTED)).union(
    (stem(f"{part}{word}") for part in _ELIDED for word in _LISTED if word[0] == "u"),
    (term for word in tables.phrases("words.users_unspaced") for term in index_terms(word) if len(term) > 1),
)


def users_in(text: str) -> frozenset[str]:
    """The stems of the words of a text that call the user whose memory it is."""
    spoken = [word for word in words(text) if word.rpartition("'")[2] in _OTHERS or word in _OTHERS]
    stems = frozenset(map(stem, spoken))
    if _THE_USER.search(text):
        stems |= {stem("user")}
    return stems if text.isascii() else stems.union(*map(index_terms, _UNSPACED.findall(text)))
