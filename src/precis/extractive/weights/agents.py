"""What an assistant says in a talk is worth less than what people tell of themselves, and its echo of that nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from precis.checks.answering import is_asked
from precis.checks.reactions import is_of_nobody, states, states_more, tells_listener
from precis.checks.trifles import changes_a_life
from precis.extractive.candidate import Candidate
from precis.language import tables
from precis.language.chitchat import uncalled
from precis.language.labels import extract
from precis.language.newest.followed import reverses
from precis.language.newest.instructed import forbids
from precis.language.sentences import is_question, sentences
from precis.language.words import content, names, numbers
from precis.makers import Item
from precis.summary import speaker_of, unattributed
from precis.trust import SourceClass, Voice, class_of_role

#: What an assistant says is worth this share beside what somebody tells.
AGENT_SHARE = 0.6
#: And this share of that, where it is so of nobody in particular: "Museums can provide a lot of knowledge".
_OF_NOBODY = 0.5
#: An echo has at most so many of its words for itself: "hazelnuts" of a hazelnut allergy.
_OWN_WORDS = 0.5
#: A clause that tells what changes somebody's life is worth so many times as much as its words.
_LIFE = 2.5
#: Of a long answer a sentence is worth this share, and what it recommends so many times as much.
_LONG, _OF_MANY, _RECOMMENDS = 5, 0.5, 3.0
#: What a user decides is worth so many times as much.
_DECIDES = 2.0
_RECOMMENDING = tables.whole_words("statements.recommends")
_REASON = tables.whole_words("statements.reasons")
_OFFERS = re.compile(rf"\W*(?:{tables.choices('statements.offers')})(?!\w)", re.IGNORECASE)
#: What assistants are called.
_NAMES = frozenset(tables.words("statements.agents"))
_ECHOES = re.compile(
    "|".join(rf"(?:{tables.choices(f'echoes.{name}')})" for name in tables.section("echoes")), re.IGNORECASE
)
_FEELS = re.compile(
    r"(?:oh,? |aw+,? )?(?:i['\u2019]m|i am|that['\u2019]s|that is|that sounds|this is|sounds|what|how) (?:\w+ )?"
    r"(?:glad|sorry|happy|pleased|excited|proud|thrilled|delighted|relieved|a|an|like|great|wonderful)\b",
    re.IGNORECASE,
)
#: Entries of a list of a few words each; they suggest or say what might be done.
_DIGIT = re.compile(r"\d")
_LISTED = re.compile(r"(?:\d+[.)] (?:[^\W\d_]+\W*){1,4})+")
_ADVISES = re.compile(rf"\b(?:{tables.choices('statements.agent_advises')})\b", re.IGNORECASE)
_ASKS = re.compile(rf"(?:{tables.choices('statements.asks_agent')})\b", re.IGNORECASE)


def is_agents(item: Item) -> bool:
    """Whether an assistant says it, by its class or by what its speaker is called."""
    if item.speaker is None or item.derived:
        return False
    return item.classes == {SourceClass.AGENT} or speaks_as_agent(item.speaker)


def speaks_as_agent(speaker: str) -> bool:
    """Whether an assistant is called so."""
    return class_of_role(speaker) is SourceClass.AGENT or speaker.casefold() in _NAMES


def is_long(item: Item) -> bool:
    """Whether it is an answer of so many sentences that it explains something."""
    return len(sentences(item.text)) > _LONG


def only_feels(sentence: str) -> bool:
    """Whether an assistant says that it is glad or sorry, or how it finds what it was told: no fact of anybody."""
    return _FEELS.match(sentence) is not None and not states_more(sentence)


def echoes(option: Candidate, items: Sequence[Item], *, at_most: float = 0.0) -> bool:
    """Whether an assistant confirms what somebody else told: "Noted: open from 7.". It has no word of its own.

    Or ``at_most`` that share of its words; a figure of its own it never has.
    """
    item = items[option.item]
    if not is_agents(item):
        return False
    sentence = sentences(item.text)[option.sentence]
    opening = _ECHOES.match(sentence)
    if opening is None:
        return _repeats(sentence, items, option.item)
    told = content(sentence[opening.end() :])
    before = " ".join(other.text for other in items[: option.item] if not is_agents(other))
    own = told - content(before)
    return len(own) <= at_most * len(told) and set(numbers(sentence)) <= set(numbers(before))


def _repeats(sentence: str, items: Sequence[Item], at: int) -> bool:
    """Whether it has no word and no figure but those that somebody told right before it, and did not ask."""
    before = items[at - 1] if at else None
    if before is None or before.derived or not before.speaker or is_agents(before):
        return False
    text = " ".join(part for part in sentences(before.text) if not is_question(part))
    terms = content(sentence)
    return bool(terms) and terms <= content(text) and set(numbers(sentence)) <= set(numbers(text))


def ranked(options: Sequence[Candidate], items: Sequence[Item], *, of_period: bool) -> list[Candidate]:
    """The candidates; advice and requests are asides. Of a period what changes a life is worth more, an agent less."""
    talks = any(map(is_agents, items))
    advised = talks and not of_period and not all(map(is_agents, items))
    return [
        replace(each, aside=True) if advised and _holds_anywhere(each, items) else each
        for each in (_ranked(option, items, talks=talks, of_period=of_period) for option in options)
    ]


def _holds_anywhere(option: Candidate, items: Sequence[Item]) -> bool:
    """Whether a long answer says with it what it would say to anybody: it has no word of what it was asked or told.

    Nor a figure or a name. What it opens with, what it recommends, and code stay what they are.
    """
    item = items[option.item]
    if option.derived or option.code or option.caption or not option.sentence or not is_agents(item):
        return False
    sentence = sentences(item.text)[option.sentence]
    if not is_long(item) or recommends(sentence) or _DIGIT.search(sentence) or names(uncalled(sentence)):
        return False
    asked = next((other.text for other in reversed(items[: option.item]) if not is_agents(other)), "")
    return content(asked).isdisjoint(content(sentence))


def _ranked(option: Candidate, items: Sequence[Item], *, talks: bool, of_period: bool) -> Candidate:
    item = items[option.item]
    if option.caption or option.code:
        return option
    if option.derived:
        return replace(option, share=_share_in_period(option) if of_period else _share_in_talk(option, item))
    if is_agents(item):
        return _ranked_agents(option, items, of_period=of_period)
    # "Please make it five" gives a value, and is no mere request.
    if talks and item.speaker and _ASKS.match(option.text) and not (states(option.text) or forbids(option.text)):
        return replace(option, aside=True)
    if of_period and changes(option):
        return replace(option, share=max(1.0, option.share) * _LIFE)
    decides = talks and not of_period and item.speaker and item.voice is Voice.VOUCHED and not option.aside
    return replace(option, share=option.share * _DECIDES) if decides and _decides(option.text, item.speaker) else option


def _ranked_agents(option: Candidate, items: Sequence[Item], *, of_period: bool) -> Candidate:
    """The same of what an assistant says; of a long answer what it recommends is worth most."""
    item = items[option.item]
    explains = is_long(item)
    if not of_period and recommends(option.text) and (explains or _REASON.search(option.text)):
        return replace(option, aside=False, share=option.share * _RECOMMENDS)
    advises = _LISTED.fullmatch(option.text) or (_ADVISES.search(option.text) and not tells_listener(option.text))
    advises = advises or echoes(option, items, at_most=_OWN_WORDS)
    # Who tells of themselves and asks nothing hears an opinion; what a question was answered with may be asked for.
    opines = not (of_period or explains or option.standing or len(option.sources) > 1) and item.speaker is not None
    advises = advises or (opines and not states(option.text) and _is_told(items, option.item))
    # Of what it looked up a figure may be what somebody asks for.
    share = option.share * (AGENT_SHARE if of_period or not states(option.text) else 1.0)
    share *= _OF_NOBODY if is_of_nobody(option.text) else 1.0
    share *= _OF_MANY if explains else 1.0
    return replace(option, aside=option.aside or bool(advises), share=share)


def _is_told(items: Sequence[Item], at: int) -> bool:
    """Whether somebody who is no assistant spoke before it and asked nothing."""
    before = items[at - 1] if at else None
    if before is None or before.derived or not before.speaker or is_agents(before):
        return False
    return not any(is_asked(part) or _ASKS.match(part) for part in sentences(before.text))


def recommends(text: str) -> bool:
    """Whether an assistant says with it what it would do, or what its answer comes to: "I'd take X, because Y"."""
    return any(_RECOMMENDING.search(sentence) for sentence in sentences(text) if not _OFFERS.match(sentence))


def without_offers(answer: str) -> str:
    """A long answer without what it offers beyond itself: "If you like, I can draft the order."."""
    lines = [sentences(line) for line in answer.splitlines()]
    if sum(map(len, lines)) <= _LONG:
        return answer
    return "\n".join(" ".join(part for part in line if not _OFFERS.match(part)) for line in lines)


def _decides(text: str, speaker: str | None) -> bool:
    return extract(text, speaker=speaker).type == "decision" or any(map(reverses, sentences(text)))


def _share_in_talk(option: Candidate, item: Item) -> float:
    """What a statement of a stretch of a talk is worth in the whole: what people decide more, an assistant's less."""
    speaker, text = speaker_of(option.text), unattributed(option.text)
    if speaker is None or len(item.classes) > 1:
        return option.share
    if speaks_as_agent(speaker):
        return option.share * (1.0 if recommends(text) else AGENT_SHARE)
    return option.share * (_DECIDES if _decides(text, speaker) else 1.0)


def _share_in_period(option: Candidate) -> float:
    """What a statement of a week is worth in its month."""
    return _LIFE if changes_a_life(option.text) else option.share


def changes(option: Candidate) -> bool:
    """Whether somebody tells with it what changes a life."""
    apart = option.aside or option.derived or option.caption or option.of_listener
    return not apart and changes_a_life(option.text)
