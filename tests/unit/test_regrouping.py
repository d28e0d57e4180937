"""Grouping what is stored under other limits: as few members as it takes change their cluster."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.engine.grouping import Candidate, Grouping, Regrouping, Sitting, regroup
from precis.engine.grouping.company import Parties, strays
from precis.language.subjects import full_names, other_words, subject_words

NEAR, FAR = Grouping(distance=0.3), Grouping(distance=2.0)


def sitting(memory_id: str, group_id: str, angle: float | None) -> Sitting:
    """A member whose vector points in this direction; None has expired."""
    vector = None if angle is None else np.asarray([np.cos(angle), np.sin(angle)], dtype=np.float32)
    candidate = None if vector is None else Candidate(key=None, person=None, vector=vector)
    return Sitting(memory_id=memory_id, group_id=group_id, candidate=candidate)


def under(limits: Grouping, *members: Sitting) -> Regrouping:
    """With ids new0, new1, ..."""
    numbers = count()
    return regroup(members, grouping=limits, new_id=lambda: f"new{next(numbers)}")


def test_what_is_grouped_so_already_is_not_touched() -> None:
    """Two clusters a quarter turn apart stay two."""
    found = under(NEAR, sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "x", 0.1))
    assert (dict(found.moves), found.changed, found.opened) == ({}, frozenset(), [])
    assert found.before == found.after == {"x": 2, "y": 1}


def test_a_wider_distance_empties_the_smaller_cluster() -> None:
    """The larger of the two keeps its place."""
    found = under(FAR, sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "y", 1.6))
    assert found.moves == {"a": "y"}
    assert (found.changed, found.opened, found.after) == (frozenset({"x", "y"}), [], {"y": 3})


def test_a_narrower_distance_opens_a_cluster() -> None:
    """The smaller part leaves."""
    found = under(NEAR, sitting("a", "x", 0), sitting("b", "x", 1.5), sitting("c", "x", 1.6))
    assert found.moves == {"a": "new0"}
    assert (found.changed, found.opened, found.after) == (frozenset({"x"}), ["new0"], {"new0": 1, "x": 2})


def test_the_expired_stay_and_count() -> None:
    """Their vector is gone, so nothing can be said of them."""
    found = under(FAR, sitting("old", "x", None), sitting("a", "x", 0), sitting("b", "y", 1.5), sitting("c", "y", 1.6))
    assert found.moves == {"a": "y"}
    assert found.after == {"x": 1, "y": 3}


#: So many are left of a cluster that nothing holds together.
_PAIR = 2

#: Types of three clusters that are there.
TYPES = {"x": "fact", "y": "plan", "z": "recipe"}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("xyz"),
            st.one_of(st.none(), st.floats(0, 6.28)),
            st.sampled_from([None, "fact", "plan"]),
            st.frozensets(st.sampled_from(["harp", "canoe", "ladder", "ana"]), max_size=2),
            st.tuples(st.sampled_from([None, "ana", "ben"]), st.sampled_from([None, "ana", "ben"])),
        ),
        max_size=30,
    ),
    st.floats(0, 2),
)
def test_doing_it_again_moves_nobody(members: list[Any], distance: float) -> None:
    """Nobody is lost, a type that was given is kept, and the same limits on the outcome change nothing."""
    limits = Grouping(distance=distance)
    first = []
    for number, (group_id, angle, ruled, words, (person, speaker)) in enumerate(members):
        plain, type_ = sitting(str(number), group_id, angle), TYPES[group_id]
        told = plain.candidate and replace(
            plain.candidate, words=words, person=person, name=frozenset({person} - {None}), speaker=speaker,
            type=ruled if ruled and type_ in limits.types else type_, loose=bool(ruled) and type_ in limits.types,
        )  # fmt: skip
        first.append(replace(plain, candidate=told, type=type_))
    found = under(limits, *first)
    assert sum(found.after.values()) == sum(found.before.values()) == len(members)
    moved = []
    for one in first:
        group_id = found.moves.get(one.memory_id, one.group_id)
        type_ = found.types.get(group_id, TYPES.get(group_id, ""))
        assert one.candidate is None or one.candidate.loose or one.candidate.type == type_
        moved.append(replace(one, group_id=group_id, type=type_))
    again = under(limits, *moved)
    assert dict(again.moves) == {}
    assert again.before == found.after


@pytest.mark.parametrize("limits", [NEAR, FAR])
def test_nothing_is_nothing(limits: Grouping) -> None:
    """A tenant without a memory."""
    assert under(limits) == Regrouping(moves={}, before={}, after={}, changed=frozenset())


def telling(*texts: str, speaker: str = "ana", person: str | None = None, type: str = "fact") -> list[Candidate]:  # noqa: A002 - as the field is called
    """Rows that are alike in nothing but their words."""
    return [
        Candidate(
            key=None, person=person, speaker=speaker, words=subject_words(text), type=type, loose=True,
            called=full_names(text), vector=np.zeros(40, dtype=np.float32),
        )
        for text in texts
    ]  # fmt: skip


def clustered(*rows: Candidate) -> list[tuple[str, str]]:
    """Group and type of each row, that were alone until now."""
    own = np.eye(len(rows) + 1)
    apart = [
        replace(row, vector=np.asarray(own[at] * 0.8 + own[-1] * 0.6, dtype=np.float32)) for at, row in enumerate(rows)
    ]
    alone = [
        Sitting(memory_id=str(at), group_id=f"g{at:02}", candidate=row, type=row.type) for at, row in enumerate(apart)
    ]
    outcome = under(Grouping(), *alone)
    groups = [outcome.moves.get(member.memory_id, member.group_id) for member in alone]
    return [(group_id, outcome.types[group_id]) for group_id in groups]


HARP = ("I bought a harp in Cork.", "A string of the harp broke on Monday.", "Our teacher tuned my harp twice.")
OTHERS = (
    "The canoe leaks.", "My passport is lost.", "Rain came through the roof.", "A fox ate two hens.",
    "The boiler was repaired.", "We sold the caravan.", "There are wasps under the porch.", "My cousin bakes bread.",
    "The tram is late again.", "Our orchard flooded.", "I owe the library a fine.", "The kettle broke.",
)  # fmt: skip


def test_a_rare_word_that_comes_back_is_a_subject() -> None:
    """Three of fifteen memories tell of the harp, as a plan, an event and a fact: they are one cluster of one type."""
    kinds = (telling(text, type=type_)[0] for text, type_ in zip(HARP, ("plan", "event", "fact"), strict=True))
    rows = clustered(*kinds, *telling(*OTHERS))
    assert len(set(rows[:3])) == 1
    assert len(set(rows[3:])) == len(OTHERS)


def test_two_are_no_subject_and_neither_is_what_everybody_tells() -> None:
    """A word of two memories joins none, nor does one that stands in most."""
    assert len(set(clustered(*telling(*HARP[:2], *OTHERS)))) == len(OTHERS) + 2
    often = telling(*(f"{text.removesuffix('.')} beside the harp." for text in OTHERS))
    assert clustered(*often) == clustered(*(replace(row, words=row.words - {"harp"}) for row in often))


def test_a_shared_word_joins_no_two_people() -> None:
    """Whose memory it is comes first; one that names nobody is with those of whoever says it."""
    ana, ben = telling(*HARP[:2], person="ana"), telling(*HARP[:2], speaker="ben", person="ben")
    rows = clustered(*ana, *ben, *telling(HARP[2], speaker="ben"), *telling(*OTHERS))
    assert (len(set(rows[:2])), len(set(rows[2:5]))) == (1, 1)
    assert rows[0] != rows[2]


def test_a_name_among_the_words_is_whom_it_is_about() -> None:
    """Where no rule sees it: both ways, and nobody is said to be of another name."""
    olga = telling("Aunt Olga's hip hurts.", "Aunt Olga's ward is loud.", person="aunt olga")
    named = [replace(row, name=subject_words("Aunt Olga")) for row in olga]
    texts = ("Aunt Olga walked today.", "Aunt Olga is at home.", "Aunt Vera baked.", "Aunt Vera sang.")
    unnamed = [replace(row, speaker=None) for row in telling(*texts)]
    rows = clustered(*named, *unnamed, *telling(*OTHERS))
    assert len(set(rows[:4])) == 1
    assert rows[0] not in rows[4:]
    assert len(set(clustered(*unnamed[:2], *named, *telling(*OTHERS))[:4])) == 1


def test_two_of_one_first_name_are_two() -> None:
    """Where both names come back, whatever the language; a first word of two sentences is no name of anybody."""
    told = telling(
        "Tomás Gil pinta barcos.", "Tomás Ruiz se casa.", "Tomás Gil cojea.", "A Tomás Ruiz le gusta el mar.",
        "Ayer Tomás Gil cantó.", *OTHERS,
    )  # fmt: skip
    first, second, *others = clustered(*told)
    assert others[:3] == [first, second, first] != [first, first, first]
    assert len(set(clustered(*(replace(row, called=frozenset()) for row in told))[:5])) == 1


def test_a_big_one_is_another_than_the_one_with_a_surname() -> None:
    """What stands before a first name tells two apart, as a surname does."""
    texts = ("Big Rosa: I bring soup.", "Rosa Kern keeps bees.", "We met big Rosa.", "A bee stung Rosa Kern.")
    first, second, *others = clustered(*telling(*texts, *OTHERS))
    assert others[:2] == [first, second] != [first, first]


def test_two_that_keep_each_other_company_move_together() -> None:
    """Each of them belongs to the larger cluster, and would stay for the other one."""
    rows = [*telling(*HARP), *telling("Bo's harp and canoe.", "The canoe and a harp of Bo."), *telling(*OTHERS)]
    axes = np.eye(20)
    harp = (0.9 * axes[0] + 0.4 * axes[at] for at in (1, 2, 3))
    pair = (0.2 * axes[0] + axes[4] + 0.2 * axes[at] for at in (5, 6))
    vectors = [*harp, *pair, *(axes[8 + at] for at in range(len(OTHERS)))]
    members = [
        Sitting(
            memory_id=str(at), group_id=f"g{at}",
            candidate=replace(row, vector=np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)),
        )
        for at, (row, vector) in enumerate(zip(rows, vectors, strict=True))
    ]  # fmt: skip
    outcome = under(Grouping(), *members)
    places = [outcome.moves.get(member.memory_id, member.group_id) for member in members]
    assert len(set(places[:5])) == 1
    assert len(set(places)) == 1 + len(OTHERS)


def test_a_type_that_was_given_binds() -> None:
    """Of three memories of the harp one was written as a recipe: it stays one, and two others are no cluster of it."""
    given_type = replace(telling(HARP[0])[0], type="recipe", loose=False)
    rows = clustered(given_type, *telling(*HARP[1:]), *telling(*OTHERS))
    assert rows[0][1] == "recipe"
    assert rows[0][0] not in {group_id for group_id, _ in rows[1:]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I really loved walking Mara's dog on Tuesday, forty euros!", {"dog", "mara"}),
        ("Meine Schwester spielt seit drei Wochen Oboe.", {"schwester", "spielt", "obo"}),
        ("昨天我去了北京的图书馆", set()),
    ],
)
def test_words_that_may_name_a_subject(text: str, words: set[str]) -> None:
    """No verbs and adverbs of English, no times, numbers and units; nothing of scripts that set no words apart."""
    assert subject_words(text) >= words - {"mara"}
    assert subject_words(text) <= words | {"mein"}


def near(text: str, angle: float) -> Candidate:
    """A row with the words of this text, in this direction."""
    verbs, moods = other_words(text)
    vector = np.zeros(3, dtype=np.float32)
    vector[:2] = np.cos(angle), np.sin(angle)
    return Candidate(
        key=None, person=None, vector=vector, words=subject_words(text), verbs=verbs, moods=moods, loose=True
    )


def staying(*rows: Candidate) -> list[int]:
    """Which of the first rows stay together, among others that point elsewhere."""
    apart = [near(text, 2.5 + 0.1 * at) for at, text in enumerate(OTHERS)]
    return [at for at in range(len(rows)) if at not in strays([*rows, *apart], [0] * len(rows) + [1] * len(apart))]


def test_a_memory_that_is_about_something_else_leaves() -> None:
    """It came by its tone: no rare word of the others is in it, and what it tells of is not like what they tell of."""
    harp = [near(text, 0.1 * at) for at, text in enumerate(HARP)]
    assert staying(*harp, near("My passport expired in Cork.", 1.4)) == [0, 1, 2, 3]
    assert staying(*harp, near("We cancelled the newspaper.", 1.4)) == [0, 1, 2]
    assert staying(*harp, replace(near("We cancelled the newspaper.", 1.4), lettered=True)) == [0, 1, 2, 3]


def test_what_somebody_else_says_beside_a_shared_word_leaves() -> None:
    """One word in common is not enough for two people, unless both tell of the same person."""
    harp = [replace(near(text, 0.1 * at), speaker="ana") for at, text in enumerate(HARP)]
    other = replace(near("The pub is called Harp.", 1.9), speaker="ben")
    assert staying(*harp, replace(other, speaker="ana")) == [0, 1, 2, 3]
    assert staying(*harp, other) == [0, 1, 2]
    assert staying(*(replace(row, person="olga") for row in (*harp, other))) == [0, 1, 2, 3]


def test_cheers_are_about_nothing() -> None:
    """Those are as like as can be, and share no word: none stays but the last two, which nothing reads."""
    cheers = ("Keep going!", "You can do it!", "Never give up!", "Good luck to you!")
    assert len(staying(*(near(text, 0.01 * at) for at, text in enumerate(cheers)))) == _PAIR


def test_few_memories_about_one_thing_stay_together() -> None:
    """What all of a few share is what these are about."""
    texts = (
        "I drink peppermint tea.",
        "My tea is sencha in summer.",
        "She likes gunpowder tea.",
        "This tea is oolong.",
    )
    assert strays([near(text, 0.1 * at) for at, text in enumerate(texts)], [0] * len(texts)) == []


def test_what_has_no_known_word_stays_where_it_is() -> None:
    """Of a script that sets no words apart nobody can tell."""
    assert staying(*(near(text, at) for at, text in enumerate(("我搬家了。", "猫生病了。", "下雨了。")))) == [0, 1, 2]


def parties(*rows: Candidate, places: tuple[int, ...], distance: float = 0.76) -> list[int]:
    """Where these are once all have looked for company, among others that are alone."""
    apart = [near(text, 2.5 + 0.1 * at) for at, text in enumerate(OTHERS)]
    every = (*places, *range(10, 10 + len(apart)))
    joining = Parties([*rows, *apart], every, ["fact"] * 30, Grouping(distance=distance))
    joining.join()
    assert joining.places[len(rows) :] == list(every[len(rows) :])
    return joining.places[: len(rows)]


def test_whoever_is_alone_goes_where_there_is_company() -> None:
    """By a rare word and what it is about; not who shares neither, or is about somebody else."""
    harp = [replace(near(text, 0.1 * at), person="ana") for at, text in enumerate(HARP[:3])]
    late = near("A string of the harp broke.", 0.9)
    assert parties(*harp, late, places=(0, 0, 0, 1)) == [0, 0, 0, 0]
    assert parties(*harp, replace(late, person="ana"), places=(0, 0, 0, 1)) == [0, 0, 0, 0]
    assert parties(*harp, late, places=(0, 0, 0, 1), distance=0.1) == [0, 0, 0, 1]
    assert parties(*harp, replace(late, person="ben"), places=(0, 0, 0, 1)) == [0, 0, 0, 1]
    assert parties(*harp, replace(late, type="plan", loose=False), places=(0, 0, 0, 1))[:3] == [0, 0, 0]
    assert parties(*harp, near("We cancelled the newspaper.", 0.9), places=(0, 0, 0, 1)) == [0, 0, 0, 1]


def test_two_that_are_alone_need_more_than_a_word() -> None:
    """One rare word may mean something else in each; with what they are about it is a subject."""
    texts = ("My harp has forty strings.", "The pub is called Harp.")
    assert parties(near(texts[0], 0.0), near(texts[1], 2.2), places=(0, 1)) == [0, 1]
    assert parties(near(texts[0], 0.0), near(texts[1], 0.2), places=(0, 1)) == [0, 0]


def test_fragments_of_one_subject_become_one() -> None:
    """What somebody says of the harp without "I" makes no second cluster; others' harp, and another subject, stay."""
    first = [replace(near(text, 0.1 * at), person="ana", speaker="ana") for at, text in enumerate(HARP)]
    texts = ("The harp went out of tune.", "A harp needs new strings every year.", "Sold: one harp, with its case.")
    second = [replace(near(text, 0.3 + 0.1 * at), speaker="ana") for at, text in enumerate(texts)]
    apart = (0, 0, 0, 1, 1, 1)
    assert parties(*first, *second, places=apart) == [0] * 6
    assert parties(*first, *(replace(row, speaker="ben") for row in second), places=apart) == list(apart)
    assert parties(*first, *(replace(row, person="olga") for row in second), places=apart) == list(apart)
    boat = [near(text.replace("harp", "canoe"), 0.3 + 0.1 * at) for at, text in enumerate(texts)]
    assert parties(*first, *(replace(row, speaker="ana") for row in boat), places=apart) == list(apart)


def test_what_comes_back_was_compared_already() -> None:
    """Two clusters of returning subjects of one person stay two, whatever word they share; of two people not."""
    rows = [replace(near(text, 0.1 * at), speaker="ana") for at, text in enumerate((*HARP, *HARP))]
    later = [replace(row, person="ana") for row in rows[3:]]
    for both, places in ((rows, [0, 0, 0, 1, 1, 1]), ([*rows[:3], *later], [0] * 6)):
        joining = Parties(both, (0, 0, 0, 1, 1, 1), ["fact"] * 2, Grouping(), returning=[None] * 3 + [4] * 3)
        joining.join()
        assert joining.places == places


def test_two_clusters_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them looks for company, and what both have in common is worked out once for both of them."""
    compared: list[tuple[frozenset[int], frozenset[int]]] = []
    common = Parties._common

    def counting(self: Parties, one: int, other: int) -> float:
        sides = sorted((self._members[one], self._members[other]))
        compared.append((frozenset(sides[0]), frozenset(sides[1])))
        return common(self, one, other)

    monkeypatch.setattr(Parties, "_common", counting)
    texts = [*HARP, "The harp went out of tune.", "A harp needs new strings every year.", "Sold: one harp."]
    rows = [replace(near(text, 0.1 * at), speaker="ana") for at, text in enumerate(texts)]
    assert len(set(parties(*rows, places=tuple(range(len(rows)))))) == 1
    assert len(compared) > len(rows)
    assert len(compared) == len(set(compared))
