"""A clause or sentence that a summary may take up, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from precis.language.reading import Place
from precis.language.sentences import is_question
from precis.language.words import words

#: A question of no more words costs little to quote.
_SHORT_QUESTION = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One clause or sentence that may be chosen."""

    #: Index of the item it was said in; number of the sentence in the item, and of the clause in the sentence.
    item: int
    sentence: int
    clause: int
    #: As said, dates added; without the speaker and the closing mark.
    text: str
    #: What stands between the clause before and this one when both are chosen.
    joint: str
    #: What opens the statement: ``Clara: ``, or the question asked before.
    lead: str
    #: Indices of the items it rests on.
    sources: tuple[int, ...]
    #: Stems of its content words.
    terms: frozenset[str]
    #: Words of the text, without the dates added to it, and of the lead.
    length: int
    lead_length: int
    #: Opens with a word that points back, or at the listener.
    dangling: bool = False
    #: Position, in the list of candidates, of the one just before without which it cannot be read.
    points_to: int | None = None
    #: Positions of those that say what became of it since: it is not chosen without them.
    followed_by: tuple[int, ...] = ()
    #: States the value that stands where others were changed.
    standing: bool = False
    #: Tells that something is different now: its words say that together and nowhere else.
    changes: bool = False
    #: Tells what must not be forgotten: it is weighed by all its words, also by those that others say.
    of_health: bool = False
    #: Tells an assistant how to work from now on: a statement by itself.
    order: bool = False
    #: What it is worth beside others, by what was said of its matter before and after it.
    share: float = 1.0
    #: Of a period: it tells with a figure, a name or a change what somebody would tell of that.
    stands: bool = False
    #: Of a period: somebody marks it as news.
    cried: bool = False
    #: Of a period: nothing of it is more than every day; it is the last on what several days spoke of.
    everyday: bool = False
    ends: bool = False
    #: What a picture shows: "[shares a photo of a dog]".
    caption: bool = False
    #: Advice, an offer, a truth about everybody: chosen where nothing that tells of somebody is left.
    aside: bool = False
    #: Says something of the listener.
    of_listener: bool = False
    #: A statement of a node below: kept as it is.
    derived: bool = False
    #: A line of code: each of its signs counts.
    code: bool = False
    #: What the speaker before said, where the lead quotes it.
    quoted: str = ""
    #: The same behind what it points back at, for where there is room: it tells enough to be chosen without.
    led: Candidate | None = None

    @property
    def place(self) -> Place:
        """Its item and sentence."""
        return self.item, self.sentence


def size_of(text: str) -> int:
    """How many words it has."""
    return sum(1 for _ in words(text))


def asks_shortly(text: str) -> bool:
    """Whether it is a question so short that what points at it is told behind it rather than alone."""
    return is_question(text) and size_of(text) <= _SHORT_QUESTION
