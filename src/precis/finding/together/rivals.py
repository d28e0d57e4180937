"""Who else a pronoun of a message may take up: "mum rang, she is ill" behind one that names a manager."""

from collections.abc import Collection, Iterator, Sequence
from enum import Enum, auto

from precis.finding.capitals import finite
from precis.finding.reading import Word, read_words, word_from, words_before
from precis.finding.tables import name_words, words_of
from precis.finding.values import Span
from precis.finding.written.beings import beings_of, is_being
from precis.finding.written.languages import language_of
from precis.language.words import STOP_WORDS, kept

#: Pronouns by whether they are of a man or a woman, and those that are no subject and nobody's.
_GENDERS = {"he": "he", "him": "he", "his": "he", "himself": "he"} | dict.fromkeys(
    "she her hers herself".split(), "she"
)
_OBJECTS = frozenset("him them himself herself themselves".split())
#: Kinds of people that are all of one gender, as groups of words name them.
_OF_GENDER = {
    "he": frozenset(
        "parent.father sibling.brother child.son relative.grandfather relative.uncle relative.nephew partner.husband"
        " partner.boyfriend".split()
    ),
    "she": frozenset(
        "parent.mother sibling.sister child.daughter relative.grandmother relative.aunt relative.niece partner.wife"
        " partner.girlfriend".split()
    ),
}
#: So many words may stand between somebody and who they are said to be: "Ray is, I think, our plumber".
_WITHIN = 4


class Rival(Enum):
    """How somebody else is spoken of in a message."""

    #: A pronoun behind takes them up.
    TAKEN = auto()
    #: It may.
    LIKELY = auto()


def rival_of(text: str, spans: Collection[Span], own: Collection[str]) -> Rival | None:
    """Whether somebody else is spoken of in a text, whom its pronoun takes up, or one behind it may.

    At ``spans`` those are named who were asked for; ``own`` are the words of their names.
    """
    words = read_words(text)
    if language_of([word.low for word in words], text) != "en":
        return None
    places = [(word_from(words, start), words_before(words, end) - 1) for start, end in spans]
    pronoun = next((at for at, word in enumerate(words) if bare(word) in _third()), None)
    behind = frozenset({_GENDERS.get(bare(words[pronoun]), "")}) - {""} if pronoun is not None else frozenset[str]()
    rivals = [
        at for at, word in enumerate(words)
        if word.low not in own and is_somebody(word.low) and not any(_is_the_same(words, at, place) for place in places)
        and not (behind and (gender := gender_of(word.low)) and gender not in behind)
    ]  # fmt: skip
    opening = words[0] if words and _may_be_called(words) and words[0].low not in own else None
    if pronoun is not None and not spans and any(at < pronoun for at in rivals):
        return Rival.LIKELY if bare(words[pronoun]) in _OBJECTS else Rival.TAKEN
    if opening is not None and not spans and pronoun is not None:
        return Rival.LIKELY
    return Rival.LIKELY if rivals and (pronoun is None or spans) else None


def genders_in(text: str) -> Iterator[str]:
    """Of which gender who is spoken of in a text is, by each pronoun of one."""
    yield from filter(None, (_GENDERS.get(bare(word), "") for word in read_words(text)))


def only_object(text: str) -> bool:
    """Whether all that takes up somebody in a text is what something is done to: "I might keep him"."""
    said = [bare(word) for word in read_words(text) if bare(word) in _third()]
    return bool(said) and all(word in _OBJECTS for word in said)


@kept
def is_somebody(low: str) -> bool:
    """Whether an English word says who somebody is, or what animal, and is no pronoun."""
    return low not in STOP_WORDS and low not in _third() and is_being(low)


def gender_of(low: str) -> str:
    """Of which gender somebody of a kind is; nothing where it may be either."""
    kinds = beings_of(low)
    return next((gender for gender, of in _OF_GENDER.items() if kinds and kinds <= of), "")


def bare(word: Word) -> str:
    """A word without the verb that is written to it: "she" of "she's"."""
    return word.text.lower().replace("\u2019", "'").partition("'")[0]


def _third() -> frozenset[str]:
    return frozenset(words_of("en", "third"))


def _is_the_same(words: Sequence[Word], at: int, named: tuple[int, int]) -> bool:
    """Whether a word for somebody says who is named: "my cousin Mark", "Marcus (manager)", "Ray is our plumber"."""
    first, last = named
    if first <= at <= last:
        return True
    near, far = (words[at], words[first]) if at < first else (words[last], words[at])
    between = words[at + 1 : first] if at < first else words[last + 1 : at]
    if near.owns:
        return False
    if len(between) <= 1 and not any(word.low == "and" for word in between):
        return not near.owns and not any(word.low in name_words("prepositions") for word in between)
    said = any(word.low in name_words("copulas") or bare(word) != word.text.lower() for word in between)
    return len(between) <= _WITHIN and said and not far.opens


def _may_be_called(words: Sequence[Word]) -> bool:
    """Whether a text opens with what may be a name, and what that one does or is: "Pickle is not mad"."""
    opening = words[0]
    if len(words) < 2 or not opening.capital or opening.low in STOP_WORDS or opening.owns:
        return False
    return finite(words[1]) or words[1].low in name_words("copulas")
