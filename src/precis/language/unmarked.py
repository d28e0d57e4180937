"""Questions of a chat that have no mark: known by how they open, or by the word that a question ends on. Pure."""

from precis import patterns as re
from precis.language import tables
from precis.language.script import is_foreign
from precis.language.vocabulary import SPOKEN_LEAD
from precis.language.words import kept_where_short

_AUXILIARY = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may"
_PRONOUN = "i|you|he|she|it|we|they|there"
_NOUN = r"(?:the|a|an|my|your|his|her|our|their|this|that|these|those|some\w*|every\w*)"
#: What an English question opens on: a word that asks and its verb; or a verb and whoever does it, who is not left out.
_UNMARKED = re.compile(
    rf"{SPOKEN_LEAD}(?:(?:who|whose|whom|why)\b|(?:what|how) about\b"
    rf"|(?:what|where|when|how|which)(?: (?!(?:{_PRONOUN}|{_NOUN})\b)(?-i:[a-z]+))?"
    rf"(?:['\u2019]s| (?:{_AUXILIARY}))\b(?!.*\b(?:is|are|was|were)\b)"
    rf"|(?:is|are|was|were|do|does|did|has|have|had|can|could|would|should|shall)(?:n['\u2019]t)? "
    rf"(?!(?<=\bdo )it)(?:{_PRONOUN}|any\w*|(?-i:[A-Z])[^\W\d_]+)\b"
    rf"|(?:is|are|does|can|could|would|should)(?:n['\u2019]t)? {_NOUN}\b"
    r"|(?:will|may) (?:i|you|he|she|it|we|they|there|the|my|your|our)\b)",
    re.IGNORECASE,
)
#: The same of other languages: what only a question opens on or ends on in them.
_OPENS, _ENDS = (
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\W*(?:{tables.in_every_language('asking.unmarked')})(?!\w)",
        rf"(?<=\w)(?:{tables.in_every_language('asking.tags')})\W*$",
    )
)


@kept_where_short
def asks_unmarked(sentence: str) -> bool:
    """Whether it opens as questions do, though no mark may say so: "Who ate my oat yogurt", "Bist du wahnsinnig"."""
    if _UNMARKED.match(sentence) is not None:
        return True
    return (_OPENS.match(sentence) or _ENDS.search(sentence)) is not None and is_foreign(sentence)
