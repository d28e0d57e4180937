"""What a statement rests on: its sources, how much of it they hold and how close together, and in whose words.

A model's citation is a claim, the lineage is what the words say.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from precis.checks.evidence import WEIGHTS, Claim, Evidence
from precis.checks.reading import Kind, Token
from precis.language.dates import MONTH_NAMES, dates_in_figures
from precis.language.vocabulary import WEAK_NUMBERS
from precis.language.words import stem

_NOBODY: frozenset[int] = frozenset()
#: Letters that a short form of a name has at least.
_SHORT_NAME = 3
#: Passages this close to the best one are as good a reading of the statement.
_AS_NEAR = 0.8
#: A passage that holds a smaller share of the statement tells something else: it turns nothing around.
_CLOSE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Unknown:
    """Tokens of a statement that no item holds."""

    names: frozenset[str]
    numbers: frozenset[str]
    dates: frozenset[str]
    #: Content words neither general nor held.
    words: frozenset[str]
    #: General words.
    plain: frozenset[str]
    #: Share of the content words that are neither held nor general.
    share: float


def find_unknown(claim: Claim, evidence: Evidence) -> Unknown:
    """Sort what no item holds by what it would take to invent it."""
    missing: dict[Kind, set[str]] = {kind: set() for kind in Kind}
    for token in claim.content:
        if not _is_held(token, claim, evidence):
            missing[Kind.CALENDAR if token.family in claim.calendar else token.kind].add(token.family)
    counted = {token.family for token in claim.content if token.kind in (Kind.WORD, Kind.NAME, Kind.PLAIN)}
    return Unknown(
        names=frozenset(missing[Kind.NAME]),
        numbers=frozenset(missing[Kind.NUMBER]),
        dates=frozenset(missing[Kind.CALENDAR]),
        words=frozenset(missing[Kind.WORD]),
        plain=frozenset(missing[Kind.PLAIN]),
        share=len(missing[Kind.WORD]) / max(1, len(counted)),
    )


def _is_held(token: Token, claim: Claim, evidence: Evidence) -> bool:
    if token.kind is Kind.NUMBER and token.family in evidence.family:
        return _counts_the_same(token, claim, evidence)
    if token.family in evidence.family or (token.kind is Kind.NAME and _is_short_form(token.family, evidence)):
        return True
    if token.family in claim.calendar:
        return claim.calendar[token.family] in evidence.dates
    return token.word in WEAK_NUMBERS


def _counts_the_same(token: Token, claim: Claim, evidence: Evidence) -> bool:
    """Whether the number stands with this unit and this thing, or with none: 950 dollars bear out no 950 euros.

    A thing counts only where the items count it: then "three cats" need a three by a cat, or by nothing.
    """
    units = evidence.units.get(token.family)
    if not units or token.family in claim.calendar:
        return True
    if token.unit:
        return any(not unit or not unit.isdisjoint(token.unit) for unit in units)
    heads = evidence.heads[token.family]
    return "" in heads or evidence.counted.isdisjoint(token.heads) or not heads.isdisjoint(token.heads)


def _is_short_form(name: str, evidence: Evidence) -> bool:
    """``Jon`` for Jonathan, or the other way around."""
    return any(
        min(len(name), len(other)) >= _SHORT_NAME and (name.startswith(other) or other.startswith(name))
        for other in evidence.names
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Support:
    """Shares of a statement, each 0..1."""

    #: Weight of its content words that its sources hold.
    covered: float
    #: The same for its best passage.
    aligned: float
    #: Neighboring content tokens that one passage of the sources holds together.
    joined: float
    #: Neighboring tokens, function words included, that stand so in the sources: ROUGE-2 precision.
    phrased: float


def measure(claim: Claim, sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> Support:
    """Support of one statement by its sources."""
    weights = {
        key: weight for key, weight in claim.weights.items() if not _is_their_date(key, claim, sources, evidence)
    }
    total = sum(weights.values())
    if not total:
        return Support(covered=0.0, aligned=0.0, joined=0.0, phrased=0.0)
    weight_held = sum(weight for key, weight in weights.items() if evidence.family.get(key, _NOBODY) & sources)
    places = [place for place in overlap if evidence.passages[place].item in sources]
    best = max(
        (
            sum(weight for key, weight in weights.items() if place in evidence.postings.get(key, _NOBODY))
            for place in sorted(places, key=overlap.__getitem__, reverse=True)[:3]
        ),
        default=0.0,
    )
    return Support(
        covered=weight_held / total,
        aligned=best / total,
        joined=_joined(claim, sources, evidence),
        phrased=_phrased(claim, sources, evidence),
    )


def _is_their_date(key: str, claim: Claim, sources: frozenset[int], evidence: Evidence) -> bool:
    """Part of a date that a source has without saying it."""
    return key not in evidence.family and _is_dated(key, claim, sources, evidence)


def _is_dated(key: str, claim: Claim, sources: Iterable[int], evidence: Evidence) -> bool:
    """Whether this is part of a date in the statement, and a source is of such a day."""
    token = claim.calendar.get(key) or claim.calendar.get(f"#{key}")
    return token is not None and not evidence.dates.get(token, _NOBODY).isdisjoint(sources)


def _phrased(claim: Claim, sources: frozenset[int], evidence: Evidence) -> float:
    shared = count = 0
    for sentence in claim.sentences:
        keys = [token.family for token in sentence.tokens]
        for pair in pairwise(keys):
            count += 1
            shared += not sources.isdisjoint(evidence.pairs.get(pair, ()))
    return shared / count if count else 1.0


def _joined(claim: Claim, sources: frozenset[int], evidence: Evidence) -> float:
    """Share of neighboring content tokens (two and three apart too) that occur together."""
    together = possible = 0.0
    for sentence in claim.sentences:
        tokens = [token for token in sentence.content if token.family not in claim.calendar]
        for place, token in enumerate(tokens):
            for other in tokens[place + 1 : place + 3]:
                if token.family != other.family:
                    weight = min(WEIGHTS[token.kind], WEIGHTS[other.kind])
                    possible += weight
                    together += weight * _together(token.family, other.family, sources, evidence)
    return together / possible if possible else 1.0


def _together(family: str, other: str, sources: frozenset[int], evidence: Evidence) -> float:
    """1 in one passage of the sources, less in neighboring passages or in one item."""
    ones = evidence.postings.get(family)
    others = evidence.postings.get(other)
    if not ones or not others:
        return 0.0
    passages = evidence.passages
    if any(passages[place].item in sources for place in ones & others):
        return 1.0
    near = {place + step for place in ones for step in (-1, 1)} & others
    if any(passages[place].item in sources for place in near):
        return 0.6
    return 0.3 if (evidence.family[family] & evidence.family[other]) & sources else 0.0


# --- which items a statement rests on ---


def recite(
    claim: Claim, cited: Iterable[int], evidence: Evidence, *, closest: dict[int, float], rare: int
) -> frozenset[int]:
    """The items a statement rests on: the cited ones that exist, and the holders of every term those lack.

    A rare term brings every holder, since any of them may be where it came from; a common one brings the holder
    closest to the statement. A statement that cites nothing starts from the closest item of all.
    """
    sources = {index for index in cited if 0 <= index < len(evidence.items)}
    if not sources and closest:
        sources = {max(closest, key=lambda index: (closest[index], index))}
    holders_by_term = {term: evidence.holders(term) for term in claim.terms}
    lacking_terms = [term for term, holders in holders_by_term.items() if holders and not holders & sources]
    days = _parts_of_days(claim, sources, evidence) if lacking_terms else frozenset()
    lacking = [
        holders_by_term[term]
        for term in lacking_terms
        if not (term in days or _is_dated(term, claim, sources, evidence))
    ]
    for holders in lacking:
        if len(holders) <= rare:
            sources |= holders
    for holders in lacking:
        if not holders & sources:
            sources.add(max(holders, key=lambda index: (closest.get(index, 0.0), index)))
    return frozenset(sources)


def _parts_of_days(claim: Claim, sources: Iterable[int], evidence: Evidence) -> frozenset[str]:
    """The figures of dates such as 2023-05-07 in the statement that are the days of a source."""
    parts = set[str]()
    for year, month, day in dates_in_figures(claim.text):
        keys = (f"#{year}", stem(MONTH_NAMES.get(int(month), "")), f"#{int(day)}")
        if not frozenset(sources).isdisjoint(
            frozenset.intersection(*(evidence.dates.get(key, _NOBODY) for key in keys))
        ):
            parts |= {part for figure in (year, month, day) for part in (figure, f"#{figure}", f"#{int(figure)}")}
    return frozenset(parts)


def closeness(overlap: dict[int, float], evidence: Evidence) -> dict[int, float]:
    """For each item, how much of the statement its best passage holds."""
    best: dict[int, float] = {}
    for place, weight in overlap.items():
        item = evidence.passages[place].item
        best[item] = max(best.get(item, 0.0), weight)
    return best


_FIRST_PERSON = frozenset({"i", "i'm", "i've", "i'd", "i'll", "my", "me", "mine", "myself", "we", "our", "us"})
_SECOND_PERSON = frozenset({"you", "your", "you're", "you've", "you'll", "you'd", "yours", "yourself"})
#: Passages that hold this share of what the best one holds are as good a reading of the statement.
_AS_GOOD = 0.75


def misattributed(claim: Claim, sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> bool:
    """Every passage that matches the statement best is in the first person of somebody the statement does not name."""
    named = claim.weights.keys() & evidence.spoken.keys()
    if not named or len(evidence.spoken) < 2:
        return False
    bare: dict[int, float] = {}
    for place, weight in overlap.items():
        passage = evidence.passages[place]
        if passage.item in sources:
            bare[place] = weight - sum(claim.weights[name] for name in named if place in evidence.postings[name])
    best = max(bare.values(), default=0.0)
    if best <= 0.0:
        return False
    return all(_is_another_self(place, named, evidence) for place, weight in bare.items() if weight >= _AS_GOOD * best)


def _is_another_self(place: int, named: set[str], evidence: Evidence) -> bool:
    if any(place in evidence.postings[name] for name in named):
        return False
    spoken = {token.word for token in evidence.passages[place].sentence.tokens}
    return not spoken.isdisjoint(_FIRST_PERSON) and spoken.isdisjoint(_SECOND_PERSON)


def best_places(sources: frozenset[int], evidence: Evidence, overlap: dict[int, float]) -> list[int]:
    """The passages of the sources that hold most of the statement, best first."""
    places = [place for place in overlap if evidence.passages[place].item in sources]
    if not places:
        return []
    limit = _AS_NEAR * max(overlap[place] for place in places)
    return sorted((place for place in places if overlap[place] >= limit), key=lambda place: -overlap[place])[:4]


def close_places(places: Sequence[int], claim: Claim, overlap: Mapping[int, float]) -> list[int]:
    """Those of these passages that tell the same, whatever they say of it: they hold enough of the statement."""
    least = _CLOSE * sum(claim.weights.values())
    return [place for place in places if overlap[place] >= least]
