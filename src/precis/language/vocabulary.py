"""Closed lists by which the checks compare words: number words, kin of a word, opposites, negators, general words."""

from precis.language import tables
from precis.language.dates import NUMBERS
from precis.language.words import stem

#: Number words and the digits they stand for.
NUMBER_WORDS: dict[str, str] = (
    {word: str(value) for value, word in enumerate(NUMBERS)}
    | {word: str(10 * tens) for tens, word in enumerate(tables.words("numbers.tens"), start=3)}
    | {word: str(value) for value, word in enumerate(tables.words("numbers.ordinals"), start=3)}
    | dict(tables.section("numbers.others"))
)
#: Number words that mostly do not count anything: evidence for a number, never a demand for one.
WEAK_NUMBERS = frozenset(tables.words("numbers.weak"))


def _families() -> dict[str, str]:
    """Each listed word's stem to the stem of its family; lists that share a word are one family."""
    family: dict[str, str] = {}
    for group in tables.phrases("vocabulary.kin"):
        stems = list(dict.fromkeys(stem(word) for word in group.split()))
        root = next((family[s] for s in stems if s in family), stems[0])
        family.update({s: family.get(s, root) for s in stems})
    return family


#: Stem to the stem that stands for its inflections and near relations.
FAMILIES = _families()
NEGATORS = frozenset(tables.words("vocabulary.negators"))
#: Phrases that hold a negator and deny nothing.
IDIOMS = tables.phrases("vocabulary.idioms")
#: Words under which a claim is not yet, or not surely, so.
MODALS = frozenset(tables.words("vocabulary.modals"))
#: Stems so general that they carry no fact of their own: a paraphrase may bring them along unseen.
PLAIN = frozenset(map(stem, tables.words("vocabulary.plain")))


def _antonyms() -> dict[str, frozenset[str]]:
    """Each family stem to the stems of its opposites."""
    opposite: dict[str, set[str]] = {}
    for pair in tables.phrases("vocabulary.antonyms"):
        word, other = (FAMILIES.get(stem(part), stem(part)) for part in pair.split())
        if word != other:
            opposite.setdefault(word, set()).add(other)
            opposite.setdefault(other, set()).add(word)
    return {word: frozenset(others) for word, others in opposite.items()}


#: Family stem to the family stems of its opposites.
ANTONYMS = _antonyms()

#: What may stand before a sentence of a talk, in English.
SPOKEN_LEAD = r"\W*(?:(?:and|but|so|ok|okay|hey|oh|wow|well|also|no|yes|fine|right)\b\W*)*"
