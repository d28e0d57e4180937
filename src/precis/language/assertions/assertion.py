"""One clause, read: what it says of its subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from precis.language.subjects import Context, Subject
from precis.language.tokens import Token, text_of
from precis.language.values import tail_of, typed, value_and_tail
from precis.language.verbs import VerbGroup
from precis.language.words import terms
from precis.trust import Voice


@dataclass(frozen=True, kw_only=True, slots=True)
class Assertion:
    """One clause, read."""

    subject: Subject
    speaker: tuple[str, ...]
    verb: str
    #: What it gives a value: "home", "is"; empty where it gives none.
    attributes: frozenset[str] = frozenset()
    #: hold, enter, leave or change.
    part: str = ""
    value: frozenset[str] = frozenset()
    #: Whether the value is written as a name.
    named: bool = False
    #: Times, dates and amounts among the values.
    typed: dict[str, frozenset[str]] = field(default_factory=dict)
    #: All content words behind the verb but those of time and condition.
    terms: frozenset[str] = frozenset()
    #: Those that are no part of the value: other facts.
    extra: frozenset[str] = frozenset()
    #: Under which condition it holds.
    condition: frozenset[str] = frozenset()
    #: What it says to be over, and, where it says so, the verbs of what was done with it.
    ended: frozenset[str] = frozenset()
    ended_verbs: frozenset[str] = frozenset()
    #: Of several words that ended the last one, which the others describe: the engine of "sold the boat engine".
    ended_head: str = ""
    denied: bool = False
    changes: bool = False
    adds: bool = False
    replaces: bool = False  # says "instead"
    #: An event of a day that it names: it stays true whatever comes later.
    dated: bool = False
    past: bool = False
    #: Tells what happened: "has called Ben".
    event: bool = False
    #: What stands before its value: "in" of "lives in Oslo".
    particle: str = ""
    voice: Voice = Voice.VOUCHED
    labelled: bool = False
    #: What the clause may say as well: "changed the password" of the user's, or of the one that "the password" names.
    also: tuple[Assertion, ...] = ()

    def with_values(self, **values: Any) -> Assertion:
        """The same with these values: itself, where it has them."""
        return self if all(getattr(self, name) == value for name, value in values.items()) else replace(self, **values)

    def of_each(self) -> Iterator[Assertion]:
        """It, what the clause may say as well, and what it says of a thing that all who speak have together."""
        yield self
        yield from self.also
        if self.subject.shared:
            yield replace(self, subject=self.subject._replace(key=self.subject.shared, bare=False), also=())


def build(subject: Subject, group: VerbGroup, context: Context, words: Sequence[Token], **more: object) -> Assertion:
    """An assertion whose value opens ``words``."""
    value, tail = value_and_tail(words)
    rest = tail_of(tail)
    stems = frozenset(terms(text_of(value)))
    wording = typed(text_of(words))
    values: dict[str, object] = {
        "subject": subject, "speaker": context.speaker, "verb": group.lemma, "value": stems, "typed": wording,
        "named": any(not word.small for word in value if not word.low[0].isdigit()), "terms": stems | rest.extra,
        "extra": rest.extra - _typed_terms(words, wording), "condition": rest.condition, "ended": rest.ended,
        "denied": group.denied, "dated": rest.dated, "past": group.past, "event": group.event and group.lemma != "be",
        "changes": rest.since,
    }  # fmt: skip
    return Assertion(**values | more)  # type: ignore[arg-type]


def _typed_terms(words: Sequence[Token], wording: dict[str, frozenset[str]]) -> frozenset[str]:
    """Words of times, dates and amounts, which are compared as such."""
    return frozenset(terms(" ".join(word.text for word in words if word.text[0].isdigit()))) if wording else frozenset()
