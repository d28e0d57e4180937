"""What of a week or a month outweighs: decisions, hand-overs, dates that moved. Who agrees to the untold goes last."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from precis import patterns as re
from precis.extractive.candidate import Candidate
from precis.extractive.weights.agents import is_agents
from precis.language import tables
from precis.language.newest.taken_back import jokes_in
from precis.language.sentences import is_question, sentences
from precis.language.words import MARKS, kept_where_short
from precis.makers import Item

#: What decides something is worth so many times as much as its words, and so much a word at least, however plain these
#: are; of few plain words it is no more than so many times as much.
_DECIDES, _A_WORD, _MOST = 2.5, 2.5, 8.0
#: Words beside its own that count where a clause is weighed.
_BESIDE = 2


_DECIDED = re.compile(
    rf"(?<![\w{MARKS}-])(?:{tables.in_every_language('weight.decided')})(?![\w{MARKS}])|{tables.in_every_language('weight.decided_unspaced')}",
    re.IGNORECASE,
)
#: A date that was added to what was said.
_ADDED = re.compile(r"\s?\([^()]*\b(?:19|20)\d\d[^()]*\)")
_AGREES = re.compile(rf"\W*(?:(?:{tables.in_every_language('weight.agrees')}))\W*(?:\([^()]*\)\W*)?")


@kept_where_short
def decides(text: str) -> bool:
    """Whether one of its sentences tells that something is decided, handed on, put off or finished."""
    # "We decided: RabbitMQ it is" only looks as if "We decided" spoke.
    parts = sentences(_ADDED.sub("", text))
    return any(
        _DECIDED.search(part) is not None and not is_question(part) and not joke
        for part, joke in zip(parts, jokes_in(parts), strict=True)
    )


def only_agrees(sentence: str) -> bool:
    """Whether it tells that somebody agreed, and not to what: "Henrike agreed this morning."."""
    return _AGREES.fullmatch(sentence) is not None


def outweighing(
    options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]
) -> list[Candidate]:  # fmt: skip
    """The candidates of a period; what decides is worth more, and what tells of something untold goes last."""
    return [_outweighing(option, items[option.item], weights) for option in options]


def _outweighing(option: Candidate, item: Item, weights: Mapping[str, float]) -> Candidate:
    if option.caption or option.code or option.aside or is_agents(item):
        return option
    if option.points_to is None and only_agrees(option.text):
        return replace(option, aside=True)
    weight = sum(weights.get(term, 0.0) for term in sorted(option.terms))
    if not weight or not decides(option.text):
        return option
    least = min(_MOST, _A_WORD * (option.length + option.lead_length + _BESIDE) / weight)
    return replace(option, share=max(option.share, _DECIDES, least))


# Of a note and what became of it on another day, the later one is worth more.
#: A word that stands in more items than this is what all of them are about, and ties no two together.
_MOST_ITEMS = 3
#: Share of what the lighter of two clauses tells that they must have in common.
_IN_COMMON = 0.2
#: A clause after which the matter was taken up again is worth this share; the last one on it so many times as much.
_FOLLOWED, _LATEST = 0.8, 1.4


def timely(options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]) -> list[Candidate]:
    """The candidates, each with its share by what was said of its matter before and after it.

    A matter is what two items of different days speak of in words that hardly any other item has. Turns of one
    conversation are not compared: who answers there says less than who tells.
    """
    common = _in_common(options, items, weights)
    telling = [sum(weights.get(term, 0.0) for term in sorted(option.terms)) for option in options]
    tied = [pair for pair, weight in common.items() if weight >= _IN_COMMON * min(telling[at] for at in pair)]
    followed, following = {earlier for earlier, _ in tied}, {later for _, later in tied}
    return [
        replace(option, share=_FOLLOWED if at in followed else _LATEST) if at in followed | following else option
        for at, option in enumerate(options)
    ]


def _in_common(
    options: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]
) -> Mapping[tuple[int, int], float]:
    """Weight of the rare words that two candidates share, by the place of the earlier and of the later."""
    holders: dict[str, list[int]] = {}
    for at, option in enumerate(options):
        for term in option.terms:
            holders.setdefault(term, []).append(at)
    common: dict[tuple[int, int], float] = {}
    days = [item.day for item in items]
    # Most words stand in one clause alone, and nothing follows itself.
    for term in sorted(term for term, places in holders.items() if len(places) > 1):
        places = holders[term]
        if len({options[at].item for at in places}) > _MOST_ITEMS:
            continue
        for earlier in places:
            for later in places:
                if _follows(options[later].item, options[earlier].item, items, days):
                    common[earlier, later] = common.get((earlier, later), 0.0) + weights.get(term, 0.0)
    return common


def _follows(later: int, earlier: int, items: Sequence[Item], days: Sequence[date | None]) -> bool:
    newer, older = days[later], days[earlier]
    if newer is None or older is None:
        return earlier < later and items[later].speaker is None and items[earlier].speaker is None
    return older < newer
