"""What a text says of whoever it names: their role, their title, and what they do."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from precis.finding.capitals import ADVERBS, DENIED, SEVERAL, finite
from precis.finding.identifiers import Identifier, identifiers_in, named_number, names_number
from precis.finding.nouns import known, nouns, singular
from precis.finding.parts import NAMING, Part, Subject
from precis.finding.reading import Word, folded, read_words
from precis.finding.tables import all_words, groups, name_words, sayings
from precis.finding.values import Span
from precis.finding.written import forms, speaking, unspaced
from precis.language import tokens, verbs
from precis.language.words import STOP_WORDS

_PHONE = frozenset({"phone"})
#: Groups of whoever somebody is to the user.
PEOPLE = speaking.RELATIONS | {"doctor", "role"}

#: What kind of number or name it is, in capitals; and what they stand before.
LABELS = frozenset("id pin ssn iban vin mac ip vat imei isbn ein tin puk cvv cvc url nhs dob sim".split())
_LABELED = name_words("labeled")
#: What joins a thing and of what kind it is.
_KIND_OF = ("de ", "d'", "di ", "da ", "do ")
_OF_YEAR = re.compile(r"q[1-4]|h[12]|(?:w|kw|cw|fy|gj)\d{1,2}|fy20\d\d")
#: Turkish sets the ending of a name apart, and of nothing else: "Ay\u015fe'nin".
_BEFORE_CASE = re.compile(
    r"[^\W\d_]{2,}['\u2019](?:n?[\u0131iu\u00fc]n|y?[\u0131iu\u00fcea]|[dt][ea]n?|yl[ea]|l[ea])\b"
)
#: "The name of", where no space sets words apart.
_NAMED = re.compile("[\u306e\u7684](\u540d\u524d|\u540d\u5b57|\u59d3\u540d|\u6c0f\u540d|\u82d7\u5b57|\u540d\u79f0)$")


@cache
def _labels(what: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(sayings(what))})(?::| is| called| named)?\s+[\"']?(?P<id>\w[\w.-]*\w)")


def is_part_of_year(low: str) -> bool:
    """Whether it is a quarter, a half or a week of a year, or a year of business: "Q1", "W12", "FY24"."""
    return _OF_YEAR.fullmatch(low) is not None


def marks_asked(text: str) -> tuple[Identifier, ...]:
    """The identifiers of a request; no week of a year is one, and what is called exactly is one besides."""
    marks = (mark for mark in identifiers_in(text) if mark.kind != "code" or not is_part_of_year(mark.value))
    return tuple(marks) or _called_exactly(text)


def _called_exactly(text: str) -> tuple[Identifier, ...]:
    """What a computer or somebody at one is called exactly in a request: "server db-1", "my user name jdoe"."""
    machine = _labels("computers").search(text)
    if machine and re.search(r"[\d_-]", machine["id"]) and re.search(r"[^\W\d_]", machine["id"]):
        return (Identifier("name", machine["id"].casefold(), machine.start("id"), machine.end("id")),)
    login = _labels("logins").search(text)
    plain = login and login["id"].islower() and not known(login["id"]) and login["id"] not in STOP_WORDS
    if login and plain and not text[login.end() :].strip(" .!\"'"):
        return (Identifier("name", login["id"], login.start("id"), login.end("id")),)
    return ()


def not_titled(words: Sequence[Word]) -> frozenset[str]:
    """Titles that somebody does not have who is named with those among these words: Mrs., where it was Mr."""
    titles = {word.low for word in words}
    men, women = not titles.isdisjoint(name_words("men")), not titles.isdisjoint(name_words("women"))
    return name_words("women" if men else "men") if men != women else frozenset()


def titled_otherwise(name: Sequence[str], asked: str, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody who was asked for with a title has another one there: "Mr Young", and "Dr Young is my GP".

    Without any, where it says who that is: "Bob is my boss", of Uncle Bob.
    """
    at = folded(asked).find(name[0])
    own = _titles_of(asked, [(at, at + len(name[0]))] if at >= 0 else ())
    if not own or not spans:
        return False
    there = _titles_of(text, spans)
    if there:
        return own.isdisjoint(there)
    words = read_words(text)
    ends = {end for _, end in spans}
    return own.isdisjoint(_GENERIC) and any(
        first.end in ends and behind.low in name_words("copulas") for first, behind in pairwise(words)
    )


#: Why a row is in doubt that names somebody so.
OTHER_TITLE = "somebody of that name, with another title"
#: What any title of the same sort is read as.
_GENERIC = frozenset({"man", "woman"})


def _titles_of(text: str, spans: Sequence[Span]) -> frozenset[str]:
    """The titles before or behind what stands at these places, those of any man or any woman as one."""
    listed, behind = (
        name_words("titles") | name_words("offices"),
        name_words("titles_unspaced") | name_words("titles_behind") | name_words("offices_behind"),
    )
    men, women, titles = name_words("plain_men"), name_words("plain_women"), set[str]()
    words = read_words(text)
    for start, end in spans:
        place = next((at for at, word in enumerate(words) if word.start <= start < word.end), None)
        if place:
            before = words[place - 1].low
            owned = place > 1 and words[place - 2].low in all_words("first")  # "my sister Mary" has no title
            if before in listed and words[place].low not in listed and not owned:
                titles.add("man" if before in men else "woman" if before in women else _DOCTOR.sub("dr", before))
        tail = text[end:].lstrip(" ")
        titles |= {it for it in behind if tail.startswith(it)}
    return frozenset(titles)


#: A doctor, in whatever spelling.
_DOCTOR = re.compile(r"^(?:dr|do[ct]t?\w*|доктор\w*)$")


def roles_beside(words: Sequence[Word]) -> frozenset[str]:
    """What only says who is named, beside the name: "my friend Bill", "Ana, my boss"."""
    sides = [*pairwise(words)]
    named = [(first, last) for first, last in sides if last.capital and not first.capital and last.text != "I"]
    before = {
        first.low for first, last in named if last.gap.strip(".,") == " " and forms.agree(first.text, last.text)
    }  # "\u043c\u0430\u043c\u0435 \u0410\u0440\u0442\u0443\u0440\u0430" is whose mother it is
    behind = {
        word.low for at, word in enumerate(words) if any("," in near.gap for near in words[max(1, at - 2) : at + 1])
    }
    return frozenset(before | behind)


def narrows(text: str, subjects: Sequence[Subject]) -> bool:
    """Whether a question stands right before a name, and behind it what is told of them: "was Greta haben will".

    Not where that only says that it is about them, or who they are: "was Greta betrifft".
    """
    words, asking = read_words(text), name_words("questions")
    bare = {low for subject in subjects if not subject.parts for name in subject.names for low in name}
    for at, (before, word) in enumerate(pairwise(words), start=1):
        behind = {it.low for it in words[at + 1 :]} - name_words("copulas")
        if before.low in asking and word.low in bare and behind and name_words("concerning").isdisjoint(behind):
            return True
    return False


def only_says_which(subject: Subject, missing: Sequence[Part]) -> bool:
    """Whether words beside a name only say which one it is: "hotel Adler", "Mr. Olmedo from the spa"."""
    words = read_words(subject.text)
    named = {low for name in subject.names for low in name}
    first = next((at for at, word in enumerate(words) if word.low in named), None)
    if first is None or subject.clause or subject.states:
        return False
    opens = all(word.low in name_words("titles") | name_words("articles") for word in words[:first])
    behind = next((word for word in words[first:] if word.low not in named), None)
    whence = opens and behind is not None and behind.low in name_words("whence") and behind.gap == " "
    return whence or _stands_before(words, first, missing)


def _stands_before(words: Sequence[Word], name: int, missing: Sequence[Part]) -> bool:
    """Whether all of it is one word right before a name, as what it is; no case as of whose mother somebody is."""
    before = words[name - 1] if name else None
    if before is None or words[name].gap != " " or not forms.agree(before.text, words[name].text):
        return False
    return [part.word for part in missing] == [before.low]


def states(words: Sequence[Word]) -> bool:
    """Whether a clause begins with a name and says something of whoever has it: "Ana is a nurse"."""
    behind = next((word for word in words if not word.capital), None)
    if behind is None or words[0] is behind or behind.gap.strip(".") != " ":
        return False
    aside = behind.low in ADVERBS and (at := words.index(behind) + 1) < len(words)
    verb = words[at] if aside else behind
    return finite(verb) or DENIED.search(verb.text) is not None


def says_what(words: Sequence[Word], place: int) -> bool:
    """Whether a German noun says what somebody is who stands right before it: "Tjark Elektriker ist"."""
    if not 0 < place < len(words) - 1 or words[place + 1].low not in name_words("being_something"):
        return False
    return words[place - 1].capital and words[place + 1] is words[-1]


def before_verb(clause: str, start: int) -> str:
    """What a clause that names somebody says something of: "The details of Ana" of "... are none of our business"."""
    verb = next(
        (word for word in read_words(clause) if word.start > start and (finite(word) or word.low in SEVERAL)), None
    )
    return clause[: verb.start].strip() if verb is not None else ""


def only_labels(words: Sequence[Word], place: int, *, mine: bool) -> bool:
    """Whether a word with a capital says what kind of number it is; ``mine`` says that the user's is asked for."""
    return words[place].low in LABELS or (mine and labels(words, place))


def labels(words: Sequence[Word], place: int) -> bool:
    """Whether words with capitals only say what kind of number it is: "my Social Security number"."""
    behind = next((word for word in words[place + 1 :] if not word.capital), None)
    return behind is not None and not words[place].owns and behind.low in _LABELED


def as_asked(parts: list[Part], *, named: bool) -> list[Part]:
    """The parts of a request in another language than English, with what asks for a name or a number said to do so.

    A number of somebody's, of which nothing else is said, is that of their telephone.
    """
    if not named and len(parts) < 2:
        return parts
    naming = [part for part in parts if not part.groups and part.word in name_words("naming_nouns")]
    numbers = [part for part in parts if not part.groups and names_number(part.word)]
    if any(part.groups == _PHONE for part in parts):
        parts = [part for part in parts if part not in numbers]  # "numéros de téléphone"
    phone = numbers and all(part in numbers or speaking.is_being(part.word) for part in parts)
    groups = dict.fromkeys((part.word for part in naming), NAMING)
    groups |= dict.fromkeys((part.word for part in numbers), _PHONE) if phone else {}
    return [replace(part, groups=groups[part.word]) if part.word in groups else part for part in parts]


def with_naming(text: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a request for what somebody is called, where no space sets that apart."""
    word = _NAMED.search(text)
    people = word and any(speaking.is_being(part.word) or not PEOPLE.isdisjoint(part.roots) for part in parts)
    others = tuple(part for part in parts if word is None or part.word != word[1])
    return (*others, Part(word=word[1], groups=NAMING)) if word and people else parts


def with_number(text: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a request for something of somebody who is named, where no space sets the number apart."""
    word = named_number(text)
    return parts or ((Part(word=word, groups=_PHONE),) if word else ())


def may_be_name(text: str) -> bool:
    """Whether a word with a capital may be a name, and is no code: "Krabbe77", "KLM"."""
    return not any(map(str.isdigit, text)) and not (text.isupper() and len(text) > 1)


def is_strange(opening: Word) -> bool:
    """Whether it is no English word, and so somebody's name or of another language."""
    if opening.low in all_words("first") | all_words("articles"):
        return False
    noun = any(single in nouns().senses for single in singular(opening.low)) or opening.low in nouns().deeds
    return not noun and verbs.form_of(tokens.token(opening.low)) is None and not opening.low.endswith("ly")


def is_elided_name(word: Word) -> bool:
    """Whether it is a name with the "of" before it, which lost its vowel: "d'Anouk"."""
    before, _, name = word.text.replace("\u2019", "'").partition("'")
    return before in {"d", "dell"} and name[:1].isupper()


def compounded(word: Word, language: str) -> list[Part]:
    """The two words of which one is made: "Arzttermine" are appointments with a doctor."""
    if language not in {"de", "nl", "sv"}:
        return []
    for cut in range(len(word.low) - 4, 2, -1):
        halves = (word.low[:cut], word.low[cut:])
        known = [frozenset(name for name, (called, _) in groups().items() if called.fullmatch(half)) for half in halves]
        if all(known):
            return [Part(word=half, groups=unspaced.narrowed(names)) for half, names in zip(halves, known, strict=True)]
    return []


def with_modifiers(parts: Sequence[Part], text: str) -> list[Part]:
    """The parts of a subject, of which one only says of what kind another is: "birthday present", "regalo di nozze".

    So it is before a number: "booking number".
    """
    low = f" {folded(text)} "
    heads = [part.word for part in parts] + [word.low for word in read_words(text) if names_number(word.low)]
    return [replace(part, modifies=any(_is_kind_of(part.word, head, low) for head in heads)) for part in parts]


def _is_kind_of(word: str, head: str, low: str) -> bool:
    return f" {word} {head} " in low or any(f" {head} {of}{word} " in low for of in _KIND_OF)


def opens_with_name(text: str) -> bool:
    """Whether what is left of a request opens with somebody, as what stands behind a name says: "R\u00fcstem Bey"."""
    words = read_words(text)[1:2]
    titled = any(word.capital and word.low in name_words("titles_behind") for word in words)
    return titled or _BEFORE_CASE.match(text) is not None


def is_place(name: Sequence[str]) -> bool:
    """Whether it is the name of a place or a thing itself: "Ferry Road"."""
    return len(name) > 1 and (name[-1] in name_words("things") or name[0] in name_words("things_before"))
