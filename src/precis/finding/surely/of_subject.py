"""What is in doubt by its words, and is surely meant by how it is told: a label, a name that is said, a place."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from precis.finding.about.clauses import speaks
from precis.finding.about.topics import MAY_MEAN, MAY_NAME, OTHER_SENSE
from precis.finding.capitals import ADVERBS, calendar
from precis.finding.kinds import is_person
from precis.finding.names import people
from precis.finding.owners import ANOTHERS, THEIRS
from precis.finding.parts import NAMING, Subject
from precis.finding.reading import (
    UNSPACED,
    Word,
    folded,
    is_caseless,
    read_words,
    sentence_spans,
    users_of,
    word_from,
    words_before,
)
from precis.finding.tables import all_words, name_words
from precis.finding.values import Level, Match, Row, Span
from precis.finding.written.named import PEOPLE
from precis.finding.written.speaking import is_being, relations_of
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS, stem

#: A label, what parts it from its value, and the value.
_LABEL = re.compile(r"\s*([^:：=\n]{2,40}?)\s*[:：=]\s*(\S[^\n]*)$")
#: A label has at most so many words, and says what a number is as well.
_MOST, _NUMBERS = 4, frozenset("number no nr num".split())


def labels_it(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a note of one sentence begins with what was asked for as a label, and names nobody else."""
    match = _LABEL.match(text)
    if match is None or len(sentence_spans(text)) > 1:
        return False
    label, value = read_words(match[1]), match[2]
    if not label or len(label) > _MOST or not any(start <= match.start(1) < end for start, end in spans):
        return False
    if subject.numbered and not any(map(str.isdigit, value)):
        return False
    asked = {stem(word.low) for word in read_words(subject.text)}
    plain = all(stem(word.low) in asked or word.low in _NUMBERS for word in label)
    return plain and not _names_another(value, asked)


def _names_another(value: str, asked: Collection[str]) -> bool:
    """Whether somebody is spoken of behind a label, or it is said of what or whom it is."""
    words = read_words(value)
    if people(value) or any(word.owns for word in words):
        return True
    others = (word for word in words if not word.text[0].isdigit() and stem(word.low) not in asked)
    of = name_words("prepositions") | {"of", "for"}
    return any(
        word.low in of
        or (word.low not in STOP_WORDS and not word.capital and (is_person(word.low) or is_being(word.low)))
        for word in others
        if folded(word.text) not in {"e", "a", "b"}
    )


#: Verbs and nouns behind somebody that say what they are called.
_CALLED = frozenset("called named name".split())
_FORMER = frozenset("old former previous ex late first".split())
#: So many words may stand between somebody and what says that a name follows: "is now called".
_BETWEEN = 2
#: A name has so many words at most.
_NAME = 4
#: "\u79c1\u306e\u6b6f\u533b\u8005\u306f\u5c0f\u91ce\u5bfa\u5148\u751f\u3067\u3059", of the dentist.
_UNSPACED_NAME = re.compile(
    "[\u306f\u53eb\u662f][^\u3001\u3002\uff0c]{1,12}"
    "(?:(?:\u5148\u751f|\u3055\u3093|\u6c0f|\u69d8)(?:\u3067\u3059|\u3060)?|\u533b\u751f|\u8001\u5e08)[\u3002.!\uff01]?$"
)


def tells_name(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether somebody who was asked for is said to be called so, and nobody of theirs."""
    if not any(part.groups == NAMING for part in subject.parts):
        return False
    words = read_words(text)
    for start, end in spans:
        if not is_being(folded(text[start:end]).removesuffix("'s")):
            continue
        at, behind = word_from(words, start), words_before(words, end)
        if at and words[at - 1].low in _FORMER:
            continue
        if _is_called(words[behind : behind + _BETWEEN + 2]):
            return True
    return False


def is_name_of(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a text says who somebody of the user's is, by a name, and nothing else: "Mi dentista es la dra. Sol".

    Of two sentences it is one that says so.
    """
    if not subject.mine or not any(part.groups == NAMING for part in subject.parts):
        return False
    if not any(is_being(part.word) or not PEOPLE.isdisjoint(part.roots) for part in subject.parts):
        return False
    asked = set(spans)
    sentences = [(start, end) for start, end in sentence_spans(text) if any(start <= at < end for at, _ in asked)]
    return bool(sentences) and all(_says_who(text, sentence, asked) for sentence in sentences)


def _says_who(text: str, sentence: Span, asked: set[Span]) -> bool:
    start, end = sentence
    if UNSPACED.search(text[start:end]):
        first = tuple(filter(None, all_words("first")))
        return folded(text[start:end]).startswith(first) and _UNSPACED_NAME.search(text[start:end]) is not None
    words = [word for word in read_words(text) if start <= word.start < end]
    at = next((place for place, word in enumerate(words) if (word.start, word.end) in asked), 0)
    before, behind = words[:at], words[at + 1 :]
    articles = name_words("articles") | all_words("articles")
    own = bool(before) and before[-1].low in all_words("first") and all(it.low in articles for it in before[:-1])
    if not own or not behind:
        return False
    copulas = name_words("copulas") | name_words("hindi_verbs")
    joined = behind[0].low in copulas or "\u2014" in behind[0].gap or "\u2013" in behind[0].gap
    called = [word for word in behind if word.low not in copulas | articles]
    titled = [word for word in called if word.low in name_words("titles")]
    names = [word for word in called if word not in titled]
    caseless = all(is_caseless(word.text) for word in called)
    named = 0 < len(names) <= _NAME and (caseless or all(word.capital for word in names))
    # "My dentist is Norwegian" names nobody.
    named = named and (bool(titled) or (not caseless and (len(names) > 1 or names[0].low in name_words("given"))))
    return named and (joined or caseless) and not any("," in word.gap for word in called[1:])


def _is_called(words: Sequence[Word]) -> bool:
    """Whether a verb of naming follows, and then a name."""
    place = next((at for at, word in enumerate(words) if word.low in _CALLED), None)
    if place is None or any(word.gap != " " for word in words[: place + 1]):
        return False
    before = all(word.low in name_words("copulas") | name_words("present") for word in words[:place])
    behind = [word for word in words[place + 1 :] if word.low not in name_words("copulas")]
    return before and bool(behind) and behind[0].capital


#: What is between a word for a secret and a value of it, and a sign that is in few words of a language.
_IS_SECRET = re.compile(
    r"(?:\s+(?:for|of|to)\s+(?:my|our|the) (?P<for>[\w -]{1,30}?))?\s*(?:\bis\b|[:=])\s*(?P<value>\S{4,})"
)
_SIGNED = re.compile(r"[\d!@#$%^&*_+=~]")


def tells_secret(subject: Subject, text: str, spans: Sequence[Span]) -> bool:
    """Whether a password is told with its value, and called the user's, or that of a thing: "my Netflix password"."""
    if subject.foreign or not all(part.roots == {"secret"} for part in subject.parts):
        return False
    words, own = read_words(text), {"my", "our"} | users_of(())
    for start, end in spans:
        match = _IS_SECRET.match(text, end)
        if match is None or _SIGNED.search(match["value"]) is None:
            continue
        before = words[max(0, words_before(words, start) - _BETWEEN - 1) : words_before(words, start)]
        if before and before[-1].low in name_words("open_codes"):
            continue
        mine = next((at for at, word in reversed([*enumerate(before)]) if word.low in own), None)
        between = before[mine + 1 :] if mine is not None else before
        somebody = any(word.owns or is_person(word.low) or is_being(word.low) for word in between)
        thing = match["for"] is not None and not any(map(is_person, match["for"].lower().split()))
        if not somebody and (mine is not None or thing):
            return True
    return False


_WHERE = re.compile(
    r"(?:where (?:i|we) (?P<there>[a-z]+)(?: (?P<up>up))?|whom? (?:i|we) (?P<with>[a-z]+) for)$", re.IGNORECASE
)
#: Before a place; those of the second list only where it is no work: "works in Java".
_AT, _IN = frozenset("at for".split()), frozenset("in on near with".split())
_ARTICLES, _TOLD = frozenset({"the", "a", "an"}), 2


def tells_where(subject: Subject, text: str, own_names: Collection[str]) -> tuple[Span, ...]:
    """Where a text tells by a name where, or for whom, the user does what a clause asks for; nothing where it does not.

    It opens with the user and that verb, in the time in which it was asked.
    """
    asked = _WHERE.match(subject.text.strip())
    words = read_words(text)
    if asked is None or not speaks(words, own_names) or words[0].owns:
        return ()
    at = 1
    while at < len(words) and words[at].low in ADVERBS | {"now", "currently"}:
        at += 1
    verb = asked["there"] or asked["with"]
    if at + 1 >= len(words) or not _is_same_verb(verb.lower(), words[at].low):
        return ()
    behind = words[at + 1 + (asked["up"] is not None and words[at + 1].low == "up") :]
    work = any("job" in part.roots for part in subject.parts)
    joins = {"for"} if asked["with"] else _AT if work else _AT | _IN
    if len(behind) < _TOLD or behind[0].low not in joins or (asked["up"] and words[at + 1].low != "up"):
        return ()
    place = _place(behind[1:])
    return ((words[at].start, place.end),) if place is not None else ()


def _place(words: Sequence[Word]) -> Word | None:
    """The last word of the name of a place that begins here."""
    rest = list(words[1:] if words and words[0].low in _ARTICLES else words)
    if not rest or not rest[0].capital or calendar(rest[0].low):
        return None
    last = rest[0]
    for word in rest[1:]:
        if not word.capital or word.gap != " ":
            break
        last = word
    return last


def _is_same_verb(asked: str, told: str) -> bool:
    """Whether both are the same verb, in the present."""
    first, second = form_of(token(asked)), form_of(token(told))
    lemmas = (first.lemma if first else asked, second.lemma if second else told)
    return lemmas[0] == lemmas[1] and told in {asked, f"{asked}s", f"{asked}es"}


def raised(subject: Subject, row: Row, match: Match, own_names: Collection[str]) -> Match:
    """The match of one subject, sure where a doubt only came from its words."""
    if match.level is not Level.DOUBTFUL or not subject.mine or subject.old or subject.current or subject.value:
        return match
    if subject.clause:
        spans = () if match.why != OTHER_SENSE else tells_where(subject, row.text, own_names)
        return Match(level=Level.SURE, why="it says where that is", spans=spans) if spans else match
    if subject.names or not match.spans:
        return match
    listed = (why for doubt, tells, why in _RAISED if match.why == doubt and tells(subject, row.text, match.spans))
    why = next(listed, "")
    return Match(level=Level.SURE, why=why, spans=match.spans) if why else match


def told_by_speaker(subject: Subject, row: Row, match: Match, users: Collection[str]) -> Match:
    """The match, in doubt where the user says a figure of what they asked for, and only somebody else without a name.

    "I agreed with the landlord on a rent of 7500" is the rent of who says it.
    """
    counted = subject.mine and any(part.groups and not part.field for part in subject.parts)
    theirs = match.level is Level.NEAR and match.why == THEIRS and folded(row.speaker or "") in users
    if not (counted and theirs) or subject.names or subject.clause or not any(map(str.isdigit, row.text)):
        return match
    named = bool(people(row.text)) or any(map(relations_of, read_words(row.text)))
    return match if named else replace(match, level=Level.DOUBTFUL, why=ANOTHERS)


#: Why it was in doubt, what says that it is meant, and why it is then.
_RAISED = (
    (OTHER_SENSE, tells_secret, "it says that password"),
    (OTHER_SENSE, labels_it, "it is noted there by that label"),
    (MAY_NAME, is_name_of, "it says that name"),
    (MAY_MEAN, tells_name, "it says that name"),
)
