"""Whom or what a request is about: names, identifiers, quoted words, and words with those that mean the same."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from precis.finding.about.kept import asked_for
from precis.finding.identifiers import names_number
from precis.finding.kinds import kinds_asked, kinds_in, kinds_of, kinds_of_deed, says_whom
from precis.finding.parts import NAMING, Part, Subject
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words
from precis.finding.tables import fields, groups, name_words, patterns, raw, words_of
from precis.finding.wording import EDGE, stripped, without, without_clause, without_old
from precis.finding.written import named, that_of
from precis.finding.written.caseless import ends_mine, names_somebody, names_user, parted, uncased
from precis.finding.written.named import (
    as_asked,
    compounded,
    only_labels,
    roles_beside,
    says_what,
    states,
    with_modifiers,
    with_naming,
    with_number,
)
from precis.finding.written.speaking import OF, RELATIONS
from precis.finding.written.told import asked_spans
from precis.finding.written.unspaced import narrowed, pieces_of, things_among, unspaced
from precis.language.tables import section
from precis.language.words import STOP_WORDS

_QUOTES = '"\u201c\u201d\u00ab\u00bb\u300c\u300d'
_QUOTED = re.compile(f"[{_QUOTES}\u201e]([^{_QUOTES}]{{2,}})[{_QUOTES}]")
#: What kind of identifier follows: "IBAN", "VIN:".
_LABEL = re.compile(r"\b[A-Z]{2,5}\b[:.]?\s*$")
#: Frequent words of other languages, which name nothing.
_FUNCTION = frozenset(
    folded(word) for name, text in section("words.languages").items() if name != "English" for word in text.split()
) | name_words("prepositions")
_NAMING = re.compile(r"\bnames? of\b|['\u2019]s names?$|^what .+ (?:is|are|was|were) called$", re.IGNORECASE)
#: Groups of whoever somebody may be to the user: "my sister Anouk".
_PEOPLE = RELATIONS | {"role", "pet"}
_WITH_WHOM = re.compile(
    r"who(?:m)? (?:i|we)(?:['\u2019]?m| am|['\u2019]re| are) (?:married|engaged|dating|seeing|going out)\b",
    re.IGNORECASE,
)
_NOT = frozenset("no nao non ne n' nie \u043d\u0435 inte ikke".split())
_ASKING = re.compile(r"(?:when|where|what|who|why|how(?: \w+)?) (?:i|we)\b", re.IGNORECASE)


def subjects_of(text: str, language: str, *, each: bool = False) -> Iterator[Subject]:
    """One, or several where each part stands for itself; ``each`` of a kind is meant by "every pet"."""
    joins = "|".join(re.escape(part).replace(r"\?", "?") for part in raw(language, "joins").split("|"))
    split = pieces_of(text, joins) if language in {"zh", "ja"} else re.split(joins or r"(?!)", text)
    pieces = [piece.strip(EDGE) for piece in split if piece and piece.strip(EDGE)] or [text]
    full = that_of.in_full(that_of.of_owners(pieces) if language == "en" else pieces, language)
    subjects = [_subject(stripped(piece, language), language, each=each) for piece in full]
    if full == pieces and (shared := that_of.of_shared_thing(subjects, pieces)) != pieces:
        full, subjects = shared, [_subject(stripped(piece, language), language, each=each) for piece in shared]
    undivided = _subject(text, language, each=each)
    if len(subjects) > 1 and that_of.of_one_owner(subjects, pieces):
        yield from (replace(subject, names=subjects[0].names) for subject in subjects)
    elif (
        full != pieces
        or that_of.is_apposed(subjects, pieces, text)
        or (len(subjects) > 1 and that_of.names_again(subjects, text))
    ):
        yield from subjects
    elif len(subjects) > 1 and all(map(_independent, subjects)) and not that_of.may_share(subjects, text):
        yield from that_of.taken_up(subjects)
    else:
        yield undivided


def _independent(subject: Subject) -> bool:
    if subject.language == "ko" and any(len(name) > 1 for name in subject.names):
        return False  # "\ubbfc\uc9c0\ub791 \uc2f8\uc6b4 \uc598\uae30": what stands behind "with" is no name
    if that_of.is_owned_by_name(subject):
        return True
    kinds = sum(map(bool, (subject.names, subject.parts, subject.identifiers)))
    # "The garage code and the wifi password": each with its article is a thing of its own.
    own = subject.mine or subject.definite or all(part.groups for part in subject.parts)
    return kinds == 1 and own and len(subject.names) <= 1 and len(subject.parts) <= (3 if subject.definite else 2)


def _subject(text: str, language: str, *, each: bool = False) -> Subject:
    quotes = tuple(match[1] for match in _QUOTED.finditer(text))
    rest = _QUOTED.sub(" ", text)
    marks = named.marks_asked(rest)
    for mark in reversed(marks):
        rest = f"{_LABEL.sub('', rest[: mark.start])} {rest[mark.end :]}"
    rest, old = without_old(rest, language)
    kind, verb = without_clause(rest, language)
    asking, rest = kind != rest, kind
    rest, mine = without(rest, patterns(language, "mine"))
    opening = text.strip(EDGE).split()[:1]
    clause = (asking and not mine) or (mine and bool(opening) and folded(opening[0]) in name_words("subjects"))
    clause = clause or _ASKING.match(text.strip(EDGE)) is not None
    # "(olvida que) no bebo": what is denied is a clause.
    clause = clause or (language not in {"en", "de", "nl"} and len(opening) > 0 and folded(opening[0]) in _NOT)
    rest, current = without(rest, patterns(language, "current"), anywhere=True)
    if mine is False:
        rest, mine = without(rest, patterns(language, "mine"))
    mine = mine or asking or any(word.low in words_of(language, "first") for word in read_words(text))
    mine = mine or ends_mine(read_words(rest), language) or (language != "en" and names_user(read_words(text)))
    names, parts = _named(rest.strip(EDGE), language, mine=mine)
    if (old or current) and not parts and language in {"zh", "ja"}:
        names, parts = things_among(names, rest)
    if each := each and not (names or mine):
        parts = tuple(replace(part, kinds=part.kinds | kinds_asked(part.word, each=True)) for part in parts)
    if _WITH_WHOM.match(rest.strip(EDGE)) or _WITH_WHOM.match(text.strip(EDGE)):
        parts = (Part(word="partner", groups=frozenset({"partner"})),)
    else:
        parts = asked_for(parts, read_words(text), language, clause=clause)
    if verb:
        parts = tuple(replace(part, kinds=part.kinds | kinds_of_deed(part.word)) for part in parts)
    if marks or quotes:
        names = () if marks and language == "ko" else names  # in Hangul what stands before it would be a name
        parts = ()  # "My old number 555 1234": what stands around an identifier only says what kind it is.
    if (names and not parts and not (marks or quotes)) or any(mark.kind == "name" for mark in marks):
        old = current = False  # "my ex-flatmate Rose" says who she is, and asks for no older value.
    said = bool(names) and language == "en" and states(read_words(text))
    return Subject(
        text=text.strip(EDGE),
        names=names,
        parts=parts,
        identifiers=marks,
        quotes=quotes,
        numbered=bool(parts) and names_number(text),
        not_titled=named.not_titled(read_words(text)) if names else frozenset(),
        mine=mine,
        clause=clause,
        states=said,
        language=language,
        old=old and not said,
        current=current and not said,
        each=each,
    )


def _named(text: str, language: str, *, mine: bool) -> tuple[tuple[tuple[str, ...], ...], tuple[Part, ...]]:
    """The names and the other words of what is left."""
    if language in {"zh", "ja"} and UNSPACED.search(text):
        called, told = unspaced(text, language)
        return called, with_number(text, with_naming(text, told)) if called else with_naming(text, told)
    text = parted(text, language)
    words = read_words(text)
    covered, parts = named_groups(text, words, language)
    owned = any(word.owns for word in words)
    names: list[tuple[str, ...]] = []
    run: list[Word] = []
    for place, word in enumerate(words):
        if place not in covered and _names(word, words, place, language, mine=mine):
            if run and word.gap.strip(".- ") == "" and not run[-1].owns:
                run.append(word)
            else:
                names += [_bare(run, language)] if run else []
                run = [word]
            continue
        names += [_bare(run, language)] if run else []
        run = []
        if place not in covered:
            parts += compounded(word, language) or _part(word, language, behind=bool(parts))
    names += [_bare(run, language)] if run else []
    parts = with_modifiers(as_asked(parts, named=bool(names)) if language != "en" else parts, text)
    aside = name_words("weak") | (name_words("titles") if names and not owned else frozenset())
    roles = roles_beside(words) if names and not owned else frozenset()
    strong = [part for part in parts if not _only_says_who(part, roles) and (part.groups or part.word not in aside)]
    if names:
        strong = parts if language == "en" and states(words) else strong
        return tuple(filter(None, names)), with_number(text, tuple(_with_kinds("", strong)))
    if mine and not parts and len(words) == 1 and words[0].low in name_words("words"):
        return (), (Part(word=words[0].low),)  # "my will", which is no name and no verb
    naming = [Part(word="name", groups=NAMING)] if strong and _NAMING.search(text) else []
    return (), tuple([*_with_kinds(text, strong), *naming] or parts)


def _only_says_who(part: Part, roles: Collection[str]) -> bool:
    """Whether a word beside a name only says who that is: "my friend Bill", "the barber Frank"."""
    role = not _PEOPLE.isdisjoint(part.roots) or part.field
    return part.word in roles and (role or not part.groups) and (role or says_whom(part.word))


def _with_kinds(text: str, parts: list[Part]) -> list[Part]:
    """The parts with the kinds that they name; one that is a kind as a whole ("musical instruments") is one part."""
    phrase = " ".join(word.low for word in read_words(text) if word.low not in STOP_WORDS)
    kinds = kinds_asked(phrase) if len(parts) > 1 else frozenset()
    if kinds:
        return [Part(word=phrase, kinds=kinds)]
    return [
        replace(
            part, kinds=kinds_of(part.word, _whole(part)), deeds=kinds_in(_whole(part)) if part.field else frozenset()
        )
        for part in parts
    ]


def _whole(part: Part) -> frozenset[str]:
    """The groups that are meant as a whole; none where one thing of one was asked for."""
    return part.groups if not any("." in group for group in part.groups) else frozenset()


def _bare(run: list[Word], language: str) -> tuple[str, ...]:
    named = [word for word in run if word.low not in name_words("titles")] or run
    bare = (uncased(word.low, language) for word in named)
    empty = name_words("weak") | {*words_of("ko", "behind")} if language == "ko" else ()
    return tuple(word for word in bare if word not in empty)


def _names(word: Word, words: Sequence[Word], place: int, language: str, *, mine: bool) -> bool:
    """Whether a word of a request is a name."""
    if HANGUL.search(word.text):
        return not UNSPACED.search(word.text)
    if names_somebody(words, place):
        return True
    asked = (
        names_number(word.text)
        or named.is_part_of_year(word.low)
        or (language != "en" and word.low in name_words("naming_nouns"))
    )
    if word.capital and not asked:
        if language == "de" and (len(words) > 1 or mine or kinds_asked(word.low)):
            # Every noun has a capital.
            beside = [*words[place : place + 2], *words[max(0, place - 1) : place + 1]]
            together = any(near.capital and near is not word for near in beside) and not says_what(words, place)
            return word.low in name_words("given") or word.owns or (together and not mine)
        article = place > 0 and words[place - 1].low in words_of(language, "articles")
        plain = word.low in STOP_WORDS and word.low not in name_words("words")
        if only_labels(words, place, mine=mine and language == "en"):
            return False
        return not plain and not (language == "de" and article) and word.low not in words_of(language, "first")
    alone = (len(words) == 1 and not mine) or words[place].owns
    given = word.low in name_words("given") and (word.capital or word.low not in words_of(language, "first"))
    return given or (alone and word.low in name_words("words"))


def _part(word: Word, language: str, *, behind: bool) -> list[Part]:
    low = word.low
    skipped = low in STOP_WORDS or word.text.lower().replace("\u2019", "'") in name_words("denials")
    skipped = skipped or low in words_of(language, "articles") or low in words_of(language, "first")
    light = low in _FUNCTION or low in words_of(language, "small") or names_user([word])
    asks = any(re.fullmatch(it, word.text, re.IGNORECASE) for it in patterns(language, "begin")[2:])
    asks = asks and not (behind and low in name_words("asking_things"))  # "our booking reference"
    skipped = skipped or (language != "en" and light) or asks
    return [] if skipped or len(low) < 2 else [Part(word=low)]


def named_groups(text: str, words: Sequence[Word], language: str) -> tuple[set[int], list[Part]]:
    """Words of a request that a group or a field is called by, longest first."""
    low = folded(text)
    called: dict[tuple[int, int], tuple[set[str], bool]] = {}
    if len(low) != len(text):
        low = text.lower()
    for pattern, members in fields().values():
        for match in pattern.finditer(low):
            called.setdefault(match.span(), (set(), True))[0].update(members)
    for name, (pattern, _) in groups().items():
        for match in pattern.finditer(low):
            entry = called.setdefault(match.span(), (set(), False))
            entry[0].add(name)
    for span, name in asked_spans(low, language):
        called.setdefault(span, (set(), False))[0].add(name)
    covered: set[int] = set()
    parts: list[Part] = []
    for (start, end), (names, is_field) in sorted(called.items(), key=lambda item: item[0][0] - item[0][1]):
        places = {place for place, word in enumerate(words) if word.start < end and word.end > start}
        light = STOP_WORDS if language == "en" else OF | {*words_of(language, "small")}
        small = all(words[place].low in light for place in places)
        if not places or small or places & covered or not _called(words, places, start, end, language):
            continue
        # "Where Mbali lives": what stands for any word there may be a name.
        inner = (
            {place for place in places if place > min(places) and words[place].capital} if language == "en" else set()
        )
        covered |= places - {place for place in inner if words[place].low not in words_of("en", "first")}
        parts.append(Part(word=low[start:end], groups=narrowed(names), field=is_field))
    return covered, parts


def _called(words: Sequence[Word], places: set[int], start: int, end: int, language: str) -> bool:
    """Whether the words are those of a group, and not a name written like one or a longer word."""
    first, last = words[min(places)], words[max(places)]
    if last.low.endswith(("-in-law", "-in-laws")) and end < last.end:
        return False  # "brother-in-law" is no brother
    if HANGUL.search(first.text):
        rest = folded(last.text)[end - last.start :]
        return first.start == start and (not rest or rest in words_of("ko", "behind"))
    name_like = (
        first.capital
        and (language != "en" or first.text[1:].islower())  # "Wi-Fi", "WLAN"
        and language != "de"
        and not (
            language == "en"
            and first.opens
            and len(words) == 1
            and first.low not in name_words("given") | name_words("words")
        )
    )
    return not name_like
