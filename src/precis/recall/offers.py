"""What a context may take: the sentences of memories, the statements that say them, and what each is worth."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from precis.checks.reactions import is_fragment, is_reaction, tells_more
from precis.checks.sayings import Saying, part_of, saying_of
from precis.language.dates import in_words
from precis.language.dating.resolving import resolved
from precis.language.words import content
from precis.recall.persons import ASSISTANTS
from precis.recall.pieces import Asking, Piece, Section, chance, headings_of, line_of, parts_of, spoken
from precis.recall.sought.fillers import worths

#: A fact says a sentence of its message when it holds this share of its content words. A statement must hold more: the
#: sentences whose place it takes are read by nobody.
_SAYS_IT, _STATES_IT = 0.5, 0.7
#: What is said on another day as well is hardly news.
_AGAIN = 0.2
#: A reaction, or a scrap of a sentence, hardly is what somebody asks for.
_HARDLY = 0.4
#: A statement may take so much more room than the sentences that it says: it has a whole day before it.
_ROOM = 1.4
#: Of its sentences those matter that bring so much of what the best of them brings; the others take so many tokens.
_MATTERS, _BESIDE = 0.1, 20
#: Of an answer of more sentences those that bear on the question may be there.
_FEW = 4
#: A line has no number yet when it is counted; two digits are as many tokens as one or three.
_ANY_NUMBER = 88

Said = tuple[date, str]


@dataclass(kw_only=True, eq=False)
class Offer:
    """A sentence of a memory, or a statement."""

    piece: Piece
    #: Its place among the sentences of the piece.
    at: int
    text: str
    count: Callable[[str], int]
    #: What it says, and how much of it.
    says: Mapping[Said, float]
    gains: Mapping[Said, float]
    alone: bool = False
    #: Whether it is a statement that takes no fewer tokens than what it says.
    longer: bool = False

    # Counted where somebody asks: most sentences bring nothing, or are never second in a line.

    @property
    def gain(self) -> float:
        """What it brings where nothing of it is said."""
        return sum(share * self.gains[saying] for saying, share in self.says.items())

    @cached_property
    def alone_cost(self) -> int:
        """Tokens of a line with nothing else in it; those of a text and of the line break behind it are often fewer."""
        later = _ANY_NUMBER if self.piece.later is not None else None
        return self.count(f"{line_of(self.piece, self.text, _ANY_NUMBER, later)}\n")

    @cached_property
    def next_cost(self) -> int:
        """Tokens of the text behind another sentence."""
        return self.count(f" {self.text}")


def offers_of(
    pieces: Sequence[Piece], count: Callable[[str], int], query: str, own: Collection[str] = ()
) -> list[Offer]:
    """All sentences that may bring anything, and the statements that say some; stems of ``own`` are not looked for."""
    memories = [piece for piece in pieces if piece.section is Section.MEMORIES]
    parts_by_id = {piece.id: parts_of(piece.text) for piece in memories}
    stems_by_id = {id_: [content(part) for part in parts] for id_, parts in parts_by_id.items()}
    every_stem = [frozenset().union(*stems) for stems in stems_by_id.values()]
    asking = Asking(query, every_stem, own, [piece.text for piece in memories])
    worth_by_id = worths(memories, parts_by_id, asking.terms | asking.forms.keys(), asking.manners)
    resting = _resting(memories, parts_by_id, stems_by_id)
    by_id: dict[str, list[Offer]] = {}
    gains: dict[Said, float] = {}
    first_said: dict[str, date] = {}
    likely_by_id: dict[str, float] = {}
    for rank, piece in enumerate(sorted(memories, key=lambda piece: -piece.score)):
        parts, stems = parts_by_id[piece.id], stems_by_id[piece.id]
        texts = [resolved(part, piece.said_on, beside=piece.day, whole=piece.text) for part in parts]
        is_dated = [text != part for text, part in zip(texts, parts, strict=True)]
        fitting = asking.wanted.fitting(parts, is_dated)
        likely = chance(piece.score, piece.relevance, rank, fitting) * worth_by_id.get(piece.id, 1.0)
        newer = (share * likely_by_id.get(older, 0.0) for older, share in piece.renews.items())  # it matters as well
        likely = likely_by_id[piece.id] = max(likely, *newer, 0.0)
        of_piece = by_id.setdefault(piece.id, [])
        reacting = [is_reaction(part) for part in parts]
        bears = asking.bears(stems) if _is_long_answer(piece.speaker, parts) else [True] * len(parts)
        for at, share in enumerate(asking.shares(parts, stems, is_dated, reacting)):
            saying = resting.get((piece.id, at)) or _saying(piece, parts[at])
            again = first_said.setdefault(saying[1], piece.day) != piece.day
            # "Bob's allergic to nuts." has no verb that is seen, and tells of somebody all the same.
            hardly = reacting[at] or (is_fragment(parts[at]) and not tells_more(parts[at]))
            worth = bears[at] * likely * share * (_AGAIN if again else 1.0) * (_HARDLY if hardly else 1.0)
            gains[saying] = max(gains.get(saying, 0.0), worth)
            offer = Offer(piece=piece, at=at, text=texts[at], count=count, says={saying: 1.0}, gains=gains)
            of_piece.append(offer)
    offers = [offer for of_piece in by_id.values() for offer in of_piece]
    for piece in memories:
        for id_ in piece.source_ids:
            # What rests on a message that is not among them rests on the fact that was found in it.
            by_id.setdefault(id_, by_id[piece.id])
            stems_by_id.setdefault(id_, stems_by_id[piece.id])
    statements = [piece for piece in pieces if piece.section is not Section.MEMORIES]
    for rank, piece in enumerate(sorted(statements, key=lambda piece: -piece.score)):
        origins = [offer for id_ in piece.source_ids for offer in by_id.get(id_, ())]
        source_stems = [stems for id_ in piece.source_ids for stems in stems_by_id.get(id_, ())]
        likely = chance(piece.score, piece.relevance, rank)
        if not origins:
            offers += _sentences_of(piece, asking, likely, count, gains)
            continue
        says = _said_by(piece, origins, source_stems)
        offer = Offer(piece=piece, at=0, text=_bare(piece), count=count, says=says, gains=gains)
        if piece.section is Section.INSIGHTS:
            saying = _saying(piece, piece.text)
            gains[saying] = max(gains.get(saying, 0.0), likely)
            says[saying], offer.alone = 1.0, True
        else:
            _measure(offer, [other for other in origins if next(iter(other.says)) in says])
        offers.append(offer)
    return offers


def _is_long_answer(speaker: str | None, parts: Sequence[str]) -> bool:
    """Whether an assistant says more than most questions need: advice that fits many questions answers none."""
    return len(parts) > _FEW and (speaker or "").casefold() in ASSISTANTS


def _measure(statement: Offer, stated: Sequence[Offer]) -> None:
    """Whether it takes more room than the sentences that it says are worth; then it says nothing."""
    statement.longer = statement.alone_cost >= _tokens(stated)
    by_day = {other.piece.day: other.piece for other in stated}
    days = sum(statement.count(f"{headings_of(source)[-1]}\n") for source in by_day.values())
    most = max((other.gain for other in stated), default=0.0)
    mattering = _tokens([other for other in stated if other.gain >= _MATTERS * most])
    # Of a paragraph in which one sentence answers that sentence is there.
    if statement.alone_cost > min(_ROOM * (_tokens(stated) + days), _ROOM * (mattering + days) + _BESIDE):
        statement.says = {}


def _tokens(offers: Sequence[Offer]) -> int:
    return sum(offer.next_cost if offer.at else offer.alone_cost for offer in offers)


def _sentences_of(
    piece: Piece, asking: Asking, likely: float, count: Callable[[str], int], gains: dict[Said, float]
) -> list[Offer]:
    """The sentences of a statement that alone says them; of several those that matter are taken."""
    parts = parts_of(_bare(piece))
    stems = [content(part) for part in parts]
    shares = asking.shares(parts, stems, [False] * len(parts), [False] * len(parts))
    if _is_long_answer(piece.text.partition(":")[0], parts):
        shares = [share * bears for share, bears in zip(shares, asking.bears(stems), strict=True)]
    offers = []
    for at, (part, share) in enumerate(zip(parts, shares if len(parts) > 1 else [1.0], strict=True)):
        saying = _saying(piece, part)
        gains[saying] = max(gains.get(saying, 0.0), likely * share)
        says = {saying: 1.0}
        offers.append(Offer(piece=piece, at=at, text=part, count=count, says=says, gains=gains, alone=True))
    return offers


def _bare(statement: Piece) -> str:
    """Its text without its day, which stands before it."""
    bare = re.sub(rf" \((?:as of )?{in_words(statement.day)}\)", "", " ".join(statement.text.split()))
    return resolved(bare, statement.said_on, beside=statement.day)


def _resting(
    memories: Sequence[Piece], parts_by_id: Mapping[str, Sequence[str]], stems_by_id: Mapping[str, list[frozenset[str]]]
) -> dict[tuple[str, int], Said]:
    """For the sentences of facts, by piece and place: the sentence of their message that they say."""
    by_id = {piece.id: piece for piece in memories}
    resting = {}
    for piece in memories:
        sources = [by_id[id_] for id_ in piece.source_ids if id_ in by_id and id_ != piece.id]
        for at, terms in enumerate(stems_by_id[piece.id] if sources else ()):
            overlaps = [
                (len(terms & needed) / len(needed), place, source)
                for source in sources
                for place, needed in enumerate(stems_by_id[source.id])
                if needed
            ]
            share, place, source = max(overlaps, key=lambda part: part[0], default=(0.0, 0, piece))
            if share >= _SAYS_IT:
                resting[piece.id, at] = _saying(source, parts_by_id[source.id][place])
    return resting


def _said_by(statement: Piece, sentences: Sequence[Offer], stems: Sequence[frozenset[str]]) -> dict[Said, float]:
    """The sentences of its sources that a statement holds enough of, and how much."""
    terms, saying = content(statement.text), saying_of(statement.text)
    pairs = list(zip(sentences, stems, strict=False))
    # Of two sources in the same words it says the one that it quotes: "all are sold" is not "some are sold".
    quoted = [needed <= terms and part_of(saying, _worded(offer)) for offer, needed in pairs]
    others = {needed for (_, needed), is_quoted in zip(pairs, quoted, strict=True) if is_quoted}
    says: dict[Said, float] = {}
    for (offer, needed), is_quoted in zip(pairs, quoted, strict=True):
        share = len(terms & needed) / len(needed) if needed else 0.0
        if share >= _STATES_IT and (is_quoted or needed not in others):
            says[next(iter(offer.says))] = share
    return says


def _worded(offer: Offer) -> Saying:
    return saying_of(parts_of(offer.piece.text)[offer.at])


def _saying(piece: Piece, text: str) -> Said:
    return piece.day, spoken(piece, " ".join(text.split())).casefold().rstrip(".")
