"""A note is overruled only where the newer one is of the same thing; and newer values in scripts without spaces."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.app import App
from precis.app.recall import is_unsure
from precis.recall.asking.orders import both_of
from precis.recall.asking.unspaced import bare
from precis.recall.newer.overruled import is_of_compound, overruled
from precis.recall.question import read_question

SPRING = datetime(2026, 3, 10, 9, tzinfo=UTC)
APART = [
    ("What port does shop-web run on?", "The proxy is on shop-web since noon, on port 7001.",
     "shop-web moved from port 5050 to port 5060."),
    ("What is the timeout of shop-web's cache?", "shop-web's session cache timeout is 40 seconds.",
     "The upload timeout on shop-web is 8 seconds now."),
    ("How big is the attic?", "The attic is 4.20 by 5.10 metres.",
     "Berg wrote that oak got dearer: the attic is now 8,200 euros instead of 7,900."),
    ("How much rent does Jonas pay?", "Jonas pays 640 euros of rent.", "Wiebke's rent went up to 710 euros."),
    ("How big are the attic and the cellar?", "The attic is 4.20 by 5.10 metres, the cellar is 3 by 3 metres.",
     "Berg wrote that oak got dearer: the attic is now 8,200 euros instead of 7,900. The cellar stays at 6,100."),
    ("What does the chimney cost?", "The mason Ilse Tamm asks 2,300 euros for the chimney.",
     "Orlov asks 1,900 euros for the chimney now."),
    ("Was kostet der Kamin?", "Maurer Tamm verlangt 2300 Euro für den Kamin.",
     "Orlow verlangt jetzt 1900 Euro für den Kamin."),
    ("Is the tower crane repaired?", "The tower crane is repaired, Ines brought it on Monday.",
     "Ulla repaired the printer."),
    ("Ist der Kran repariert?", "Der Kran ist repariert, Ines hat ihn am Montag gebracht.",
     "Ulla hat den Drucker repariert."),
    ("When is the fair of wool?", "The kiln was moved to the shed.", "The fair of wool was moved to May."),
]  # fmt: skip
OF_ONE = [
    ("How big is the attic?", "The attic is 4.20 by 5.10 metres.",
     "I measured the attic again: it is 4.15 by 5.05 metres, not 4.20 by 5.10."),
    ("What color will the hall be?", "I want the hall painted in moss green.",
     "I changed my mind about the hall: light gray rather than moss green."),
    ("What does the chimney cost?", "The old price of the chimney was 2,300 euros.",
     "The new price of the chimney is 1,900 euros now."),
    ("How much is the rent?", "The rent is 950 euros a month.", "The rent is 1,020 euros from May on."),
    ("Is the tower crane repaired?", "The tower crane is not repaired.", "It is repaired now."),
    ("When is my dentist appointment?", "Dentist on Tuesday 3 pm", "The dentist appointment is canceled."),
    ("Wann ist mein Zahnarzttermin?", "Zahnarzt am Dienstag um 15 Uhr", "Der Zahnarzttermin ist abgesagt."),
]  # fmt: skip
NEWER = [
    ("车库的门锁密码是多少?", "车库的门锁密码是7731。",
     "新车库的门锁密码是2094,旧的作废了。"),
    ("自転車置き場の暗証番号は?", "自転車置き場の暗証番号は5512です。",
     "新しい自転車置き場の暗証番号は9038です。前の番号はもう使えません。"),
    ("Какой код от ворот?", "Код от ворот 5512.", "У новых ворот код 9038, старый больше не действует."),
    ("Что я пью от давления?", "От давления врач выписал эналаприл.",
     "Эналаприл не помог, врач заменил его на валсартан."),
    ("현관 비밀번호는 뭐예요?", "현관 비밀번호는 5512예요.", "새 현관 비밀번호는 9038이에요. 예전 것은 이제 안 써요."),
]  # fmt: skip
TOLD = [
    ("我的职业是什么?", "我叫林岚,住在苏州,是一名儿科护士。"),
    ("我不喜欢吃什么?", "我最讨厌吃茄子和芹菜。"),
    ("私の仕事は何ですか?", "福岡市に住んでいて、小学校の教師をしています。"),
    ("Qual é a minha profissão?", "Me chamo Lívia, moro em Recife e sou dentista."),
    ("Какую еду я не люблю?", "Терпеть не могу баклажаны."),
    ("Mesleğim ne?", "Adım Selin, Bursa'da oturuyorum, diş hekimiyim."),
]
OTHERS = ("The bins go out on Thursday.", "Komşu pul biriktiriyor.")


@pytest.mark.parametrize(("query", "older", "newer"), APART)
def test_what_is_of_another_thing_overrules_nothing(query: str, older: str, newer: str) -> None:
    """Another old value, unit, kind of it or owner; or the older note has nothing of what is asked."""
    assert overruled(older, newer, read_question(query)) is None


@pytest.mark.parametrize(("query", "older", "newer"), OF_ONE)
def test_what_is_of_the_same_thing_does(query: str, older: str, newer: str) -> None:
    """By the value that it names as the old one, or by the words of the question."""
    assert overruled(older, newer, read_question(query)) is not None


def test_it_knows_the_sentences() -> None:
    """The first of either note has no part in it."""
    parts = overruled(
        "We met at noon. The fair is planned for 17 April.", "Yes. The fair was moved to 4 May.",
        read_question("When is the fair?"),
    )  # fmt: skip
    assert parts is not None
    assert (parts.old, parts.new) == (frozenset({1}), frozenset({1}))


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("query", "older", "newer"), NEWER)
async def test_the_newer_value_comes_first(app: App, query: str, older: str, newer: str) -> None:
    """In scripts without spaces too, where no word of English says that something changed."""
    await remember(app, older, *OTHERS, newer)
    assert (await app.recall.search(query, user_id="ana", limit=4))[0].memory.text == newer


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("query", "text"), TOLD)
async def test_what_is_told_in_other_words_is_known(app: App, query: str, text: str) -> None:
    """It is the first row, and surely relevant."""
    await remember(app, text, *OTHERS)
    results = await app.recall.search(query, user_id="ana", limit=4)
    assert results[0].memory.text == text
    assert not is_unsure(results)


@pytest.mark.asyncio(loop_scope="session")
async def test_an_ending_is_no_word(app: App) -> None:
    """A sentence in the past tense of Japanese answers no question that is in it."""
    await remember(app, "田辺さんが昨日退職しました。", *OTHERS)
    assert is_unsure(await app.recall.search("大学で何を専攻しましたか?", user_id="ana", limit=4))


@pytest.mark.parametrize(
    ("query", "rest"),
    [
        ("大学で何を勉強しましたか?", "大学 勉強 ?"),
        ("こむぎは何を食べますか?", "こむぎ 食 ?"),
        ("めまいの薬は?", "めまい 薬 ?"),
        ("我是做什么工作的?", "工作 ?"),
        ("小敏对什么过敏?", "小敏 过敏?"),
        ("Where do I live?", "Where do I live?"),
    ],
)
def test_small_words_without_spaces(query: str, rest: str) -> None:
    """What a question is about stays."""
    assert " ".join(bare(query).split()) == rest


@pytest.mark.asyncio(loop_scope="session")
async def test_both_of_two_things_are_among_the_first(app: App) -> None:
    """Where their order is asked; of other questions nothing is parted."""
    query = "What happened first, the roof repair of the mill or its key change?"
    assert len(both_of(read_question(query))) == 2
    assert both_of(read_question("Does the mill have a roof or a tent?")) == ()
    mill = [f"The mill has a roof of slate, the repair of it is planned for part {at}." for at in range(4)]
    await remember(app, "The key of the mill was changed by Ole.", *mill, "The repair of the mill's roof was done.")
    first = [row.memory.text for row in await app.recall.search(query, user_id="ana", limit=3, summaries="without")]
    assert "The key of the mill was changed by Ole." in first


async def remember(app: App, *texts: str) -> None:
    """Notes of one user, four days apart."""
    await app.memories.add(
        [
            {"id": f"m{at}", "user_id": "ana", "text": text, "created_at": SPRING + timedelta(days=4 * at)}
            for at, text in enumerate(texts)
        ]
    )


def test_what_is_asked_of_one_service_is_not_overruled_by_another() -> None:
    """They have the end of their names in common, and nothing else."""
    query = "What port does tracking-api run on?"
    assert is_of_compound("dispatch-api moved to 9081.", query)
    assert not is_of_compound("tracking-api moved to 9081, dispatch-api stays.", query)
    assert not is_of_compound("The well-known port is 80.", query)
