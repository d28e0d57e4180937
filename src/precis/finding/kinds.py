"""What is a kind of what: a hamster is a pet and an animal. Words of other languages go by their English name.

``words/kinds.toml`` has what groups of words stand for among the nouns, and what other languages call the kinds.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain

from precis.finding.capitals import finite
from precis.finding.nouns import english, known, nouns, persons, singular, under
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words
from precis.finding.tables import kind_names, kind_words, name_words
from precis.finding.values import Level, Span
from precis.finding.written.languages import language_of
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: A kind of more things than this names nothing.
_MOST = 6000
#: Before a word that is no noun then: "I fish", "to water".
_BEFORE_VERBS = frozenset(
    "i you we they he she it who to will would can could may might must shall should don't didn't doesn't".split()
) | frozenset("too so very as".split())
#: Before a thing that a memory only dates or places something by: "before breakfast".
_ASIDE = name_words("things_aside")
_DETERMINERS = frozenset("the a an my our your his her their this that".split())
#: Before what somebody is by trade, and the article of that.
_BEFORE_TRADES = frozenset("i'm he's she's am is was as became become becoming".split())
_ARTICLES = frozenset({"a", "an"})
_PLANTS = frozenset({"plants"})
#: Shorter stems of other languages are too often parts of others.
_SHORTEST = 3
_LETTERS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1024)
def kinds_asked(phrase: str, *, each: bool = False) -> frozenset[int]:
    """The kinds that a phrase of a request names: "desserts", "musical instruments"; none where it names a thing.

    One thing is a kind where ``each`` of them is meant: "every pet".
    """
    low = folded(phrase)
    foreign = [name for name, pattern in kind_names().items() if pattern.fullmatch(low)]
    if foreign:
        return _closed(foreign)
    words = low.replace("-", " ").split()
    lemma = "_".join(words)
    bare = next((form for form in singular(lemma) if form in nouns().senses), None)
    if bare is None or not low.isascii():
        return frozenset()
    plural = each or bare != lemma or lemma in kind_words("many.many")
    if not plural or {lemma, bare} & kind_words("many.broad"):
        return frozenset()
    return _closed([bare])


@lru_cache(maxsize=256)
def kinds_in(groups: frozenset[str]) -> frozenset[int]:
    """The kinds that groups of words stand for (``[of]`` in kinds.toml): illnesses and pains, of "illness"."""
    wanted = []
    for lemma in chain.from_iterable(kind_words(f"of.{group}") for group in groups):
        name, _, sense = lemma.partition("#")
        wanted += [line for rank, line in nouns().senses.get(name, {}).items() if rank == int(sense or 1) - 1]
    others = chain.from_iterable(kind_words(f"without.{group}") for group in groups)
    spared = {line for name in others for line in nouns().senses.get(name, {}).values()}
    return frozenset(chain.from_iterable(map(under, wanted))).difference(spared)


@lru_cache(maxsize=1024)
def kinds_of(word: str, groups: frozenset[str]) -> frozenset[int]:
    """The kinds that a word of a request names, and those of its groups.

    The same value for the same kinds: comparing two large ones takes long.
    """
    named, meant = kinds_asked(word), kinds_in(groups)
    return named | meant if named and meant else named or meant


def is_person(word: str) -> bool:
    """Whether an English noun says who somebody is: "barber", "twins", "landlady"."""
    rank = _rank(persons(), word) if word.isascii() else None
    return rank is not None and rank <= 1


def is_animal(word: str) -> bool:
    """Whether an English noun is an animal first of all."""
    return word.isascii() and _rank(_animals(), word) == 0


@lru_cache(maxsize=4096)
def are_akin(first: str, second: str) -> bool:
    """Whether one of two animals is a kind of the other: a greyhound is a dog, and a cat is none."""
    ones, others = (
        [nouns().senses[single][0] for single in singular(word) if single in nouns().senses][:1]
        for word in (first, second)
    )
    return any(other in under(one) or one in under(other) for one in ones for other in others)


def says_whom(word: str) -> bool:
    """Whether an English noun beside a name says who or what is called so: "patient", "company"."""
    return is_person(word) or any(single in name_words("bodies") for single in singular(word))


@cache
def _animals() -> frozenset[int]:
    return frozenset(under(nouns().senses["animal"][0]))


@cache
def _trades() -> frozenset[int]:
    seeds = (nouns().senses[name] for name in kind_words("trades.trades"))
    return frozenset(chain.from_iterable(under(senses[min(senses)]) for senses in seeds))


def trade_in(text: str) -> tuple[Span, ...]:
    """Where an English text says what somebody is by trade: "I am a plumber", "Ana works as a welder"."""
    words = read_words(text)
    for at, word in enumerate(words[2:], start=2):
        rank = None if word.capital else _rank(_trades(), word.low)
        opening = next((place for place in range(at - 1, max(0, at - 4), -1) if words[place].low in _ARTICLES), 0)
        before = words[opening - 1].text.lower().replace("\u2019", "'")
        if rank is not None and rank <= 1 and opening and before in _BEFORE_TRADES:
            head = at + 1 < len(words) and words[at + 1].gap == " " and _is_head(words, at + 1)
            return () if head else ((word.start, word.end),)
    return ()


@lru_cache(maxsize=16384)
def is_other(first: str, second: str) -> bool:
    """Whether two English words name together what the second alone is not: a hot dog is no dog, a guide dog is one."""
    together = next((form for form in singular(f"{first}_{second}") if form in nouns().senses), None)
    alone = next((form for form in singular(second) if form in nouns().senses), None)
    if together is None or alone is None:
        return False
    kind = {line for number in nouns().senses[alone].values() for line in under(number)}
    return kind.isdisjoint(nouns().senses[together].values())


def kinds_of_deed(verb: str) -> frozenset[int]:
    """The kinds of what is done so: drinks, of "drink"."""
    return _closed(kind_words(f"by_verb.{verb}"))


@lru_cache(maxsize=256)
def _closed_of(lemmas: frozenset[str]) -> frozenset[int]:
    called = [name for lemma in lemmas for name in kind_words(f"same.{lemma}") or (lemma,)]
    wanted = [number for name in called for number in nouns().senses.get(name, {}).values()]
    closed = [under(number) for number in wanted]
    return frozenset(number for under in closed if len(under) <= _MOST for number in under)


def _closed(lemmas: Collection[str]) -> frozenset[int]:
    return _closed_of(frozenset(lemmas))


def things_of(
    kinds: frozenset[int], text: str, low: str, deeds: frozenset[int] = frozenset()
) -> Iterator[tuple[Span, Level]]:
    """Where a memory names something of these kinds: in its usual sense, in another one, or only as a place or time.

    Of the kinds ``deeds`` it is also what somebody does: "prays" is a prayer.
    """
    if not kinds:
        return
    if not low.isascii() and (UNSPACED.search(low) or HANGUL.search(low)):
        yield from _unspaced(kinds, low)
        return
    if not any(_may_be(kinds, deeds, word) for word in _LETTERS.findall(low)):
        return
    words = read_words(text)
    foreign = _is_foreign(words, low)
    for at, word in enumerate(words):
        rank = _ranked(kinds, deeds, words, at, foreign=foreign)
        if rank is not None:
            usual = Level.SURE if rank == 0 or foreign else Level.DOUBTFUL if rank == 1 else Level.NEAR
            yield (word.start, word.end), Level.NEAR if _is_aside(words, at) else usual


def _ranked(
    kinds: frozenset[int], deeds: frozenset[int], words: Sequence[Word], at: int, *, foreign: bool
) -> int | None:
    """In which sense a word names something of these kinds, as a noun or by what is done."""
    noun = _rank(kinds, _name(words[at], words, at, foreign=foreign))
    if noun is not None and not _is_no_noun(words, at, foreign=foreign):
        return noun
    deed = None if foreign or words[at].capital else _rank_of_deed(deeds, words[at].low)
    return None if deed is None else deed + 1


@lru_cache(maxsize=65536)
def _may_be(kinds: frozenset[int], deeds: frozenset[int], word: str) -> bool:
    """Whether it is of these kinds in English or, as it may be, in another language."""
    if _rank(kinds, word) is not None or _rank_of_deed(deeds, word) is not None:
        return True
    others = (english().get(form) for form in _endings(word))
    return any(other is not None and _rank(kinds, other) is not None for other in others)


def _is_aside(words: Sequence[Word], at: int) -> bool:
    """Whether it only says when or where: "before breakfast", "behind the house"."""
    place = at - 2 if at > 1 and words[at - 1].low in _DETERMINERS else at - 1
    return place >= 0 and words[place].low in _ASIDE


def _is_foreign(words: Sequence[Word], low: str) -> bool:
    """Whether a text is in another language, or most of its words are no English ones."""
    if language_of([word.low for word in words], low) != "en":
        return True
    unknown = [word for word in words if not (word.capital or word.low in STOP_WORDS or known(word.low))]
    return 2 * sum(form_of(token(word.low)) is None for word in unknown) > len(words)


def _name(word: Word, words: Sequence[Word], at: int, *, foreign: bool) -> str:
    if foreign:
        return next((english()[form] for form in _endings(word.low) if form in english()), "")
    together = f"{words[at - 1].low}_{word.low}" if at else ""
    return together if known(together) else word.low


def _endings(low: str) -> Iterator[str]:
    """A word of another language, and what it may be without its ending."""
    yield low
    yield from (low[:-length] for length in (1, 2) if len(low) - length > _SHORTEST)


@lru_cache(maxsize=16384)
def _rank(kinds: frozenset[int], name: str) -> int | None:
    """Whether a noun is of these kinds: 0 in its first sense, 1 in its second, 2 in its third."""
    for form in singular(name):
        senses = nouns().senses.get(form)
        if senses:
            rank = min((rank for rank, number in senses.items() if number in kinds), default=None)
            fruit = rank == 1 and senses.get(0) in kinds_in(_PLANTS)  # a fig is a tree and its fruit
            return None if rank is None else rank + (form in nouns().seldom) - fruit
    return None


@lru_cache(maxsize=16384)
def _rank_of_deed(kinds: frozenset[int], name: str) -> int | None:
    """The same of a verb or an adjective, by the nouns that belong to it."""
    form = form_of(token(name))
    deeds = (nouns().deeds.get(lemma) for lemma in (name, form.lemma if form else name))
    listed = next(filter(None, deeds), {})
    return min((rank for number, rank in listed.items() if number in kinds), default=None)


def _is_no_noun(words: Sequence[Word], at: int, *, foreign: bool) -> bool:
    """Whether it is a verb here, a name, or the first part of another thing: "I fish", "Apple", "juice bar"."""
    word = words[at]
    if foreign:
        return False
    before = words[at - 1].low if at else ""
    behind = words[at + 1] if at + 1 < len(words) else None
    part = behind is not None and behind.gap == " " and _is_head(words, at + 1)
    name = word.capital and (not word.opens or word.low in name_words("words") | name_words("given"))
    name = name and before not in {"a", "an"}  # "a Buddhist"
    # "The dog eats": behind a noun a verb is one.
    verb = finite(word) and word.gap == " " and known(before)
    return before in _BEFORE_VERBS or name or part or verb


def _is_head(words: Sequence[Word], at: int) -> bool:
    """Whether it is a noun here, and no verb: "twin towers" stand, "the clarinet squeaks"."""
    low = words[at].low
    if 0 in nouns().senses.get(low, {}):
        return True
    plural = any(0 in nouns().senses.get(form, {}) for form in singular(low))
    return plural and any(finite(word) for word in words[at + 1 :])


def _unspaced(kinds: frozenset[int], low: str) -> Iterator[tuple[Span, Level]]:
    for other, thing in english().items():
        if (UNSPACED.search(other) or HANGUL.search(other)) and other in low and _rank(kinds, thing) is not None:
            level = Level.SURE if len(other) > 1 else Level.DOUBTFUL
            yield from ((match.span(), level) for match in re.finditer(re.escape(other), low))
