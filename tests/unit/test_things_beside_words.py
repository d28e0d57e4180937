"""What has a word of a request and is something else stays, and what somebody is called is what says so."""

from __future__ import annotations

import pytest

from finding_levels import levels


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
