"""Assembly: the best context that fits a token budget. Pure: rows and statements in, a text with citations out.

What is packed are sentences. Each has a gain, the chance that it is what the question is for; a statement of a current
summary has the gain of the sentences that it says. Taken is what brings most for its tokens, so that a long memory is
there with the sentences that matter, and a statement where it says them in hardly more tokens, or several at once. What
is said already is left out. A statement whose rows have expired stands among them for itself.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from precis.memory import Tier
from precis.recall.headings import ENGLISH, Headings
from precis.recall.newer.signs import asks_how_it_was
from precis.recall.offers import Offer, Said, offers_of
from precis.recall.passed import read_too_soon
from precis.recall.pieces import Context, Line, Piece, Quotas, Section, headings_of, line_of, rendered, text_of

__all__ = ["Context", "Line", "Piece", "Quotas", "Section", "assemble", "rendered"]

#: A statement is worth so much more than the sentences that it says: it names who said it and when, was checked, and
#: stands below what it is about.
_STATED = 1.3
#: How much a token counts against what it brings: at 1 short sentences come first, at 0 the likeliest.
_THRIFT = 0.6
#: So often at most the room is filled again without the statements that would be read before what is newer.
_OVER_AGAIN = 3
#: Statements go before sentences as long as all that is taken brings this share of what it would bring without that.
_AS_MUCH = 0.95


def assemble(
    pieces: Sequence[Piece],
    *,
    budget: int,
    count: Callable[[str], int],
    quotas: Quotas | None = None,
    query: str = "",
    own: Collection[str] = (),
    headings: Headings = ENGLISH,
) -> Context:
    """Fill the budget from the pieces: insights first, then what brings most for its tokens.

    ``own`` are the stems of the query that name whose memory it is and are not looked for. ``headings`` are what stands
    above and before the lines.
    """
    offers = offers_of(pieces, count, query, own)
    quoted = {id_ for offer in offers if offer.piece.section is Section.MEMORIES for id_ in offer.piece.source_ids}
    near = offers
    taken = _taken(near, budget, count, quotas or Quotas())
    for _ in range(0 if asks_how_it_was(query) else _OVER_AGAIN):
        lines = _numbered(list(taken.taken.values()), {}, headings)
        too_soon = read_too_soon(lines, query, own)
        # What only a statement tells stands nowhere else; what is quoted, no other statement of the same says either.
        passed = {
            (line.piece.section, id_)
            for line in lines
            if id(line.piece) in too_soon
            for id_ in line.piece.source_ids
            if id_ in quoted
        }
        left = [o for o in near if passed.isdisjoint((o.piece.section, id_) for id_ in o.piece.source_ids)]
        if len(left) == len(near):
            break
        near = left
        taken = _taken(near, budget, count, quotas or Quotas())
    return taken.written(pieces, offers, headings)


def _gain_of(line: Sequence[Offer]) -> float:
    """What these sentences of one line bring, or bring again."""
    return sum(offer.gain for offer in line)


def _taken(offers: Sequence[Offer], budget: int, count: Callable[[str], int], quotas: Quotas) -> _Taking:
    """What fits, as statements as long as they bring as much."""
    stating, quoting = (
        _filled(offers, _Taking(budget=budget, count=count, quotas=quotas, stating=stating))
        for stating in (True, False)
    )
    is_as_good = stating.gained() >= _AS_MUCH * quoting.gained() and not stating.is_turned
    return stating if is_as_good else quoting


def _filled(offers: Sequence[Offer], taking: _Taking) -> _Taking:
    insights = [offer for offer in offers if offer.piece.section is Section.INSIGHTS]
    insights.sort(key=lambda offer: -offer.piece.score)
    for offer in insights:
        if offer.piece.score >= 0:
            taking.take(offer)
    # What only has the room that is left is one of many.
    others = [offer for offer in offers if offer.piece.section is not Section.INSIGHTS or offer.piece.score < 0]
    # What only asks the same takes no room that anything else would.
    again = [offer for offer in others if offer.piece.asks_again]
    others = [offer for offer in others if not offer.piece.asks_again]
    taking.fill(others)
    if taking.stating:
        taking.gather([offer for offer in others if offer.piece.section is Section.SUMMARIES])
    if taking.quotas.summaries:
        # What memories have left over is not kept from summaries that alone say something.
        taking.quotas = replace(taking.quotas, summaries=1.0)
        taking.fill([offer for offer in others if offer.alone])
    taking.fill(again)
    taking.follow(others)
    return taking


@dataclass(kw_only=True, slots=True)
class _Taking:
    """What was taken so far."""

    budget: int
    count: Callable[[str], int]
    quotas: Quotas
    #: Whether a statement goes before the sentences that it says.
    stating: bool
    taken: dict[int, list[Offer]] = field(default_factory=dict)
    used: dict[Section, int] = field(default_factory=dict)
    used_by_tier: dict[Tier, int] = field(default_factory=lambda: dict.fromkeys(Tier, 0))
    said: set[Said] = field(default_factory=set)
    #: Everything that stands above a line: the last of them, below those before it.
    headings: set[tuple[Section, tuple[str, ...]]] = field(default_factory=set)
    #: What stands above each piece, with its tokens.
    opening_costs: dict[int, list[tuple[tuple[Section, tuple[str, ...]], int]]] = field(default_factory=dict)
    #: What was so stands in a summary, and for what is so now there is no room in it: it is read below.
    is_turned: bool = False

    def fill(self, offers: Sequence[Offer]) -> None:
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
                # The other sentences of its line cost less now; once the line is there, only those beside it do.
                begins = len(self.taken[id(offers[at].piece)]) == 1
                for other in of_piece[id(offers[at].piece)]:
                    if begins or abs(offers[other].at - offers[at].at) == 1:
                        heapq.heappush(queue, (-self._worth(offers[other]), other))

    def _worth(self, offer: Offer) -> float:
        gain = sum(share * offer.gains[saying] for saying, share in offer.says.items() if saying not in self.said)
        if offer.longer and not self.stating:
            return 0.0
        preferred = _STATED if self.stating and offer.piece.section is Section.SUMMARIES else 1.0
        return preferred * gain / self._cost(offer) ** _THRIFT if gain > 0 else 0.0

    def gather(self, statements: Sequence[Offer]) -> None:
        """What a summary says first stands in it, and not below among the memories, once anything of it is there.

        Otherwise what was so would be read before what is so now.
        """
        for offer in sorted(statements, key=lambda offer: (offer.piece.id, offer.piece.place)):
            piece = offer.piece
            is_open = (piece.section, headings_of(piece)) in self.headings and id(piece) not in self.taken
            if not is_open:
                continue
            said_by = [
                line
                for line in self.taken.values()
                if line[0].piece.section is Section.MEMORIES
                and all(other.says.keys() <= offer.says.keys() for other in line)
            ]
            sayings = {saying for line in said_by for other in line for saying in other.says}
            if not sayings or sayings != offer.says.keys() & self.said:
                continue
            for line in said_by:
                self._leave(line)
            if self._is_within(piece, offer.alone_cost):
                self._put_for_weaker(offer)
            else:
                self._take_back(said_by)
                self.is_turned = True

    def follow(self, offers: Sequence[Offer]) -> None:
        """What likely no longer holds does not stand alone: what became of it is there as well, or in its place.

        In its place only where recall put it before: in doubt the older one stays.
        """
        by_id: dict[str, list[Offer]] = {}
        for offer in offers:
            if offer.piece.section is Section.MEMORIES:
                by_id.setdefault(offer.piece.id, []).append(offer)
        for line in list(self.taken.values()):
            later = _saying(line, by_id.get(line[0].piece.later or "", []))
            if not later or id(later[0].piece) in self.taken or line[0].piece.section is not Section.MEMORIES:
                continue
            before = dict(self.taken), dict(self.used), dict(self.used_by_tier), set(self.said)
            if any(self.take(offer) for offer in later) or later[0].piece.score < line[0].piece.score:
                continue
            self._leave(line)
            weaker = sorted(self.taken.values(), key=lambda other: -other[0].piece.score)
            while not sum(self.take(offer) for offer in later):
                if not weaker or weaker[-1][0].piece.score >= later[0].piece.score:
                    self.taken, self.used, self.used_by_tier, self.said = before
                    break
                self._leave(weaker.pop())

    def _put_for_weaker(self, statement: Offer) -> None:
        """For the tokens that there are too few the weakest memories go."""
        weakest = sorted(self.taken.values(), key=lambda line: -_gain_of(line))
        while sum(self.used.values()) + statement.alone_cost > self.budget and weakest:
            if (line := weakest.pop())[0].piece.section is Section.MEMORIES:
                self._leave(line)
        self._put(statement, statement.alone_cost)

    def _take_back(self, lines: Sequence[list[Offer]]) -> None:
        for line in lines:
            for at, offer in enumerate(line):
                self._put(offer, offer.next_cost if at else offer.alone_cost)

    def _leave(self, line: list[Offer]) -> None:
        piece = line[0].piece
        del self.taken[id(piece)]
        freed = sum(other.next_cost if at else other.alone_cost for at, other in enumerate(line))
        self.used[piece.section] -= freed
        self.used_by_tier[piece.tier] -= freed

    def gained(self) -> float:
        """What all that was taken brings."""
        gains: dict[Said, float] = {}
        for offer in (offer for line in self.taken.values() for offer in line):
            for saying, share in offer.says.items():
                gains[saying] = max(gains.get(saying, 0.0), share * offer.gains[saying])
        return sum(gains.values())

    def _cost(self, offer: Offer) -> int:
        """Tokens that it takes now: of its line as well, and of what stands above it, unless they are there."""
        line = self.taken.get(id(offer.piece))
        if line:
            return offer.next_cost + all(abs(other.at - offer.at) > 1 for other in line)
        return offer.alone_cost + self._opening(offer.piece)

    def _opening(self, piece: Piece) -> int:
        title = 0 if piece.section in self.used else self.count(f"{ENGLISH.titles[piece.section]}\n")
        if id(piece) not in self.opening_costs:
            levels = [(piece.section, levels) for levels in _levels(piece)]
            self.opening_costs[id(piece)] = [(heading, self.count(f"{heading[1][-1]}\n")) for heading in levels]
        return title + sum(cost for heading, cost in self.opening_costs[id(piece)] if heading not in self.headings)

    def take(self, offer: Offer) -> bool:
        """Whether it says anything new, and fits into the budget and the quotas of its part and tier."""
        if not offer.says.keys() - self.said:
            return False
        cost = self._cost(offer)
        if sum(self.used.values()) + cost > self.budget or not self._is_within(offer.piece, cost):
            return False
        self._put(offer, cost)
        return True

    def _is_within(self, piece: Piece, cost: int) -> bool:
        """Whether so many tokens more are within the quotas of its part and tier."""
        used, of_tier = self.used.get(piece.section, 0) + cost, self.used_by_tier[piece.tier] + cost
        most = getattr(self.quotas, piece.section.value) * self.budget
        return used <= most and of_tier <= self.quotas.tiers.get(piece.tier, 1.0) * self.budget

    def _put(self, offer: Offer, cost: int) -> None:
        piece = offer.piece
        self.used[piece.section] = self.used.get(piece.section, 0) + cost
        self.used_by_tier[piece.tier] += cost
        self.headings.update((piece.section, levels) for levels in _levels(piece))
        self.taken.setdefault(id(piece), []).append(offer)
        self.said.update(offer.says)

    def written(self, pieces: Sequence[Piece], offers: Sequence[Offer], headings: Headings) -> Context:
        """The text, part by part; the weakest lines go while it is over the budget after all."""
        number = Counter(id(offer.piece) for offer in offers)
        while True:
            lines = _numbered(list(self.taken.values()), number, headings)
            text = text_of(lines, headings)
            tokens = self.count(text) if text else 0
            if tokens <= self.budget or not self.taken:
                break
            weakest = min(self.taken, key=lambda id_: _gain_of(self.taken[id_]))
            del self.taken[weakest]
        left_out, already_said = self._counted(pieces, offers)
        return Context(text=text, tokens=tokens, lines=tuple(lines), left_out=left_out, already_said=already_said)

    def _counted(self, pieces: Sequence[Piece], offers: Sequence[Offer]) -> tuple[dict[Section, int], int]:
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


def _levels(piece: Piece) -> list[tuple[str, ...]]:
    """What stands above its line, each with those that it stands below."""
    headings = headings_of(piece)
    return [headings[:depth] for depth in range(1, 1 + len(headings))]


def _numbered(taken: Sequence[list[Offer]], number: Mapping[int, int], words: Headings) -> list[Line]:
    """The lines in the order of the parts, subjects and days."""
    order = list(Section)
    best: dict[tuple[str, ...], float] = {}
    for piece in (line[0].piece for line in taken):
        if piece.subject:
            headings = headings_of(piece)
            best[headings] = max(best.get(headings, 0.0), piece.score)

    def place(line: list[Offer]) -> tuple[object, ...]:
        piece = line[0].piece
        return (
            order.index(piece.section),
            not piece.is_lasting,
            # The subject that answers best stands first; what is so now is read before what was so.
            -best[headings_of(piece)] if piece.subject else 0.0,
            headings_of(piece) if piece.subject else (),
            piece.of_another,
            -piece.day.toordinal(),
            piece.place,
            piece.created_at,
            piece.id,
            piece.source_ids,
        )

    lines = []
    ordered = sorted(taken, key=place)
    numbers = {line[0].piece.id: at for at, line in enumerate(ordered, start=1) if line[0].piece.place == 0}
    by_number = dict(enumerate(ordered, start=1))
    for at, line in enumerate(ordered, start=1):
        piece, quote = line[0].piece, _quote(line)
        excerpt = len(line) < number.get(id(piece), 0)
        later = numbers.get(piece.later or "")
        later = later if _saying(line, by_number.get(later or 0, [])) else None
        text = line_of(piece, quote, at, later, words)
        lines.append(Line(number=at, piece=piece, text=text, quote=quote, excerpt=excerpt))
    return lines


def _saying(line: Sequence[Offer], later: Sequence[Offer]) -> list[Offer]:
    """Those sentences of a newer row that say what became of what this line tells; none where it tells none of that."""
    overruled = line[0].piece.overruled
    if overruled is None:
        return list(later)
    old, new = overruled
    is_told = any(offer.at in old for offer in line)
    return [offer for offer in later if offer.at in new] if is_told else []


def _quote(line: Sequence[Offer]) -> str:
    """The sentences in their order; where some between them are left out stands a mark."""
    ordered = sorted(line, key=lambda offer: offer.at)
    text = ordered[0].text
    for before, offer in pairwise(ordered):
        gap = " " if offer.at == before.at + 1 else " \u2026 "
        text += gap + offer.text
    return text
