"""What a request says besides what it asks for: what is to stay, what is so now, and what never was so."""

from __future__ import annotations

import pytest

from finding_levels import levels


@pytest.mark.parametrize(
    ("ask", "kept", "gone"),
    [
        ("Forget everything about Tom except his birthday.", "Tom's birthday is on 2 June.", "Tom is a baker."),
        ("Oublie tout sur Léa sauf son anniversaire.", "L'anniversaire de Léa est le 3 mai.", "Léa est infirmière."),
        ("Lösche alles über Tom außer seinem Geburtstag.", "Tom hat am 2. Juni Geburtstag.", "Tom arbeitet bei Bosch."),
        (
            "Forget everything about Khalid except his phone number.",
            "رقم هاتف خالد 0795551234.",
            "خالد يعمل في المطار.",
        ),
    ],
)
def test_what_an_exception_names_is_not_in_doubt(ask: str, kept: str, gone: str) -> None:
    """Whoever confirms what is in doubt would forget just what the request keeps."""
    assert levels(ask, kept, gone, by_memories=True) == ["near", "sure"]


@pytest.mark.parametrize(
    ("ask", "old", "now"),
    [
        ("You can delete my previous employer, I work at Corvane now.", "User is a bookkeeper at Bellthorpe Ltd.",
         "Corvane pays user 3,400 a month."),
        ("I live in Bern now, so forget my old address.", "User lives in Basel.", "User moved to Bern in May."),
        ("Olvida mi antigua dirección, ahora vivo en Burgos.", "El usuario vive en Soria.",
         "El usuario se mudó a Burgos."),
        ("忘掉我以前的地址，我现在住在广州。", "用户住在深圳福田。", "用户上个月搬到广州。"),
        ("예전 주소는 잊어 줘, 이제 부산에 살아", "사용자는 대전 둔산동에 산다.", "사용자는 지난달 부산으로 이사했다."),
        ("Mi sono trasferita da Lecce a Trento: dimentica dove abitavo prima.", "Abito a Lecce in via Cavour 33.",
         "Ora abito a Trento in via Stelle 2."),
        ("Forget the old meeting with the auditor, it was moved.", "The meeting with the auditor is on March 3 at 10.",
         "The meeting with the auditor was moved to March 12 at 2."),
    ],
)  # fmt: skip
def test_what_the_request_says_to_be_so_now_stays(ask: str, old: str, now: str) -> None:
    """It is neither sure nor in doubt, whatever becomes of the old value."""
    assert levels(ask, old, now, by_memories=True)[1] in {"near", "no"}


@pytest.mark.parametrize(
    ("ask", "kept", "theirs"),
    [
        ("Keep my niece's address, but everything else can go.", "My niece's address is 4 Elm Row.", "My niece sails."),
        ("Keep my niece's address, the rest can go.", "My niece's address is 4 Elm Row.", "My niece sails."),
    ],
)
def test_the_rest_of_what_is_somebodys_may_be_the_rest_of_them(ask: str, kept: str, theirs: str) -> None:
    """All else is in doubt: it may be all that is known, or all of theirs."""
    assert levels(ask, kept, theirs, "I play chess.") == ["near", "doubtful", "doubtful"]


@pytest.mark.parametrize(
    ("ask", "told", "other"),
    [
        ("That's wrong, I never lived in Bern.", "User lived in Bern until 2014.", "User's friend Reto lives in Bern."),
        ("No, my name isn't Gerald. Delete that.", "User's name is Gerald.", "User's brother is called Gerald."),
        ("No, I'm not a vegetarian. Forget that.", "User is a vegetarian.", "User's niece is a vegetarian."),
        ("No es verdad, nunca viví en Berna. Bórralo.", "El usuario vivió en Berna.", "Ana vivió en Berna."),
        ("To nieprawda, nigdy nie mieszkałem w Bernie. Usuń to.", "Użytkownik mieszkał w Bernie.",
         "Kuzyn użytkownika mieszkał w Bernie."),
        ("間違いです。私に妹はいません。消してください", "ユーザーには妹が一人いる。", "友人の健太には妹がいる。"),
        ("不对，我没有妹妹。删掉", "用户有一个妹妹。", "朋友健太有一个妹妹。"),
    ],
)  # fmt: skip
def test_what_a_request_denies_of_the_user_is_meant(ask: str, told: str, other: str) -> None:
    """The memory that tells it goes, and what it tells of another does not."""
    found = levels(ask, told, other, by_memories=True)
    assert found[0] == "sure"
    assert found[1] != "sure"


@pytest.mark.parametrize(
    "ask", ["I no longer live in Bern, that's wrong.", "That's wrong, I never lived in Bern, I lived in Basel."]
)
def test_what_was_so_or_is_put_otherwise_is_no_such_denial(ask: str) -> None:
    """What is no longer so was so, and what is put right names another value: neither makes anything of it sure."""
    assert levels(ask, "User's sister lives in Bern.", by_memories=True) != ["sure"]


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("Glöm min lön.", "Användaren tjänar 32000 kronor och bor i Lund."),
        ("忘掉我的工资", "用户月薪一万二，住在广州。"),
        ("私の給料を忘れて", "ユーザーの月給は30万円で、大阪に住んでいる。"),
        ("내 월급 잊어 줘", "사용자는 월급이 300만 원이고 부산에 산다."),
        ("انس راتبي", "راتب المستخدم 5000 ويسكن في حلب"),
    ],
)
def test_a_second_fact_of_another_kind_does_not_go_along(ask: str, text: str) -> None:
    """Each went whole, with where the user lives."""
    assert levels(ask, text) == ["doubtful"]


def test_things_of_a_kind_in_general_are_nothing_of_the_user() -> None:
    """What most people drink says nothing of what this one does."""
    ask = "Forget what I drink."
    assert levels(ask, "Rum is made of sugar cane.", "User drinks rum on Fridays.") == ["doubtful", "sure"]


def test_passwords_are_known_by_their_values() -> None:
    """Of a service or of one's mail, and not a brother's."""
    found = levels(
        "Delete all my passwords.", "User's Netflix password is Tulip!2291.", "the password of my mail is gr8-crow-5",
        "my brother's Netflix password is abc!222", "User changes passwords every year.",
    )  # fmt: skip
    assert found == ["sure", "sure", "near", "doubtful"]


@pytest.mark.parametrize(
    ("ask", "named", "other", "level"),
    [
        ("Forget everything about Khaled.", "اتصلت بخالد أمس", "خلود تعمل في المطار", "sure"),
        ("Forget everything about Minjun.", "민준이는 부산에 산다.", "민지는 대구에 산다.", "doubtful"),
        ("Forget Noa.", "נועה גרה בחיפה", "דנה גרה בתל אביב", "doubtful"),
        ("Forget everything about Ken.", "ケンさんは大阪に住んでいる。", "カレンは東京に住んでいる。", "doubtful"),
    ],
)
def test_names_are_read_sign_by_sign_in_other_scripts(ask: str, named: str, other: str, level: str) -> None:
    """Sure only where a list of given names has it."""
    assert levels(ask, named, other, by_memories=True) == [level, "no"]


def test_what_one_before_a_move_names_is_not_the_newest() -> None:
    """Once the flat in Leeds, told last, was the home of now, and York the old one."""
    found = levels(
        "Forget where I used to live.", "User lives in Leeds.", "User moved to York in June.",
        "User's flat in Leeds is damp.",
    )  # fmt: skip
    assert found[:2] == ["sure", "near"]


def test_an_ex_is_who_a_memory_calls_so() -> None:
    """Of "my ex-husband" not the husband of now, and of "my husband" not the one before."""
    texts = ("User's ex-husband is called Gavin.", "User's husband Tom cooks.")
    assert levels("Forget my ex-husband.", *texts) == ["sure", "near"]
    assert levels("Forget my husband.", *texts) == ["near", "sure"]


def test_somebody_of_theirs_is_met_by_another() -> None:
    """It is of his sister, and of whoever met her."""
    assert levels("Forget everything about Tim.", "Jon met Tim's sister at Ana's party.") == ["doubtful"]
