"""Requests in other languages: two facts in one sentence, old values by name, what the user says of themselves."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from precis.finding.finder import find
from precis.finding.halves import written
from precis.finding.identifiers import identifiers_in
from precis.finding.request import read_request
from precis.finding.values import Level, Row
from precis.finding.written.clauses import clauses_of

TODAY = date(2026, 11, 20)


def left_over(ask: str, *texts: str) -> list[str]:
    """What stays of each of these memories when what is sure goes; nothing of those that go whole."""
    rows = [
        Row(id=f"r{at}", text=text, created_at=datetime(2026, 11, 1, at, tzinfo=UTC)) for at, text in enumerate(texts)
    ]
    sure = {found.id: found.keeps for found in find(read_request(ask, TODAY), rows).rows if found.level is Level.SURE}
    return [row.text if row.id not in sure else written(row.text, sure[row.id]) for row in rows]


#: A request, a memory of two facts, and what stays of it.
HALVES = [
    (
        "Supprime le contrat 8820.",
        "Le contrat 8820 est signé et le contrat 8821 attend le tampon.",
        "le contrat 8821 attend le tampon.",
    ),
    (
        "Apague o protocolo 5540.",
        "O protocolo 5540 continua parado e o protocolo 5541 foi aceito hoje.",
        "o protocolo 5541 foi aceito hoje.",
    ),
    ("Wis alles over dossier Q-31.", "Q-31 ligt bij de rechter en Q-32 is gesloten.", "Q-32 is gesloten."),
    ("Удали заявку 7712.", "Заявка 7712 ещё в работе, а заявка 7713 уже закрыта.", "заявка 7713 уже закрыта."),
    ("Radera faktura 611.", "Faktura 611 är obetald, faktura 612 är betald.", "faktura 612 är betald."),
    ("删掉工单C45。", "工单C45还没处理，工单C46上周已经完成。", "工单C46上周已经完成。"),
    ("予約番号M31の件を消して。", "M31は審査中で、M32はもう承認された。", "M32はもう承認された。"),
    ("احذف الشكوى رقم 415.", "الشكوى رقم 415 قيد الدراسة، والشكوى رقم 416 أغلقت أمس.", "والشكوى رقم 416 أغلقت أمس."),
    ("टिकट 733 हटा दो।", "टिकट 733 अभी खुला है और टिकट 734 कल बंद हो गया।", "टिकट 734 कल बंद हो गया।"),
    ("Glöm vad Maja kör för bil.", "Maja kör en röd Skoda och Edvin kör en gammal Opel.", "Edvin kör en gammal Opel."),
    (
        "Удали зарплату Тараса.",
        "У Тараса зарплата 80 тысяч, а у Миланы зарплата 95 тысяч.",
        "у Миланы зарплата 95 тысяч.",
    ),
    ("忘掉周敏怀孕的事。", "周敏怀孕三个月了，吴刚打算去留学。", "吴刚打算去留学。"),
    ("انسَ أين تسكن ريم.", "ريم تسكن في حي الزهور، وسامر يسكن في حلب.", "وسامر يسكن في حلب."),
]


@pytest.mark.parametrize(("ask", "memory", "stays"), HALVES, ids=[case[0] for case in HALVES])
def test_the_fact_beside_the_one_that_was_meant_stays(ask: str, memory: str, stays: str) -> None:
    """Whatever joins the two, and whatever stands before the name or the number."""
    [rest] = left_over(ask, memory)
    assert rest.casefold() == stays.casefold()


#: A request that names an old value, memories of that, and others that stay.
OLD = [
    (
        "Glöm mitt gamla gym, Bergtoppen.",
        ["Användaren tränar på Bergtoppen varje torsdag."],
        ["Numera tränar jag hemma."],
    ),
    ("Забудь мой прежний банк, «Капитель».", ["На «Капители» у меня был вклад."], ["Теперь у меня счёт в «Опоре»."]),
    (
        "Zapomnij o moim starym operatorze, Telvio.",
        ["Moja umowa z Telvio kończy się w maju."],
        ["Brat użytkownika ma internet z Telvio."],
    ),
    (
        "Olvida mi antiguo gimnasio, el Arenal.",
        ["Mi gimnasio es el Arenal."],
        ["La hermana del usuario entrena en el Arenal."],
    ),
    (
        "前の会社の若松工業のことは忘れてください。",
        ["若松工業では毎朝体操がある。"],
        ["ユーザーは若松町の店によく行く。"],
    ),
]


@pytest.mark.parametrize(("ask", "meant", "others"), OLD, ids=[case[0] for case in OLD])
def test_an_old_value_that_is_named_is_meant(ask: str, meant: list[str], others: list[str]) -> None:
    """Also where it is the only one that is known; somebody else's stays."""
    assert left_over(ask, *meant, *others) == ["" for _ in meant] + others


def test_what_is_so_now_is_parted_from_the_old_value() -> None:
    """It is of the user, and begins a clause of its own."""
    [rest] = left_over(
        "Vergiss meine alte Bank, die Norbank.",
        "Bei der Norbank war ich lange, jetzt liegt mein Geld bei der Elbkasse.",
    )
    assert rest == "Jetzt liegt mein Geld bei der Elbkasse."


#: A clause of the user's, a note that says it of them, and one that says it of somebody or something else.
CLAUSES = [
    (
        "Vergiss, dass ich keinen Kaffee trinke.",
        "Der Nutzer trinkt keinen Kaffee.",
        "Der Bruder des Nutzers trinkt keinen Kaffee.",
    ),
    (
        "Vergiss, dass ich nicht schwimmen kann.",
        "Die Nutzerin kann nicht schwimmen.",
        "Die Tochter der Nutzerin kann nicht schwimmen.",
    ),
    (
        "Oublie que je ne mange pas de porc.",
        "L'utilisateur ne mange pas de porc.",
        "La fille de l'utilisateur ne mange pas de porc.",
    ),
    ("Olvida que no conduzco.", "El usuario no conduce.", "El usuario conduce."),
    ("Esquece que eu não bebo leite.", "O utilizador não bebe leite.", "A filha do utilizador não bebe leite."),
    (
        "Vergeet dat ik niet kan fietsen.",
        "De gebruiker kan niet fietsen.",
        "De zoon van de gebruiker kan niet fietsen.",
    ),
    ("Zapomnij, że nie piję mleka.", "Użytkownik nie pije mleka.", "Syn użytkownika nie pije mleka."),
    ("Забудь, что я боюсь высоты.", "Пользователь боится высоты.", "Сестра пользователя боится высоты."),
    ("Glöm att jag inte äter fisk.", "Användaren äter inte fisk.", "Användarens son äter inte fisk."),
    ("Et yemediğimi unut.", "Kullanıcı et yemiyor.", "Kullanıcının eşi et yemiyor."),
    ("Bekâr olduğumu unut.", "Kullanıcı bekâr.", "Kullanıcının abisi bekâr."),
    ("भूल जाओ कि मैं दूध नहीं पीता।", "यूज़र दूध नहीं पीता।", "यूज़र की बहन दूध नहीं पीती।"),
    ("私が肉を食べないことは忘れて。", "ユーザーは肉を食べない。", "ユーザーの妹は肉を食べない。"),
    ("忘掉我不吃香菜这件事。", "用户不吃香菜。", "用户的妈妈不吃香菜。"),
    (
        "내가 땅콩 알레르기가 있다는 건 잊어줘.",
        "사용자는 땅콩 알레르기가 있다.",
        "사용자의 아들은 땅콩 알레르기가 있다.",
    ),
    ("انس أنني لا آكل السمك.", "المستخدم لا يأكل السمك.", "زوجة المستخدم لا تأكل السمك."),
]


@pytest.mark.parametrize(("ask", "meant", "other"), CLAUSES, ids=[case[0] for case in CLAUSES])
def test_a_clause_of_the_user_is_told_of_the_user(ask: str, meant: str, other: str) -> None:
    """In the third person, with the ending and the place that the verb then has."""
    assert left_over(ask, meant, other) == ["", other]


#: Somebody whose name is a word, what tells of them, and what has the word.
NAMES = [
    ("Glöm allt om Sten.", "Sten är min svåger.", "Användaren snubblade på en sten."),
    ("Забудь всё про Любовь.", "Любовь — тётя пользователя.", "Пользователь пишет песни о любви."),
    ("Deniz hakkında her şeyi sil.", "Deniz kullanıcının teyzesi.", "Kullanıcı deniz kenarında yürür."),
    ("विकास के बारे में सब कुछ भूल जाओ।", "विकास यूज़र का दर्ज़ी है।", "यूज़र गाँव के विकास पर लिखता है।"),
    ("ゆりさんのことは全部忘れて。", "ゆりさんはピアノの先生です。", "ユーザーはゆり根が好きだ。"),
    ("바다에 대한 건 다 지워줘.", "바다는 사용자의 사촌 동생이다.", "사용자는 바다를 보러 강릉에 갔다."),
]


@pytest.mark.parametrize(("ask", "meant", "other"), NAMES, ids=[case[0] for case in NAMES])
def test_a_word_is_a_name_where_it_is_said_who_that_is(ask: str, meant: str, other: str) -> None:
    """Or where only somebody may stand."""
    assert left_over(ask, meant, other) == ["", other]


#: A request, what it means, and what is called somebody else's.
THEIRS = [
    ("Olvida todo sobre mi boda.", "I am planning our wedding.", "I danced at a neighbor's wedding."),
    ("Vergiss meine Hochzeit.", "Meine Hochzeit war im Mai.", "Ich war auf der Hochzeit meiner Kollegin."),
]


@pytest.mark.parametrize(("ask", "meant", "other"), THEIRS, ids=[case[0] for case in THEIRS])
def test_what_is_called_somebody_elses_stays(ask: str, meant: str, other: str) -> None:
    """Right before it or behind it."""
    assert left_over(ask, meant, other)[1] == other
    assert left_over(ask, meant)[0] == ""


def test_a_korean_verb_ends_before_another_fact() -> None:
    """With an ending that joins two facts, and a particle behind whoever does each."""
    text = "민호는 오월에 결혼하고 수빈은 빵집을 열었다."
    assert [text[slice(*piece)] for piece in clauses_of(text)] == ["민호는 오월에 결혼하고", "수빈은 빵집을 열었다."]


def test_one_thing_with_two_numbers_is_not_parted() -> None:
    """Two names before one verb are of both, and a list has no verb."""
    for text in (
        "Le contrat 8820 et le contrat 8821 sont signés.",
        "Maja och Edvin kör en röd Skoda.",
        "सुरेश और विकास दिल्ली में रहते हैं।",
        "زارت سلمى وياسر القاهرة.",
    ):
        assert len(clauses_of(text)) == 1, text


def test_wide_digits_are_digits() -> None:
    """As they are typed among Chinese."""
    assert [mark.value for mark in identifiers_in("电话是１３８００１２６６５０。")] == ["13800126650"]


#: A request for all of somebody, and a memory that says first who that is to the user, and two things of them.
CALLED = [
    ("Olvida todo sobre Noemí.", "Mi hermana Noemí vive en Salta y es enfermera."),
    ("Oublie tout sur Odette.", "Ma sœur Odette habite à Lille et aime le vin blanc."),
    ("Vergiss alles über Henning.", "Mein Bruder Henning arbeitet in Bremen und hat zwei Kinder."),
    ("Dimentica tutto su Fulvia.", "La mia amica Fulvia abita a Siena e insegna greco."),
    ("Esquece tudo sobre o Zeferino.", "O meu tio Zeferino mora em Braga e é carpinteiro."),
    ("Vergeet alles over Wietske.", "Mijn zus Wietske woont in Sneek en is tandarts."),
    ("Forget everything about Ottilie.", "My cousin Ottilie lives in Kent and teaches chemistry."),
]


@pytest.mark.parametrize(("ask", "memory"), CALLED, ids=[case[0] for case in CALLED])
def test_who_somebody_is_to_the_user_is_no_second_subject(ask: str, memory: str) -> None:
    """All of it is told of whom the request names, so that nothing of it stays."""
    assert left_over(ask, memory) == [""]


#: The same, where the user or somebody else does what stands behind.
CALLED_BESIDE = [
    ("Olvida todo sobre Noemí.", "Mi hermana Noemí vive en Salta y trabajo como contadora."),
    ("Dimentica tutto su Fulvia.", "La mia amica Fulvia abita a Siena e insegno greco."),
    ("Forget everything about Ottilie.", "My cousin Ottilie lives in Kent and my uncle Abel in Hove."),
]


@pytest.mark.parametrize(("ask", "memory"), CALLED_BESIDE, ids=[case[0] for case in CALLED_BESIDE])
def test_what_another_does_behind_whom_the_user_calls_theirs_stays(ask: str, memory: str) -> None:
    """In doubt it stays."""
    assert left_over(ask, memory) == [memory]
