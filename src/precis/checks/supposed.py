"""What nobody has said to be so: what they would do if, and what an assistant says that nobody takes up. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from precis.language import tables
from precis.language.chitchat import telling_in
from precis.language.sentences import is_question, sentences
from precis.summary import Statement, speaker_of, unattributed
from precis.trust import SourceClass, class_of_role

_NAMES = frozenset(tables.words("statements.agents"))
#: "If they cancel a third time I'm moving to Portugal": a condition, and what whoever speaks would do then.
_SUPPOSES = re.compile(tables.in_every_language("supposed.if_i"))


def supposes(sentence: str) -> bool:
    """Whether it says what somebody would do if something were so."""
    return _SUPPOSES.match(sentence.lstrip().lower()) is not None


def meant(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without what is only supposed, and what an assistant says in words that nobody took up.

    That only where people make as many of the statements or more. As they are where nothing else is left.
    """
    own = [_without(supposes, statement) for statement in statements if not _is_agents(statement.text)]
    words = frozenset().union(*(telling_in(unattributed(statement.text)) for statement in own if statement))
    agents = sum(_is_agents(statement.text) for statement in statements)

    def is_left_out(sentence: str) -> bool:
        return supposes(sentence) or is_question(sentence) or telling_in(sentence).isdisjoint(words)

    every = [
        _without(is_left_out if _is_agents(statement.text) and len(own) >= agents else supposes, statement)
        for statement in statements
    ]
    return [statement for statement in every if statement is not None] or list(statements)


def _without(is_left_out: Callable[[str], bool], statement: Statement) -> Statement | None:
    """The statement without some of its sentences; None where none is left."""
    parts = sentences(unattributed(statement.text))
    kept = [part for part in parts if not is_left_out(part)]
    if len(kept) == len(parts):
        return statement
    speaker = speaker_of(statement.text)
    text = " ".join(kept)
    return replace(statement, text=f"{speaker}: {text}" if speaker else text) if kept else None


def _is_agents(text: str) -> bool:
    speaker = (speaker_of(text) or "").strip()
    return class_of_role(speaker) is SourceClass.AGENT or speaker.casefold() in _NAMES
