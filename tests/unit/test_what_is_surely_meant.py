"""What stands beside what a request means and looks like it: it is in doubt, or near, and never sure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from finding_levels import NOW, levels
from precis.finding.finder import find
from precis.finding.grounded.findings import with_versions
from precis.finding.grounded.versions import versions
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Finding, Findings, Level, Row


def dated(ask: str, *told: tuple[str, str]) -> Findings:
    """What is said of memories that were each written on a day, the oldest first."""
    rows = [
        Row(id=f"m{at}", text=text, created_at=datetime.fromisoformat(day).replace(tzinfo=UTC))
        for at, (day, text) in enumerate(told)
    ]
    request = read_request(ask, date(2026, 11, 28))
    return with_versions(find(request, rows), versions(ask, request, rows, ()))


def sure_of(findings: Findings) -> set[str]:
    """The ids of what is sure."""
    return {finding.id for finding in findings.of(Level.SURE)}


def alone(ask: str, text: str) -> Finding | None:
    """What is said of one memory."""
    row = Row(id="m", text=text, created_at=NOW - timedelta(days=3))
    return next(iter(find(read_request(ask, NOW.date()), [row]).rows), None)


@pytest.mark.parametrize(
    ("ask", "goes", "stays"),
    [
        # A number is what it is called.
        ("forget my phone number", "My phone number is 07700 900123.", "User's passport number is 561203447."),
        ("delete my mobile number", "User's mobile is 07700 900555.", "User's employee number is 443300112."),
        ("Vergiss meine Telefonnummer", "Meine Telefonnummer ist 0151 2223334.", "Reisepassnummer: 561203448."),
        # Whose it is.
        ("forget other people's illnesses", "Yusuf has diabetes.", "User was diagnosed with colitis in 2019."),
        ("forget the health of other people", "My mother has asthma.", "User has epilepsy."),
        ("forget what my flat costs", "User's flat costs 900 kroner.", "Mia's flat costs 14,000 kroner a month."),
        ("forget my rent", "User's rent is 800 euros a month.", "Mia's rent is 900 euros a month."),
        # Medicine as work and study.
        ("forget my health", "User has asthma.", "I earn 29,400 pounds a year at the clinic."),
        ("forget my health", "User has asthma.", "User is a nurse on the cardiology ward."),
        ("forget my health", "User has migraines.", "User studied medicine."),
        ("forget my doctor", "User's doctor is Dr. Haddad.", "User started at Bath Animal Hospital."),
        ("Oublie mon médecin", "Mon médecin est le docteur Roux.", "Je travaille dans un hôpital."),
        ("forget where I work", "User works at a bakery.", "User's colleague Yusuf fasts during Ramadan."),
        # Names of firms and of others.
        ("forget my nephew Chase", "User's nephew Chase likes nuts.", "User has a mortgage with Chase for 180,000."),
        ("forget my uncle Ford", "User's uncle Ford lives in Kent.", "User pays off a loan from Ford."),
        ("forget Mr. Tanaka", "Mr. Tanaka rents out a flat.", "User's best friend is Rose Tanaka, a florist."),
        ("forget Mrs. Vogt", "Mrs. Vogt keeps bees.", "Peter Vogt keeps bees."),
        ("forget my will", "User's will is with the notary.", "User's wife is called Will."),
        ("delete my grant", "User's grant is for 5,000 euros.", "User's husband is called Grant."),
        # What drives is no car.
        ("forget my car", "User's car is a blue Fiat Panda.", "Im Sommer fahre ich an die Ostsee."),
        ("Ayşe'nin doğum gününü unut", "Ayşe'nin doğum günü 5 Ağustos.", "User baked a cake for Anna's birthday."),
        # What one denies the other tells.
        ("forget that Denise is a nurse", "Denise is a nurse in Kiel.", "Denise is not a nurse."),
        ("forget that Rose is not pregnant", "Rose is not pregnant.", "Rose is pregnant."),
        ("forget my diabetes", "User has had diabetes since 2010.", "User does not have diabetes."),
        ("forget my dog", "User's dog limps.", "User has never had a dog."),
    ],
)  # fmt: skip
def test_what_is_meant_is_sure_and_what_stands_beside_it_is_not(ask: str, goes: str, stays: str) -> None:
    """Alone and together: the first goes, and the second does not."""
    assert levels(ask, goes)[0] == "sure"
    assert levels(ask, stays)[0] != "sure"
    first, second = levels(ask, goes, stays)
    assert (first, second != "sure") == ("sure", True)


@pytest.mark.parametrize("ask", ["forget everything about my cousin Mark", "forget my cousin Mark"])
def test_of_two_of_a_name_it_is_the_one_who_is_called_so(ask: str) -> None:
    """The cousin is sure, his namesake is not, and where it may be either it is in doubt."""
    texts = ("User's cousin Mark Fenwick sings.", "Mark Oduya is user's boss.", "Rose said that Mark is ill.")
    assert levels(ask, *texts) == ["sure", "doubtful", "doubtful"]


def test_whoever_goes_to_the_same_one_is_not_meant() -> None:
    """Tom's dentist is not mine, even where both have one."""
    texts = ("User's dentist is Dr. Okafor in Bath.", "Tom goes to Dr. Okafor, too.", "Dr. Okafor is on holiday.")
    assert levels("forget my dentist", *texts)[:2] == ["sure", "doubtful"]


@pytest.mark.parametrize(
    ("ask", "stay"),
    [
        (
            "forget everything except my dog",
            ("I adopted a greyhound called Comet.", "Comet eats no chicken.", "A dog barks."),
        ),
        ("forget everything but my greyhound", ("I adopted a greyhound called Comet.", "Comet eats no chicken.")),
        ("forget everything apart from my boss", ("User's boss is called Ferrer.", "Ferrer collects stamps.")),
        ("forget everything except my sister", ("User's sister Ida sings.", "Ida has a bakery.")),
    ],
)
def test_what_an_exception_may_mean_is_not_sure(ask: str, stay: tuple[str, ...]) -> None:
    """What is of that kind, and what has its name; something else goes."""
    *spared, other = levels(ask, *stay, "User likes tea.")
    assert "sure" not in spared
    assert other == "sure"


@pytest.mark.parametrize(
    ("ask", "found"),
    [
        ("forget my salary, and also Anna's birthday", [True, True, False]),
        ("Forget Tom. Also forget my salary. And Anna's birthday.", [True, True, True]),
        ("forget my salary and Anna's birthday", [True, True, False]),
        ("forget Tom's car and Anna's birthday", [False, True, True]),
        ("Delete Tom's car, Anna's birthday and my salary", [True, True, True]),
        ("Please delete my salary. Also Tom's car.", [True, False, True]),
        ("forget Tom and Anna's birthday", [False, False, False]),
    ],
)
def test_each_thing_that_is_named_is_looked_for(ask: str, found: list[bool]) -> None:
    """The salary, the birthday and the car; "Tom and Anna's birthday" may be the birthdays of both."""
    texts = ("User's salary is 33,800 pounds.", "Anna's birthday is 14 March.", "Tom's car is red.")
    assert [level == "sure" for level in levels(ask, *texts)] == found


def test_what_nothing_was_found_of_is_said() -> None:
    """Of three things one is not known."""
    rows = [Row(id="m", text="User's salary is 33,800 pounds.", created_at=NOW)]
    request = read_request("forget my salary, Anna's birthday and Tom's car", NOW.date())
    assert find(request, rows).missing == ("Anna's birthday", "Tom's car")
    assert find(read_request("forget my salary", NOW.date()), rows).missing == ()


@pytest.mark.parametrize(
    ("ask", "sure"),
    [
        ("forget the last thing I told you", {"m2"}),
        ("forget the last memory", {"m2"}),
        ("delete the last two things I told you", {"m1", "m2"}),
        ("forget what I just told you", {"m2"}),
        ("Vergiss das Letzte, was ich dir gesagt habe", {"m2"}),
        ("Oublie la dernière chose que je t'ai dite", {"m2"}),
        ("forget everything between March and May", {"m1", "m2"}),
        ("forget what I said from March to May", {"m1", "m2"}),
    ],
)
def test_a_time_is_the_time_that_is_named(ask: str, sure: set[str]) -> None:
    """The newest memory is not one with the word "last", and May is the end of "between March and May"."""
    told = (("2026-02-03", "User was baptised last Easter."), ("2026-03-03", "User asked for a recipe last Tuesday."))
    assert sure_of(dated(ask, *told, ("2026-05-03", "User likes risotto."))) == sure


def test_may_may_be_somebody() -> None:
    """Behind an "and" that joins no months it is a name."""
    assert sure_of(dated("forget everything about Anna and May", ("2026-05-03", "User likes risotto."))) == set()


def test_an_event_that_is_only_spoken_of_dates_nothing() -> None:
    """Since the divorce: nobody knows when that was. "I moved" was then."""
    told = (("2026-01-05", "User likes tea."), ("2026-01-27", "Tom is user's ex-husband; they divorced in 2022."))
    divorced = (*told, ("2026-02-22", "I sleep badly since the divorce."))
    assert sure_of(dated("forget what I told you before the divorce", *divorced)) == set()
    moved = (*told, ("2026-02-22", "I moved to Leeds."), ("2026-03-01", "User plays chess."))
    assert sure_of(dated("forget what I told you before I moved", *moved)) == {"m0", "m1"}


def test_what_happened_on_a_day_is_no_day_to_come() -> None:
    """Nor a birthday; what names the day and its year, or was written then, is."""
    told = (
        ("2026-02-01", "Tom's birthday is 14 March."),
        ("2026-03-14", "User met Ben at the zoo."),
        ("2026-04-01", "User fell off the bike on 14 March 2026."),
        ("2026-10-01", "Dentist appointment on 14 March 2027."),
    )
    assert sure_of(dated("forget what happened on 14 March", *told)) == {"m1", "m2"}


def test_what_is_told_anew_of_something_else_stays() -> None:
    """The old dentist is no salary, and the value of now is none of the old ones in any language."""
    told = (
        ("2026-01-10", "User's dentist is Dr. Okafor on Whiteladies Road."),
        ("2026-01-22", "I earn 29,400 pounds a year at the clinic."),
        ("2026-03-10", "User's dentist is now Dr. Lindqvist in Bath."),
        ("2026-04-08", "User now earns 33,800 pounds a year."),
        ("2026-07-04", "Mein Gehalt beträgt 33.800 Pfund im Jahr."),
        ("2026-07-30", "Kullanıcı maaşından memnun değil."),
    )
    assert sure_of(dated("forget my old dentist", *told)) == {"m0"}
    assert sure_of(dated("forget my old salary", *told)) == {"m1"}


@pytest.mark.parametrize(
    "ask", ["forget my phone number but keep my new one", "forget my phone number, and keep the new one"]
)
def test_the_new_one_is_kept(ask: str) -> None:
    """Only the older number goes."""
    first, last = "My phone number is 07700 900123.", "User's new phone number is 07700 900456."
    told = (("2026-01-01", first), ("2026-02-01", last))
    assert sure_of(dated(ask, *told)) == {"m0"}


_TOM = "Tom drinks too much and Anna worries about him."
_SISTER = "Der Nutzer wohnt in Hamburg, seine Schwester Jule wohnt in Bremen."


@pytest.mark.parametrize(
    ("ask", "text", "level", "left"),
    [
        ("forget everything about Anna", _TOM, Level.SURE, "Tom drinks too much."),
        ("forget everything about Tom", _TOM, Level.DOUBTFUL, ""),
        ("forget that Anna worries about Tom", "Tom drinks and Anna worries about him.", Level.SURE, "Tom drinks."),
        ("forget everything about Lars", "Lars snores and Ida hates it.", Level.DOUBTFUL, ""),
        ("Vergiss, dass Jule raucht", "Jule ist Krankenschwester und raucht.", Level.DOUBTFUL, ""),
        ("Oublie que Jule fume", "Jule est infirmière et fume.", Level.DOUBTFUL, ""),
        ("Olvida que Ana cría abejas", "Ana canta en un coro y cría abejas.", Level.SURE, "Ana canta en un coro."),
        ("Vergiss alles über meine Schwester", _SISTER, Level.DOUBTFUL, ""),
        ("forget where I live", _SISTER, Level.SURE, "Seine Schwester Jule wohnt in Bremen."),
        ("forget that Anna works for Grace", "Anna works for Grace and admires her.", Level.DOUBTFUL, ""),
        ("forget everything about Cleo", "Ben met Cleo in Rome and married her in May.", Level.SURE, ""),
    ],
)  # fmt: skip
def test_another_fact_is_not_lost_and_no_rest_leans_on_who_went(ask: str, text: str, level: Level, left: str) -> None:
    """What can be parted stays by itself; else it is in doubt, where somebody else or something else goes with it."""
    finding = alone(ask, text)
    assert finding is not None
    assert finding.level is level
    assert (written(text, finding.keeps) if finding.keeps else "") == left


@pytest.mark.parametrize("ask", ["should you forget Tom?", "Are you going to forget Tom?"])
def test_a_question_makes_nothing_sure(ask: str) -> None:
    """It is asked, and not asked for; "can you" asks for it."""
    assert levels(ask, "Tom plays chess in Leeds.") == ["doubtful"]
    assert levels("can you forget Tom?", "Tom plays chess in Leeds.") == ["sure"]


def test_a_first_name_behind_another_role_is_in_doubt_in_one_session() -> None:
    """The mother Margaret is no Margaret Thornton, and the yoga teacher is who is said to be she."""
    texts = ("Margaret Thornton is user's yoga teacher.", "My mother Margaret, whom everyone calls Peggy, sings.")
    assert levels("forget everything about Margaret Thornton", *texts, session_id="s") == ["sure", "doubtful"]
    assert levels("forget my yoga teacher", *texts)[0] == "sure"


def test_a_brother_whose_name_is_a_word_may_be_meant_by_it() -> None:
    """Will, who is a plumber."""
    texts = ("User's brother Will is a plumber.", "Will does not eat meat.", "User will go to Rome.")
    assert levels("forget everything about my brother", *texts) == ["sure", "doubtful", "no"]
