"""What of a week or a month outweighs: decisions, hand-overs, dates that moved. Who agrees to the untold goes last."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.extractive.candidate import Candidate
from precis.extractive.weights.agents import is_agents
from precis.language import tables
from precis.language.laughter import jokes_in
from precis.language.sentences import is_question, sentences
from precis.language.words import MARKS
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
