"""Whether a memory is about something: by its words, by words that mean the same, and by its vector."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from precis.finding.about import clauses, denials, measures, tellings
from precis.finding.doubts.senses import told_weakly
from precis.finding.identifiers import identifiers_in
from precis.finding.kinds import is_other, things_of, trade_in
from precis.finding.names import people
from precis.finding.nouns import is_form_of, same_as
from precis.finding.parts import NAMING, Part, Subject
from precis.finding.reading import UNSPACED, folded, places_of, read_words
from precis.finding.scripts import is_inflected
from precis.finding.tables import (
    all_words,
    any_group,
    ground_asks,
    groups,
    name_words,
    sayings,
    verbal_groups,
    weak_words,
)
from precis.finding.values import Kin, Level, Match, Row, Span
from precis.finding.written import languages, speaking
from precis.finding.written.named import only_says_which
from precis.finding.written.told import ONLY_MEANS, by_means, is_weak, only_means, told_spans
from precis.language import tokens, values
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS, kept, runs

#: Before somebody who is that no more.
_EX = "ex-"
#: What somebody has, of which there are firms as well.
_OWNED_THINGS, _JOB = frozenset("money amount debt insurance tax".split()), frozenset({"job"})
#: Where a word of a subject stands, and whether it is that word itself.
_Hit = tuple[list[Span], bool]
#: Cosine of a subject and a memory from which on it may be meant although no word says so.
_LIKE = 0.42
#: Nearness of two words from which one may stand for the other.
_AKIN = 0.5
_MEMBER = 0.4  # the same of a word and the kind that it is of
#: A memory that names one thing of a kind is meant from here on.
_ALONE = 0.05
#: One that names it in a rarer sense, from here on.
_OF_KIND = 0.3
#: The identifiers that groups stand for, and their least length.
_MARKS = {"phone": (("number", 9),), "email": (("address", 3),), "money": (("account", 8),)}
#: Before a shorter number that is somebody's, and of nothing that is named.
_OWN_NUMBER = re.compile(
    r"(?:\b(?:my|our|his|her|their|new|old|whose)|['\u2019]s?) number (?:is|was|:)(?: now)? ?$", re.IGNORECASE
)
_LATIN, _NUMBER = re.compile(r"[a-z]{3,}"), re.compile(r"\d(?: ?(?:mil|million\w*|millones|milhoes|mille))?\s+$")
#: What makes a longer word of one: "brother-in-law", "family-size"; and the word before.
_COMPOUND, _LAST_WORD = re.compile(r"-(?:in-law|(?!year|old)[a-z]{3,})"), re.compile(r"(?<![a-z])([a-z]{3,}) $")
#: Behind the name of a street.
_STREET = re.compile(r" (?:lane|street|road|avenue|square|close|court|drive|terrace|gardens|crescent|alley)\b")
#: How English verbs end that are no nouns.
_DEEDS = ("ed", "ing")
_SINCE = re.compile(r"\b(?:since|after|before|during|until|because of|due to|from) (?:the|my|our|an?|that|this|last) $")
#: Behind a word that it begins the name of a firm with, where somebody may work.
_FIRM = re.compile(
    r"[ -]?(?:compan(?:y|ies)|firms?|agenc(?:y|ies)|brokers?|gesellschaft|firma|agentur|şirket|компани|कंपनी|कम्पनी"
    r"|公司|会社|회사|shirket)"
)
_AT = re.compile(r" (?:at|for) (?:the )?[A-Z]")
_OWNED = re.compile(r"(?:^|\W)(?:my|our|his|her|their|the|a|an|this|that)\s+$")
#: The ending by which the word for a man differs from that for a woman, where that is all.
_OF_ONE = {"de": "in", "fr": "e", "pt": "o"}
#: So many characters before a word may say whose it is.
_NEAR = 40
#: Why a row is in doubt that has the words, or other ones for them.
OTHER_SENSE, MAY_MEAN = "it has the words, perhaps in another sense", "it has a word that may mean the same"
NAMES_KIND = "it names a thing of that kind"
MAY_NAME, OTHER_WORD = "it may say that name", "it has the thing, and another word for what is asked of it"
_FITS = 0.12  # a memory whose words fit one by one is meant from here on


def match_subject(
    subject: Subject, row: Row, likeness: float, kin: Kin | None = None, own_names: Collection[str] = ("user",)
) -> Match:
    """How well the words of a subject fit, or what tells it in other words."""
    match = _by_parts(subject, row, likeness, kin, own_names)
    return match if match.level is Level.SURE else tellings.match_telling(subject, row.text, own_names) or match


def _by_parts(subject: Subject, row: Row, likeness: float, kin: Kin | None, own_names: Collection[str]) -> Match:
    """How well the words of a subject fit, each by itself; the worst one decides."""
    if not subject.parts:
        return Match(level=Level.SURE)
    if subject.text.lower() in row.labels:
        return Match(level=Level.SURE, why="it was filed under that subject")
    low = folded(row.text)
    asked = frozenset(part.word for part in subject.parts)
    hits = [_hits(part, row, low, subject.language, asked) for part in subject.parts]
    if subject.old and _EX in folded(subject.text):
        hits = [
            ([(s - len(_EX) * low.startswith(_EX, max(0, s - len(_EX))), e) for s, e in it], exact)
            for it, exact in hits
        ]
    hits = hits if subject.clause else _without_means(hits, subject, low)
    if kin is not None and any(places for places, _ in hits):
        likeness = max(likeness, clauses.nearness(subject, row.text, kin, own_names))
    spans = tuple(span for places, _ in hits for span in places)
    if spans and all(part.groups == {"confidence"} for part in subject.parts):
        return Match(level=Level.SURE, why="it was told in confidence", spans=((0, len(row.text)),))
    missing = [part for part, (places, _) in zip(subject.parts, hits, strict=True) if not places]
    by_words = Match(level=Level.NO) if missing else _by_words(subject, row, low, likeness, hits, own_names)
    by_kinds = None if by_words.level is Level.SURE else _by_kinds(subject, row, low, likeness, hits)
    match = by_kinds or by_words
    doubt = _doubt(subject, row, low, hits, match.spans) if match.level is Level.SURE else ""
    match = replace(match, level=Level.DOUBTFUL, why=doubt) if doubt else match
    if match.level > Level.NO or not missing:
        return match
    of_kind = _of_kind(subject, low, likeness, kin) if kin and not spans else None
    if spans and subject.clause and kin and clauses.says_same(missing, row, subject, kin, own_names):
        return Match(level=Level.SURE, why="it says the same in other words", spans=spans)
    return of_kind or _akin(subject, missing, low, spans, kin) or _partly(subject, row, missing, spans, likeness)


def _doubt(subject: Subject, row: Row, low: str, hits: Sequence[_Hit], spans: Sequence[Span]) -> str:
    """Why what has all the words may be about something else after all; nothing where nothing says so."""
    if denials.only_denied(subject, row.text):
        return "the request says that it is not so"
    if subject.mine and clauses.only_in_works(row.text, spans):
        return "a book or a film is about that there"
    if _tells_no_secret(subject, row.text, low, spans):
        return "it tells none"
    if denials.denied_there(subject, row.text, spans):
        return "it says that it is not so"
    only = not subject.clause and _only_means(hits, subject, low)
    return ONLY_MEANS if only else ""


def _without_means(hits: Sequence[_Hit], subject: Subject, low: str) -> list[_Hit]:
    """The places of other words than those asked for, without what only says by what it was told: "am Telefon"."""
    if all(exact for _, exact in hits) or by_means(folded(subject.text)):
        return list(hits)
    return [(places if exact else [it for it in places if not only_means(low, [it])], exact) for places, exact in hits]


def _only_means(hits: Sequence[_Hit], subject: Subject, low: str) -> bool:
    """Whether one of the very words only says by what something was told: "over the phone"."""
    return any(only_means(low, places) for places, _ in hits) and not by_means(folded(subject.text))


def _akin(
    subject: Subject, missing: Sequence[Part], low: str, spans: tuple[Span, ...], kin: Kin | None
) -> Match | None:
    """Whether a memory has a word near in meaning to each that is missing: a bride, where it was a wedding."""
    known = any(part.modifies or any("." in group for group in part.groups) for part in missing)
    if kin is None or subject.foreign or known:
        return None
    placed = [kin.near(part.word, _AKIN).search(low) for part in missing]
    if not all(placed):
        return None
    near = tuple(match.span() for match in placed if match)
    return Match(level=Level.DOUBTFUL, why="it may be about that, in other words", spans=(*spans, *near))


def _by_words(
    subject: Subject, row: Row, low: str, likeness: float, hits: Sequence[_Hit], own_names: Collection[str]
) -> Match:
    """What a memory is that has each of the words, or words of their groups."""
    spans = tuple(span for places, _ in hits for span in places)
    if subject.foreign and any(part.word in ground_asks() for part in subject.parts) and not _begin(row.text, spans):
        return Match(level=Level.DOUBTFUL, why=OTHER_SENSE, spans=spans)
    if all(exact for _, exact in hits):
        clear = not (subject.mine or subject.names) or clauses.together(subject, row, low)
        clear = clear or clauses.plainly(subject, row, spans, likeness, own_names)
        clear = clear and (subject.mine or bool(subject.names) or not clauses.another_thing(subject, row, spans))
        clear = clear or (likeness >= _FITS and not subject.clause and clauses.is_called(subject, row.text, low, hits))
        why = "it has the words" if clear else OTHER_SENSE
        return Match(level=Level.SURE if clear else Level.DOUBTFUL, why=why, spans=spans)
    different = {low[start:end] for start, end in spans}
    tongues = {_spoken(row.text, subject.language), subject.language}
    roots = {root for part in subject.parts for root in part.roots}
    strong = not all(weak_words().fullmatch(each) or is_weak(each, tongues, roots) for each in different)
    # "A peanut allergy" where somebody is "allergic to peanuts".
    partly = len(subject.parts) > 1 and any(exact for _, exact in hits)
    kinds = all("." in group for part in subject.parts for group in part.groups)
    spoken = subject.clause and clauses.speaks(read_words(row.text), own_names)
    clear = strong and (likeness >= _FITS or kinds or partly or spoken or bool(subject.names))
    clear = clear or (strong and subject.mine and clauses.called_mine(read_words(row.text), spans))
    clear = clear or (bool(spans) and spans == trade_in(row.text))
    elsewhere = languages.language_of([word for word, _ in runs(low)], low) != "en"
    # "Ho guadagnato un'ora" is of no salary, in the language of its request.
    doubted = is_inflected(low) or (elsewhere and all(map(weak_words().fullmatch, different)))
    foreign = (subject.foreign or elsewhere) and (strong or not doubted)
    clear = clear or len(different) > len(subject.parts) or foreign or likeness >= _LIKE
    clear = clear and not (_shared(hits) or told_weakly(subject, row.text, low, hits, tongues))
    clear = clear and not (subject.clause and denials.denies_more(subject, read_words(row.text), spans))
    clear = clear and not (subject.foreign and _may_be_another(subject, low, hits))
    clear = clear and not (subject.clause and _leaves_deed(subject, low))
    clear = clear and not any(_is_other_kin(part, exact) for part, (_, exact) in zip(subject.parts, hits, strict=True))
    clear = clear and not any(
        not exact and not part.groups and _is_circumstance(low, places)
        for part, (places, exact) in zip(subject.parts, hits, strict=True)
    )
    if clear and not any(_about_role(subject, part) for part in subject.parts):
        return Match(level=Level.SURE, why="it has words that mean the same", spans=spans)
    return Match(level=Level.DOUBTFUL, why=MAY_MEAN, spans=spans)


def _may_be_another(subject: Subject, low: str, hits: Sequence[_Hit]) -> bool:
    """Whether it tells of another relative than one that no kind of a group knows, or of a firm of what was asked for.

    "\u4fdd\u9669\u516c\u53f8" is no insurance of the user's.
    """
    pairs = [(part, places) for part, (places, exact) in zip(subject.parts, hits, strict=True) if not exact]
    kin = any(part.is_of(speaking.RELATIONS) and not part.field and not _is_any(part) for part, _ in pairs)
    ends = {end for part, places in pairs if not _OWNED_THINGS.isdisjoint(part.roots) for _, end in places}
    starts = {match.start() for match in any_group(_JOB, plain=low.isascii()).finditer(low)} if ends else set[int]()
    return kin or any(not low[end:start].strip() for end in ends for start in starts if end <= start <= end + 1)


def _is_any(part: Part) -> bool:
    """Whether it is said of a kind of a relative, or of all of them: "relatives"."""
    return any("." in group for group in part.groups) or any(
        re.fullmatch(pattern, part.word) for pattern in sayings("any_kin")
    )


def _is_other_kin(part: Part, exact: bool) -> bool:  # noqa: FBT001 - as the hits have it
    """Whether kin was asked for by a word that no kind knows, and a memory has another: of a cousin an aunt."""
    return not exact and part.groups == {"relative"} and part.word not in name_words("all_kin")


def _is_circumstance(low: str, spans: Sequence[Span]) -> bool:
    """Whether it only says since when or why something is: "it clicks since the run"."""
    return bool(spans) and all(_SINCE.search(low, max(0, start - _NEAR), start) for start, _ in spans)


def _leaves_deed(subject: Subject, low: str) -> bool:
    """Whether a clause of a whole field says what is done, and a memory does not: "how much money I have saved"."""
    if subject.language != "en" or not all(part.field for part in subject.parts):
        return False
    asked = {word.low for part in subject.parts for word in read_words(part.word)}
    forms = [form_of(tokens.token(word.low)) for word in read_words(subject.text) if word.low not in STOP_WORDS | asked]
    deeds = [form.lemma for form in forms if form is not None]
    return bool(deeds) and not any(places_of(deed, low) for deed in deeds)


def _shared(hits: Sequence[_Hit]) -> bool:
    """Whether one word stands for two of those that were asked for: "take part" of "what I take as medicine"."""
    exact = {span for places, plain in hits if plain for span in places}
    return any(not plain and exact.issuperset(places) for places, plain in hits)


def _tells_no_secret(subject: Subject, text: str, low: str, spans: Sequence[Span]) -> bool:
    """Whether a PIN or a code was asked for, and this is only a word that has other senses: "a pin of the club"."""
    secret = any(part.groups == {"secret"} for part in subject.parts)
    weak = all(weak_words().fullmatch(low[slice(*span)].removesuffix("s")) for span in spans)
    return secret and bool(spans) and weak and not any(map(str.isdigit, text))


def _begin(text: str, spans: Sequence[Span]) -> bool:
    """Whether one of these places begins a sentence, or stands right behind its subject: not "m\u00fasica en vivo"."""
    starts = {start for start, _ in spans}
    words = read_words(text)
    first = all_words("first") | all_words("third")
    return any(
        word.start in starts and (word.opens or before.low in first or before.opens)
        for before, word in zip((words[0], *words), words, strict=False)
    )


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
    why = NAMES_KIND if sure else "it may name a thing of that kind"
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


def _partly(subject: Subject, row: Row, missing: Sequence[Part], spans: tuple[Span, ...], likeness: float) -> Match:
    """Some words are missing, or all of them."""
    if doubt := _may_tell(subject, row, missing, spans):
        return Match(level=Level.DOUBTFUL, why=doubt, spans=spans)
    if len(missing) == len(subject.parts):
        if likeness >= _LIKE:
            return Match(level=Level.DOUBTFUL, why="it seems to be about that, in other words")
        return Match(level=Level.NO)
    if likeness >= _LIKE and not any(part.groups - verbal_groups() for part in missing):
        return Match(level=Level.DOUBTFUL, why="it seems to be about that, but does not say all of it", spans=spans)
    return Match(level=Level.NEAR, why="it is about something like it")


def _may_tell(subject: Subject, row: Row, missing: Sequence[Part], spans: Sequence[Span]) -> str:
    """Why a memory may be meant that has the thing or the name, and not all that was asked of it."""
    low = folded(row.text)
    if spans and any(part.groups == NAMING for part in missing) and _names_somebody(row.text):
        return MAY_NAME
    named = any(places_of(word, low, subject.language) for name in subject.names for word in name)
    if named and only_says_which(subject, missing):
        return "it has the name, and says not whether it is that one"
    if not spans or len(missing) == len(subject.parts):
        return ""
    if tellings.says_where(subject, missing):
        return "it tells that, and not in which words where"
    if subject.names and all(part.modifies for part in missing):
        return "it has the thing, and says not of what kind"
    return "" if subject.clause else _tells_otherwise(subject, row, low, missing)


def _tells_otherwise(subject: Subject, row: Row, low: str, missing: Sequence[Part]) -> str:
    """Why a memory that has the thing may tell what is missing by another word."""
    kinds = [_alike(part) for part in missing]
    if all(any(it.search(low) for it in alike) for alike in kinds):
        return OTHER_WORD
    secret = all(alike or part.groups == {"secret"} for part, alike in zip(missing, kinds, strict=True))
    if secret and any(mark.kind == "number" or mark.value.isdigit() for mark in identifiers_in(row.text)):
        return "it has the thing, and a figure"
    if all(part.word in name_words("light_things") for part in missing):
        return "it has the thing"
    told = subject.mine and all(speaking.is_being(part.word) for part in missing) and _reports(row.text)
    return "somebody tells it there, who may be meant" if told else ""


def _reports(text: str) -> bool:
    """Whether somebody who is named says something: "Frau Nowak meint"."""
    verbs = name_words("reports") | name_words("reports_abroad")
    ends = {end for _, end, _ in people(text)}
    return any(before.end in ends and word.low in verbs for before, word in pairwise(read_words(text)))


def _alike(part: Part) -> Sequence[re.Pattern[str]]:
    """What else is said for a word that has other senses, too, and by which no group is asked for: a code is a PIN."""
    if not part.groups <= {"code"} or not weak_words().fullmatch(part.word):
        return ()
    return [words for name, (_, words) in groups().items() if "." not in name and words.fullmatch(part.word)]


def _names_somebody(text: str) -> bool:
    """Whether somebody is named in it, in a script without capitals by a title."""
    titled = any(word.low in name_words("titles") and not word.text.isascii() for word in read_words(text))
    return titled or bool(people(text)) or any(title in text for title in name_words("titles_unspaced"))


def _hits(part: Part, row: Row, low: str, language: str, asked: Collection[str]) -> _Hit:
    """Where a word of a subject stands in a memory, and whether it is that word itself; no relative of other gender.

    ``asked`` are all words of the subject: those that stand together in the request make nothing else of each other.
    """
    spans, exact = _all_hits(part, row, low, language, asked)
    if language != "en" and part.is_of(speaking.RELATIONS):
        spans = [span for span in spans if not _is_of_other_gender(part.word, low[slice(*span)], language)]
    return spans, exact


def _is_of_other_gender(asked: str, word: str, language: str) -> bool:
    """Whether two words differ only in that one is of a woman: "hermana", "hermano"; "cousin", "cousine"."""
    short, long = sorted((asked, word), key=len)
    vowels = {asked[-1:], word[-1:]} == {"a", "o"} and asked[:-1] == word[:-1]
    ending = "e" if language == "de" and short.endswith("in") else _OF_ONE.get(language, " ")
    return (vowels and language in {"es", "it", "pt"}) or long == short + ending


def _all_hits(part: Part, row: Row, low: str, language: str, asked: Collection[str]) -> _Hit:
    # "My drinking" is no tea: whatever else is drunk is only a word that may mean it.
    broad = part.field or (part.word == "drinking" and "drinking" in part.groups)
    exact = [] if broad else _forms_of(part, row, low, places_of(part.word, low), language, asked)
    if exact or part.word in row.labels:
        return exact or [(0, len(low))], True
    spans = [match.span() for match in any_group(part.groups, plain=low.isascii()).finditer(low)] if part.groups else []
    spans = [span for span in spans if not _of_longer(part, low, span, asked)]
    spans = [span for span in spans if not (part.modifies and _is_deed(part, low[slice(*span)]))]
    spans = [span for span in spans if not (part.field and _FIRM.match(low, span[1]))]
    if language != "en" and not (spans or part.field):
        forms = _forms_of(part, row, low, places_of(part.word, low, language), language, asked)
        if forms:
            return forms, True
    telling = [*told_spans(part.groups, low, lambda: {language, _spoken(row.text, language)})] if part.groups else []
    spans += [span for span, surely in telling if surely or not spans]
    if part.field:
        spans += [span for span in places_of(part.word, low, language) if not _of_longer(part, low, span, asked)]
    spans += _marks_of(part, row.text)
    spans += trade_in(row.text) if "job" in part.groups and not spans and low.isascii() else ()
    spans += _trade_at(row.text) if "job.employer" in part.groups and not spans and low.isascii() else ()
    return spans or _same_places(part, low), False


def _trade_at(text: str) -> Sequence[Span]:
    """Where it says what somebody is by trade, and at what firm or house: "is a bookkeeper at Bellthorpe Ltd."."""
    return [span for span in trade_in(text) if _AT.match(text, span[1])]


@kept
def _spoken(text: str, likely: str) -> str:
    return languages.language_of([word.low for word in read_words(text)], text, likely)


def _of_longer(part: Part, low: str, span: Span, asked: Collection[str]) -> bool:
    """Whether it is a part of a longer word for somebody else: of "brother-in-law"; of an aunt in Japanese."""
    start, end = span
    if _STREET.match(low, end) or _COMPOUND.match(low, end) or _is_other_compound(low, span, asked):
        return True
    if end - start > 1 or not start or not UNSPACED.match(low[start]):
        return False
    return any(
        called.fullmatch(low[start - 1 : end]) and name not in part.groups for name, (called, _) in groups().items()
    )


def _is_other_compound(low: str, span: Span, asked: Collection[str]) -> bool:
    """Whether a word is the second of two that are something else together, and not both asked for: "hot dog"."""
    before = _LAST_WORD.search(low, max(0, span[0] - _NEAR), span[0])
    return before is not None and before[1] not in asked and is_other(before[1], low[slice(*span)])


def _forms_of(part: Part, row: Row, low: str, spans: list[Span], language: str, asked: Collection[str]) -> list[Span]:
    """Of the places of a word those where it is that word: no verb, no other thing and no part of a longer one.

    In German a noun has a capital: "ich vermiete" is no "Vermieter".
    """
    nouns = language == "de" and not row.text.islower()
    return [
        span
        for span in spans
        if not _is_deed(part, low[slice(*span)]) and not _is_thing(part, low, span)
        if not (_of_longer(part, low, span, asked) or _is_unit(part, low, span))
        if not nouns or low[slice(*span)] == part.word or low[slice(*span)] not in row.text
    ]


def _marks_of(part: Part, text: str) -> list[Span]:
    """Where an address of mail, an account or a telephone number stands, of a request for such."""
    if part.groups.isdisjoint(_MARKS) or not (any(map(str.isdigit, text)) or "@" in text):
        return []
    return [
        (mark.start, mark.end)
        for mark in identifiers_in(text)
        if not (mark.kind == "number" and measures.is_called_otherwise(text, mark.start, part.groups))
        if ("phone" in part.groups and mark.kind == "number" and _OWN_NUMBER.search(text[: mark.start]) is not None)
        or any(
            (mark.kind, True) == (kind, len(mark.value) >= least)
            for group in part.groups
            for kind, least in _MARKS.get(group, ())
        )
    ]


def _same_places(part: Part, low: str) -> list[Span]:
    """Where a memory has a word that means the same, of a word that no group knows."""
    same = same_as(part.word) if not (part.groups or part.kinds) and part.word.isascii() else frozenset()
    return [match.span() for match in _LATIN.finditer(low) if is_form_of(match.group(), same)] if same else []


def _is_thing(part: Part, low: str, span: Span) -> bool:
    """Whether what somebody does was asked for ("dating"), and this is a thing called so ("my date")."""
    word = low[slice(*span)]
    return (
        part.word.endswith("ing")
        and not word.endswith(_DEEDS)
        and _OWNED.search(low[max(0, span[0] - _NEAR) : span[0]]) is not None
    )


def _is_unit(part: Part, low: str, span: Span) -> bool:
    """Whether it is a form of the word that only says in what a number counts: "850 pesos", of "mi peso"."""
    word = low[slice(*span)]
    counted = _NUMBER.search(low, max(0, span[0] - _NEAR), span[0]) is not None
    weight = "body.weight" in part.groups and word == f"{part.word}s"  # "a pesos" are coins
    return word != part.word and bool(values.unit_of(word)) and (counted or weight)


def _is_deed(part: Part, word: str) -> bool:
    """Whether a thing that a group knows was asked for, and this is what somebody did: "phoned" is no phone."""
    deed = word.endswith(_DEEDS) and (part.modifies or not part.word.endswith(_DEEDS))
    return bool(part.groups or part.modifies) and deed and word != part.word
