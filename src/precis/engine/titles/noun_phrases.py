"""Noun phrases of English where they stand: words behind a determiner, a preposition, a verb or a number. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import MOODS
from precis.language.grammar import AMBIGUOUS_FORMS, DEGREES, FORMS, PEOPLE
from precis.language.sentences import sentences
from precis.language.vocabulary import (
    ADJECTIVES,
    AIDS,
    BEHIND,
    COUNTS,
    GENERAL_STEMS,
    LONGEST,
    LY,
    NO_NOUNS,
    PASTIMES,
    PREPOSITIONS,
    UNITS,
    does,
    ends_well,
    is_general_noun,
    is_noun,
    is_term,
    is_verb,
    names_doing,
    opens_as_noun,
)
from precis.language.words import STOP_WORDS, kept, kept_where_short, stem
from precis.summary import speaker_of, unattributed

_DETERMINERS = frozenset(tables.words("titles.determiners"))
#: Behind one of these stands when, where or with what.
_BESIDE = frozenset(tables.words("titles.beside")) | PREPOSITIONS
_OWN = frozenset(tables.words("titles.own"))
#: Who are many, or speak as many, without an ending.
_MANY = frozenset(tables.words("titles.many"))
#: Verbs behind which somebody does something, "let the dog run", and those of questions.
_CAUSING = frozenset(tables.words("titles.causing")) | AIDS
_IS, _OPENING = frozenset("is was are were".split()), COUNTS | BEHIND
_LINKING = frozenset(tables.words("titles.linking"))
_PARTING = frozenset("out up off away down".split())
_ADVERBS = frozenset(tables.words("titles.adverbs"))
_ENDING, _NO_HEADS = STOP_WORDS | PREPOSITIONS | BEHIND | _ADVERBS, _ADVERBS | DEGREES | COUNTS
_VERBS, _NO_ENDINGS = FORMS.keys() | AMBIGUOUS_FORMS.keys(), (*ADJECTIVES, "al", "ic", "ant", "ing", "ed", "ly")
#: Letters before the sign of a currency are a part of it, "R$ 18", and a figure is of the code that ends with it.
TOKEN = re.compile(
    r"[^\W\d_]+-?\d[\w-]*(?<!-)|[^\W\d_]+(?:['\u2019-][^\W\d_]+)*(?![^\W\d_]*[$\u20a0-\u20cf])|[^\s\w]|\d+"
)
#: What a picture shows, and the date behind a relative one, are not what was talked of.
ASIDE = re.compile(r"\[[^\]]*\]|\([^)]*\)")
_APOSTROPHE = re.compile(r"['\u2019]")
#: Somebody's: a determiner as good as "the".
_GENITIVE = re.compile(r"[^\W\d_].*['\u2019]s|[^\W\d_]+s['\u2019]")
#: Two tokens are a word and what follows it.
_FOLLOWS = 2


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase where it stands."""

    text: str
    stems: tuple[str, ...]
    speaker: str | None
    own: bool
    #: Whether what stands before it says that it is a noun phrase; else only that it comes back does.
    sure: bool = True
    #: Whether it is one noun where an object or a subject stands: "I dropped dairy", "300 kanji", "Rowing keeps me".
    is_object: bool = False
    #: Whose it is, where that stands before it: "Mum's".
    owner: str = ""
    #: Whether it is who does something, what is done or what that is about, and not when, where or with what.
    is_core: bool = False


def _phrases_in(text: str) -> Iterator[Phrase]:
    speaker = speaker_of(text)
    for sentence in sentences(body(text)):
        tokens = TOKEN.findall(sentence)
        for at, token in enumerate(tokens):
            lowered = token.casefold()
            if lowered in _DETERMINERS or lowered in PREPOSITIONS or _is_genitive(token):
                before = tokens[at - 1].casefold() if at else ""
                core = lowered == "about" or not {lowered, before} & _BESIDE
                run = _run(tokens[at + 1 :], before if lowered in _DETERMINERS else None)
                owner = token if _is_owner(tokens, at) else ""
                if run:
                    yield _phrase(run, speaker, own=lowered in _OWN, owner=owner, is_core=core)
                if len(run) > 1 and ends_well(run[-1]):  # what it is, without what kind of it
                    yield _phrase(run[-1:], speaker, own=lowered in _OWN, owner=owner)
            elif at == 0 or _opens(tokens[at - 1]):
                if _is_done(lowered, tokens[at + 1 :]):
                    yield _phrase([tokens[at + 1]], speaker, sure=False, is_object=True)
                # The first word of a sentence has its capital from there.
                run = _open_run([token.lower() if at == 0 else token, *tokens[at + 1 :]])
                stands = _is_subject(run, tokens[1:]) if at == 0 else _is_object(tokens[at - 1], run)
                for part in _parts_of(run):
                    yield _phrase(part, speaker, sure=False, is_object=stands and part == run[-1:])
                if at == 0 and _is_doing(lowered, tokens[1:]):
                    doing = _APOSTROPHE.split(lowered)[0]
                    yield _phrase([doing], speaker, sure=False, is_object=True)


phrases_of: Callable[[str], tuple[Phrase, ...]] = kept(lambda statement: tuple(_phrases_in(statement)))


def _single_nouns(text: str) -> Iterator[Phrase]:
    for phrase in phrases_of(text):
        for word, root in zip(phrase.text.split(), phrase.stems, strict=True):
            # Of "fashion editors" fashion is a noun, too; of "new shop" new is not.
            may_end = word[0].islower() and len(word) > LONGEST and ends_well(word)
            is_noun = may_end and word not in UNITS and not word.endswith(ADJECTIVES)
            if is_noun or (phrase.is_object and len(phrase.stems) == 1):
                yield replace(phrase, text=word, stems=(root,))
    speaker = speaker_of(text)
    for sentence in sentences(body(text)):
        tokens = TOKEN.findall(sentence)
        for before, token, behind in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
            opening, word = before.casefold(), token.casefold()
            if opening in _DETERMINERS and is_general_noun(word) and _opens(behind or "."):
                yield _phrase([token], speaker, own=opening in _OWN)
                continue
            is_subject = (behind in _IS or behind.isdigit()) and opens_as_noun(word)
            if not before and (is_subject or (behind in PREPOSITIONS and names_doing(word))):
                yield _phrase([word], speaker, sure=False, is_object=True)


single_nouns_of: Callable[[str], tuple[Phrase, ...]] = kept(lambda statement: tuple(_single_nouns(statement)))
"""What may be a noun by itself: parts of noun phrases, a general noun behind a determiner, and what people do."""


def _phrase(
    run: Sequence[str], speaker: str | None, *,
    own: bool = False, sure: bool = True, is_object: bool = False, owner: str = "", is_core: bool = False,
) -> Phrase:  # fmt: skip
    return Phrase(
        text=" ".join(run), stems=tuple(stem(word.casefold()) for word in run), speaker=speaker, own=own, sure=sure,
        is_object=is_object, owner=owner, is_core=is_core,
    )  # fmt: skip


def _opens(token: str) -> bool:
    """Whether a noun phrase without a determiner may follow: "I use dark mode", "not dark mode"."""
    word = token.casefold()
    return word in STOP_WORDS or word in FORMS or word in COUNTS or not word[0].isalpha()


def _is_subject(run: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether this is the plural that a sentence opens with, before what it is or does: "Pets seem happy"."""
    return len(run) == 1 and run[0].endswith("s") and not run[0].endswith(("ss", "us", "is")) and does(behind)


def _is_done(before: str, behind: Sequence[str]) -> bool:
    """Whether what people do stands behind a verb or a preposition: "I love swimming", "tired of rowing"."""
    word = behind[0].casefold() if behind else ""
    opens = before in FORMS and before not in STOP_WORDS
    is_general = stem(word) in GENERAL_STEMS and word not in PASTIMES
    is_doing = word in FORMS and FORMS[word].kinds == {"ing"} and word not in NO_NOUNS and not is_general
    # What it is done to, or whom: "I love painting horses" is of horses.
    return opens and is_doing and (len(behind) < _FOLLOWS or _opens(behind[1]))


def _is_doing(word: str, behind: Sequence[str]) -> bool:
    """Whether a sentence opens with what people do: "Rowing keeps me sane", "Rowing's my thing"."""
    doing, *hung = _APOSTROPHE.split(word)
    return names_doing(doing) and (bool(hung) or does(behind))


def _is_object(before: str, run: Sequence[str]) -> bool:
    """Whether a noun, and no unit, ends what stands behind a verb, a number or a word of place: "allergic to kiwi"."""
    opening, noun = before.casefold(), run[-1].casefold() if run else ""
    form = None if opening in STOP_WORDS else FORMS.get(opening)
    opens = opening.isdigit() or opening in _OPENING or (form is not None and form.lemma not in _LINKING)
    return opens and noun not in UNITS and not noun.endswith(ADJECTIVES)


def _open_run(tokens: Sequence[str]) -> list[str]:
    """The content words that the tokens open with and that may be parts of a noun phrase."""
    run: list[str] = []
    for token in tokens[: 2 * LONGEST]:
        word = token.casefold()
        if not word[0].isalpha() or word in STOP_WORDS or word in BEHIND or _APOSTROPHE.search(word):
            break
        if not is_noun(word) and (word in FORMS or word in NO_NOUNS or is_verb(word, first=not run)):
            # What people do, behind what they do it with or on: "rock climbing", "horse riding".
            return [*run, token] if _is_pastime(run, word) else run
        run.append(token)
    return run


def _is_pastime(run: Sequence[str], word: str) -> bool:
    """Whether an activity ends what one singular noun opens; "birds singing" and "Ana rowing" are not one thing."""
    if len(run) != 1 or word not in FORMS or "ing" not in FORMS[word].kinds or word in NO_NOUNS:
        return False
    kind = run[0]
    return kind.islower() and ends_well(kind) and not kind.endswith(("s", *ADJECTIVES))


def _parts_of(run: Sequence[str]) -> Iterator[Sequence[str]]:
    """All that may be a noun phrase in these words."""
    for size in range(1, LONGEST + 1):
        for start in range(len(run) - size + 1):
            part = run[start : start + size]
            # A name by itself may be of whoever is spoken to: "Hey Noor!"
            named = size == 1 and part[0][0].isupper()
            moody = stem(part[0].casefold()) in MOODS and not is_noun(part[0])
            ends = ends_well(part[-1]) or _is_pastime(part[:-1], part[-1].casefold())
            if len(part[-1]) > LONGEST and not named and not moody and ends:
                yield part


def _is_genitive(token: str) -> bool:
    return _GENITIVE.fullmatch(token) is not None and token.casefold() not in NO_NOUNS


def _is_owner(tokens: Sequence[str], at: int) -> bool:
    """Whether a genitive names somebody: a name, or a relative. "A beginner's class" is of nobody."""
    token = tokens[at]
    before = tokens[at - 1].casefold() if at else ""
    relative = _APOSTROPHE.split(token.casefold())[0] in PEOPLE
    return _is_genitive(token) and (relative or (at > 0 and token[0].isupper() and before not in _DETERMINERS))


def _run(tokens: Sequence[str], before: str | None) -> list[str]:
    """The nouns, with the adjectives before them, that the tokens open with; ``before`` a determiner, if there is one.

    Of words that a stroke parts none is the noun: "the lit/dark comparison".
    """
    run: list[str] = []
    for at, token in enumerate(tokens):
        word = token.casefold()
        # "The clock evens out": what ends as a plural before an adverb of direction is a verb.
        if len(run) > 1 and word in _PARTING and run[-1].endswith("s") and not run[-1].endswith("ss"):
            run.pop()
            break
        if word == "/":
            return []
        if (
            not word[0].isalpha()
            or word in _ENDING
            or (word.endswith("ly") and word not in LY)
            or is_verb(word, first=at == 0)
        ):
            break
        if (run and _parts(run[-1], token)) or _APOSTROPHE.search(word):
            break
        general = word in NO_NOUNS or word in DEGREES or stem(word) in MOODS or word in COUNTS
        if general and not is_noun(word) and not is_term(run, word):
            if run or word in _DETERMINERS:
                break
            continue
        run.append(token)
        if len(run) > LONGEST:
            return []
    ends = run and (
        ends_well(run[-1])
        or is_term(run[:-1], run[-1])
        or _is_compound(run, before)
        or _is_pastime(run[:-1], run[-1].casefold())
    )
    return run if ends else []


def _is_compound(run: Sequence[str], before: str | None) -> bool:
    """Whether a general noun ends it behind a word that says of what kind: "eye test", "rowing club"."""
    head, kind = run[-1].casefold(), run[-2].casefold() if len(run) > 1 else ""
    # Behind one thing with a determiner no verb stands as "switch" does, unless something makes it: "the amber switch".
    stands = before is not None and before not in _CAUSING and not kind.endswith("s") and kind not in _MANY
    if (
        not kind
        or (head in FORMS and not (stands and FORMS[head].kinds == {"base"}))
        or head in _NO_HEADS
        or stem(head) in MOODS
    ):
        return False
    if any(word.casefold() in _VERBS and not word.endswith("ing") for word in run[1:-1]):
        return False
    if head.endswith(_NO_ENDINGS):
        return False
    return head not in NO_NOUNS and stem(kind) not in GENERAL_STEMS


def _parts(before: str, token: str) -> bool:
    """Whether a name ends or begins between two words; "LGBTQ community" and "Team plan" are one noun phrase."""
    if before[0].isupper() and token[0].islower():
        return not before.isupper() and not is_noun(token)
    return token[0].isupper() != before[0].isupper() and not before.endswith("ed")


@kept_where_short
def body(text: str) -> str:
    """What a statement says, without who says it, pictures and dates in brackets."""
    return ASIDE.sub(" ", unattributed(text))
