"""Who speaks is known in the case that a question has their name in: "Jans Werkstatt", "pracownia Jana", "健の店"."""

from __future__ import annotations

import pytest

from precis.app import App

#: The language, who says what and somebody else, and the questions of what the one has and of what the other has not.
TALKS = [
    ("de", "Ute", "Ich mache eine Bäckerei in Fulda auf.", "Olaf", "Wo ist Utes Bäckerei?", "Wo ist Olafs Bäckerei?"),
    ("pl", "Adam", "Otwieram warsztat na Pradze.", "Ewa", "Gdzie jest warsztat Adama?", "Gdzie jest warsztat Ewy?"),
    ("ru", "Глеб", "Я открываю пекарню в Твери.", "Вера", "Где пекарня Глеба?", "Где пекарня Веры?"),
    ("ko", "수진", "전주에 가게를 열어.", "하준", "수진의 가게는 어디야?", "하준의 가게는 어디야?"),
    ("ja", "葵", "荻窪に店を出すよ。", "大樹", "葵の店はどこ？", "大樹の店はどこ？"),
    ("zh", "陈明", "我在苏州开了一家店。", "李娜", "陈明的店在哪里？", "李娜的店在哪里？"),
    ("cs", "Tomáš", "Otevírám dílnu v Brně.", "Hana", "Kde je Tomášova dílna?", "Kde je Hanina dílna?"),
    ("en", "Wren", "I'm opening a bakery in Fulda.", "Otto", "Where is Wrens bakery?", "Where is Ottos bakery?"),
]


@pytest.mark.parametrize(("user_id", "teller", "text", "other", "own", "others"), TALKS, ids=[it[0] for it in TALKS])
async def test_a_name_in_another_case_is_who_speaks(
    app: App, user_id: str, teller: str, text: str, other: str, own: str, others: str
) -> None:
    """It counted as a word that no row has, and what answers was hardly relevant; what the other has not still is."""
    said = [(teller, text), (other, {"ko": "화요일에 이사해.", "ja": "火曜日に引っ越す。"}.get(user_id, "19:30!"))]
    rows = [
        {"text": line, "user_id": user_id, "created_at": f"2026-03-0{2 + at}T09:00:00Z", "metadata": {"speaker": who}}
        for at, (who, line) in enumerate(said)
    ]
    await app.memories.add(rows)
    relevance = {}
    for question in (own, others):
        found = await app.recall.search(question, user_id=user_id)
        relevance[question] = max(row.relevance.value for row in found if row.memory and row.memory.text == text)
    assert relevance[own] > 0.5
    assert relevance[others] < 0.2


#: Notes of two people without a session, each a row of the teller's and one like it of the other's; and the question.
NOTES = [
    (
        "en",
        "Merle",
        "I live in Whitby with my aunt.",
        "Idris",
        "I live in Truro, in one room.",
        "Where does Merle live?",
    ),
    ("fr", "Élise", "J'habite à Cahors avec ma tante.", "Rémi", "Moi j'habite à Tulle.", "Où habite Élise ?"),
    ("it", "Mario", "Io abito a Matera, in un attico.", "Sara", "Abito a Nuoro con mia zia.", "Dove abita Mario?"),
    ("pt", "Rosa", "Moro em Lagos com a minha tia.", "Ênio", "Eu moro em Faro, num quarto.", "Onde mora a Rosa?"),
    ("zh", "赵敏", "我住在无锡，跟姑姑一起。", "孙立", "我住在南通，租了一间房。", "赵敏住在哪里？"),
]


@pytest.mark.parametrize(
    ("language", "teller", "text", "other", "like_it", "question"), NOTES, ids=[it[0] for it in NOTES]
)
async def test_who_wrote_a_note_is_told_beside_it(
    app: App, language: str, teller: str, text: str, other: str, like_it: str, question: str
) -> None:
    """A note without the name in it counted as somebody else's, or its verb as a word that it does not have."""
    rows = [
        {"text": line, "user_id": language, "created_at": f"2026-03-0{2 + at}T09:00:00Z", "metadata": {"speaker": who}}
        for at, (who, line) in enumerate([(teller, text), (other, like_it)])
    ]
    await app.memories.add(rows)
    found = await app.recall.search(question, user_id=language)
    relevance = {row.memory.text: row.relevance.value for row in found if row.memory}
    assert relevance[text] > 0.18
    assert relevance.get(like_it, 0.0) < 0.1
