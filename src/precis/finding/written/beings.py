"""Whether a word of any language says who somebody is to somebody, in any of its forms."""

from collections.abc import Sequence
from functools import lru_cache

from precis.finding import capitals, reading, scripts
from precis.finding.kinds import is_animal, is_person
from precis.finding.nouns import english, known, names_thing, nouns, persons, singular
from precis.finding.tables import groups, name_words, words_of
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import RELATIONS
from precis.language.words import STOP_WORDS

#: A word in a case is as long as this without its ending, of which so many letters are one.
_LEAST, _ENDING = 3, 5
_ROLES = "role."


@lru_cache(maxsize=16384)
def beings_of(low: str) -> frozenset[str]:
    """The groups of people, and the kinds within them, that a word is of: "partner.wife" of "wife"."""
    named = {
        name
        for name, both in groups().items()
        if (name.partition(".")[0] in RELATIONS or name.startswith(_ROLES))
        if any(called.fullmatch(low) for called in both)
    }
    kinds = {name for name in named if "." in name}
    return frozenset(kinds or named)


def _is_only_person(low: str) -> bool:
    """Whether an English noun says who somebody is in its usual senses: a tutor, and neither a router nor a printer."""
    senses = next((nouns().senses[form] for form in singular(low) if form in nouns().senses), {})
    usual = [senses[rank] for rank in (0, 1) if rank in senses]
    return low.isascii() and is_person(low) and all(line in persons() for line in usual)


@lru_cache(maxsize=16384)
def is_being(low: str) -> bool:
    """Whether it is somebody or an animal, as it stands or in a case."""
    if _is_only_person(low) or is_animal(low) or beings_of(low):
        return True
    if reading.UNSPACED.search(low) or reading.HANGUL.search(low) or scripts.ARABIC.search(low):
        return any(word in low for word in name_words("others_unspaced")) or low in name_words("roles_elsewhere")
    known = name_words("others") | name_words("roles_elsewhere")
    if low in known:
        return True
    forms = (low[:-cut] for cut in range(1, _ENDING + 1) if len(low) - cut >= _LEAST)
    return not reading.is_caseless(low) and any(form in known or beings_of(form) for form in forms)


def is_german_noun(words: Sequence[reading.Word], place: int, text: str) -> bool:
    """Whether a word has its capital as each noun in German has one: behind an article, an owner or a figure, or known.

    A given name is no noun.
    """
    word, before = words[place], words[place - 1] if place else None
    led = (
        before is not None and word.gap == " " and (before.low in name_words("before_nouns_de") or before.low.isdigit())
    )
    if not word.capital or not (led or word.low in english() or names_thing(word.low)):
        return False
    return language_of([each.low for each in words], text) == "de"


def names_nobody(text: str) -> bool:
    """Whether a text speaks of nobody: no name, no word for somebody but for one that describes a thing, no pronoun."""
    words = reading.read_words(text)
    language = language_of([word.low for word in words], text)
    if language not in {"en", "de"}:
        return False
    things = {"it", "its", "es"}
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else None
        described = language == "en" and behind is not None and behind.gap == " " and names_thing(behind.low)
        if (word.low in words_of(language, "third") and word.low not in things) or word.owns:
            return False
        if is_being(word.low) and not (described and not word.owns):
            return False
        unknown = word.capital and (behind is None or not behind.gap.strip() or behind.gap[-1].isspace())
        unknown = unknown and not (word.opens or capitals.calendar(word.low) or is_german_noun(words, at, text))
        if unknown or (word.opens and word.low in name_words("given")):
            return False
    return bool(words) and not (words[0].capital and language == "en" and _may_be_name(words))


def _may_be_name(words: Sequence[reading.Word]) -> bool:
    """Whether what opens a text is no English word that is known, and may be a name."""
    return words[0].low not in STOP_WORDS and not known(words[0].low)
