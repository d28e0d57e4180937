"""What a clause says of its subject: an attribute with a value, or a predicate that is affirmed or denied."""

from collections.abc import Sequence
from dataclasses import replace

from precis.language import grammar, values
from precis.language.assertions.assertion import (
    JOINTS,
    Assertion,
    acted_on,
    build,
    by_itself,
    changed,
    dose,
    held,
    is_single,
    paid,
    tariff,
    turned_around,
    used_as,
)
from precis.language.subjects import Context, Subject, subject_of
from precis.language.tokens import Token, contrasted, has, opens_on, text_of, token, without
from precis.language.verbs import VerbGroup, verb_group, verb_place
from precis.language.words import stem, terms

#: What two do with each other, by verb and the words behind it, and what stands before the other of them.
_MUTUAL = {
    ("break", "up"): "with", ("split", "up"): "with", ("get", "divorced"): "from", ("get", "married"): "to",
    ("get", "engaged"): "to", ("be", "engaged"): "to", ("be", "married"): "to", ("separate",): "from",
}  # fmt: skip


def assertion(words: Sequence[Token], context: Context, inherited: Subject | None) -> Assertion | None:
    """What the clause says, or nothing where that is not certain."""
    changes = has(words, grammar.CHANGES) or any(word.low == "longer" for word in words)
    adds = has(words, grammar.ADDS)
    bare = contrasted(words)
    for phrases in (grammar.CHANGES, grammar.ADDS, grammar.NEUTRAL):
        bare = without(bare, phrases)
    since, bare = values.opening_time(bare)
    opener, bare = values.opener_and_rest(bare)
    place = 0 if inherited else verb_place(bare)
    if place is None:
        return None
    group = verb_group(bare[place:])
    before, group = _each_other(bare[:place], group)
    subject = inherited or subject_of(_subject_words(before), context)
    if (
        group is None
        or group.unreal
        or group.lemma in grammar.OPINIONS
        or any(word.low in grammar.NEARLY for word in words)
    ):
        return None
    result = turned_around(before, group, context) if subject is None or not subject.thing else None
    result = result or (_read(subject, group, context) if subject else acted_on(None, group, context))
    if result is None or (group.will and not (result.changes or changes or result.subject.thing)):
        return None
    return result.with_values(
        changes=result.changes or changes or since or group.turns or result.subject.new,
        adds=adds,
        replaces=any(word.low == "instead" for word in words),
        condition=result.condition | opener,
    )


def _each_other(words: Sequence[Token], group: VerbGroup | None) -> tuple[Sequence[Token], VerbGroup | None]:
    """Of "Josh and Priya broke up" what Josh did with Priya."""
    joint = next((at for at, word in enumerate(words) if at and word.low == "and"), 0)
    other = words[joint + 1 :] if joint else ()
    if group is None or not other or any(word.small for word in (*words[:joint], *other)):
        return words, group
    for (verb, *rest), before in _MUTUAL.items():
        if verb == group.lemma and opens_on(group.rest, rest):
            tail = group.rest[len(rest) :]
            both = (*group.rest[: len(rest)], token(before), *other, token(","), *tail)
            return words[:joint], replace(group, rest=both)
    return words, group


def _subject_words(words: Sequence[Token]) -> list[Token]:
    """Without "the name of" before what is named: it says no more than the name does."""
    lows = [word.low for word in words[:3]]
    return list(words[3:]) if lows == ["the", "name", "of"] else list(words)


def _read(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    for reading in _READINGS:
        result = reading(subject, group, context)
        if result is not None:
            return result
    return _predicate(subject, group, context)


def _role(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """What somebody has one of: "lives in Oslo", "quit Siemens"."""
    fit = [role for role in grammar.ROLES.get(group.lemma, ()) if opens_on(group.rest, role.particle)]
    fit = [role for role in fit if len(role.particle) == len(fit[0].particle) and _suits(role, subject)]
    if not fit or not group.rest:
        return None
    part = fit[0].part
    if part != "hold" and not group.event and not group.denied:
        return None  # "is moving to Rome" has not moved yet
    words = values.bare_value(group.rest[len(fit[0].particle) :])
    result = build(
        subject, group, context, words, attributes=frozenset(role.attribute for role in fit), part=part,
        past=(group.past or group.was) and part == "hold", particle=" ".join(fit[0].particle),
    )  # fmt: skip
    if part == "leave":
        if values.is_any(group.rest[len(fit[0].particle) :]):
            return None
        result = build(
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


def _copula(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    fit = [rest for rest, _ in grammar.COPULAS.get(group.lemma, ()) if opens_on(group.rest, rest)]
    return _is(subject, group, context, group.rest[len(fit[0]) if fit else 0 :]) if fit or group.lemma == "be" else None


def _is(subject: Subject, group: VerbGroup, context: Context, words: Sequence[Token]) -> Assertion | None:
    skip = 1 if words and words[0].low in {"at", "on", "for", "in"} | ({"with"} if is_single(subject) else set()) else 0
    bare = values.bare_value(words[skip:])
    if not bare:
        return None
    value, _ = values.value_and_tail(bare)
    works = not subject.thing and value and "work" in grammar.CHOICES.get(stem(value[-1].low), ())
    attributes = frozenset({"is", "occupation"} if works else {"is"})
    # "was fined 90 euros" tells what happened: a second fine is another
    happened = group.undergone and any(kind.startswith(("money", "amount")) for kind in values.typed(text_of(bare)))
    return build(
        subject, group, context, bare, attributes=attributes, part="hold", verb="be", past=group.past or happened
    )


def _choice(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "switched from tea to coffee", "swapped tea for coffee", "replaced tea with coffee"."""
    rest = group.rest
    joint = JOINTS.get(group.lemma)
    places = [at for at, word in enumerate(rest) if word.low == joint and word.small] if joint else []
    if not places or subject.thing:
        return None
    old = rest[: places[0]]
    if joint == "to" and old and old[0].low != "from":
        return None
    ended = frozenset(terms(text_of(old)))
    words = values.bare_value(rest[places[-1] + 1 :])
    return build(
        subject, group, context, words, attributes=frozenset({"choice"}), part="change", past=False, changes=True,
        ended=ended,
    )  # fmt: skip


def _ending(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """As in "gave up coffee", "sold the Volvo"."""
    for rest, verbs in grammar.ENDS.get(group.lemma, ()):
        if opens_on(group.rest, rest) and verbs and group.event and not group.denied:
            words = group.rest[len(rest) :]
            if values.is_any(words) or values.is_for_a_while(words):
                return None  # "sold a painting": there may be another; "gave up coffee for Lent"
            value, _ = values.value_and_tail(values.bare_value(words))
            roles = frozenset(
                role.attribute
                for role in grammar.ROLES.get(group.lemma, ())
                if role.part == "leave" and not role.particle
            )
            if value:
                return build(
                    subject, group, context, values.bare_value(words), part="leave", past=False, changes=True,
                    ended_verbs=verbs, ended=frozenset(terms(text_of(value))), attributes=roles,
                    ended_head=stem(value[-1].low),
                )  # fmt: skip
    return None


def _predicate(subject: Subject, group: VerbGroup, context: Context) -> Assertion | None:
    """Anything else that somebody or something does or has."""
    return build(subject, group, context, group.rest)


_READINGS = (
    tariff, _choice, acted_on, paid, _ending, dose, held, used_as, _role, changed, _copula, by_itself,
)  # fmt: skip
