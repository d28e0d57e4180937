"""What a row and a question have in common, how much each figure counts, and the chance that comes of it. Pure."""

import math
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple


class Evidence(NamedTuple):
    """What a row and a question have in common, each 0..1; also how much each counts, in log-odds."""

    #: Share of the question's words, by rarity, that the row and its neighbors hold; the name of who says it counts.
    words: float
    #: The same of the row alone, squared: a row that holds nearly all of them.
    exact: float
    #: The same of the row alone, without the names in the question. Where the question names who speaks here, of that
    #: one's rows only sentences that tell of themselves count, of others' none.
    told: float
    #: Likeness in meaning, of the row, and of the better of it and its neighbors.
    likeness: float
    nearby: float
    #: The question names somebody; nobody of that name speaks here, and the row, which somebody says, has no such name.
    unnamed: float
    #: The question names who speaks here, and somebody else says more on it, of themselves, than this row.
    elsewhere: float
    #: The question names who speaks here, and this is somebody else, speaking of themselves; and how well that fits.
    other_self: float
    other_fits: float
    #: The question names who speaks here, and this is theirs: how much more of it this holds than any row of others.
    lead: float
    #: It asks and does not tell.
    asks: float
    #: The question names who speaks here, and somebody else says this to them.
    addressed: float
    #: It asks for what somebody owns or keeps, and this tells it of another: as much as takes away that it is sure.
    another: float = 0.0
    #: Of a note, as far as it does not take away that it may be shown: nothing in it can be the kind of answer that is
    #: asked for; it has only the act that is asked about; it tells of another thing, or of somebody else.
    lacking: float = 0.0
    only_act: float = 0.0
    other: float = 0.0


#: Fitted; see docs/why/relevance.md.
WEIGHTS = Evidence(
    words=0.3, exact=1.0, told=0.9, likeness=0.3, nearby=1.4, unnamed=-1.9, elsewhere=-0.4, other_self=-0.7,
    other_fits=-0.7, lead=1.4, asks=-0.4, addressed=-0.2, another=-10.0,
    lacking=-3.4, only_act=-1.2, other=-1.6,
)  # fmt: skip
INTERCEPT = -3.3
#: What is told of another owner has at most these odds: a chance of .06, not surely relevant, and not left out.
OF_ANOTHER_OWNER = -2.75
#: What tells something else than is asked has no less for that: a chance of .052, not surely relevant, not left out.
LEAST = -2.9
NAMES = Evidence._fields


@dataclass(frozen=True, kw_only=True, slots=True)
class Relevance:
    """How likely a row is to be evidence, and why."""

    value: float
    evidence: Evidence

    @property
    def parts(self) -> dict[str, float]:
        """What each figure adds to the log-odds, by name."""
        return {name: getattr(WEIGHTS, name) * getattr(self.evidence, name) for name in NAMES}


def odds_of(evidence: Evidence) -> float:
    """The log-odds that a row is evidence."""
    odds: float = INTERCEPT + sum(map(mul, WEIGHTS, evidence))
    return odds


def chance(odds: float) -> float:
    """Log-odds as a chance, 0..1."""
    return 1 / (1 + math.exp(-odds))


#: What a row has at most that has nothing in common with the question.
NOTHING = chance(INTERCEPT)
