"""By what names somebody goes: "Alexandra, whom I call Sasha", and "my daughter" where one tells that it is Lea."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, takewhile

from precis.finding.doubts.bearers import of_first_name, of_role, of_title
from precis.finding.framing import only_asks
from precis.finding.kinds import is_person
from precis.finding.names import Name, people
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, read_words, word_from, words_before
from precis.finding.tables import all_words, any_group, framed_languages, groups, name_words, sayings
from precis.finding.together.pronouns import names_introduced
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written import forms, romanized, speaking, spellings
from precis.language.words import STOP_WORDS, kept

_CAPITAL = "(?-i:[A-Z\u00c0-\u00de\u0100-\u017d\u0391-\u03a9\u0410-\u042f])"
_NAME = rf"{_CAPITAL}[\w'\u2019-]*(?: {_CAPITAL}[\w'\u2019-]*)?"


_TWO_LETTERS = {
    "\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00e5": "aa", "\u00f8": "oe", "\u00e6": "ae",
}  # fmt: skip
_SIGNED = re.compile(rf"\w*[{''.join(_TWO_LETTERS)}{''.join(_TWO_LETTERS).upper()}]\w*")


@cache
def _expressions() -> tuple[re.Pattern[str], ...]:
    """What is said between two names of one person, and behind the second."""
    return tuple(
        re.compile(
            rf"(?<!\w)(?P<first>{_NAME})" + saying.replace("~", rf"(?P<last>{_NAME})").replace(" ", r"\s+") + r"(?!\w)",
            re.IGNORECASE,
        )
        for saying in sayings("aliases")
    )


def stated(text: str) -> Iterator[tuple[Name, Name, tuple[int, int]]]:
    """Two names of one person, and where the second is told."""
    if not _may_state(text):
        return
    for expression in _expressions():
        for match in expression.finditer(text):
            first, last = _name(match["first"]), _name(match["last"])
            if first and last and first != last:
                yield first, last, (match.end("first"), match.end())


def _may_state(text: str) -> bool:
    low = folded(text)
    return any(sign in low for sign in name_words("alias_signs"))


def without_aliases(text: str) -> tuple[str, tuple[tuple[Name, Name], ...]]:
    """A request without what it says of another name of somebody, and the names."""
    pairs = []
    for first, last, (start, end) in stated(text):
        pairs.append((first, last))
        text = f"{text[:start]}{text[end:]}"
        break
    return text, tuple(pairs)


def aliases_of(
    names: Collection[Name], rows: Sequence[Row], pairs: Collection[tuple[Name, Name]], asked: Iterable[str] = ()
) -> Mapping[Name, tuple[Name, ...]]:
    """By name, the other names that memories or the request give to whoever has it; none that two people share.

    ``asked`` are the subjects of the request as it writes them.
    """
    naming = forms.any_of(names)
    named = [row.text for row in rows if naming.search(folded(row.text))] if names else []
    known = {*pairs, *((first, last) for text in named for first, last, _ in stated(text))}
    known |= {(name, other) for name in names for other in _spellings(name)}
    known |= set(_typed({word for name in names for word in name}, (*asked, *(row.text for row in rows))))
    known |= set(_romanized(names, [row.text for row in rows]))
    others: dict[Name, set[Name]] = defaultdict(set)
    for first, last in known:
        others[first].add(last)
        others[last].add(first)
    whole = {name: {full for full in others if full == name or name == full[:1]} for name in names}
    return {
        name: tuple(sorted(other for full in fulls for other in others[full] if others[other] == {full}))
        for name, fulls in whole.items()
        if len(fulls) == 1
    }


def _romanized(names: Collection[Name], texts: Sequence[str]) -> Iterator[tuple[Name, Name]]:
    """Names in Latin letters, with each word as texts have it in another script."""
    called = dict(romanized.romanized({word for name in names for word in name}, texts))
    for name in names:
        if called.keys() >= set(name):
            yield name, tuple(called[word] for word in name)


def unless_guessed(name: Name, called: Name, match: Match) -> Match:
    """The match of one of somebody's names, in doubt where it is only spelled so in another script."""
    guessed = match.level is Level.SURE and any(map(romanized.is_guess, name, called))
    return replace(match, level=Level.DOUBTFUL, why="it may be that name in another script") if guessed else match


def _spellings(name: Name) -> Iterator[Name]:
    """A name of two parts as it may be written as well: "Jean-Luc", "Jean Luc"; "Blue-Bird", "BlueBird"."""
    yield from spellings.respelled_name(name)
    parts = tuple(part for word in name for part in word.split("-") if part)
    if len(name) == 1 and len(parts) > 1:
        yield parts
        yield ("".join(parts),)
    elif len(name) == 2 and name == parts:
        yield ("-".join(name),)


def spelled_out(word: str) -> str:
    """A word with two letters for one with a sign on it, as people type it: "mueller" for M\u00fcller."""
    return folded("".join(_TWO_LETTERS.get(char, char) for char in word.lower()))


def _typed(named: Collection[str], texts: Iterable[str]) -> Iterator[tuple[Name, Name]]:
    """A word of a name as texts have it, with its letters and as it is typed without them: M\u00fcller, Mueller."""
    for word in {word for text in texts if not text.isascii() for word in _SIGNED.findall(text)}:
        plain, typed = folded(word), spelled_out(word)
        if word[0].isupper() and plain != typed and not {plain, typed}.isdisjoint(named):
            yield (plain,), (typed,)


def _name(text: str) -> Name:
    """A run of words with capitals without what may only open the sentence."""
    lows = [word.low for word in read_words(text)]
    while lows and (lows[0] in STOP_WORDS or any(only_asks(lows[0], language) for language in framed_languages())):
        del lows[0]
    return tuple(lows)


_ARTICLE = re.compile(r"^(?:the|a|an|my|our) ", re.IGNORECASE)
#: Of these somebody has one at a time.
_ONE = frozenset(
    "husband wife spouse partner fiance fiancé fiancee fiancée boyfriend girlfriend mother father mom mum dad boss"
    " manager landlord landlady ex-husband ex-wife".split()
)


#: Between somebody and who they are; so many words lie within; and groups of who somebody is.
_COPULAS, _ROLE_WITHIN = frozenset("is ist est es e \u00e8 \u00e9 \u00e4r er jest".split()), 6
_NEAR = 4
_ROLES = speaking.RELATIONS | {"doctor", "role"}


def by_name(
    subjects: Sequence[Subject], rows: Sequence[Row], own_names: Collection[str]
) -> Iterator[tuple[int, Subject]]:
    """Subjects that ask for something of a relative of the user's, and of which one, asked for by the name.

    Only where all memories that say what such a relative is called say the same name.
    """
    for at, subject in enumerate(subjects):
        kin = [part for part in subject.parts if part.is_of(speaking.RELATIONS)]
        others = tuple(part for part in subject.parts if part not in kin)
        if len(kin) != 1 or not others or not subject.mine or subject.clause or subject.names:
            continue
        names = _names(kin[0], rows, own_names) - {part.word for part in others}
        if len(names) == 1:
            yield at, replace(subject, names=((names.pop(),),), parts=others, mine=False)


def by_role(subject: Subject, name: Name, row: Row, own_names: Collection[str]) -> Match | None:
    """The match of a row that says who somebody is to the user, as the request does: "my husband Greg", "my husband".

    None where it says nothing of the kind, or names somebody else. Of brothers there may be two: that is in doubt.
    """
    asked = read_words(subject.text)
    place = next((at for at, word in enumerate(asked) if at and word.low == name[0]), 0)
    role = asked[place - 1] if place and asked[place].gap == " " else None
    if role is None or not subject.mine or subject.parts or not is_person(role.low) or people(row.text):
        return None
    words, own = read_words(row.text), all_words("first") | {*own_names}
    for before, word in pairwise(words):
        if word.low == role.low and not word.owns and before.low in own:
            level = Level.SURE if role.low in _ONE else Level.DOUBTFUL
            return Match(level=level, why=f"it says {role.low}", spans=((word.start, word.end),))
    return None


def word_for_word(subject: Subject, name: Name, row: Row, match: Match) -> Match:
    """The match of a name, sure where the row has the thing word for word, "the Smith contract", or says who it is."""
    words = read_words(row.text)
    whole = (start for start, end in match.spans if word_from(words, end) - word_from(words, start) == len(name))
    if match.level is Level.DOUBTFUL and any(_is_said_to_be(words, start) for start in whole):
        return replace(match, level=Level.SURE, why="it has that name")
    phrase = _ARTICLE.sub("", subject.text).strip()
    if match.level is not Level.DOUBTFUL or not subject.parts or " " not in phrase:
        return match
    place = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", row.text)
    if place is None or not any(start >= place.start() and end <= place.end() for start, end in match.spans):
        return match
    return replace(match, level=Level.SURE, why="it has the very words")


def _is_said_to_be(words: Sequence[Word], start: int) -> bool:
    """Whether it is said to be somebody to the user: "Penny is my accountant", "Rosa ist meine Zahn\u00e4rztin"."""
    place = words_before(words, start)
    inside = words[place + 1 : place + _ROLE_WITHIN]
    if not inside or inside[0].low not in _COPULAS or any(word.gap != " " for word in inside[:-1]):
        return False
    own = next((at for at, word in enumerate(inside[1:3], start=1) if word.low in all_words("first")), 0)
    noun = [*takewhile(lambda word: word.low not in STOP_WORDS, inside[own + 1 :])] if own else []
    return bool(noun) and _says_role(noun[-1].low)  # "my favorite season" is nobody, though a favorite may be


@kept
def _says_role(low: str) -> bool:
    """Whether a noun says who somebody is to somebody."""
    named = (name for name in groups() if name.partition(".")[0] in _ROLES)
    return is_person(low) or any(expression.fullmatch(low) for name in named for expression in groups()[name])


def unless_another(subject: Subject, row: Row, match: Match, *, several: bool = False) -> Match:
    """The match of a name, in doubt where it has somebody else before it: "Pastor Mark" and not "my brother Mark".

    ``several`` says that more than one person is known by that name.
    """
    match = of_first_name(subject, row.text, of_role(subject, row.text, match, several=several))
    match = of_title(subject, row.text, match)
    if match.level is Level.SURE and _is_called_otherwise(subject, row, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="it may be somebody else of that name")
    if match.level is Level.SURE and match.spans and _is_where(subject, row, match.spans):
        return replace(match, level=Level.DOUBTFUL, why="there it may be a place")
    return match


def _is_where(subject: Subject, row: Row, spans: Collection[Span]) -> bool:
    """Whether somebody is meant, "my nephew Chase", and all that has the name is where something is: "at Chase"."""
    words = read_words(row.text)
    places = [words_before(words, start) for start, _ in spans]
    person = any(is_person(word.low) for word in read_words(subject.text))
    return person and all(at and words[at - 1].low == "at" and at < len(words) and not words[at].owns for at in places)


def _is_called_otherwise(subject: Subject, row: Row, spans: Collection[Span]) -> bool:
    own = {part for name in subject.names for part in name}
    asked = [word for word in read_words(subject.text) if is_person(word.low) and word.low not in own]
    words = read_words(row.text)
    places = [words_before(words, start) for start, _ in spans]
    called = [words[at - 1] for at in places if at and words[at].gap == " " and is_person(words[at - 1].low)]
    # "My grandmother's name was Catherine" names nobody else.
    before = (word for at in places for word in words[max(0, at - _NEAR) : at] if word.owns and word.low != "user")
    called += [word for word in before if is_person(word.low)]
    same = {word.low for word in asked}.union(*map(speaking.relations_of, asked))
    return bool(asked and called) and all(same.isdisjoint({word.low, *speaking.relations_of(word)}) for word in called)


def _names(kin: Part, rows: Sequence[Row], own_names: Collection[str]) -> set[str]:
    """What such a relative of the user's is called."""
    named: set[str] = set()
    for row in rows:
        low = folded(row.text)
        spans = [match.span() for match in any_group(kin.groups, plain=low.isascii()).finditer(low)]
        if spans and len(low) == len(row.text) and _is_users(read_words(row.text), spans, own_names):
            named.update(low for low in names_introduced(row.text, spans) if low not in own_names)
    return named


def _is_users(words: Sequence[Word], spans: Sequence[Span], own_names: Collection[str]) -> bool:
    """Whether all of them are called the user's: "my daughter", "user's daughter"."""
    own = all_words("first") | {*own_names}
    befores = [words_before(words, start) - 1 for start, _ in spans]
    return all(place >= 0 and words[place].low in own for place in befores)
