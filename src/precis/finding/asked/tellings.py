"""What kind of telling a request asks for: "all the gossip about Ana" is not everything that is known of Ana."""

import re
from collections.abc import Collection, Iterator, Sequence

from precis.finding.framing import sorts_of
from precis.finding.parts import Subject
from precis.finding.reading import Word, folded, read_words
from precis.finding.tables import name_words

#: So many words may stand between an article and a noun.
_BETWEEN = 4
_ABOUT = frozenset("about regarding concerning".split())
#: Before a noun, of which it says which one is meant.
_BEFORE = name_words("before_named")
#: What a clause is about somebody with, and no noun.
_NO_NOUN = frozenset("i we you he she they it me us him them who which what how but not nor except".split())
_EVERYTHING = frozenset("everything anything whatever".split())
_JOINED = frozenset({"and", "or"})
#: Sorts of words that are of no kind: "told", "stuff".
_PLAIN = frozenset({"tells", "forgets", "wraps", "first", "articles"})


def kinds_of_telling(text: str, subjects: Sequence[Subject]) -> tuple[str, ...]:
    """The nouns before "about" in an English request that say what kind of telling is meant, where no subject has them.

    None where one of them is a word for everything: "all facts about Ana".
    """
    read = {word for subject in subjects for part in subject.parts for word in part.word.split()}
    kinds: list[str] = []
    words = read_words(text)
    for at, word in enumerate(words):
        heads = [*_heads(words, at)] if word.low in _ABOUT else []
        heads += [word.low] if word.low in name_words("telling_nouns") and _is_asked(words, at) else []
        if not any(map(_means_everything, heads)) and read.isdisjoint(heads):
            kinds += heads
    return tuple(dict.fromkeys(kinds))


def _heads(words: Sequence[Word], about: int) -> Iterator[str]:
    """The noun before "about", and one that is joined to it, behind an article or what forgets.

    Of "everything private" and "the private stuff" it is the adjective.
    """
    first = max((at for at in range(about + 1) if words[at].gap.strip()), default=0)
    before = [word for word in words[max(first, about - _BETWEEN - 2) : about] if not word.capital or word.opens]
    begins = _BEFORE | _EVERYTHING
    place = next((at for at in range(len(before) - 1, -1, -1) if before[at].low in begins), None)
    phrase = before[place + 1 :] if place is not None else []
    if place is None or not phrase or any(word.low in _NO_NOUN or word.opens for word in phrase):
        return
    narrowing = [word.low for word in phrase if word.low in name_words("narrowing")]
    if narrowing and (before[place].low in _EVERYTHING or _means_everything(phrase[-1].low)):
        yield from narrowing
        return
    if before[place].low in _EVERYTHING:
        return
    yield phrase[-1].low
    if len(phrase) > 2 and phrase[-2].low in _JOINED:
        yield phrase[-3].low


def _is_asked(words: Sequence[Word], at: int) -> bool:
    """Whether a kind of telling is what is to be forgotten, and not why: "..., that was just gossip"."""
    opening = next((place for place in range(at, 0, -1) if words[place].gap.strip()), 0)
    before = words[max(opening, at - _BETWEEN) : at]
    denied = any(word.low in name_words("copulas") or word.low.endswith("'s") for word in before)
    return not denied and any(word.low in _BEFORE for word in before)


def _means_everything(head: str) -> bool:
    listed = head in name_words("everything_of") or head.removesuffix("s") in name_words("everything_of")
    return listed or not _PLAIN.isdisjoint(sorts_of(head, "en"))


def says_its_kind(text: str, kinds: Collection[str]) -> bool:
    """Whether a memory is told to be of one of these kinds: "Gossip: ...", "the rumour is that ..."."""
    nouns = "|".join(re.escape(kind.removesuffix("s")) for kind in kinds)
    return re.search(rf"(?<!\w)(?:{nouns})s?(?:\s*:|\s(?:about|that|is that|has it)\b)", folded(text)) is not None
