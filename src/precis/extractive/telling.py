"""Which clauses of a talk tell something, and which only react, point back, advise, or say what holds of everybody."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from precis.checks.asides import Manners, is_curt, only_confirms
from precis.checks.reactions import (
    is_aside,
    is_reaction,
    opens_on_reaction,
    speaks_of_somebody,
    states,
    tells_listener,
    to_listener,
)
from precis.checks.trifles import is_trifle, is_trifle_elsewhere, passes
from precis.extractive.antecedents import POINTS_BACK, question_before
from precis.extractive.candidate import Candidate
from precis.extractive.together import limits, turns
from precis.extractive.weights.agents import is_agents, only_feels
from precis.extractive.weights.decisions import decides
from precis.extractive.weights.instructions import speaks_with_agent
from precis.language import tables
from precis.language.chitchat import hollow, telling_in
from precis.language.grammar import FORMS
from precis.language.newest.instructed import forbids, instructs
from precis.language.sentences import is_question, sentences
from precis.language.vocabulary import NEGATORS
from precis.language.words import content, numbers, stem, words
from precis.makers import Item
from precis.trust import Voice

#: What a tool answers when it fails: it tells of the tool, and of nobody.
_FAILURE = re.compile(r"^\s*[{\[]\s*[\"{]|\bTraceback \(most recent call last\)|\b[A-Z]\w*(?:Error|Exception)\b")
#: A line that a program wrote for a log or a terminal, whoever pastes it: it tells of the program, and of nobody.
_WRITTEN_BY_PROGRAM = re.compile(
    r"Traceback \(|\W*\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\W*\d\d:\d\d:\d\d\S* "
    r"|\W*(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE|CRITICAL)\b\W|\W*\w*(?:Error|Exception): "
    r"|\s*[{\[]+\s*[\"']\w+[\"']\s*:|\s*at [\w.$<>]+\(|\s*File \"|.*(?:={4,}|#{4,}|\*{4,})"
)

#: What an assistant says to whoever told of a success or a loss.
_CONGRATULATES = re.compile(rf"\W*(?:{tables.in_every_language('fillers.congratulates')})", re.IGNORECASE)
#: What somebody takes up stands in at most so many messages before.
_LAST = 3


def telling(
    kept: Sequence[Sequence[Candidate]], items: Sequence[Item], manners: Manners | None
) -> list[list[Candidate]]:
    """The candidates without encouragement, reactions and captions, as long as that leaves any."""
    with_agent = speaks_with_agent(items)
    real = [list(_real(of_item, items, manners, with_agent=with_agent)) if of_item else [] for of_item in kept]
    tells = [[clause for clause in of_item if not clause.aside] for of_item in real]
    asides = sum(map(len, real)) - sum(map(len, tells))
    # A talk that is mostly advice is about that.
    real = tells if asides <= sum(map(len, tells)) else real
    return real if any(real) else list(map(list, kept))


def _real(
    of_item: Sequence[Candidate], items: Sequence[Item], manners: Manners | None, *, with_agent: bool
) -> Iterator[Candidate]:
    """Those of an item that tell something, and those that turn or limit what one of these tells."""
    item = items[of_item[0].item]
    parts = sentences(item.text)
    before: Candidate | None = None
    for clause in of_item:
        turning = before is not None and not before.aside and _turns(before, clause, item, parts)
        # What is said to a friend is no instruction: "Never give up!"
        to_agent = with_agent and item.speaker is not None and not is_agents(item)
        orders = to_agent and (instructs(clause.text) or forbids(clause.text))
        tells = orders or _tells_something(clause, item, manners)
        if turning or (tells and not _mutters(clause, items, manners, parts)):
            ranked = clause if turning or orders else _ranked(clause, item, manners, parts)
            before = replace(ranked, aside=True) if not turning and echoes_other(ranked, items) else ranked
            yield before


def _mutters(clause: Candidate, items: Sequence[Item], manners: Manners | None, parts: Sequence[str]) -> bool:
    """Whether an assistant says no more than "Gut.", or opens on a few such words, where nobody asked for them."""
    if not is_agents(items[clause.item]) or len(clause.sources) > 1:
        return False
    sentence = parts[clause.sentence]
    # "恭喜拿到offer!" is glad of what somebody else told.
    if _CONGRATULATES.match(sentence) and not re.search(r"\d", sentence):
        return True
    if manners is None:
        return False
    if clause.sentence == 0 and question_before(items, clause.item):
        return False
    opens = manners.spaced and clause.sentence == 0 and is_curt(parts[0])
    return opens or only_confirms(sentence)


def _turns(before: Candidate, clause: Candidate, item: Item, parts: Sequence[str]) -> bool:
    """Whether it turns what was told before it; advice in a talk does not, but where it says how far that goes."""
    if not turns(before, clause, parts):
        return False
    return limits(before, clause, parts) or not (item.speaker and is_aside(clause.text))


def _ranked(clause: Candidate, item: Item, manners: Manners | None, parts: Sequence[str]) -> Candidate:
    """The clause with what makes it worth less than what somebody tells of themselves. Only a talk has a listener."""
    if clause.derived or len(clause.sources) > 1 or clause.standing or not item.speaker:
        return clause
    if item.alone and decides(clause.text):
        return clause
    if _WRITTEN_BY_PROGRAM.match(clause.text):
        return replace(clause, aside=True)
    if item.voice is not Voice.VOUCHED and (clause.code or _FAILURE.search(clause.text)):
        return replace(clause, aside=True)
    if manners:
        aside = manners.is_advice(clause.text) or is_trifle_elsewhere(clause.text, manners)
        return replace(clause, aside=aside, of_listener=manners.tells_listener(clause.text))
    follows = clause.sentence > 0 and clause.clause == 0
    aside = is_aside(clause.text) or (is_trifle(clause.text) and is_trifle(parts[clause.sentence]))
    aside = aside or (follows and _points_and_tells_nothing(clause.text))
    return replace(clause, aside=aside, of_listener=tells_listener(clause.text))


def echoes_other(clause: Candidate, items: Sequence[Item]) -> bool:
    """Whether it takes up what another has told just before, and adds no word: "I'm proud of you for selling it".

    It is said to the other, opens as a reaction or points back, and answers nothing that was asked.
    """
    item, text = items[clause.item], clause.text
    if not item.speaker or clause.derived or clause.standing or len(clause.sources) > 1 or clause.code:
        return False
    others = [other for other in items[max(0, clause.item - _LAST) : clause.item] if other.speaker != item.speaker]
    if not others or others[-1].derived or question_before(items, clause.item):
        return False
    points = POINTS_BACK.match(text) is not None and not speaks_of_somebody(text)
    if not (points or to_listener(text) or opens_on_reaction(text)):
        return False
    if not NEGATORS.isdisjoint(words(text)) or any(map(is_question, sentences(text))):
        return False
    heard = " ".join(part for other in others for part in sentences(other.text) if not is_question(part))
    stems = content(heard) | {stem(FORMS[word].lemma) for word in words(heard) if word in FORMS}
    return bool(telling_in(text)) and telling_in(text) <= stems and set(numbers(text)) <= set(numbers(heard))


def _points_and_tells_nothing(sentence: str) -> bool:
    """As "It was empowering." is: no word of it could be looked up. A denial may tell that something is not so."""
    if not POINTS_BACK.match(sentence) or states(sentence) or telling_in(sentence):
        return False
    return NEGATORS.isdisjoint(words(sentence))


def _tells_something(clause: Candidate, item: Item, manners: Manners | None) -> bool:
    """Whether somebody may ask for it later. Only in a talk is anything a reaction, or a picture beside the words."""
    if clause.derived or len(clause.sources) > 1 or clause.standing or (item.alone and decides(clause.text)):
        return True
    if passes(clause.text) or (item.speaker and (clause.caption or is_reaction(clause.text))):
        return False
    if is_agents(item) and only_feels(clause.text):
        return False
    if item.speaker and manners and manners.is_courtesy(clause.text):
        return False
    return denies(clause, item) or not hollow(clause.text)


def denies(clause: Candidate, item: Item) -> bool:
    """Whether a clause of a note turns what stands beside it, though no word of it tells anything: "It is not"."""
    return not item.speaker and not NEGATORS.isdisjoint(words(clause.text))
