"""Whether a sentence tells of a thing what was asked for of the user: "The parcel weighs 4 kilos"."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from precis.finding.capitals import finite
from precis.finding.nouns import names_thing
from precis.finding.reading import Word, read_words, word_from
from precis.finding.tables import groups, name_words, words_of
from precis.finding.values import Span
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import SPEAKING
from precis.language.words import STOP_WORDS

#: Groups of what things have as well as people: how old, tall or heavy they are.
_MEASURES = frozenset({"age", "birthday", "body"})
#: Words that open a sentence about a thing.
_POINTING = frozenset("the a an this that these those".split())


def of_own_thing(
    words: Sequence[Word],
    own: Collection[str],
    own_names: Collection[str],
    groups_meant: Collection[str],
    subject: Collection[Span],
) -> bool:
    """Whether a thing of the user's is so old, tall or heavy, and not the user: "My bookcase is two meters tall"."""
    if not groups_meant or not _MEASURES.issuperset(groups_meant) or not subject:
        return False
    place = min(start for start, _ in subject)
    if _measures_thing(words, word_from(words, place), groups_meant):
        return True
    owners = [at for at, word in enumerate(words) if word.low in own and word.start < place]
    if not owners or owners[-1] + 1 == len(words):
        return False
    owner = words[owners[-1]]
    if owner.low in SPEAKING or (owner.low in own_names and not owner.owns):
        return False
    behind = next((word for word in words[owners[-1] + 1 :] if word.low not in name_words("plain")), words[-1])
    return behind.start < place


def _measures_thing(words: Sequence[Word], at: int, groups_meant: Collection[str]) -> bool:
    """Whether it is said behind "of" what a thing weighs or measures: "a kettlebell of 16 kilos"."""
    while at and words[at - 1].text[0].isdigit():
        at -= 1
    if at < 2 or words[at - 1].low != "of":
        return False
    thing = words[at - 2].low
    return thing not in STOP_WORDS and not any(groups()[name][0].fullmatch(thing) for name in groups_meant)


def of_a_thing(sentence: str, spans: Sequence[Span]) -> bool:
    """Whether a sentence tells of a thing of nobody's what was asked for of the user: "The parcel weighs 4 kilos"."""
    words = read_words(sentence)
    lows = [word.low for word in words]
    if not words or not spans or lows[0] not in _POINTING or language_of(lows, sentence) != "en":
        return False
    own = any(low in words_of("en", "first") for low in lows)
    if not own and _narrows(words, spans):
        return True
    # Behind "the" and a noun, where no verb is known.
    verb = next((word.start for word in words[1:] if finite(word)), words[2].start if len(words) > 2 else None)
    return verb is not None and not own and min(spans)[0] >= verb


def _narrows(words: Sequence[Word], spans: Sequence[Span]) -> bool:
    """Whether all that was found only says what kind another thing is: of "the family bakery" the family."""
    ends = {end for _, end in spans}
    heads = [
        behind
        for word, behind in pairwise(words)
        if word.end in ends and behind.gap == " " and names_thing(behind.low) and not finite(behind)
    ]
    return len(heads) == len(ends) and not any(first <= head.start < last for head in heads for first, last in spans)
