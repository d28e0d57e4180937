"""What a request leaves alone: "... but not her address", "..., mine should stay", "except my dog", the greyhound.

Of "Ana's number stays, Ben's can go" the number is said of one of the two, and meant of both. What a question within a
request asks for ("where Lea lives", "où travaille ma femme") is read here, too: what stays is asked for like what goes.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from precis.finding import framing, tables, values, wording
from precis.finding.asked.refusals import denies_forgetting, has_verb, spared_in, without_denial
from precis.finding.kinds import are_akin, is_animal, is_person
from precis.finding.names import people
from precis.finding.parts import Part, Subject
from precis.finding.reading import UNSPACED, Word, folded, places_of, read_words
from precis.finding.together import following, pronouns
from precis.finding.written.speaking import RELATIONS

#: What people ask for of places in English; "what she works on" asks for no job.
_PLACED = frozenset({"home.address", "job"})
#: Groups of those of whom something is asked.
PEOPLE = RELATIONS | {"role", "doctor", "pet"}


def asked_for(parts: Sequence[Part], words: Sequence[Word], language: str, *, clause: bool) -> tuple[Part, ...]:
    """The parts of a subject, with what the verb of a question asks for, and without what only makes it one.

    ``words`` are those of the subject, ``clause`` says that it tells of what the user does.
    """
    asking = {*tables.words_of(language, "asking")}
    lows = [word.low for word in words]
    question = not asking.isdisjoint(lows[:1] if language == "en" else lows)
    if not (question or clause):
        return tuple(parts)
    read = tuple(_read(parts, lows, language, question=question))
    # Without the words of a question that no table reads, everything about somebody would be meant.
    return read if any(not part.is_of(PEOPLE) for part in read) else tuple(parts)


def asks_who(subject: Subject) -> bool:
    """Whether it asks who somebody is, and nothing else of them: "who my landlord is"."""
    words = read_words(subject.text)
    asking = bool(words) and words[0].low in tables.words_of(subject.language, "asking")
    return asking and bool(subject.parts) and all(part.is_of(PEOPLE) or is_person(part.word) for part in subject.parts)


def _read(parts: Sequence[Part], lows: Sequence[str], language: str, *, question: bool) -> Iterator[Part]:
    empty = {*tables.words_of(language, "asking"), *tables.words_of(language, "light")} if question else set()
    for part in parts:
        group = tables.ground_asks().get(part.word)
        placed = language != "en" or not question or (group in _PLACED) == (lows[0] == "where")
        if group and placed and not part.groups:
            yield replace(part, groups=frozenset({group}))
        elif part.groups or part.word not in empty:
            yield part


# A question that asks for nothing to be forgotten: "What did I say about Tomasz?".
_ASKED = re.compile(r"[?\uff1f\u061f]\s*[\"'\u201d\u00bb)]*\s*$")
#: Words that ask for something to be forgotten, or kept from being known.
_FORGETTING = frozenset({"forgets", "denies", "judges", "stores", "keeps"})


def only_inquires(text: str, language: str) -> bool:
    """Whether a text is a question that has no word by which anything is forgotten, in its language or in English."""
    if _ASKED.search(text) is None or wording.FORGETS.search(text):
        return False
    spoken = {language, "en"} & {*tables.framed_languages()}
    return not any(_FORGETTING.intersection(framing.sorts_of(text, each)) for each in spoken)


#: Between what is to be kept and what is not; and what is left beside that.
_JOINT = re.compile(
    r"(?:[,;!]|(?<!\b[MDSJ]r)(?<!\bMrs)(?<!\b[MS]s)(?<!\bSt)(?<!\bProf)(?<!\bSra)\.)"
    r"\s+(?:(?:but|and|then|aber|und|mais|et|pero|y|mas|e|ma|\u043d\u043e|\u0438)(?!\w))?\s*|\s+(?:but|and)\s+"
    r"|[\uff0c\u3001\uff1b\u3002\u060c]\s*(?:\u4f46\u662f?|\u800c|\u3067\u3082)?|\s+(?:ama|fakat|ale|maar|aber|men|mais|pero|mas|ma)\s+"
    r"|\s+(?:\u043d\u043e|\u0430|\u0644\u0643\u0646|\u0932\u0947\u0915\u093f\u0928|\u092e\u0917\u0930|\u092a\u0930)\s+|\s+[-\u2013\u2014]\s+",
    re.IGNORECASE,
)
_KEEP = re.compile(r"^(?:please )?(?:keep|remember|save|retain)\s+", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:the rest|everything else|all else|anything else|all the others|den rest|alles andere|le reste|tout le reste"
    r"|el resto|todo lo dem\u00e1s|o resto|todo o resto|il resto|tutto il resto|de rest"
    r"|al het andere|resztę?|всё остальное|остальное|gerisi)\b(?: of (?:it|that|them))?",
    re.IGNORECASE,
)
#: What somebody says to keep, or to need; and the other one of two, which is not asked for anyway.
_WANTED = re.compile(
    r"(?:but )?(?:i|we)(?:['\u2019]m|['\u2019]re|['\u2019]ll| am| are| will)?(?: still| want to| would like to)? "
    r"(?:keep(?:ing)?|need(?:ing)?) (?P<what>(?!to\b)\S.*)$",
    re.IGNORECASE,
)
_OF_ANOTHER_AGE = re.compile(
    r"(?:only )?(?:the|my|our) (?:old|older|new|newer|current|previous|other|former|latest|present)(?: ones?)?",
    re.IGNORECASE,
)
#: What is kept is called by so many words at most; so many words behind "the rest" a pronoun says of whom.
_MOST, _NEAR = 6, 3
_OWNER = re.compile(r"(?P<owner>[^,;]+?)(?:['\u2019]s|(?<=s)['\u2019]) \w")
#: Something of somebody's, of which another clause says what it is: "delete that of the dishwasher".
_THAT_OF = re.compile(r"\b(?:that|those|the one|the ones) of\b", re.IGNORECASE)
_HEAD = re.compile(r"\b(?P<head>(?:the|my|our) [\w' -]+?) of\b", re.IGNORECASE)
#: Somebody's, and not said what.
_BARE_OWNER = re.compile(r"['\u2019]s$|s['\u2019]$")
_OURS = frozenset({"mine", "ours"})


def first_kept(text: str, language: str) -> tuple[str, str]:
    """What is to be kept where a clause of its own says so, and the rest: "keep the recipes, but lose the rest"."""
    joints = [*_JOINT.finditer(text)]
    for joint in joints:
        first, last = text[: joint.start()], text[joint.end() :]
        bare, purpose = framing.unframed(first, language)
        kept = wording.stripped(_KEEP.sub("", bare), language)
        said_out = with_rest(last, kept, language)
        if (spared := spared_in(first, language, opens=True)) and _forgets(last, language):
            return spared, last
        asks = any(_forgets(it, language) for it in (last, said_out, _REST.sub("rest", last)))
        if asks and (purpose is framing.Asked.KEEP or keeps(first, language)):
            return kept, _with_head(said_out, kept)
    for joint in joints[-1:]:
        first, last = text[: joint.start()], text[joint.end() :]
        staying = _staying(last, language) or spared_in(last, language) or _kept_last(last, language)
        if not staying and denies_forgetting(last, language):
            staying = wording.stripped(without_denial(last, language), language)
        wanted = _WANTED.match(last) if language == "en" else None
        staying = staying or (wanted["what"].strip(wording.EDGE) if wanted else "")
        other = _REST.fullmatch(staying) or _OF_ANOTHER_AGE.fullmatch(staying)
        if other and _forgets(first, language):
            return "", first  # whatever is not asked for stays anyway
        if staying and _forgets(first, language):
            return _with_head(staying, first), first
    return "", text


def _kept_last(clause: str, language: str) -> str:
    """What the last clause of a request asks to keep: "..., keep mine"; not "keep it", which takes back the others."""
    bare, purpose = framing.unframed(clause, language)
    if purpose is not framing.Asked.KEEP or denies_forgetting(clause, language):
        return ""
    if "forgets" in framing.sorts_of(clause, language):
        return ""
    kept = wording.stripped(_KEEP.sub("", bare), language)
    words = read_words(kept)
    whole = {*tables.words_of(language, "third"), *tables.ground_words(language, "every"), "it", "them", "that", "this"}
    return kept if words and len(words) <= _MOST and folded(kept) not in whole else ""


def with_rest(text: str, kept: str, language: str) -> str:
    """What is asked for besides what is kept, said out: "everything else on her", of "my sister's address"."""
    rest = _REST.search(text)
    every = tables.ground_words(language, "every")
    if rest is None or not every:
        return text
    behind = text[rest.end() :]
    pronoun = next((it for it in read_words(behind)[:_NEAR] if it.low in tables.words_of(language, "third")), None)
    owner = _owner(kept, language) if pronoun else ""
    if pronoun and owner:
        behind = f"{behind[: pronoun.start]}{owner}{behind[pronoun.end :]}"
    return f"{text[: rest.start()]}{every[0]}{behind}"


def _owner(text: str, language: str) -> str:
    """Whose the thing is that a text names: "my sister" of "my sister's pay", "ma soeur" of "le nom de ma soeur"."""
    match = _OWNER.match(text)
    if match is not None:
        return match["owner"] if match["owner"] != match["owner"].lower() or " " in match["owner"] else ""
    words, first = read_words(text), tables.words_of(language, "first")
    begins = next((word.start for word in words[1:] if word.low in first or (word.capital and language != "de")), None)
    return text[begins:] if begins is not None and language != "en" else ""


def _forgets(text: str, language: str) -> bool:
    asks = framing.unframed(text, language)[1] is framing.Asked.FORGET
    asks = asks or (language not in tables.framed_languages() and has_verb(text, language))
    return asks and not keeps(text, language)


def _staying(clause: str, language: str) -> str:
    """What a clause says of that it stays, by a verb at its end: "mine should stay"."""
    endings = (
        re.search(rf"^(?P<what>\S.*?){pattern}[\s.!]*$", clause, re.IGNORECASE)
        for pattern in tables.patterns(language, "stays")
    )
    staying = next(filter(None, endings), None)
    return staying["what"].strip(wording.EDGE) if staying else ""


def _with_head(text: str, other: str) -> str:
    """What is called "that of the boiler", with what the other clause names: "the warranty of the boiler"."""
    head, pointing = _HEAD.search(other), _THAT_OF.search(text)
    if head is None or pointing is None:
        return text
    return f"{text[: pointing.start()]}{head['head']} of{text[pointing.end() :]}"


def keeps(text: str, language: str) -> bool:
    """Whether it asks to keep something; in some languages that is said at the end."""
    search = re.search if language in {"zh", "ja", "ko", "tr", "hi"} else re.match
    asks = any(search(pattern, text, re.IGNORECASE) for pattern in tables.patterns(language, "keep"))
    return asks or denies_forgetting(text, language)


def ownerless(text: str, language: str) -> str:
    """What is kept of somebody, without the word for whose it is: "her address", of one who is to be forgotten."""
    thirds = tables.words_of(language, "third")
    if UNSPACED.search(text):
        opening = max((word for word in thirds if text.startswith(word)), key=len, default="")
        return text[len(opening) :].removeprefix("\u7684").removeprefix("\u306e") or text
    words = read_words(text)
    articles = {*tables.words_of(language, "articles")}
    first = next((at for at, word in enumerate(words) if word.low not in articles), len(words))
    if len(words) > first + 1 and words[first].low in thirds:
        return f"{text[: words[first].start]}{text[words[first + 1].start :]}"
    if len(words) > first + 1 and words[-1].low in thirds:
        return text[: words[-2].end]
    return text


def completed(subjects: Sequence[Subject], kept: Sequence[Subject]) -> tuple[tuple[Subject, ...], tuple[Subject, ...]]:
    """What is asked for and what is kept, each with the thing that only the other names: "mine should stay"."""
    shared = next((own for it in kept for own in [_things(it)] if own), ())
    things = next((own for it in subjects for own in [_things(it)] if own), ())
    return (
        tuple(replace(it, parts=(*it.parts, *shared)) if shared and _is_bare(it) else it for it in subjects),
        tuple(
            replace(it, parts=(*it.parts, *things), mine=it.mine or not it.names) if things and _is_bare(it) else it
            for it in kept
        ),
    )


def _things(subject: Subject) -> tuple[Part, ...]:
    """What is somebody's, without who that is."""
    return tuple(part for part in subject.parts if not (part.is_of(PEOPLE) or is_person(part.word)))


def _is_bare(subject: Subject) -> bool:
    """Whether it only says whose something is."""
    if folded(subject.text) in _OURS:
        return True
    named = bool(subject.names or subject.parts)
    return named and not _things(subject) and _BARE_OWNER.search(subject.text) is not None


_DIGIT = re.compile(r"\d")
#: Words that begin alike in so many letters may be of one thing: a cellist plays the cello.
_BEGINS = 4


def spared(
    keeps: Sequence[Subject], rows: Sequence[values.Row], kept: Mapping[str, values.Match], own_names: frozenset[str]
) -> frozenset[str]:
    """The ids of rows that may tell of what is to be left alone, of another kind or by its name.

    ``own_names`` are the names of the user, and what was asked for.
    """
    parts = [part for subject in keeps for part in subject.parts]
    animals = [part.word for part in parts if is_animal(part.word)]
    pets = not animals and any("pet" in part.roots for part in parts)
    meant: dict[str, list[values.Span]] = {}
    for row in rows:
        match = kept[row.id]
        spans = list(match.spans) if match.level >= values.Level.DOUBTFUL else []
        spans += _animals(row.text, animals, every=pets)
        if spans or match.level >= values.Level.DOUBTFUL:
            meant[row.id] = spans
    texts = {row.id: row.text for row in rows}
    names = {name for id_, spans in meant.items() for name in pronouns.names_introduced(texts[id_], spans)} - own_names
    named = {row.id for row in rows for word in read_words(row.text) if word.capital and word.low in names}
    things = [part.word for subject in keeps if not subject.names for part in subject.parts if not part.groups]
    stems = tuple(word[: max(_BEGINS, len(word) - 1)] for word in things if len(word) > _BEGINS)
    derived = {
        row.id
        for row in rows
        if any(it.low.startswith(stems) and it.low not in things for it in (read_words(row.text) if stems else ()))
    }
    by_name = {row.id for row in rows if _is_by_name(row, keeps, own_names) or _is_dated(row, keeps, own_names)}
    return frozenset(named | meant.keys() | derived | by_name | following.going_on(rows, meant))


def _is_by_name(row: values.Row, keeps: Sequence[Subject], own_names: Collection[str]) -> bool:
    """Whether it has a word of what is to be left alone: "Lumo: ..." or "the contract ..." of "the Lumo contract".

    That is a name that was not asked for, a day, and a thing where nobody else is named.
    """
    words, called = read_words(row.text), [subject for subject in keeps if subject.names and subject.parts]
    names = {word for subject in called for name in subject.names for word in name} - {*own_names}
    days = {word.low for subject in called for word in read_words(subject.text)} & tables.calendar_words()
    if any((word.capital and word.low in names) or word.low in days for word in words):
        return True
    things = [part.word for subject in called for part in subject.parts if part.word not in own_names]
    others = any(low not in names for _, _, low in people(row.text)) or any(word.owns for word in words)
    return bool(names) and not others and any(places_of(thing, folded(row.text)) for thing in things)


def _is_dated(row: values.Row, keeps: Sequence[Subject], asked: Collection[str]) -> bool:
    """Whether it has a day, and a thing of which the day is to be left alone: "the end date of her contract"."""
    dates, low = tables.name_words("of_a_day"), folded(row.text)
    for subject in keeps if _DIGIT.search(low) else ():
        if dates.isdisjoint(word.low for word in read_words(subject.text)):
            continue
        things = [it for it in subject.parts if dates.isdisjoint(it.word.split()) and it.word not in asked]
        plain = re.split(r"\W+", low)  # "l'esame"
        if any(it.word in plain or places_of(it.word, low, subject.language) for it in things):
            return True
    return False


def _animals(text: str, kinds: Collection[str], *, every: bool) -> Iterator[values.Span]:
    """Where a text names animals that are one of these, or of which one of these is one; all of them for ``every``."""
    for word in read_words(text) if kinds or every else ():
        if not word.capital and is_animal(word.low) and (every or any(are_akin(word.low, kind) for kind in kinds)):
            yield word.start, word.end
