"""A clause of a request in a language that sets words apart."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, zip_longest

from precis.finding.capitals import finite
from precis.finding.grounded.clauses import Clause, forgets, says_who, sort_of
from precis.finding.grounded.memories import Memories
from precis.finding.identifiers import identifiers_in, names_number
from precis.finding.names import Name
from precis.finding.nouns import english
from precis.finding.parts import Part, Subject
from precis.finding.reading import Word, folded, is_caseless, read_words
from precis.finding.subjects import named_groups
from precis.finding.tables import all_words, ground_asks, languages, name_words, patterns, words_of
from precis.finding.written.caseless import goes_on, is_given, without_prefix
from precis.finding.written.named import not_titled
from precis.finding.written.speaking import OF, calls_mine, is_being, is_mine

_ASIDE = frozenset("& and und et y e ed en i och og ve и і a ja și és και".split())
#: Words for what is known of somebody: "what you know about her".
_WHAT = name_words("what_is_known")
#: An "of" that has an article in it.
_OF = frozenset({"vom"})
#: What may stand between two words of a name.
_WITHIN = frozenset({" ", ". ", " & "})


@dataclass(kw_only=True)
class _Words:
    """The words of a clause by what they are."""

    #: The places of each name.
    names: list[tuple[int, ...]] = field(default_factory=list)
    #: What was meant by a mistyped one.
    meant: dict[int, str] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    #: Whether a name was read so that no memory has as it is written: "Juliann" may be another than Julian.
    guessed: bool = False
    parts: list[Part] = field(default_factory=list)
    #: Words that memories have one beside the other, in a script without capitals.
    quotes: list[str] = field(default_factory=list)


def read_spaced(clause: str, language: str, memories: Memories) -> Clause:
    """What it is about, and whether it asks to forget or to keep that."""
    marks = tuple(identifiers_in(clause))
    rest = clause
    for mark in reversed(marks):
        rest = f"{rest[: mark.start]} {rest[mark.end :]}"
    rest, old, current = _ages(rest, language)
    words: Sequence[Word] = read_words(rest)
    sorts: Sequence[str] = [sort_of(word.low, language) for word in words]
    purpose = forgets(sorts)
    whole = len(words)
    current = current and purpose is not None  # "I got a new job": what is asked for is another clause's
    if purpose is None:
        words, sorts = _told_of(words, sorts, language, memories)
    rest = rest[: words[-1].end] if words else ""
    listed = _sorted_out(rest, words, sorts, language, memories)
    asked = any(part.word in ground_asks() for part in listed.parts)
    own = calls_mine(words, language) is not None or any(word.low in all_words("first") for word in words)
    mine = not listed.names and (asked or own)
    shape = Subject(
        text=clause.strip(), parts=() if marks else tuple(listed.parts), identifiers=marks,
        not_titled=not_titled(read_words(clause)), quotes=tuple(listed.quotes),
        numbered=bool(listed.parts) and names_number(rest), mine=mine,
        language=language, old=old, current=current,
    )  # fmt: skip
    subjects = [
        replace(shape, names=form)
        for names in _alternatives(listed, words)
        for form in _forms(names, language, memories)
    ]
    return Clause(
        subjects=() if _is_of_unknown(listed, words) else tuple(it for it in subjects or [shape] if not it.empty),
        forgets=purpose,
        clear=(
            (not listed.unknown or _everything(listed, sorts))
            and (own or _is_known(listed, language))
            and not listed.guessed
            and (purpose is not None or "denies" not in sorts[:2])
        ),
        told=len(words) < whole,
        old=old,
        current=current,
        takes_up=not listed.names and any(word.low in all_words("third") for word in words),
        narrows=any(word.low in _narrowing(language) for word in words),
    )


def _is_of_unknown(listed: _Words, words: Sequence[Word]) -> bool:
    """Whether what is asked for is of somebody of whom no memory tells: "die Nummer vom Klempner"."""
    aside = name_words("articles") | all_words("first")
    owners = (next((at for at in range(it + 1, len(words)) if words[at].low not in aside), it)
              for it, word in enumerate(words) if word.low in OF | _OF)  # fmt: skip
    return any(at in listed.unknown for at in owners)


@cache
def _narrowing(language: str) -> frozenset[str]:
    """Words behind which something of somebody is asked for, and not everything that is known of them."""
    asking = frozenset(words_of(language, "asking") if language in languages() else ())
    return asking - _WHAT | frozenset(folded(part) for part in patterns(language, "earlier") if part.isalpha())


def _is_known(listed: _Words, language: str) -> bool:
    """Whether it is known whose the things are: of some languages it is only known who is named."""
    return language in languages() or bool(listed.names) or any(" " in quote for quote in listed.quotes)


def _told_of(
    words: Sequence[Word], sorts: Sequence[str], language: str, memories: Memories
) -> tuple[Sequence[Word], Sequence[str]]:
    """Of a clause that asks nothing, what stands before its verb: behind it something else is told.

    Of what somebody says, what they say.
    """
    reports = max((at for at, word in enumerate(words) if at and word.low in name_words("reports")), default=-1)
    words, sorts = words[reports + 1 :], sorts[reports + 1 :]
    begun = False
    for place, word in enumerate(words):
        begun = begun or word.low in memories.capital or bool(memories.cases(word.low, language))
        verb = finite(word) if language == "en" else not sorts[place] and not memories.has(word.low)
        if begun and place and not word.capital and verb and word.low not in ground_asks():
            return words[:place], sorts[:place]
    return words, sorts


def _ages(text: str, language: str) -> tuple[str, bool, bool]:
    """A clause without the words for old and current values, and whether it has them."""
    ages = {"old": False, "current": False}
    for age in ages if language in languages() else ():
        for expression in patterns(language, age):
            match = re.search(rf"(?<!\w)(?:{expression})(?!\w)", text, re.IGNORECASE)
            if match and match.group():
                text, ages[age] = f"{text[: match.start()]} {text[match.end() :]}", True
    return text, ages["old"], ages["current"]


def _sorted_out(text: str, words: Sequence[Word], sorts: Sequence[str], language: str, memories: Memories) -> _Words:
    """Each word as a name, a part, a quote or an unknown one."""
    covered, groups = named_groups(text, words, language if language in languages() else "en")
    groups = [part for part in groups if not all(sort_of(low, language) for low in part.word.split())]
    grouped = {at for at in covered if any(words[at].low in folded(part.word) for part in groups)}
    listed = _Words(parts=groups)
    for at, word in enumerate(words):
        titled = word.low in name_words("titles") and not owned_noun(words, at, language)
        if at in grouped or titled:
            continue
        if word.low in ground_asks() and not sorts[at]:
            listed.parts.append(Part(word=word.low, groups=frozenset({ground_asks()[word.low]})))
        elif owned_noun(words, at, language) and memories.capital[word.low]:
            listed.parts.append(Part(word=word.low))
        elif at and listed.names and listed.names[-1][-1] == at - 1 and goes_on(words, at - 1):
            listed.names[-1] = (*listed.names[-1], at)
        elif is_given(word):
            listed.names.append((at,))
            listed.meant[at] = without_prefix(word.low)
        elif _follows(listed, words, at) and _is_named(word, sorts[at], language, memories, within=True):
            listed.names[-1] = (*listed.names[-1], at)
        elif not _is_called_mine(words, at) and _is_named(word, sorts[at], language, memories):
            listed.names.append((at,))
        elif not sorts[at] and word.low not in name_words("weak"):
            _sort_out(listed, word, at, memories, language, owned=calls_mine(words, language) is not None)
    # "Frank the baker" is who, "that Frank is a baker" is what.
    told = any(word.low in name_words("copulas") for word in words)
    listed.parts = [part for part in listed.parts if told or _is_owned(words) or not (listed.names and says_who(part))]
    return listed


def _is_owned(words: Sequence[Word]) -> bool:
    """Whether it is somebody's by who they are, as words behind an "of" say: "die Nummer vom Vermieter"."""
    aside = name_words("articles") | all_words("first")
    behind = (at for at, word in enumerate(words) if word.low in OF | _OF)
    owners = (next((word.low for word in words[at + 1 :] if word.low not in aside), "") for at in behind)
    return any(owner and is_being(owner) for owner in owners)


def _sort_out(listed: _Words, word: Word, at: int, memories: Memories, language: str, *, owned: bool) -> None:
    """A word that is no name and that no table knows; ``owned`` where something is called the user's."""
    if (
        is_caseless(word.text)
        and (language not in languages() or not (listed.names or listed.parts))
        and not owned
        and any(word.low in text for text in memories.texts)
    ):
        longer = f"{listed.quotes[-1]}{word.gap}{word.text}" if listed.quotes else ""
        if longer and any(folded(longer) in text for text in memories.texts):
            listed.quotes[-1] = longer
        else:
            listed.quotes.append(word.text)
    elif memories.has(word.low):
        listed.parts.append(Part(word=word.low))
    elif (slip := memories.slip(word.low)) and memories.capital[slip] > memories.small[slip]:
        listed.names.append((at,))
        listed.meant[at], listed.guessed = slip, True
    elif slip:
        listed.parts.append(Part(word=slip))
    elif translated(word.low) is not None and not word.low.isdigit():
        listed.parts.append(Part(word=translated(word.low) or word.low))
    else:
        listed.unknown.append(at)


def translated(low: str) -> str | None:
    """The English name of an everyday thing of another language, in the singular or the plural."""
    forms = (low, low.removesuffix("s"), low.removesuffix("es"), low.removesuffix("n"), low.removesuffix("en"))
    return next((english()[form].replace("_", " ") for form in forms if form in english()), None)


def _follows(listed: _Words, words: Sequence[Word], at: int) -> bool:
    """Whether a word stands right behind one of a name."""
    behind = bool(listed.names) and listed.names[-1][-1] == at - 1
    return behind and words[at].gap in _WITHIN and not words[at - 1].owns


def _is_named(word: Word, sort: str, language: str, memories: Memories, *, within: bool = False) -> bool:
    """Whether a word of a request is a name: the memories have it as one, or it goes on one with a capital."""
    if (sort and (not word.capital or word.opens)) or word.low in all_words("first"):
        return False
    forms = memories.cases(word.low, language)
    if word.capital:
        known = bool(forms) and (not word.opens or not memories.small[word.low])
        return known or (within and language != "de")
    return language != "de" and any(memories.named[form] > memories.small[form] for form in forms)


def _is_called_mine(words: Sequence[Word], at: int) -> bool:
    """Whether an English word in small letters stands right behind "my": it is a thing, though it opens a memory."""
    return at > 0 and not words[at].capital and words[at - 1].low in {"my", "our"}


def owned_noun(words: Sequence[Word], at: int, language: str) -> bool:
    """Whether a noun is the user's: "meine Ex", with the capital of each German noun, names nobody."""
    if language == "de":
        return words[at].capital and at > 0 and words[at - 1].low in words_of("de", "first")
    return not words[at].capital and is_mine(words, at, language)


def _everything(listed: _Words, sorts: Sequence[str]) -> bool:
    """Whether everything about somebody is meant, and no unknown word stands where it could narrow that."""
    if not listed.names or listed.parts or "every" not in sorts:
        return False
    every, first, last = sorts.index("every"), listed.names[0][0], listed.names[-1][-1]
    inside = range(min(every, first), max(every, last) + 1)
    return not any(at in inside or at in {first - 1, last + 1} for at in listed.unknown)


def _alternatives(listed: _Words, words: Sequence[Word]) -> list[list[Name]]:
    """The names that are needed together; each by itself where an "and" joins them."""
    names = [tuple(listed.meant.get(at, words[at].low) for at in run) for run in listed.names]
    between = [[word.low for word in words[first[-1] + 1 : last[0]]] for first, last in pairwise(listed.names)]
    if between and all(lows and _ASIDE.issuperset(lows) for lows in between):
        return [[name] for name in names]
    return [names] if names else []


def _forms(names: Collection[Name], language: str, memories: Memories) -> Iterator[tuple[Name, ...]]:
    """The names in the forms in which memories have them."""
    forms = [memories.forms(name, language) for name in names]
    for row in zip_longest(*forms):
        yield tuple(form or own[0] for form, own in zip(row, forms, strict=True))
