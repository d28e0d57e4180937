"""What a user told an assistant for good: lines that stand in a context whatever is asked."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from precis.app.assembling.bound import LEAST_RELEVANCE, memory_pieces
from precis.app.recall import Recalled, is_users
from precis.language import tables
from precis.language.newest.instructed import holds_of_every_answer, standing_in
from precis.language.script import languages_of
from precis.recall.assembly import Piece, Section
from precis.recall.pieces import spoken

#: So many rows are looked at.
LOOKED_AT = 20
_ASKS = tables.section("instructed.asks")
#: So many that hold of every answer stand first, with a score above that of any row.
_STANDING, _STANDS = 3, 9.0
#: What else was told for good has the room that is left, behind all else.
_LAST = -1.0
#: They take this share of the budget at most, by the tokens of what stands above them and of their numbers as well;
#: of a small one so many tokens, but no more than the larger share.
_OF_STANDING, _FEW_TOKENS, _OF_SMALL, _ABOVE, _NUMBERED = 0.08, 40, 0.15, 4, 5


def tokens_for_standing(budget: int) -> float:
    """How many tokens of a budget what holds of every answer may take."""
    return max(_OF_STANDING * budget, min(_FEW_TOKENS, _OF_SMALL * budget))


def asks_standing(question: str) -> str:
    """What they are looked for by, in English and in the language of a question."""
    return " ".join(_ASKS[name] for name in ("English", *languages_of(question)[0]) if name in _ASKS)


def is_of_user(hit: Recalled) -> bool:
    """Whether it is what a user wrote to an assistant."""
    return is_users(hit.memory) and not hit.memory.is_summary


def standing_pieces(hits: Sequence[Recalled], tokens: float, count: Callable[[str], int]) -> list[Piece]:
    """What a user told for good in these rows.

    What holds whatever is asked stands first: the newest in so many tokens, as the answer has the room first. The
    rest has what the answer leaves.
    """
    left = tokens - _ABOVE
    rows = memory_pieces([hit for hit in hits if is_of_user(hit)])
    rows.sort(key=lambda piece: piece.created_at)
    standing: list[Piece] = []
    every = 0
    for at, text in reversed(standing_in([row.text for row in rows])):
        holds_always = every < _STANDING and holds_of_every_answer(text)
        every += holds_always
        cost = count(spoken(rows[at], text)) + _NUMBERED
        is_lasting = holds_always and cost <= left
        left -= cost if is_lasting else 0
        score, relevance = (_STANDS, 1.0) if is_lasting else (_LAST, LEAST_RELEVANCE)
        line = replace(rows[at], section=Section.INSIGHTS, text=text, is_lasting=is_lasting)
        standing.insert(0, replace(line, score=score, relevance=relevance))
    return standing
