"""Assembly: the best context that fits a token budget. Pure: rows and statements in, a text with citations out.

What is packed are sentences. Each has a gain, the chance that it is what the question is for; a statement of a current
summary has the gain of the sentences that it says. Taken is what brings most for its tokens, so that a long memory is
there with the sentences that matter, and a statement where it says them in fewer tokens, or several at once. What is
said already is left out. A statement whose rows have expired stands among them for itself.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from itertools import pairwise

from precis.checks.sayings import Saying, part_of, saying_of
from precis.language.dating.resolving import resolved
from precis.language.words import content
from precis.memory import Tier
from precis.recall.pieces import (
    TITLES,
    Asking,
    Context,
    Line,
    Piece,
    Quotas,
    Section,
    chance,
    header_of,
    line_of,
    parts_of,
    rendered,
    spoken,
    text_of,
)

__all__ = ["Context", "Line", "Piece", "Quotas", "Section", "assemble", "rendered"]

#: A fact says a sentence of its message when it holds this share of its content words. A statement must hold more: the
#: sentences whose place it takes are read by nobody.
_SAYS_IT, _STATES_IT = 0.5, 0.7
#: What is said on another day as well is hardly news.
_AGAIN = 0.2
#: How much a token counts against what it brings: at 1 short sentences come first, at 0 the likeliest.
_THRIFT = 0.6
#: A line has no number yet when it is counted; two digits are as many tokens as one or three.
_ANY_NUMBER = 88


def assemble(
    pieces: Sequence[Piece],
    *,
    budget: int,
    count: Callable[[str], int],
    quotas: Quotas | None = None,
    query: str = "",
) -> Context:
    """Fill the budget from the pieces: insights first, then what brings most for its tokens."""
    offers = _offers(pieces, count, query)
    taking = _Taking(budget=budget, count=count, quotas=quotas or Quotas())
    for offer in sorted(offers, key=lambda offer: -offer.piece.score):
        if offer.piece.section is Section.INSIGHTS:
            taking.take(offer)
    others = [offer for offer in offers if offer.piece.section is not Section.INSIGHTS]
    taking.fill(others)
    if taking.quotas.summaries:
        # What memories have left over is not kept from summaries that alone say something.
        taking.quotas = replace(taking.quotas, summaries=1.0)
        taking.fill([offer for offer in others if offer.alone])
    return taking.written(pieces, offers)


_Saying = tuple[date, str]


@dataclass(kw_only=True, eq=False)
class _Offer:
    """A sentence of a memory, or a statement."""

    piece: Piece
    #: Its place among the sentences of the piece.
    at: int
    text: str
    count: Callable[[str], int]
    #: What it says, and how much of it.
    says: Mapping[_Saying, float]
    gains: Mapping[_Saying, float]
    alone: bool = False

    # Counted where somebody asks: most sentences bring nothing, or are never second in a line.

    @cached_property
    def alone_cost(self) -> int:
        """Tokens of a line with nothing else in it; those of a text and of the line break behind it are often fewer."""
        return self.count(f"{line_of(self.piece, self.text, _ANY_NUMBER)}\n")

    @cached_property
    def next_cost(self) -> int:
        """Tokens of the text behind another sentence."""
        return self.count(f" {self.text}")


def _offers(pieces: Sequence[Piece], count: Callable[[str], int], query: str) -> list[_Offer]:
    """All sentences that may bring anything, and the statements that say some of them."""
    memories = [piece for piece in pieces if piece.section is Section.MEMORIES]
    parts_by_id = {piece.id: parts_of(piece.text) for piece in memories}
    stems_by_id = {id_: [content(part) for part in parts] for id_, parts in parts_by_id.items()}
    asking = Asking(query, [frozenset().union(*stems) for stems in stems_by_id.values()])
    resting = _resting(memories, parts_by_id, stems_by_id)
    by_id: dict[str, list[_Offer]] = {}
    gains: dict[_Saying, float] = {}
    first_said: dict[str, date] = {}
    for rank, piece in enumerate(sorted(memories, key=lambda piece: -piece.score)):
        parts, stems = parts_by_id[piece.id], stems_by_id[piece.id]
        texts = [resolved(part, piece.said_on, beside=piece.day) for part in parts]
        is_dated = [text != part for text, part in zip(texts, parts, strict=True)]
        likely = chance(piece.score, piece.relevance, rank)
        of_piece = by_id.setdefault(piece.id, [])
        for at, share in enumerate(asking.shares(parts, stems, is_dated)):
            saying = resting.get((piece.id, at)) or _saying(piece, parts[at])
            again = first_said.setdefault(saying[1], piece.day) != piece.day
            gains[saying] = max(gains.get(saying, 0.0), likely * share * (_AGAIN if again else 1.0))
            offer = _Offer(piece=piece, at=at, text=texts[at], count=count, says={saying: 1.0}, gains=gains)
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
        alone = piece.section is Section.INSIGHTS or not origins
        if alone:
            saying = _saying(piece, piece.text)
            gains[saying] = max(gains.get(saying, 0.0), chance(piece.score, piece.relevance, rank))
        says = {saying: 1.0} if alone else _said_by(piece, origins, source_stems)
        text = resolved(" ".join(piece.text.split()), piece.said_on, beside=piece.day)
        offer = _Offer(piece=piece, at=0, text=text, count=count, says=says, gains=gains, alone=alone)
        shorter = offer.alone_cost < sum(
            (other.next_cost if other.at else other.alone_cost) for other in origins if next(iter(other.says)) in says
        )
        offer.says = says if alone or shorter else {}
        offers.append(offer)
    return offers


def _resting(
    memories: Sequence[Piece], parts_by_id: Mapping[str, Sequence[str]], stems_by_id: Mapping[str, list[frozenset[str]]]
) -> dict[tuple[str, int], _Saying]:
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


def _said_by(statement: Piece, sentences: Sequence[_Offer], stems: Sequence[frozenset[str]]) -> dict[_Saying, float]:
    """The sentences of its sources that a statement holds enough of, and how much."""
    terms, saying = content(statement.text), saying_of(statement.text)
    pairs = list(zip(sentences, stems, strict=False))
    # Of two sources in the same words it says the one that it quotes: "all are sold" is not "some are sold".
    quoted = [needed <= terms and part_of(saying, _worded(offer)) for offer, needed in pairs]
    others = {needed for (_, needed), is_quoted in zip(pairs, quoted, strict=True) if is_quoted}
    says: dict[_Saying, float] = {}
    for (offer, needed), is_quoted in zip(pairs, quoted, strict=True):
        share = len(terms & needed) / len(needed) if needed else 0.0
        if share >= _STATES_IT and (is_quoted or needed not in others):
            says[next(iter(offer.says))] = share
    return says


def _worded(offer: _Offer) -> Saying:
    return saying_of(parts_of(offer.piece.text)[offer.at])


def _saying(piece: Piece, text: str) -> _Saying:
    return piece.day, spoken(piece, " ".join(text.split())).casefold().rstrip(".")


@dataclass(kw_only=True, slots=True)
class _Taking:
    """What was taken so far."""

    budget: int
    count: Callable[[str], int]
    quotas: Quotas
    taken: dict[int, list[_Offer]] = field(default_factory=dict)
    used: dict[Section, int] = field(default_factory=dict)
    used_by_tier: dict[Tier, int] = field(default_factory=lambda: dict.fromkeys(Tier, 0))
    said: set[_Saying] = field(default_factory=set)
    headers: set[tuple[Section, str]] = field(default_factory=set)

    def fill(self, offers: Sequence[_Offer]) -> None:
        """Take what brings most for its tokens, as long as anything fits."""
        queue = [(-self._worth(offer), at) for at, offer in enumerate(offers)]
        heapq.heapify(queue)
        of_piece: dict[int, list[int]] = {}
        for at, offer in enumerate(offers):
            of_piece.setdefault(id(offer.piece), []).append(at)
        while queue:
            _, at = heapq.heappop(queue)
            worth = self._worth(offers[at])
            if worth <= 0:
                continue
            if queue and worth < -queue[0][0]:
                heapq.heappush(queue, (-worth, at))
            elif self.take(offers[at]):
                # The other sentences of its line cost less now.
                for other in of_piece[id(offers[at].piece)]:
                    heapq.heappush(queue, (-self._worth(offers[other]), other))

    def _worth(self, offer: _Offer) -> float:
        gain = sum(share * offer.gains[saying] for saying, share in offer.says.items() if saying not in self.said)
        return gain / self._cost(offer) ** _THRIFT if gain > 0 else 0.0

    def _cost(self, offer: _Offer) -> int:
        """Tokens that it takes now: of its line as well, and of what stands above it, unless they are there."""
        line = self.taken.get(id(offer.piece))
        if line:
            return offer.next_cost + all(abs(other.at - offer.at) > 1 for other in line)
        return offer.alone_cost + self._opening(offer.piece)

    def _opening(self, piece: Piece) -> int:
        title = 0 if piece.section in self.used else self.count(f"{TITLES[piece.section]}\n")
        header = header_of(piece)
        return title + (0 if (piece.section, header) in self.headers else self.count(f"{header}\n"))

    def take(self, offer: _Offer) -> bool:
        """Whether it says anything new, and fits into the budget and the quotas of its part and tier."""
        if not offer.says.keys() - self.said:
            return False
        piece, cost = offer.piece, self._cost(offer)
        used, of_tier = self.used.get(piece.section, 0) + cost, self.used_by_tier[piece.tier] + cost
        most = getattr(self.quotas, piece.section.value) * self.budget
        most_of_tier = self.quotas.tiers.get(piece.tier, 1.0) * self.budget
        if sum(self.used.values()) + cost > self.budget or used > most or of_tier > most_of_tier:
            return False
        self.used[piece.section], self.used_by_tier[piece.tier] = used, of_tier
        self.headers.add((piece.section, header_of(piece)))
        self.taken.setdefault(id(piece), []).append(offer)
        self.said.update(offer.says)
        return True

    def written(self, pieces: Sequence[Piece], offers: Sequence[_Offer]) -> Context:
        """The text, part by part; the weakest lines go while it is over the budget after all."""
        number = Counter(id(offer.piece) for offer in offers)
        while True:
            lines = _numbered(list(self.taken.values()), number)
            text = text_of(lines)
            tokens = self.count(text) if text else 0
            if tokens <= self.budget or not self.taken:
                break
            weakest = min(self.taken, key=lambda id_: self.taken[id_][0].piece.score)
            del self.taken[weakest]
        left_out, already_said = self._counted(pieces, offers)
        return Context(text=text, tokens=tokens, lines=tuple(lines), left_out=left_out, already_said=already_said)

    def _counted(self, pieces: Sequence[Piece], offers: Sequence[_Offer]) -> tuple[dict[Section, int], int]:
        """Pieces that are not there, by part, and those of which all that matters is said by others."""
        open_: dict[int, bool] = {}
        covered = {saying for line in self.taken.values() for offer in line for saying in offer.says}
        for offer in offers:
            sayings = [saying for saying in offer.says if offer.gains[saying] > 0]
            is_open = any(saying not in covered for saying in sayings) or not offer.says
            # Small talk beside what is said leaves nothing open; small talk alone was said by nobody.
            if sayings or not offer.says:
                open_[id(offer.piece)] = open_.get(id(offer.piece), False) or is_open
        missing = [piece for piece in pieces if id(piece) not in self.taken]
        left_out = dict.fromkeys(Section, 0)
        for piece in missing:
            left_out[piece.section] += open_.get(id(piece), True)
        return left_out, len(missing) - sum(left_out.values())


def _numbered(taken: Sequence[list[_Offer]], number: Mapping[int, int]) -> list[Line]:
    """The lines in the order of the parts, subjects and days."""
    order = list(Section)
    first: dict[tuple[Section, str], datetime] = {}
    for offer, *_ in taken:
        key = (offer.piece.section, header_of(offer.piece))
        first[key] = min(first.get(key, offer.piece.created_at), offer.piece.created_at)

    def place(line: list[_Offer]) -> tuple[object, ...]:
        piece = line[0].piece
        header = header_of(piece)
        return (
            order.index(piece.section),
            first[piece.section, header],
            header,
            piece.created_at,
            piece.id,
            piece.source_ids,
        )

    lines = []
    for at, line in enumerate(sorted(taken, key=place), start=1):
        piece, quote = line[0].piece, _quote(line)
        excerpt = len(line) < number[id(piece)]
        lines.append(Line(number=at, piece=piece, text=line_of(piece, quote, at), quote=quote, excerpt=excerpt))
    return lines


def _quote(line: Sequence[_Offer]) -> str:
    """The sentences in their order; where some between them are left out stands a mark."""
    ordered = sorted(line, key=lambda offer: offer.at)
    text = ordered[0].text
    for before, offer in pairwise(ordered):
        gap = " " if offer.at == before.at + 1 else " \u2026 "
        text += gap + offer.text
    return text
