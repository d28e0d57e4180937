"""What has a word of a request and is something else stays, and what somebody is called is what says so."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from finding_levels import levels
from precis.finding.finder import find
from precis.finding.request import read_request
from precis.finding.values import Level, Row


@pytest.mark.parametrize(
    ("ask", "meant", "other"),
    [
        ("Forget my work", "I work as a welder.", "User works out at home with kettlebells."),
        ("Forget anything about my religion", "User is fasting for Lent.", "User runs religiously at six."),
        ("Forget my family", "User's wife is called Noor.", "User wants to learn about the cat family."),
        (
            "Forget what I paid for the ring",
            "I paid 3,400 dollars for the ring.",
            "I paid 60 for a ring light.",
        ),
        ("Forget Anna, my sister", "User's sister Anna lives in Malmö.", "Anna from accounting handles claims."),
        ("Oublie ma maison", "J'ai une maison à Lyon.", "L'utilisateur a visité une maison de disques."),
        ("Удали все записи к врачу", "", "На прошлой неделе врач выписал мне эутирокс."),
        ("Удали все записи к врачу", "", "Мой стоматолог — Ирина Крайнова."),
    ],
)
def test_a_word_in_another_sense_does_not_go(ask: str, meant: str, other: str) -> None:
    """What is meant goes."""
    read = levels(ask, *filter(None, [meant, other]))
    assert read[-1] != "sure"
    assert not meant or read[0] == "sure"


def test_of_a_new_one_the_old_one_stays_where_the_new_one_is_only_mentioned() -> None:
    """In doubt at most."""
    read = levels("Forget my new manager", "User's manager is Bertil Lund.", "User reports to a new manager, Shirin.")
    assert read[0] in {"doubtful", "near"}
    assert read[1] in {"doubtful", "sure"}


@pytest.mark.parametrize(
    ("ask", "tells", "theirs", "other"),
    [
        (
            "मेरी डेंटिस्ट का नाम भूल जाओ",
            "मेरी डेंटिस्ट डॉक्टर कुलकर्णी हैं।",
            "विकास के डेंटिस्ट डॉक्टर बंसल हैं।",
            "डेंटिस्ट से मिलने का समय 28 मार्च को है।",
        ),
        (
            "私の歯医者の名前を覚えていてほしくない",
            "私の歯医者は小野寺先生です。",
            "直樹の歯医者は権田先生です。",
            "歯医者の予約は3月12日の10時。",
        ),
        (
            "Забудь имя моего стоматолога",
            "Мой стоматолог — Ирина Крайнова.",
            "Стоматолог Артура — доктор Шульгин.",
            "Запись к стоматологу на 13 марта.",
        ),
        (
            "Dimentica il nome del mio dentista",
            "Il mio dentista è il dottor Zanardi.",
            "Il dentista di Ada è il dottor Luzi.",
            "Il dentista è chiuso.",
        ),
        (
            "Esqueça o nome da minha dentista",
            "Minha dentista é a doutora Renata.",
            "O dentista do Ivo é o doutor Caio.",
            "A dentista fechou.",
        ),
        (
            "Oublie le nom de mon dentiste",
            "Mon dentiste est le docteur Lenormand.",
            "Le dentiste de Noé est le docteur Pic.",
            "Le dentiste est cher.",
        ),
        (
            "Vergiss den Namen meiner Zahnärztin",
            "Meine Zahnärztin ist Dr. Kern.",
            "Jontes Zahnärztin ist Dr. Ruf.",
            "Die Zahnärztin ist teuer.",
        ),
        (
            "Forget the name of my dentist",
            "My dentist is Dr. Okafor.",
            "Tove's dentist is Dr. Lam.",
            "My dentist is Norwegian.",
        ),
    ],
)
def test_a_name_is_told_by_who_somebody_is(ask: str, tells: str, theirs: str, other: str) -> None:
    """Not that of somebody else's, and nothing else of them."""
    read = levels(ask, tells, theirs, other)
    assert read[0] == "sure"
    assert "sure" not in read[1:]


def test_what_denies_it_in_hindi_is_in_doubt() -> None:
    """Where its words are those of the request, but one."""
    assert levels("भूल जाओ कि मैं माँस खाती हूँ", "मैं माँस नहीं खाती।", by_memories=True) != ["sure"]


def test_what_is_filed_under_a_subject_is_somebody_elses_all_the_same() -> None:
    """Of "my previous employer" the husband's, whose memory has that topic."""
    labels = frozenset({"employer"})
    read = levels(
        "Forget my previous employer",
        "User has been at Banca Aldobrandi since 2022.",
        "User's husband previously worked for Olivetti.",
        labels=labels,
    )
    assert read[1] != "sure"


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        ("My husband forgets our anniversary", "My husband and I have our anniversary on 3 May."),
        ("I always forget my mother's birthday, it's on 12 June.", "My mother's birthday is on 12 June."),
        ("Mein Mann vergisst unseren Hochzeitstag", "Unser Hochzeitstag ist am 3. Mai."),
        ("J'oublie toujours mon code", "Mon code est 4471."),
        ("Se me olvida siempre mi clave", "Mi clave es 4471."),
        ("Esqueço sempre a minha senha", "A minha senha é 4471."),
    ],
)
def test_who_tells_that_somebody_forgets_asks_for_nothing(ask: str, told: str) -> None:
    """Nothing is sure, neither by the words nor by what a newer memory says anew."""
    assert levels(ask, told, "My birthday is on 1 March.")[0] != "sure"
    assert read_request(ask, date(2026, 11, 20)).unsure


@pytest.mark.parametrize(
    ("ask", "goes", "kept"),
    [
        ("Forget everything about Tove, the lawsuit excepted", "Tove plays chess.", "Tove won the lawsuit."),
        ("The lawsuit aside, forget everything about Tove", "Tove plays chess.", "Tove won the lawsuit."),
        ("Vergiss alles über Tove, den Prozess ausgenommen", "Tove spielt Schach.", "Tove hat den Prozess gewonnen."),
        ("Oublie tout sur Tove, le procès mis à part", "Tove joue aux échecs.", "Tove a gagné le procès."),
        ("Olvida todo sobre Tove, el juicio aparte", "Tove juega al ajedrez.", "Tove ganó el juicio."),
        ("Dimentica tutto su Tove, escluso il processo", "Tove gioca a scacchi.", "Tove ha vinto il processo."),
        ("Esquece tudo sobre a Tove, o julgamento à parte", "A Tove joga xadrez.", "A Tove ganhou o julgamento."),
        ("Vergeet alles over Tove, het proces uitgezonderd", "Tove speelt schaak.", "Tove won het proces."),
    ],
)
def test_what_is_called_excepted_behind_its_name_stays(ask: str, goes: str, kept: str) -> None:
    """Before or behind what asks; the rest goes."""
    assert levels(ask, goes, kept) in (["sure", "near"], ["sure", "doubtful"])


@pytest.mark.parametrize(
    ("ask", "goes", "other"),
    [
        ("Forget that Ilka and I are engaged", "User is engaged to Ilka.", "Ilka owns half of the boat."),
        ("Vergiss, dass Ilka und ich verlobt sind", "Ilka und ich sind verlobt.", "Ilka gehört das halbe Boot."),
        ("Olvida que Ilka y yo estamos casados", "Ilka y yo estamos casados.", "Ilka tiene medio barco."),
        ("Forget Ilka and that I run a bakery", "User runs a bakery.", "Ulla runs a school."),
        ("My name isn't Ivo. Forget that.", "User's name is Ivo.", "User's brother's name is Ivo."),
        ("Forget that my name is Ivo", "The user is called Ivo.", "Ivo owes me money."),
        ("Olvida que me llamo Ivo", "Me llamo Ivo.", "Mi hijo se llama Ivo."),
    ],
)
def test_what_is_said_of_somebody_and_the_user_is_not_all_of_the_name(ask: str, goes: str, other: str) -> None:
    """What they are together, and what the user alone is called."""
    read = levels(ask, goes, other)
    assert read[0] == "sure"
    assert read[1] != "sure"


def test_who_says_a_message_is_no_other_name_of_whom_it_names() -> None:
    """Of "Pia: ..." only what takes up who was asked for is sure."""
    texts = ["Pia: Otto asked me out.", "Pia: he keeps bees", "Pia: ok now help me with my tax return"]
    rows = [
        Row(id=text, text=text, session_id="s", created_at=datetime(2026, 11, 1, 12, at, tzinfo=UTC))
        for at, text in enumerate(texts)
    ]
    found = find(read_request("Remove everything on Otto", date(2026, 11, 20)), rows)
    assert [finding.id for finding in found.rows if finding.level is Level.SURE] == texts[:2]
