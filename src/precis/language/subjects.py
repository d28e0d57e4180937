"""Of whom or of what a sentence speaks: a person by name, the speaker, or a thing with its owner and its qualifiers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from precis import patterns as re
from precis.language import grammar, tables
from precis.language.chitchat import topical
from precis.language.dating.elsewhere import without_times
from precis.language.tokens import Token, token, tokens
from precis.language.vocabulary import PLAIN
from precis.language.words import STOP_WORDS, normal, runs, stem

#: More words than this are no name of a subject.
_LONGEST = 9
_WHOSE = grammar.OWN | grammar.THEIR | {"user's"}
_UNNAMED = grammar.VAGUE | grammar.SECOND | grammar.FIRST | grammar.THIRD
#: So many words say for what a thing is.
_WITHIN = 4
#: Behind these a name says where or for whom.
_WHERE = frozenset("in at to from on near for".split())
#: What is said while somebody thinks: "umm", "basically".
FILLERS = frozenset(tables.words("questions.fillers"))
_PASSED = STOP_WORDS | FILLERS
#: What a key opens with that is the same whoever speaks.
SHARED = "\0"
#: Shorter words name nothing that a memory would be about.
_SHORTEST = 3
#: Stems of nouns that look like verbs, and of units.
_NOUNS = frozenset(map(stem, tables.words("titles.nouns")))
_UNITS = frozenset(stem(name) for names in tables.section("units.of").values() for name in names.split())


class Subject(NamedTuple):
    """Two sentences speak of the same subject where their keys are equal, word for word."""

    key: tuple[str, ...]
    #: A thing that somebody or something has, or that an article names; else somebody.
    thing: bool
    #: Neither a name nor an owner says which one is meant: only whoever speaks knows.
    bare: bool
    #: The stem of the noun, of a thing.
    head: str
    #: Called new: "my new address".
    new: bool = False
    #: The key of a thing that all who speak have together: "the garage code", "our rent". Else empty.
    shared: tuple[str, ...] = ()


@dataclass(kw_only=True, slots=True)
class Context:
    """What the sentences before in the same text make clear."""

    #: The words of whoever speaks; of a text without a speaker the user is.
    speaker: tuple[str, ...]
    #: Whether these may be no speaker, but say what it is that follows them: "Example: ...".
    labelled: bool = False
    #: Subjects spoken of so far in this text, other than the speaker.
    spoken_of: list[Subject] = field(default_factory=list)
    #: Names mentioned so far that are no subject: with one of these nobody can tell who "she" is.
    names: set[str] = field(default_factory=set)
    #: Names of the sentences before: they say which deadline "the deadline" is.
    around: tuple[str, ...] = ()

    def note(self, subject: Subject) -> None:
        """Remember whom the text spoke of."""
        if subject.key != self.speaker and subject not in self.spoken_of:
            self.spoken_of.append(subject)

    def antecedent(self, pronoun: str) -> Subject | None:
        """Whom a pronoun means, if only one can be meant."""
        if len(self.spoken_of) != 1 or self.names or pronoun in {"they", "their", "them", "this", "that"}:
            return None
        (subject,) = self.spoken_of
        is_thing = pronoun in {"it", "its"}
        return subject if is_thing == (subject.thing and subject.head not in grammar.PEOPLE) else None


def speaker_key(name: str | None) -> tuple[str, ...]:
    """The words of a speaker's name; who has none is the user, as the notes of one person call her."""
    return tuple(word.low for word in tokens(name or "")) or ("user",)


def subject_of(words: Sequence[Token], context: Context) -> Subject | None:
    """The subject that these words name, or nothing where it is not certain."""
    if not 0 < len(words) <= _LONGEST:
        return None
    low = words[0].low
    if len(words) == 1 and low in grammar.FIRST:
        return Subject(context.speaker, thing=False, bare=False, head="")
    if len(words) == 1 and low in grammar.THIRD:
        return context.antecedent(low)
    if low in _UNNAMED or any(word.low in grammar.BREAKS and word.small for word in words):
        return None
    return _noun_phrase(words, context)


def _noun_phrase(words: Sequence[Token], context: Context) -> Subject | None:
    words = _compact(words)
    levels = _levels(words)
    key: list[str] = []
    owned = len(levels) > 1
    for level in reversed(levels):
        part = _level(level, context)
        if part is None:
            return None
        key += part
    if levels[0][-1].low in grammar.SEVERAL and grammar.ONLY.isdisjoint(key):
        return None
    key = _usual(key)
    first = words[0]
    owned = owned or first.low in grammar.OWN or first.low in grammar.THEIR or any(_owner(word) for word in words)
    article = first.low in grammar.ARTICLES
    if article and all(word.small for word in words[1:]) and not {word.low for word in words} & _WHOSE:
        owned = False  # "the cabin's password" is that of "the cabin": which one nobody says
    if not owned and not article and first.text != first.low and stem(first.low) in grammar.SINGLE and len(words) == 1:
        article = True  # "Rent is 900 euros"
    thing = owned or article or (first.small and _has_case(first))
    new = thing and "new" in key and stem(key[-1]) in grammar.SINGLE
    key = [word for word in key if word != "new"] if new else key
    bare = thing and not owned and all(word.small for word in words[1:])
    where = (*context.speaker, "the", *context.around) if bare and key != ["user"] else ()
    if key == ["user"]:
        return Subject(("user",), thing=False, bare=False, head="")
    head = stem(_noun(levels[0]).low) if thing else ""
    shared = _shared(words, key, head, context, bare=bare)
    return Subject((*where, *key), thing=thing, bare=bare, head=head, new=new, shared=shared) if key else None


def _shared(words: Sequence[Token], key: Sequence[str], head: str, context: Context, *, bare: bool) -> tuple[str, ...]:
    """Under which key others who speak know a thing: one that is "ours", or that an article alone names.

    Nothing where each of them may have one of it: an appointment, a salary, a password of who knows what.
    """
    ours = [word.low for word in words if word.low in grammar.OWN]
    if ours:
        rest = tuple(key[len(context.speaker) :])
        whose = key[: len(context.speaker)] == list(context.speaker) and ours == ["our"]
        return (SHARED, *rest) if whose and rest and head not in grammar.EVENTS else ()
    of_each = head in grammar.OF_EACH and grammar.OF_ALL.isdisjoint(map(stem, key))
    # "The rent" may be that of each of them.
    if not bare or len(key) == 1 or of_each or head in grammar.EVENTS or any(map(_owner, words)):
        return ()
    return (SHARED, *context.around, *key)


def _compact(words: Sequence[Token]) -> Sequence[Token]:
    """Of "the budget for the wedding", which has one of it, "the wedding budget"; "at the office" as well."""
    place = next((at for at, word in enumerate(words) if at and word.low in {"for", "at"} and word.small), 0)
    behind = words[place + 1 :] if place else ()
    if not behind or stem(words[place - 1].low) not in grammar.SINGLE or len(behind) > _WITHIN:
        return words
    if behind[0].low in grammar.ARTICLES:
        behind = behind[1:]
    elif behind[0].small:
        return words  # "the price for members"
    bare = place == 1 and not words[0].small
    head = [token("the"), token(words[0].low)] if bare else words[:place]
    lead = head[0].low in grammar.ARTICLES or head[0].low in _WHOSE or _owner(head[0])
    return [*head[:lead], *behind, *head[lead:]]


def _noun(words: Sequence[Token]) -> Token:
    """What the words name: of "the bill for the canoe" the bill."""
    ends = (words[place - 1] for place, word in enumerate(words) if place and word.small and word.low in _WHERE)
    return next(ends, words[-1])


def _usual(key: list[str]) -> list[str]:
    """The key with things under the name they mostly have."""
    results: list[str] = []
    for word in key:
        results.append(grammar.SAME_THINGS.get((word,), (word,))[0])
        pair = tuple(results[-2:])
        if pair in grammar.SAME_THINGS:
            results[-2:] = grammar.SAME_THINGS[pair]
    return results


def _has_case(word: Token) -> bool:
    # Georgian has capitals and begins no sentence or name with one.
    return word.text[:1].title() != word.text[:1]


def _levels(words: Sequence[Token]) -> list[list[Token]]:
    """The parts of "A of B", the thing first."""
    levels: list[list[Token]] = [[]]
    for word in words:
        if word.low == "of" and levels[-1]:
            levels.append([])
        else:
            levels[-1].append(word)
    return [level for level in levels if level] or [[]]


def _owner(word: Token) -> bool:
    return word.low.endswith(("'s", "'"))


def _level(words: Sequence[Token], context: Context) -> list[str] | None:
    """The words of one part, its owner in place of "my" and "her"; nothing where the owner is not certain."""
    key: list[str] = []
    for place, word in enumerate(words):
        if word.low in grammar.OWN:
            key += context.speaker
        elif word.low in grammar.THEIR:
            owner = context.antecedent(word.low)
            if owner is None:
                return None
            key += owner.key
        elif word.low in grammar.SECOND or (word.low in grammar.VAGUE and place == 0):
            return None
        elif not (word.low in grammar.ARTICLES and place == 0):
            key.append(word.low.removesuffix("'s").removesuffix("'"))
    return key


def of_owner(owner: Subject, thing: Sequence[Token]) -> Subject | None:
    """A thing of somebody: "her password" where it is known who she is."""
    key = _usual([*owner.key, *(word.low for word in thing)])
    return Subject(tuple(key), thing=True, bare=False, head=stem(key[-1])) if thing else None


def names_in(words: Sequence[Token], skip: int) -> set[str]:
    """Capitalized words behind the subject that may name somebody: not those that say where or when."""
    results = set()
    for place in range(max(1, skip), len(words)):
        word, before = words[place], words[place - 1].low
        if (
            not word.small
            and word.low not in STOP_WORDS
            and before not in {"in", "at", "to", "from", "on", "near", "for"}
        ):
            results.add(word.low)
    return results


def subject_words(text: str) -> frozenset[str]:
    """Stems of the words that may name what a text is about: no verbs, no adverbs, nothing of courtesy, time or number.

    Of scripts that set no words apart there are none: what two texts share there may be two halves of words.
    """
    return frozenset(stem(word) for word in _told_apart(topical(text)) if _may_name(word))


def other_words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of the other words of a text that are none of grammar, time or number: those of what is done, and of mood.

    Both are told with a subject, and name none.
    """
    naming = subject_words(text)
    topical_words = frozenset(map(stem, _told_apart(topical(text)))) - naming
    every = frozenset(map(stem, _told_apart(without_times(normal(text)))))
    return topical_words, every - topical_words - naming


def _told_apart(text: str) -> list[str]:
    """The words of a text that are none of grammar, of scripts that set words apart."""
    bare = (run.removesuffix("'s") for run, spaced in runs(text) if spaced)
    return [word for word in bare if len(word) >= _SHORTEST and word.isalpha() and word not in _PASSED]


def _may_name(word: str) -> bool:
    root = stem(word)
    if word.endswith("ly") or root in PLAIN or root in _UNITS:
        return False
    return word not in grammar.FORMS or root in _NOUNS


#: Two words with capitals, one behind the other: "Lucía Peña", "Frau Pohl".
_PAIRS = re.compile(r"(?<![^\W\d_])([^\W\d_][\w'\u2019-]+) (?=([^\W\d_][\w'\u2019-]+))")


#: "Big Tom" is another Tom than "Tom Hale".
_EPITHETS = re.compile(rf"\b((?:{'|'.join(tables.words('naming.epithets'))})) ([^\W\d_][\w'\u2019-]+)", re.IGNORECASE)


def full_names(text: str) -> frozenset[tuple[str, str]]:
    """What may be names of two words, each with its first word: words with capitals that are none of grammar or time.

    Of a sentence's first word nobody can tell: what matters is whether the pair comes back. So does "big" before "Tom".
    """
    pairs = ((first, second) for first, second in _PAIRS.findall(text) if first.istitle() and second.istitle())
    full = {(first, second) for first, second in pairs if topical(first).strip() and topical(second).strip()}
    known = {(name, which.casefold()) for which, name in _EPITHETS.findall(text) if name.istitle()}
    return frozenset(full | known)
