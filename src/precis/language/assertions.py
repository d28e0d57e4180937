"""What a clause says of its subject: an attribute with a value, or a predicate that is affirmed or denied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from precis.language import grammar
from precis.language.subjects import Context, Subject, of_owner, subject_of
from precis.language.tokens import Token, contrasted, has, text_of, without
from precis.language.values import bare_value, is_any, is_for_a_while, opener_and_rest, tail_of, typed, value_and_tail
from precis.language.verbs import VerbGroup, verb_group, verb_place
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


def assertion(words: Sequence[Token], context: Context, inherited: Subject | None) -> Assertion | None:
    """What the clause says, or nothing where that is not certain."""
    changes = has(words, grammar.CHANGES) or any(word.low == "longer" for word in words)
    adds = has(words, grammar.ADDS)
    bare = contrasted(words)
    for phrases in (grammar.CHANGES, grammar.ADDS, grammar.NEUTRAL):
        bare = without(bare, phrases)
    opener, bare = opener_and_rest(bare)
    place = 0 if inherited else verb_place(bare)
    if place is None:
        return None
    group = verb_group(bare[place:])
    subject = inherited or subject_of(_subject_words(bare[:place]), context)
    if (
        group is None
        or group.unreal
        or group.lemma in grammar.OPINIONS
        or any(word.low in grammar.NEARLY for word in words)
    ):
        return None
    result = _turned_around(bare[:place], group, context) if subject is None or not subject.thing else None
    result = result or (_read(subject, group, context) if subject else None)
    if result is None or (group.will and not (result.changes or changes or result.subject.thing)):
        return None
    return replace(
        result,
        changes=result.changes or changes or group.turns or result.subject.new,
        adds=adds,
        replaces=any(word.low == "instead" for word in words),
        condition=result.condition | opener,
    )


def _subject_words(words: Sequence[Token]) -> list[Token]:
    """Without "the name of" before what is named: it says no more than the name does."""
    lows = [word.low for word in words[:3]]
    return list(words[3:]) if lows == ["the", "name", "of"] else list(words)


def _read(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    for reading in (_choice, _act, _paid, _ending, _role, _changed, _copula, _of_thing):
        result = reading(subject, group, context)
        if result is not None:
            return result
    return _predicate(subject, group, context)


def _build(subject: Subject, group: VerbGroup, context: Context, words: Sequence[Token], **more: object) -> Assertion:
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
    }  # fmt: skip
    return Assertion(**values | more)  # type: ignore[arg-type]


def _typed_terms(words: Sequence[Token], wording: dict[str, frozenset[str]]) -> frozenset[str]:
    """Words of times, dates and amounts, which are compared as such."""
    return frozenset(terms(" ".join(word.text for word in words if word.text[0].isdigit()))) if wording else frozenset()


def _matches(words: Sequence[Token], phrase: Sequence[str]) -> bool:
    return [word.low for word in words[: len(phrase)]] == list(phrase)


def _role(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """What somebody has one of: "lives in Oslo", "quit Siemens"."""
    fit = [role for role in grammar.ROLES.get(group.lemma, ()) if _matches(group.rest, role.particle)]
    fit = [role for role in fit if len(role.particle) == len(fit[0].particle) and _suits(role, subject)]
    if not fit or not group.rest:
        return None
    part = fit[0].part
    if part != "hold" and not group.event and not group.denied:
        return None  # "is moving to Rome" has not moved yet
    words = bare_value(group.rest[len(fit[0].particle) :])
    result = _build(
        subject, group, context, words, attributes=frozenset(role.attribute for role in fit), part=part,
        past=(group.past or group.was) and part == "hold", particle=" ".join(fit[0].particle),
    )  # fmt: skip
    if part == "leave":
        if is_any(group.rest[len(fit[0].particle) :]):
            return None
        result = _build(
            subject, group, context, words, attributes=result.attributes, part=part, ended=result.value, past=False
        )
    if part == "enter" and (any(word.low == "for" for word in words) or not grammar.TEAMS.isdisjoint(result.value)):
        return None  # for a while, or to another team
    is_time = result.typed.keys() & {"time", "date", "weekday"}
    return result if result.value and not is_time else None


def _suits(role: grammar.Role, subject: Subject) -> bool:
    """A person lives somewhere and a thing is somewhere."""
    if role.attribute == "place":
        return subject.thing or role.part == "hold"
    return not subject.thing or bool(subject.head)


def _changed(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "was moved to Thursday", "went up to 950 euros"."""
    for verb, *rest in grammar.CHANGED:
        if verb == group.lemma and _matches(group.rest, rest) and subject.thing:
            words = bare_value(group.rest[len(rest) :])
            return _build(
                subject, group, context, words, attributes=frozenset({"is"}), part="change", past=False, changes=True
            )
    return None


def _copula(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    fit = [rest for verb, *rest in grammar.COPULAS if verb == group.lemma and _matches(group.rest, rest)]
    return _is(subject, group, context, group.rest[len(fit[0]) if fit else 0 :]) if fit or group.lemma == "be" else None


def _is(subject: Subject, group: VerbGroup, context: Context, words: Sequence[Token]) -> Assertion | None:
    skip = 1 if words and words[0].low in {"at", "on", "for", "in"} else 0
    bare = bare_value(words[skip:])
    if not bare:
        return None
    value, _ = value_and_tail(bare)
    works = not subject.thing and value and "work" in grammar.CHOICES.get(stem(value[-1].low), ())
    attributes = frozenset({"is", "occupation"} if works else {"is"})
    # "was fined 90 euros" tells what happened: a second fine is another
    happened = group.undergone and any(kind.startswith(("money", "amount")) for kind in typed(text_of(bare)))
    return _build(
        subject, group, context, bare, attributes=attributes, part="hold", verb="be", past=group.past or happened
    )


def _of_thing(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "opens at nine", "costs 12 euros"."""
    if group.lemma not in grammar.SINGLE_VERBS or group.past:
        return None
    words = group.rest[1:] if group.rest and group.rest[0].low in {"at", "on", "in"} else group.rest
    attribute = "is" if group.lemma == "cost" else group.lemma
    result = _build(subject, group, context, words, attributes=frozenset({attribute}), part="hold")
    return result if result.typed else None


def _paid(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "pays 900 euros for the flat": of the flat of whoever pays."""
    places = [at for at, word in enumerate(group.rest) if word.low in {"for", "in"}]
    if group.lemma != "pay" or not places or group.past or group.event:
        return None
    thing = [word.low for word in bare_value(group.rest[places[0] + 1 :])]
    amount = group.rest[: places[0]]
    if not typed(text_of(amount)) or not thing or len(thing) > 3 or not set(thing).isdisjoint(grammar.ENDINGS):
        return None
    owned = Subject((*subject.key, *thing), thing=True, bare=False, head=stem(thing[-1]))
    return _build(owned, group, context, amount, attributes=frozenset({"is"}), part="hold", verb="be")


def _act(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "Ana changed her password to tiger": the password is the subject."""
    places = [at for at, word in enumerate(group.rest) if word.low in {"to", "from"} and word.small]
    if group.lemma not in grammar.ACTS or not places or not places[0] or group.unreal:
        return None
    thing = group.rest[: places[0]]
    if thing[0].low not in grammar.ARTICLES | grammar.OWN | grammar.THEIR and not any(
        word.low.endswith(("'s", "'")) for word in thing
    ):
        return None  # "moved back to"
    theirs = thing[0].low in grammar.THEIR
    if theirs and (group.lemma not in grammar.OWN_ACTS or subject.thing):
        return None
    if theirs or (thing[0].low in grammar.ARTICLES and not subject.thing):
        # "Ana changed the password": hers, as far as anybody knows
        changed = of_owner(subject, thing[1:])
    else:
        changed = subject_of(thing, context)
    to = [at for at, word in enumerate(group.rest) if word.low == "to" and at >= places[0]]
    if changed is None or not changed.thing or not to:
        return None
    words = bare_value(group.rest[to[0] + 1 :])
    ended = frozenset(terms(text_of(group.rest[places[0] + 1 : to[0]]))) if places[0] != to[0] else frozenset()
    return _build(
        changed, group, context, words, attributes=frozenset({"is", "place"}), part="change", past=False, changes=True,
        ended=ended, verb="be",
    )  # fmt: skip


def _choice(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "switched from tea to coffee", "swapped tea for coffee", "replaced tea with coffee"."""
    rest = group.rest
    joint = {"switch": "to", "change": "to", "swap": "for", "trade": "for", "replace": "with"}.get(group.lemma)
    places = [at for at, word in enumerate(rest) if word.low == joint and word.small]
    if joint is None or not places or subject.thing:
        return None
    old = rest[: places[0]]
    if joint == "to" and old and old[0].low != "from":
        return None
    ended = frozenset(terms(text_of(old)))
    words = bare_value(rest[places[-1] + 1 :])
    return _build(
        subject, group, context, words, attributes=frozenset({"choice"}), part="change", past=False, changes=True,
        ended=ended,
    )  # fmt: skip


def _ending(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "gave up coffee", "sold the Volvo"."""
    for (verb, *rest), verbs in grammar.ENDS.items():
        if verb == group.lemma and _matches(group.rest, rest) and verbs and group.event and not group.denied:
            words = group.rest[len(rest) :]
            if is_any(words) or is_for_a_while(words):
                return None  # "sold a painting": there may be another; "gave up coffee for Lent"
            value, _ = value_and_tail(bare_value(words))
            roles = frozenset(
                role.attribute for role in grammar.ROLES.get(verb, ()) if role.part == "leave" and not role.particle
            )
            if value:
                return _build(
                    subject, group, context, bare_value(words), part="leave", past=False, changes=True,
                    ended_verbs=verbs, ended=frozenset(terms(text_of(value))), attributes=roles,
                    ended_head=stem(value[-1].low),
                )  # fmt: skip
    return None


def _turned_around(before: Sequence[Token], group: VerbGroup, context: Context) -> Assertion | None:
    """As in "White is my favorite color"."""
    if group.lemma != "be" or group.denied or not group.rest or not before:
        return None
    thing, tail = value_and_tail(group.rest)
    owned = any(word.low.endswith(("'s", "'")) or word.low in {"my", "our"} for word in thing)
    if tail or not owned or stem(thing[-1].low) not in grammar.SINGLE:
        return None
    subject = subject_of(thing, context)
    if subject is None:
        return None
    return _build(subject, group, context, list(before), attributes=frozenset({"is"}), part="hold", verb="be")


def _predicate(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """Anything else that somebody or something does or has."""
    return _build(subject, group, context, group.rest)
