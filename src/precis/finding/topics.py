"""Whether a memory is about something: by its words, by words that mean the same, and by its vector."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from precis.finding.capitals import finite
from precis.finding.identifiers import identifiers_in
from precis.finding.kinds import things_of
from precis.finding.names import people
from precis.finding.nouns import is_form_of, names_thing, same_as
from precis.finding.parts import NAMING, Part, Subject
from precis.finding.reading import Word, folded, places_of, read_words
from precis.finding.tables import any_group, language_of, name_words, weak_words
from precis.finding.values import Kin, Level, Match, Row, Span
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS, runs, stem

#: Where a word of a subject stands, and whether it is that word itself.
_Hit = tuple[list[Span], bool]
#: Cosine of a subject and a memory: below the first they have hardly to do with each other; from the second on it may
#: be meant although no word says so.
_FAINT, _LIKE = 0.1, 0.42
#: From here on a memory says the same, whatever else its words may mean.
_SAME = 0.75
#: The same of a memory that opens with the user, where a clause was asked for.
_OWN_SAME, _SPEAKING = 0.5, frozenset("i i'm i've we we're".split())
_OWNING = frozenset("my our own".split())
#: The same where the things are the same and a verb or adjective is another.
_OTHERWISE = 0.86
#: Nearness of two words from which one may stand for the other, and from which one says the same.
_AKIN, _SYNONYM = 0.5, 0.8
_MEMBER = 0.4  # the same of a word and the kind that it is of
#: A memory that names one thing of a kind is meant from here on.
_ALONE = 0.05
#: One that names it in a rarer sense, from here on.
_OF_KIND = 0.3
#: The identifiers that groups stand for, and their least length.
_MARKS = {"phone": (("number", 9),), "email": (("address", 3),), "money": (("account", 8),)}
_LATIN = re.compile(r"[a-z]{3,}")
#: How English verbs end that are no nouns.
_DEEDS = ("ed", "ing")
_FITS = 0.12  # a memory whose words fit one by one is meant from here on


def match_subject(
    subject: Subject, row: Row, likeness: float, kin: Kin | None = None, own_names: Collection[str] = ("user",)
) -> Match:
    """How well the words of a subject fit, each by itself; the worst one decides."""
    if not subject.parts:
        return Match(level=Level.SURE)
    if subject.text.lower() in row.labels:
        return Match(level=Level.SURE, why="it was filed under that subject")
    low = folded(row.text)
    hits = [_hits(part, row, low) for part in subject.parts]
    if kin is not None and any(places for places, _ in hits):
        likeness = max(likeness, _nearness(subject, row.text, kin, own_names))
    spans = tuple(span for places, _ in hits for span in places)
    missing = [part for part, (places, _) in zip(subject.parts, hits, strict=True) if not places]
    by_words = Match(level=Level.NO) if missing else _by_words(subject, row, low, likeness, hits, own_names)
    by_kinds = None if by_words.level is Level.SURE else _by_kinds(subject, row, low, likeness, hits)
    match = by_kinds or by_words
    if match.level > Level.NO or not missing:
        return match
    of_kind = _of_kind(subject, low, likeness, kin) if kin and not spans else None
    if spans and subject.clause and kin and _says_same(missing, row, subject, kin, own_names):
        return Match(level=Level.SURE, why="it says the same in other words", spans=spans)
    return of_kind or _akin(subject, missing, low, spans, kin) or _partly(subject, row, missing, spans, likeness)


def _akin(
    subject: Subject, missing: Sequence[Part], low: str, spans: tuple[Span, ...], kin: Kin | None
) -> Match | None:
    """Whether a memory has a word near in meaning to each that is missing: a bride, where it was a wedding."""
    if kin is None or subject.foreign or any("." in group for part in missing for group in part.groups):
        return None
    placed = [kin.near(part.word, _AKIN).search(low) for part in missing]
    if not all(placed):
        return None
    near = tuple(match.span() for match in placed if match)
    return Match(level=Level.DOUBTFUL, why="it may be about that, in other words", spans=(*spans, *near))


def _says_same(missing: Sequence[Part], row: Row, subject: Subject, kin: Kin, own_names: Collection[str]) -> bool:
    """Whether the user speaks of the same things there, and only what is said of them is put otherwise."""
    words, clause = read_words(row.text), read_words(subject.text)
    things = any(part.groups or part.kinds or names_thing(part.word) for part in missing)
    if things or not _speaks(words, own_names) or _denials(words) != _denials(clause):
        return False
    if max(kin(subject.phrase, row.text), _nearness(subject, row.text, kin, own_names)) >= _OTHERWISE:
        return True
    content = [word.low for word in words if word.low not in STOP_WORDS]
    return all(any(kin(part.word, low) >= _SYNONYM for low in content) for part in missing)


def _denials(words: Sequence[Word]) -> bool:
    return bool({word.text.lower() for word in words} & name_words("denials"))


def _nearness(subject: Subject, text: str, kin: Kin, own_names: Collection[str]) -> float:
    """How near a memory that tells of the user by name would be if the user told it: "I keep bees"."""
    words = read_words(text)
    if not words or words[0].low not in own_names:
        return -1.0
    return kin(subject.phrase, f"{'My' if words[0].owns else 'I'}{text[words[0].end :]}")


def _by_words(
    subject: Subject, row: Row, low: str, likeness: float, hits: Sequence[_Hit], own_names: Collection[str]
) -> Match:
    """What a memory is that has each of the words, or words of their groups."""
    spans = tuple(span for places, _ in hits for span in places)
    if all(exact for _, exact in hits):
        clear = not (subject.mine or subject.names) or _together(subject, row, low)
        clear = clear or _plainly(subject, row, spans, likeness, own_names)
        doubt = "" if clear else ", perhaps in another sense"
        return Match(level=Level.SURE if clear else Level.DOUBTFUL, why=f"it has the words{doubt}", spans=spans)
    different = {low[start:end] for start, end in spans}
    strong = not all(map(weak_words().fullmatch, different))
    # "A peanut allergy" where somebody is "allergic to peanuts".
    partly = len(subject.parts) > 1 and any(exact for _, exact in hits)
    kinds = all("." in group for part in subject.parts for group in part.groups)
    spoken = subject.clause and _speaks(read_words(row.text), own_names)
    clear = strong and (likeness >= _FITS or kinds or partly or spoken or bool(subject.names))
    foreign = subject.foreign or language_of([word for word, _ in runs(low)], low) != "en"
    clear = clear or len(different) > len(subject.parts) or foreign or likeness >= _LIKE
    if clear and not any(_about_role(subject, part) for part in subject.parts):
        return Match(level=Level.SURE, why="it has words that mean the same", spans=spans)
    return Match(level=Level.DOUBTFUL, why="it has a word that may mean the same", spans=spans)


def _about_role(subject: Subject, part: Part) -> bool:
    """Whether something about somebody was asked for: "my landlord trouble"."""
    return not folded(subject.text).endswith(part.word) and any(group.startswith("role.") for group in part.groups)


def _by_kinds(subject: Subject, row: Row, low: str, likeness: float, hits: Sequence[_Hit]) -> Match | None:
    """What a memory is that names things of the kinds that were asked for; None where it names none of them."""
    named: list[tuple[Span, Level]] = []
    sure, all_named = True, True
    for part, (places, exact) in zip(subject.parts, hits, strict=True):
        things = [] if exact else list(things_of(part.kinds, row.text, low, part.deeds))
        named += things
        all_named = all_named and bool(places or things)
        sure = sure and (bool(places) or _surely(things, likeness, foreign=subject.foreign))
    if not named:
        return None
    if not all_named:
        return Match(level=Level.NEAR, why="it is about something like it")
    why = "it names a thing of that kind" if sure else "it may name a thing of that kind"
    spans = (*(span for places, _ in hits for span in places), *(span for span, _ in named))
    return Match(level=Level.SURE if sure else Level.DOUBTFUL, why=why, spans=spans)


def _surely(things: Sequence[tuple[Span, Level]], likeness: float, *, foreign: bool) -> bool:
    """Whether a memory tells of these things, and does not only have a word for one."""
    best = max((level for _, level in things), default=Level.NO)
    alone = len(things) == 1 and likeness < _ALONE and not foreign
    return (best is Level.SURE and not alone) or (best is Level.DOUBTFUL and likeness >= _OF_KIND)


def _of_kind(subject: Subject, low: str, likeness: float, kin: Kin) -> Match | None:
    """Whether a memory names things of the kind that was asked for: a carrot, where it was vegetables."""
    kind = subject.parts[0].word
    if len(subject.parts) > 1 or kind not in name_words("kinds") or not low.isascii():
        return None
    words = [match for match in _LATIN.finditer(low) if match.group() not in STOP_WORDS]
    near = {match.span(): kin(kind, match.group()) for match in words}
    spans = tuple(span for span, nearness in near.items() if nearness >= _MEMBER)
    if not spans:
        return None
    # One alone may be a part of something else: a juice bar is no fruit.
    sure = likeness >= _FITS and len({low[slice(*span)] for span in spans}) > 1
    why = "it names things of that kind" if sure else "it may name a thing of that kind"
    return Match(level=Level.SURE if sure else Level.DOUBTFUL, why=why, spans=spans)


def _speaks(words: Sequence[Word], own_names: Collection[str]) -> bool:
    """Whether a memory opens with the user, as "I" or by name: "User keeps bees"."""
    return bool(words) and (words[0].low in _SPEAKING or words[0].low in own_names)


def _plainly(subject: Subject, row: Row, spans: Sequence[Span], likeness: float, own_names: Collection[str]) -> bool:
    """Whether a memory says of the user what was asked for, and does not only have the word for it.

    Of a thing: it is called the user's own ("my dog", not "a hot dog"). Of a clause: it says nothing else, and denies
    nothing that the clause does not deny.
    """
    words = read_words(row.text)
    if language_of([word.low for word in words], row.text) != "en":
        return True
    if subject.names:
        return likeness >= _SAME or not all(_is_compound(words, span, spans) for span in spans)
    if not subject.clause:
        done = any(_done(words, span, own_names) for span in spans) and likeness >= _OWN_SAME
        return done or likeness >= _SAME or any(_owned(words, span, spans, own_names) for span in spans)
    clause = read_words(subject.text)
    # What is told behind it ("... since 2019, as the doctor says") changes nothing of it.
    behind = max((end for _, end in spans), default=len(row.text))
    other = _verbs([word for word in words if word.start < behind]) - _verbs(clause)
    near = likeness >= (_OWN_SAME if _speaks(words, own_names) else _SAME)
    return _denials(words) == _denials(clause) and not other and (len(subject.parts) > 1 or near)


def _together(subject: Subject, row: Row, low: str) -> bool:
    """Whether the words of a thing stand there as they were asked for: two words have one sense, "tax return"."""
    text = folded(subject.text)
    words = sorted((part.word for part in subject.parts), key=text.find)
    spans = places_of(" ".join(words), low) if len(words) > 1 and " ".join(words) in text and not subject.clause else []
    return any(not _is_compound(read_words(row.text), span, spans) for span in spans)


def _is_compound(words: Sequence[Word], span: Span, spans: Sequence[Span]) -> bool:
    """Whether the word at this place is the first part of another thing: the phone of a phone case."""
    behind = next((word for word in words if word.start >= span[1]), None)
    return behind is not None and _compound(behind, spans)


def _verbs(words: Sequence[Word]) -> set[str]:
    forms = ((word.low, form_of(token(word.low))) for word in words)
    return {stem(low) for low, form in forms if form is not None and not STOP_WORDS & {low, form.lemma}}


def _owned(words: Sequence[Word], span: Span, spans: Sequence[Span], own_names: Collection[str]) -> bool:
    """Whether "my" stands before it, and it is no part of another thing: "my dog", not "my hot dog" or "dog food"."""
    place = next((at for at, word in enumerate(words) if word.start < span[1] and word.end > span[0]), None)
    if place is None:
        return True
    before = list(words[max(0, place - 3) : place])
    while before and (before[-1].low in name_words("plain") or before[-1].start in {start for start, _ in spans}):
        before.pop()
    behind = next((word for word in words[place:] if word.start >= span[1]), None)
    owner = bool(before) and (before[-1].low in _OWNING or (before[-1].owns and before[-1].low in own_names))
    return owner and (behind is None or not _compound(behind, spans))


def _done(words: Sequence[Word], span: Span, own_names: Collection[str]) -> bool:
    """Whether it is what the user does: "I read", where "my reading" was asked for."""
    place = next((at for at, word in enumerate(words) if word.start == span[0]), 0)
    return place > 0 and _speaks(words[place - 1 :], own_names)


def _compound(behind: Word, spans: Sequence[Span]) -> bool:
    """Whether the word behind makes it another thing: "dog food"."""
    small = behind.gap == " " and not behind.capital and behind.low.isalpha()
    known = behind.low in STOP_WORDS or behind.low in name_words("weak") or finite(behind)
    return small and not known and behind.start not in {start for start, _ in spans}


def _partly(subject: Subject, row: Row, missing: Sequence[Part], spans: tuple[Span, ...], likeness: float) -> Match:
    """Some words are missing, or all of them."""
    if spans and any(part.groups == NAMING for part in missing) and people(row.text):
        return Match(level=Level.DOUBTFUL, why="it may say that name", spans=spans)
    if len(missing) == len(subject.parts):
        if likeness >= _LIKE:
            return Match(level=Level.DOUBTFUL, why="it seems to be about that, in other words")
        return Match(level=Level.NO)
    if likeness >= _LIKE and not any(part.groups for part in missing):
        return Match(level=Level.DOUBTFUL, why="it seems to be about that, but does not say all of it", spans=spans)
    return Match(level=Level.NEAR, why="it is about something like it")


def _hits(part: Part, row: Row, low: str) -> _Hit:
    """Where a word of a subject stands in a memory, and whether it is that word itself."""
    exact = [] if part.field else [span for span in places_of(part.word, low) if not _is_deed(part, low[slice(*span)])]
    if exact or part.word in row.labels:
        return exact or [(0, len(low))], True
    spans = [match.span() for match in any_group(part.groups, plain=low.isascii()).finditer(low)] if part.groups else []
    if part.field:
        spans += places_of(part.word, low)
    spans += _marks_of(part, row.text)
    return spans or _same_places(part, low), False


def _marks_of(part: Part, text: str) -> list[Span]:
    """Where an address of mail, an account or a telephone number stands, of a request for such."""
    if part.groups.isdisjoint(_MARKS) or not (any(map(str.isdigit, text)) or "@" in text):
        return []
    return [
        (mark.start, mark.end)
        for mark in identifiers_in(text)
        if any(
            (mark.kind, True) == (kind, len(mark.value) >= least)
            for group in part.groups
            for kind, least in _MARKS.get(group, ())
        )
    ]


def _same_places(part: Part, low: str) -> list[Span]:
    """Where a memory has a word that means the same, of a word that no group knows."""
    same = same_as(part.word) if not (part.groups or part.kinds) and part.word.isascii() else frozenset()
    return [match.span() for match in _LATIN.finditer(low) if is_form_of(match.group(), same)] if same else []


def _is_deed(part: Part, word: str) -> bool:
    """Whether a thing that a group knows was asked for, and this is what somebody did: "phoned" is no phone."""
    return bool(part.groups) and word.endswith(_DEEDS) and not part.word.endswith(_DEEDS)
