"""Closed lists by which words are compared, and which words may be nouns or parts of a noun phrase. Pure."""

from collections.abc import Sequence

from precis.language import tables
from precis.language.chitchat import MOODS
from precis.language.dates import MONTHS, NUMBERS, WEEKDAYS
from precis.language.grammar import AMBIGUOUS_FORMS, DEGREES, FORMS, PEOPLE
from precis.language.values import unit_of
from precis.language.words import STOP_WORDS, stem

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


PREPOSITIONS = frozenset(tables.words("titles.prepositions"))
BEHIND = frozenset(tables.words("titles.behind"))
NO_NOUNS = (
    frozenset(tables.words("titles.no_nouns"))
    | frozenset(MONTHS)
    | frozenset(ending for day in WEEKDAYS for ending in (day, f"{day}s"))
)
COUNTS = frozenset(NUMBERS) | frozenset(tables.words("numbers.tens"))
AIDS = frozenset(tables.words("tenses.past_aids") + tables.words("tenses.present_aids"))
#: General words that are nouns where one may stand.
_NOUNS = frozenset(tables.words("titles.nouns"))
#: General words of what people do, and those beside which a code may be a secret.
PASTIMES, SECRETS = (frozenset(tables.words(f"titles.{name}")) for name in ("pastimes", "secrets"))
#: Words that end like an adverb and are none.
LY = frozenset(tables.words("titles.ly"))
GENERAL_STEMS = PLAIN | MOODS
#: What is a part of no noun phrase, and what opens none.
_NO_PARTS = STOP_WORDS | PREPOSITIONS | BEHIND | NO_NOUNS | DEGREES | COUNTS
#: Adjectives by how they end: without a determiner only that tells them from nouns.
ADJECTIVES = ("able", "ible", "ive", "ful", "less", "ous", "ish", "ical")
_NO_ENDINGS = (*ADJECTIVES, "ing", "ed", "ly")
UNITS = frozenset(name for listed in tables.section("units.of").values() for name in listed.split())
#: Most words of a noun phrase.
LONGEST = 3


def is_noun(word: str) -> bool:
    """Whether it, or what it is the plural of, is listed as a noun."""
    low = word.casefold()
    return low in _NOUNS or low.removesuffix("s") in _NOUNS or f"{low.removesuffix('ies')}y" in _NOUNS


def ends_well(word: str) -> bool:
    """Whether a noun phrase may end with it."""
    lowered = word.casefold()
    general = stem(lowered) in GENERAL_STEMS or lowered in DEGREES or lowered in COUNTS
    general = general or lowered.removesuffix("est") in DEGREES
    ending = lowered.endswith(("ing", "ed")) or (lowered.endswith("ly") and lowered not in LY)
    # "The busiest" of all, and "kroner" that are counted, are no things.
    ending = ending or lowered.endswith("iest") or bool(unit_of(lowered))
    return is_noun(lowered) or not (general or ending)


def is_verb(word: str, *, first: bool) -> bool:
    """Whether a word is surely a verb where a noun may stand: "my sister moved"."""
    form = FORMS.get(word) or (None if first else AMBIGUOUS_FORMS.get(word))
    if form is None or is_noun(word):
        return False
    return bool(form.kinds & {"past", "third"}) and not (first and form.kinds & {"third", "base"})


def is_term(kind: Sequence[str], word: str) -> bool:
    """Whether it is a time that a noun names: "trial week", "wedding day"."""
    return bool(kind) and is_noun(kind[-1]) and word.casefold() in UNITS


def may_name_a_kind(word: str) -> bool:
    """Whether a small word before a noun may say of what kind that is, "swimming", "gearbox": no verb, no feeling."""
    if not word.isalpha() or word in _NO_PARTS:
        return False
    form = FORMS.get(word)
    return stem(word) not in GENERAL_STEMS and (form is None or form.kinds == {"ing"}) and word not in PEOPLE


def opens_as_noun(word: str) -> bool:
    """Whether a word that a sentence opens with is a noun before "is" or a figure: "Recall is low", "Recall 0.9"."""
    form = FORMS.get(word)
    is_none = word in _NO_PARTS or stem(word) in MOODS
    return len(word) > LONGEST and word.isalpha() and not is_none and (form is None or form.kinds <= {"base", "ing"})


def is_general_noun(word: str) -> bool:
    """Whether a word behind a determiner is a noun that is said of many things: "the community", "this chance"."""
    return (
        len(word) > LONGEST and stem(word) in PLAIN and stem(word) not in MOODS and word not in STOP_WORDS
        and word not in NO_NOUNS and not word.endswith(_NO_ENDINGS) and not (word in FORMS and not is_noun(word))
    )  # fmt: skip


def names_doing(word: str) -> bool:
    """Whether it may be what people do: "rowing", and of general words those that are listed, "writing"."""
    return word.endswith("ing") and word not in NO_NOUNS and (stem(word) not in GENERAL_STEMS or word in PASTIMES)


def does(behind: Sequence[str]) -> bool:
    """Whether what the tokens open with is a verb in the present or the past."""
    word = behind[0].casefold() if behind else ""
    form = FORMS.get(word)
    return word in AIDS or (form is not None and not form.kinds.isdisjoint({"third", "base", "past"}))
