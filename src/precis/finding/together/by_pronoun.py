"""What is told of somebody by a pronoun of the next sentence or message, and who else it may take up.

"Ray is our plumber. His number is ..."; "mum rang, she is ill" behind a message that names a manager.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from enum import Enum, auto

from precis.finding.about import clauses, theirs
from precis.finding.capitals import finite
from precis.finding.kinds import is_animal, is_person
from precis.finding.names import people
from precis.finding.nouns import known
from precis.finding.parts import Subject
from precis.finding.reading import (
    UNSPACED,
    Word,
    folded,
    is_caseless,
    read_words,
    sentence_spans,
    word_from,
    words_before,
)
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.clauses import PRONOUNS
from precis.finding.written.languages import language_of
from precis.finding.written.speaking import beings_of, is_being
from precis.language.words import STOP_WORDS, kept

#: In how many messages behind a name a pronoun may still take it up.
_REACH = 6
#: The fewest words of a sentence that tells something by itself.
_LEAST = 3
_PERSONS = frozenset("he she they er wir sie il elle ils elles ella lui lei".split())


def without_told(text: str, spans: Sequence[Span], names: Collection[str]) -> tuple[tuple[Span, ...], Level] | None:
    """What stays where one sentence names somebody, and another tells what was asked for of them by a pronoun.

    ``names`` are the words of the names that were asked for. All other sentences stay, in doubt where the pronoun may
    take up another; None where the sentences are not such.
    """
    sentences, words = sentence_spans(text), read_words(text)
    touched = [it for it in sentences if any(start < it[1] and end > it[0] for start, end in spans)]
    told = [it for it in touched if not all(_is_name(text, span, names) for span in _within(spans, it))]
    naming = [it for it in touched if it not in told]
    if not told or not naming or naming[0][0] > told[0][0]:
        return None
    if any(_is_name(text, span, names) for it in told for span in _within(spans, it)):
        return None
    language = language_of([word.low for word in words], text)
    third = name_words("possessives") | name_words("opening_persons") | name_words("singular_persons")
    if not all(_opens_with(words[word_from(words, start)], third, language) for start, _ in told):
        return None
    keeps = [it for it in sentences if it not in told]
    whole = all(len(read_words(text[slice(*it)])) >= _LEAST or UNSPACED.search(text[slice(*it)]) for it in naming)
    behind = [it for it in keeps if it[0] > told[0][0]]
    if not whole or any(theirs.leans(text, it, language) or _points(text[slice(*it)]) for it in behind):
        return None
    others = any(_names_another(text[slice(*it)], names, language) for it in keeps if it[0] < told[0][0])
    return ((), Level.DOUBTFUL) if others else (tuple(keeps), Level.SURE)


def _opens_with(word: Word, third: Collection[str], language: str) -> bool:
    """Whether a word is a pronoun, or begins with one where no space or capital parts it from a name."""
    if UNSPACED.search(word.low):
        return word.low.startswith(tuple(filter(None, words_of(language, "third"))))
    return word.text.lower() in third or (is_caseless(word.low) and word.low in words_of(language, "third"))


def _within(spans: Sequence[Span], piece: Span) -> list[Span]:
    return [(start, end) for start, end in spans if start < piece[1] and end > piece[0]]


def _is_name(text: str, span: Span, names: Collection[str]) -> bool:
    return any(word.low in names for word in read_words(text[slice(*span)]))


def _points(sentence: str) -> bool:
    """Whether it takes up the thing and not who has it: "It is secret."."""
    opening = next(iter(read_words(sentence)), None)
    return opening is not None and opening.low in (PRONOUNS | name_words("dependent")) - _PERSONS


def _names_another(sentence: str, names: Collection[str], language: str) -> bool:
    """Whether somebody else is named whom the pronoun may take up."""
    beside = [low for _, _, low in people(sentence) if low not in names and low not in name_words("titles")]
    given = name_words("given")
    # Where each noun has a capital, and of languages whose names are not known, only a known name is one.
    if any(language == "en" or low in given for low in beside):
        return True
    words = read_words(sentence)
    said_to_be = any(word.low in name_words("copulas") for word in words)  # "Ray is our plumber"
    return any(
        is_animal(word.low) or (is_being(word.low) and not said_to_be) for word in words if word.low not in names
    )


def take_up_told(
    rows: Sequence[Row], matches: dict[str, Match], names: Callable[[Row], bool], told: Callable[[Row], Match]
) -> None:
    """Put in doubt what tells by a pronoun what was asked for, behind a message of the same session that names whose.

    It is sure where that message names nobody else, and this is the next one and says "her salary" first of all.
    ``names`` says whether a row names them, ``told`` whether it tells what was asked for, whosever it is.
    """
    ago = dict[str, int]()
    alone = set[str]()
    for row in rows:
        if row.session_id is None:
            continue
        if names(row):
            ago[row.session_id] = 0
            (alone.add if _names_one(row.text) else alone.discard)(row.session_id)
            continue
        if row.session_id not in ago:
            continue
        ago[row.session_id] += 1
        near = matches[row.id].level <= Level.DOUBTFUL and ago[row.session_id] <= _REACH
        if not near or not _takes_up(row.text):
            continue
        match, direct = told(row), ago[row.session_id] == 1 and row.session_id in alone
        if match.level >= Level.DOUBTFUL and direct and _opens_theirs(row.text, match.spans):
            why = "it tells that of them right behind their name"
            matches[row.id] = replace(match, level=Level.SURE, why=why)
        elif match.level >= Level.DOUBTFUL > matches[row.id].level:
            matches[row.id] = Match(level=Level.DOUBTFUL, why="it may tell that of them in the same session")


def _names_one(text: str) -> bool:
    """Whether a message names one person at most, and nobody by what they are."""
    named = people(text)
    places = {at for start, end, _ in named for at in range(start, end)}
    beings = any(_is_somebody(word.low, text) for word in read_words(text) if word.start not in places)
    return len({low for _, _, low in named}) <= 1 and not beings


def _is_somebody(low: str, text: str) -> bool:
    """Whether a word says who somebody is as it stands: not "parental", which is no English noun."""
    if is_person(low) or is_animal(low) or low in name_words("others"):
        return True
    return bool(beings_of(low)) and (known(low) or language_of([word.low for word in read_words(text)], text) != "en")


def _opens_theirs(text: str, spans: Sequence[Span]) -> bool:
    """Whether a message opens with "her" and what was asked for right behind, and names nobody: "Her salary is ..."."""
    words = read_words(text)
    whose = bool(words) and words[0].text.lower() in name_words("possessives")
    starts = {start for start, _ in spans}
    thing = next((span for span in spans if len(words) > 1 and span[0] <= words[1].start < span[1]), None)
    direct = thing is not None and not clauses.is_compound(words, thing, starts)
    beings = any(_is_somebody(word.low, text) for word in words[1:])
    return whose and direct and not beings and not people(text)


def _takes_up(text: str) -> bool:
    third = name_words("possessives") | name_words("opening_persons") | all_words("third")
    return any(word.text.lower().replace("\u2019", "'").partition("'")[0] in third for word in read_words(text))


def is_told_of_somebody(subject: Subject) -> bool:
    """Whether something of somebody by name is asked for."""
    return bool(subject.names and subject.parts) and not (subject.clause or subject.identifiers or subject.quotes)


def words_of_names(subjects: Sequence[Subject], aliases: Collection[tuple[str, ...]]) -> frozenset[str]:
    """The words of all names that are asked for, and of what else they are called."""
    called = (name for subject in subjects for name in subject.names)
    return frozenset(folded(word) for name in (*called, *aliases) for word in name)


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
