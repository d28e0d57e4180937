"""Whether somebody else, or a firm, may have the name that was asked for: "a mortgage with Chase", "Rose Tanaka"."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from precis.finding.kinds import is_animal, is_person
from precis.finding.nouns import names_thing
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words, users_of, words_before
from precis.finding.tables import all_words, groups, name_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.named import roles_beside
from precis.finding.written.speaking import is_being, relations_of
from precis.language.words import STOP_WORDS, kept

#: So many words before a name may say who has it, and behind it: "User's cousin Mark", "Mark is user's cousin".
_NEAR, _BEHIND = 3, 5
#: Titles that say whether it is a man or a woman, and stand before a surname.
_TITLED = name_words("titled")


def is_firm(text: str, spans: Sequence[Span]) -> bool:
    """Whether each of these names stands where a firm does: "User has a mortgage with Chase"."""
    words = read_words(text)
    if not spans or name_words("firm_things").isdisjoint(word.low for word in words):
        return False
    places = [words_before(words, start) for start, _ in spans]
    return all(at and words[at - 1].low in name_words("firm_before") and not words[at].owns for at in places)


def is_called_after(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody is asked for by one name, and each thing that has it is the user's or a firm's.

    "User's Mercedes needs tires" of an aunt, "Sam's Club" of a neighbor.
    """
    names = {name[0] for name in subject.names if len(name) == 1}
    if not names or subject.parts or subject.mine or subject.language != "en":
        return False
    words = read_words(text)
    places = [at for at in (words_before(words, start) for start, _ in spans) if words[at].low in names]
    return bool(places) and all(_is_a_thing(words, at) for at in places)


def _is_a_thing(words: Sequence[Word], at: int) -> bool:
    behind = words[at + 1] if at + 1 < len(words) else None
    if words[at].owns and behind is not None and behind.capital and behind.gap == " ":
        return True
    owner = words[at - 1] if at and words[at].gap == " " else None
    return owner is not None and owner.low in users_of(()) and owner.owns


def of_role(subject: Subject, text: str, match: Match, *, several: bool) -> Match:
    """The match of a name, where the request says who has it and several are called so: "my cousin Mark".

    A memory that says the same of them is sure, "user's cousin Mark Fenwick"; one that has the name alone is in doubt.
    """
    asked = _roles(subject)
    if not asked or match.level < Level.DOUBTFUL or not match.spans:
        return match
    words = read_words(text)
    if match.level is Level.SURE and not several and all(_is_from(words, span) for span in match.spans):
        return replace(match, level=Level.DOUBTFUL, why="it may be somebody else of that name")
    if not several:
        return match
    if any(_is_called(words, span, asked) for span in match.spans):
        return Match(level=Level.SURE, why="it has that name, and says who that is", spans=match.spans)
    if match.level is Level.SURE:
        why = "several are called so, and it does not say who that is"
        return Match(level=Level.DOUBTFUL, why=why, spans=match.spans)
    return match


def says_role(subject: Subject) -> bool:
    """Whether a request says who somebody is that it names: "my nephew Chase"."""
    return bool(_roles(subject))


def _roles(subject: Subject) -> set[str]:
    own = {part for name in subject.names for part in name}
    words = read_words(subject.text)
    beside = roles_beside(words)
    asked = [word for word in words if word.low in beside - own and _says_who(word.low)]
    return {word.low for word in asked}.union(*map(relations_of, asked)) if asked and subject.names else set()


@kept
def _says_who(low: str) -> bool:
    """Whether a noun says who somebody is: "nephew", "coworker"."""
    roles = (names for name, (names, _) in groups().items() if name.startswith("role."))
    return is_person(low) or is_being(low) or any(names.fullmatch(low) for names in roles)


def _is_called(words: Sequence[Word], span: Span, roles: Collection[str]) -> bool:
    at = words_before(words, span[0])
    before = words[max(0, at - _NEAR) : at]
    last = words_before(words, span[1])
    behind = words[last : last + _BEHIND]
    if before and before[-1].gap == " " and _is_role(before[-1], roles) and words[at].gap == " ":
        return True
    own = any(word.low in all_words("first") for word in behind)
    said = bool(behind) and (behind[0].low in name_words("copulas") or "," in behind[0].gap)
    return said and own and any(_is_role(word, roles) for word in behind)


def _is_from(words: Sequence[Word], span: Span) -> bool:
    """Whether right behind a name it says from where that one is known: "Anna from accounting handles travel"."""
    at = words_before(words, span[1])
    return at + 1 < len(words) and words[at].text in name_words("known_from") and words[at].gap == " "


def _is_role(word: Word, roles: Collection[str]) -> bool:
    return word.low in roles or not relations_of(word).isdisjoint(roles)


def of_first_name(subject: Subject, text: str, match: Match) -> Match:
    """The match of a full name, in doubt where a memory has the first one behind a role: "my mother Margaret"."""
    firsts = {name[0] for name in subject.names if len(name) > 1}
    if match.level is not Level.SURE or not firsts or _roles(subject):
        return match
    words = read_words(text)
    for start, end in match.spans:
        at, last = words_before(words, start), words_before(words, end)
        if last - at != 1 or words[at].low not in firsts or not at or not _says_who(words[at - 1].low):
            return match
    return replace(match, level=Level.DOUBTFUL, why="it has only a part of the name") if match.spans else match


def of_title(subject: Subject, text: str, match: Match) -> Match:
    """The match of a surname behind a title, in doubt where a memory has a first name in its place."""
    words = read_words(subject.text)
    titled = any(
        word.low in _TITLED and behind.low in {name[0] for name in subject.names if len(name) == 1}
        for word, behind in pairwise(words)
    )
    if match.level is not Level.SURE or not titled:
        return match
    inside = read_words(text)
    for start, end in match.spans:
        at, last = words_before(inside, start), words_before(inside, end)
        if last - at < 2 or inside[at].low in _TITLED or (at and inside[at - 1].low in _TITLED):
            return match
    return Match(level=Level.DOUBTFUL, why="it may be somebody else of that name", spans=match.spans)


# Of one name that somebody and an animal or a thing have: "my cousin Oscar", and "my cat Oscar" where he was meant.
_CALLED = frozenset({"called", "named"})


def with_bearers(rows: Sequence[Row], matches: dict[str, Match], subject: Subject) -> None:
    """Put in doubt what has the name that was asked for as an animal's or a thing's, where a person has it as well."""
    names = {name[0] for name in subject.names if len(name) == 1}
    words = read_words(subject.text)
    if len(names) != 1 or subject.parts or subject.language != "en" or any(is_being(word.low) for word in words[:-1]):
        return
    (name,) = names
    meant = [row for row in rows if matches[row.id].level is Level.SURE]
    said: Mapping[str, set[bool]] = {row.id: set(_people(read_words(row.text), name)) for row in meant}
    if not any(True in kinds for kinds in said.values()):
        return
    for row in meant:
        if said[row.id] == {False}:
            matches[row.id] = replace(
                matches[row.id], level=Level.DOUBTFUL, why="somebody else has that name as well as what is called so"
            )


def _people(words: Sequence[Word], name: str) -> Iterator[bool]:
    """For each place that says who or what is called so, whether that is a person."""
    for at, word in enumerate(words):
        noun = _noun(words, at) if word.low == name and word.capital else ""
        if noun and is_animal(noun):
            yield False
        elif noun and is_being(noun):
            yield True
        elif noun and names_thing(noun):
            yield False


def _noun(words: Sequence[Word], at: int) -> str:
    """The noun that says what is called so: of "cat Oscar", "a cat called Oscar" or "Oscar is user's cat" the cat."""
    before = [word for word in words[max(0, at - 3) : at] if not word.capital]
    if before and words[at].gap == " " and before[-1] is words[at - 1]:
        nouns = [word.low for word in before if word.low not in _CALLED | name_words("copulas")]
        called = before[-1].low in _CALLED
        plain = not before[-1].owns and before[-1].low not in STOP_WORDS
        if nouns and (called or plain):
            return nouns[-1]
    behind = words[at + 1 : at + 8]
    if len(behind) > 1 and behind[0].low in name_words("copulas") and (behind[1].owns or behind[1].low in STOP_WORDS):
        run = [*takewhile(lambda word: word.gap == " " and word.low not in STOP_WORDS, behind[2:])]
        return run[-1].low if run else ""
    return ""
