"""How important a statement is, and what of a period is served where little of it is important."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from precis.checks.standing import lasts
from precis.checks.trifles import changes_a_life, is_small_note
from precis.extractive.candidate import Candidate
from precis.extractive.weights.agents import AGENT_SHARE, changes, is_agents
from precis.extractive.weights.decisions import decides
from precis.extractive.weights.everyday import ADDED, gives_newer
from precis.extractive.weights.instructions import INSTRUCTS
from precis.language.chitchat import hollow
from precis.language.newest.slots import turns
from precis.language.newest.taken_back import jokes_in
from precis.language.sentences import is_question, sentences
from precis.makers import DraftStatement, Item
from precis.summary import speaker_of

#: A statement that tells this much (the summed weight of its words) is of middle importance.
_MIDDLE = 20.0
#: What changes a life is so much more important than its memory is said to be, however plain its words.
_LIFE = 0.1
#: And what somebody marks as news this: it goes before what holds anyway.
_NEWS = 0.2
#: A note of no more than that somebody asked, thanked or was tired is worth this share, and what is of every day this.
_SMALL, _EVERYDAY = 0.75, 0.6
#: So much below what is served a note of a week is told in which nothing else is.
_NEARLY = 0.1
#: What a question tells less.
_ASKS = 5.0


def statement_of(
    text: str, group: Sequence[Candidate], items: Sequence[Item], weights: Mapping[str, float]
) -> DraftStatement:
    """A draft statement with its sources and importance: what it tells, moved by how important its item is."""
    item = items[group[0].item]
    # What a picture shows was not said: it makes nothing more important.
    terms = frozenset().union(*(candidate.terms for candidate in group if not candidate.caption))
    weight = sum(weights.get(term, 0.0) for term in sorted(terms)) * max(1.0, *(option.share for option in group))
    weight *= AGENT_SHARE if is_agents(item) else 1.0
    weight = max(0.0, weight - (_ASKS if is_question(text) else 0.0))
    importance = item.importance if group[0].derived else weight / (weight + _MIDDLE) + item.importance - 0.5
    if any(candidate.order for candidate in group):
        importance = max(importance, INSTRUCTS)
    if (any(map(changes, group)) or decides(text)) and not is_agents(item):
        importance = max(importance, item.importance + _LIFE)
    if not item.speaker and not is_question(text):
        # Among few notes every word is rare, and none weighs much.
        importance = max(importance, item.importance) * (_SMALL if is_small_note(text) else 1.0)
    elif not is_question(text) and any(_stands_out(option, item) for option in group):
        importance = max(importance, item.importance)
    if group[0].derived and any(option.ends for option in group):
        importance += _LIFE
    elif any(option.cried and _stands_out(option, item) for option in group) or (
        # What is so now goes before what was: of the two it tells in fewer words.
        not group[0].derived and any(_stands_out(option, item) for option in group) and gives_newer(ADDED.sub("", text))
    ):
        importance += _NEWS
    importance *= _EVERYDAY if group[0].derived and all(option.everyday for option in group) else 1.0
    sources = tuple(dict.fromkeys(source for candidate in group for source in candidate.sources))
    return DraftStatement(text=text, importance=round(min(1.0, max(0.0, importance)), 3), sources=sources)


def _stands_out(option: Candidate, item: Item) -> bool:
    """Whether somebody tells with it what a period is told by, however plain its words: "We got the keys in Graz"."""
    return option.stands and not (option.aside or option.dangling or option.of_listener or is_agents(item))


def once(statements: Sequence[DraftStatement]) -> list[DraftStatement]:
    """The statements without those that another one quotes whole, resting on the same and more."""
    return [
        statement
        for statement in statements
        if not any(statement.text in other.text and set(statement.sources) < set(other.sources) for other in statements)
    ]


def served(statements: Sequence[DraftStatement], items: Sequence[Item], served_from: float) -> list[DraftStatement]:
    """The statements; where none is important enough, notes are served that nearly were, or that tell of a change."""
    if any(statement.importance >= served_from for statement in statements):
        return list(statements)
    return [
        replace(statement, importance=served_from)
        if not items[statement.sources[0]].speaker
        and _tells(statement.text)
        and (statement.importance > served_from - _NEARLY or _turns(statement.text))
        else statement
        for statement in statements
    ]


def _turns(text: str) -> bool:
    """Whether it tells that something is otherwise from now on."""
    return lasts(text, None) or changes_a_life(text) or any(map(turns, sentences(text)))


def _tells(text: str) -> bool:
    """Whether a note tells something that is meant, and is no message: what was said in a talk has its speaker."""
    parts = sentences(text)
    if speaker_of(text) or is_small_note(text) or hollow(text):
        return False
    return not any(map(is_question, parts)) and not any(jokes_in(parts))
