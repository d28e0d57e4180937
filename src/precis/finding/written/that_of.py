"""Things of one request that are joined: whose each of them is, and what is only pointed at behind an "and"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from precis.finding import kinds, parts, wording
from precis.finding.reading import Word, read_words
from precis.finding.tables import name_words, patterns, sayings, words_of
from precis.finding.written.speaking import OF, RELATIONS, is_being, relations_of

_PEOPLE = RELATIONS | {"role", "pet"}


def may_share(subjects: Sequence[parts.Subject], text: str) -> bool:
    """Whether what the last has, or does, may be of the others as well: "Tom and Anna's birthday", "Tom and I run"."""
    if not is_owned_by_name(subjects[-1]):
        return any(_is_told_of_both(before, it, text) for before, it in pairwise(subjects))
    return any(
        not it.parts or (it.mine and all(part.is_of(_PEOPLE) or kinds.says_whom(part.word) for part in it.parts))
        for it in subjects[:-1]
    )


def _is_told_of_both(before: parts.Subject, told: parts.Subject, text: str) -> bool:
    """Whether it says what somebody and the user are or do together; of "Tom and that I ..." each stands alone."""
    both = before.names and not before.parts and told.parts
    if not both or read_words(told.text)[0].low not in name_words("beside_others"):
        return False
    _, _, behind = text.partition(before.text)
    return len(behind.partition(told.text)[0].split()) == 1


def is_owned_by_name(subject: parts.Subject) -> bool:
    """Whether it is a thing of somebody's by name, and says nothing of them: "Anna's birthday"."""
    owned = len(subject.names) == 1 and 0 < len(subject.parts) <= 2 and not (subject.states or subject.clause)
    words = read_words(subject.text)
    return owned and subject.language == "en" and any(word.owns and word.low == subject.names[0][-1] for word in words)


#: A thing is called by so many words at most.
_HEAD = 3
#: A shorter word is none that is made of a verb or of a thing.
_AGENT = 5
#: Of what a thing is, written as one word with an article: "das Angebot vom Elektriker".
_AT = frozenset("vom beim zum".split())


def in_full(pieces: Sequence[str], language: str) -> list[str]:
    """The pieces, each that only says whose "that" is with the thing that the first one names."""
    head = _head(pieces[0], language) if len(pieces) > 1 else ""
    if not head:
        return list(pieces)
    return [pieces[0], *(_with_head(piece, head, language) for piece in pieces[1:])]


def of_owners(pieces: Sequence[str]) -> list[str]:
    """English pieces without "her number" behind "my sister", which is within that; "her son" is "my sister's son"."""
    owned, owner = list[str](), ""
    for piece in pieces:
        words = read_words(piece)
        somebody = bool(words) and (is_being(words[-1].low) or kinds.is_person(words[-1].low))
        if owner and len(words) > 1 and words[0].low in name_words("possessives"):
            owned += [f"{owner}'s {piece[words[1].start :]}"] if somebody else []
            continue
        owner = piece if words and (somebody or (words[-1].capital and not words[-1].owns)) else ""
        owned.append(piece)
    return owned


def taken_up(subjects: Sequence[parts.Subject]) -> Iterator[parts.Subject]:
    """The subjects; what opens with "su" or "sein" is never the user's, and within all of whom one before it names."""
    owned = subjects[0].mine and not any(subject.names for subject in subjects)
    before: tuple[tuple[str, ...], ...] = ()
    for subject in subjects:
        opening = read_words(subject.text)[:1]
        if opening and not subject.names and opening[0].low in name_words("possessives"):
            if not before or any(is_being(part.word) for part in subject.parts):
                yield replace(subject, names=before, mine=False, others=not before)
        else:
            before = subject.names
            yield replace(subject, mine=subject.mine or owned)


def _with_head(piece: str, head: str, language: str) -> str:
    for pattern in patterns(language, "that_of"):
        match = re.match(rf"(?:{pattern})", piece, re.IGNORECASE)
        if match is not None:
            return f"{head} {piece[match.end() :].lstrip()}"
    return piece


def _head(piece: str, language: str) -> str:
    """The thing that a piece names, without whose it is; nothing where it names none by a few words."""
    articles = {*words_of(language, "articles")}
    words = read_words(wording.without(piece, patterns(language, "mine"))[0])
    while words and words[0].low in articles:
        words = words[1:]
    rest = wording.without(piece[piece.find(words[0].text) :] if words else "", patterns(language, "mine"))[0]
    called = read_words(rest)
    owners = [at for at, word in enumerate(called) if word.owns]
    named = [*takewhile(_is_called, called[owners[-1] + 1 if owners else 0 :])]
    return " ".join(word.text for word in named) if len(named) <= _HEAD else ""


def _is_called(word: Word) -> bool:
    """Whether a word still says what a thing is, and not whose or where it is."""
    return not (word.low in OF or word.gap.strip() or word.low in name_words("prepositions"))


def names_again(subjects: Sequence[parts.Subject], text: str) -> bool:
    """Whether each names the same thing, of somebody else: "my salary and the salary of Tove".

    Behind a comma alone it is said anew who somebody is: "my doctor, Doctor Hofstra".
    """
    if "," in text:
        return False
    things = [frozenset[str]().union(*(part.groups for part in subject.parts)) for subject in subjects]
    called = [bool(subject.mine) + len(subject.names) for subject in subjects]
    return bool(things[0]) and all(thing == things[0] for thing in things) and all(owners == 1 for owners in called)


def of_shared_thing(subjects: Sequence[parts.Subject], pieces: Sequence[str]) -> list[str]:
    """The pieces, each of the thing that only the last one says: "factura y el presupuesto del horno".

    Not where that is somebody, or where an earlier one is somebody's; English says it with an article each time.
    """
    *earlier, last = subjects
    articles = words_of(last.language, "articles")
    words = read_words(pieces[-1])
    joints = OF | name_words("meant_for") | _AT
    of = next((at for at, word in enumerate(words) if at and word.low in joints), 0)
    behind = [word for word in words[of + 1 :] if word.low not in articles]
    heads = [[word for word in read_words(piece) if word.low not in articles] for piece in pieces]
    plain = all(_is_plain(it) for it in subjects)
    bare = not any(word.low in articles for piece in pieces for word in read_words(piece)[:1])
    if last.language == "en" or not (earlier and of and behind and plain and (bare or words[0].low in articles)):
        return list(pieces)
    single = all(len(head) == 1 and not is_being(head[0].low) for head in heads[:-1])
    if (
        not single
        or len(heads[-1][: of - (not bare)]) != 1
        or any(relations_of(word) or kinds.is_animal(word.low) for word in behind)
    ):
        return list(pieces)
    return [*(f"{piece} {pieces[-1][words[of].start :]}" for piece in pieces[:-1]), pieces[-1]]


def _is_plain(subject: parts.Subject) -> bool:
    """Whether it is a thing of nobody's by name; a German noun alone may be read as a name."""
    lone = subject.names[0] if len(subject.names) == 1 and not subject.parts else ()
    noun = subject.language == "de" and len(lone) == 1 and lone[0] not in name_words("given")
    thing = noun or (subject.parts and not subject.names)
    return bool(thing) and not (subject.mine or subject.clause or subject.identifiers)


def is_apposed(subjects: Sequence[parts.Subject], pieces: Sequence[str], text: str) -> bool:
    """Whether two pieces call one person, at last by a name: "the chess player of the spa, Mr. Olmedo"."""
    if len(pieces) != 2 or f"{pieces[0]}, {pieces[1]}" not in text or subjects[0].clause:
        return False
    first, last = subjects
    only_named = last.names and not (last.parts or last.identifiers or last.quotes)
    articles = name_words("articles") | {*words_of(first.language, "articles"), *words_of(first.language, "first")}
    called = [word for word in read_words(pieces[0]) if word.low not in articles]
    if not only_named or not called or not (is_being(called[0].low) or _does(called[0].low, first.language)):
        return False
    return not any(is_being(word.low) for word in called[1:])


def _does(low: str, language: str) -> bool:
    """Whether a word ends as those do for somebody who does something, of which no list is whole."""
    endings = next((line.split()[1:] for line in sayings("agents") if line.split()[0] == language), [])
    return len(low) > _AGENT and low.endswith(tuple(endings)) and bool(endings)


def of_one_owner(subjects: Sequence[parts.Subject], pieces: Sequence[str]) -> bool:
    """Whether the first thing has an owner who has the others as well: "Greta's number and address"."""
    owned = len(subjects[0].names) == 1 and any(word.owns for word in read_words(pieces[0]))
    bare = not any(subject.names or subject.mine or subject.identifiers for subject in subjects[1:])
    return owned and bare and all(subject.parts and all(part.groups for part in subject.parts) for subject in subjects)
