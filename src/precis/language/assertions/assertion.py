"""One clause, read: what it says of its subject, or of a thing that somebody has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from precis.language import grammar
from precis.language.subjects import Context, Subject, of_owner, subject_of
from precis.language.tokens import Token, opens_on, text_of, token
from precis.language.values import bare_value, tail_of, typed, value_and_tail
from precis.language.verbs import VerbGroup
from precis.language.words import stem, terms
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

    def of_each(self) -> tuple[Assertion, ...]:
        """It, what the clause may say as well, and what it says of a thing that all who speak have together."""
        if not self.subject.shared:
            return self, *self.also
        subject = self.subject._replace(key=self.subject.shared, bare=False)
        return self, *self.also, replace(self, subject=subject, also=())


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


#: Words of the name of a medicine at most.
_LONGEST_NAME = 3
_IS = frozenset({"is"})
#: What somebody pays by, whatever it is called; and what was done to it, or to its owner's account.
_TARIFF = token("tariff")
_MOVED = {"upgraded": "upgrade", "downgraded": "downgrade", "moved": "move", "switched": "switch", "changed": "change"}
_TARIFF_VERBS = frozenset({"be", *_MOVED.values()})
#: Behind which word of these verbs stands what somebody chose in the place of another.
JOINTS = {
    "switch": "to", "change": "to", "upgrade": "to", "downgrade": "to", "migrate": "to", "swap": "for", "trade": "for",
    "replace": "with",
}  # fmt: skip


def is_single(subject: Subject) -> bool:
    """Whether it has one value at a time."""
    preferred = not grammar.PREFERRED.isdisjoint(map(stem, subject.key))
    return subject.thing and (subject.head in grammar.SINGLE or preferred)


def changed(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "was moved to Thursday", "went up to 950 euros"; or "was called off", which ends it."""
    if not subject.thing:
        return None
    for rest, _ in grammar.CHANGED.get(group.lemma, ()):
        if opens_on(group.rest, rest):
            words = bare_value(group.rest[len(rest) :])
            return build(subject, group, context, words, attributes=_IS, part="change", past=False, changes=True)
    for rest, _ in grammar.CALLED_OFF.get(group.lemma, ()):
        if opens_on(group.rest, rest) and not group.denied:
            return build(subject, group, context, (), attributes=_IS, part="off", past=False, changes=True)
    return None


def by_itself(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "opens at nine", "costs 12 euros"."""
    if group.lemma not in grammar.SINGLE_VERBS or group.past:
        return None
    words = group.rest[1:] if group.rest and group.rest[0].low in {"at", "on", "in"} else group.rest
    attribute = "is" if group.lemma == "cost" else group.lemma
    result = build(subject, group, context, words, attributes=frozenset({attribute}), part="hold")
    return result if result.typed else None


def turned_around(before: Sequence[Token], group: VerbGroup, context: Context) -> Assertion | None:
    """As in "White is my favorite color"."""
    if group.lemma != "be" or group.denied or not group.rest or not before:
        return None
    thing, tail = value_and_tail(group.rest)
    owned = any(word.low.endswith(("'s", "'")) or word.low in {"my", "our"} for word in thing)
    behind = tail_of(tail)
    subject = subject_of(thing, context) if owned and not (behind.extra or behind.condition or behind.ended) else None
    if subject is None or not is_single(subject):
        return None
    changes = {"changes": True} if behind.since else {}
    return build(subject, group, context, list(before), attributes=_IS, part="hold", verb="be", **changes)


def paid(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "pays 900 euros for the flat": of the flat of whoever pays."""
    if group.lemma != "pay" or group.past or group.event:
        return None
    places = [at for at, word in enumerate(group.rest) if word.low in {"for", "in"}]
    if not places:
        return None
    thing = [word.low for word in bare_value(group.rest[places[0] + 1 :])]
    amount = group.rest[: places[0]]
    if not typed(text_of(amount)) or not thing or len(thing) > 3 or not set(thing).isdisjoint(grammar.ENDINGS):
        return None
    owned = Subject((*subject.key, *thing), thing=True, bare=False, head=stem(thing[-1]))
    return build(owned, group, context, amount, attributes=_IS, part="hold", verb="be")


def acted_on(subject: Subject | None, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "Ana changed her password to tiger": the password is the subject, whoever changed "my password"."""
    if group.lemma not in grammar.ACTS or group.unreal:
        return None
    places = [at for at, word in enumerate(group.rest) if word.low in {"to", "from"} and word.small]
    if not places or not places[0]:
        return None
    things = _things(subject, group.rest[: places[0]], group, context)
    to = [at for at, word in enumerate(group.rest) if word.low == "to" and at >= places[0]]
    if not things or not to:
        return None
    words = bare_value(group.rest[to[0] + 1 :])
    ended = frozenset(terms(text_of(group.rest[places[0] + 1 : to[0]]))) if places[0] != to[0] else frozenset()
    results = [
        build(
            thing, group, context, words, attributes=_IS | {"place"}, part="change", past=False, changes=True,
            ended=ended, verb="be",
        )
        for thing in things
    ]  # fmt: skip
    if group.lemma in grammar.FIGURED_ACTS and not results[0].typed:
        return None
    return replace(results[0], also=tuple(results[1:]))


def _things(subject: Subject | None, words: Sequence[Token], group: VerbGroup, context: Context) -> list[Subject]:
    """Of which thing somebody says that it is otherwise now, the likeliest first."""
    first = words[0].low
    owned = first in grammar.OWN or any(word.low.endswith(("'s", "'")) for word in words)
    if subject is None or owned:
        found = [subject_of(words, context)] if owned else []
        return [thing for thing in found if thing and thing.thing]
    theirs, bare = first in grammar.THEIR, first not in grammar.ARTICLES and first not in grammar.THEIR
    if bare and (not words[-1].small or stem(words[-1].low) not in grammar.SINGLE):
        return []  # "moved back to"
    if (theirs or bare) and (group.lemma not in grammar.OWN_ACTS or subject.thing):
        return []
    # "Ana changed the password": hers, as far as anybody knows
    theirs_ = None if subject.thing else of_owner(subject, words if bare else words[1:])
    # Of what somebody else changed nobody knows whether it is that one: two people have each a password.
    own = subject.thing or subject.key == context.speaker
    named = subject_of(words, context) if own and first in grammar.ARTICLES else None
    return [thing for thing in (theirs_, named) if thing and thing.thing]


def dose(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "takes 20 mg of lisinopril", "is on 20 mg of lisinopril": so much is the lisinopril of whoever takes it."""
    is_on = group.lemma == "be" and opens_on(group.rest, ["on"])
    if subject.thing or group.past or not (is_on or group.lemma == "take"):
        return None
    rest = group.rest[1:] if is_on else group.rest
    place = next((at for at, word in enumerate(rest[:4]) if word.low == "of" and word.small), 0)
    taken, tail = value_and_tail(rest[place + 1 :]) if place else ([], [])
    if not typed(text_of(rest[:place])) or not 0 < len(taken) <= _LONGEST_NAME:
        return None
    thing = of_owner(subject, taken)
    return thing and build(thing, group, context, [*rest[:place], *tail], attributes=_IS, part="hold", verb="be")


def held(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "reports to Bo", "earns 3,000 euros", "weighs 82 kg", "is down to 76 kg": what somebody has one of."""
    if subject.thing or group.past:
        return None
    for rest, name in grammar.HELD.get(group.lemma, ()):
        if not opens_on(group.rest, rest):
            continue
        thing = of_owner(subject, [token(name)])
        turned = {"changes": True} if rest and rest[0] in {"down", "up"} else {}
        words = group.rest[len(rest) :]
        result = thing and build(thing, group, context, words, attributes=_IS, part="hold", verb="be", **turned)
        if result is not None and _is_such(result, name):
            return result
    return None


def _is_such(stated: Assertion, name: str) -> bool:
    """Whether a value is one of what it is said to be."""
    if name == "weight":
        pounds = any("weight_pound" in value for value in stated.typed.get("money", ()))
        return pounds or any(kind.removeprefix("amount ") in grammar.WEIGHTS for kind in stated.typed)
    return "money" in stated.typed if name == "salary" else stated.named


def tariff(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "is on the free plan", "upgraded to the Pro plan": so is the tariff of whoever has it."""
    lemma, rest = group.lemma, group.rest
    if lemma == "be" and rest and rest[0].low in _MOVED:
        lemma, rest = _MOVED[rest[0].low], rest[1:]
    joint = "on" if lemma == "be" else "to"
    owner = subject._replace(key=subject.key[:-1], thing=False) if subject.head == "account" else subject
    if lemma not in _TARIFF_VERBS or not opens_on(rest, [joint]) or owner.thing or not owner.key:
        return None
    words, tail = value_and_tail(rest[1:])
    if len(words) < 2 or words[-1].low not in grammar.TARIFFS or (lemma != "be" and not group.event):
        return None
    thing = of_owner(owner, [_TARIFF])
    more = {"part": "hold"} if lemma == "be" else {"part": "change", "changes": True, "past": False}
    value = bare_value([*words[:-1], *tail])
    return thing and build(thing, group, context, value, attributes=_IS, verb="be", **more)


def used_as(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "uses Firefox as her default browser"."""
    if group.lemma != "use" or group.past or subject.thing:
        return None
    place = next((at for at, word in enumerate(group.rest) if word.low == "as" and word.small), 0)
    words = group.rest[place + 1 :]
    if not place or not words:
        return None
    owned = words[0].low in grammar.OWN or words[0].low in grammar.THEIR
    thing = of_owner(subject, bare_value(words)) if owned else None
    if thing is None or not is_single(thing):
        return None
    return build(thing, group, context, group.rest[:place], attributes=_IS, part="hold", verb="be")
