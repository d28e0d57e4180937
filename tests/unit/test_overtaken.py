"""What a newer note says became of an older one, in ten languages; the older is not told without it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.language.newest.followed import overtaken
from precis.language.newest.slots import Said
from precis.language.newest.unnamed import unnamed
from precis.makers import Item, Request
from precis.models.tokens import count

DAY = datetime(2026, 9, 2, 12, tzinfo=UTC)
#: What was so, and what became of it.
OVERTAKEN = [
    ("Comprei um violão usado por R$ 730.", "Ops, errei: o violão não foi R$ 730, foi R$ 690."),
    ("Купила Мише самокат за 7 300 рублей.", "Ой, ошиблась: самокат обошёлся не в 7 300, а в 6 900."),
    ("Bisikleti 8.200 liraya aldım.", "Pardon yanlış yazmışım, bisiklet 8.200 değil 7.900 liraydı."),
    ("电钢琴花了3300元。", "我记错了,电钢琴不是3300,是3100元。"),
    ("電子ピアノを4万5千円で買いました。", "間違えました。電子ピアノは4万5千円じゃなくて4万2千円でした。"),
    ("В ноябре летим в Калининград.", "Калининград отменяется, у мужа отпуск не подписали."),
    ("Kasımda Bozcaada'ya gitmeyi planlıyoruz.", "Bozcaada iptal, otel kapanmış."),
    ("元旦打算去三亚玩三天。", "三亚不去了,孩子发烧了。"),
    ("連休に函館へ旅行するつもりです。", "函館旅行は中止です。"),
    ("Снимаем однушку, платим 24 тысячи.", "Всё, мы переехали! Теперь живём на Садовой, 12."),
    ("Kiramız 17.500 lira.", "Taşındık! Artık Maltepe'de oturuyoruz."),
    ("我们现在租的房子每个月5200块。", "我们搬家啦!现在住在滨江区。"),
    ("今の家賃は7万2千円です。", "引っ越しました!今は西区のアパートです。"),
    ("A gente mora na Vila Rica, o aluguel é R$ 1.850.", "A gente se mudou! O aluguel é R$ 2.400."),
    ("ピラティスは月曜と水曜の夜8時です。", "ピラティスは土曜の朝10時に変えました。"),
    ("На танцы хожу по вторникам в 20:00.", "На танцы теперь хожу по воскресеньям в 11."),
    ("CI is red because the linter fails.", "CI is green since this morning."),
    ("I want the hall in moss green.", "The hall will be cream rather than moss green."),
    ("Der Build ist rot.", "Der Build ist wieder grün."),
    ("On peint le couloir en vert mousse.", "Pour le couloir, crème plutôt que vert mousse."),
    ("L'audizione di Tullio è il 6 novembre.", "Hanno anticipato l'audizione al 29 ottobre."),
    ("L'inventaire commence le 3 mars.", "On a avancé l'inventaire au 24 février."),
    ("Przegląd kotła jest 4 marca.", "Przegląd przesunęli na 11 marca."),
    ("La mudanza es el 2 de abril.", "La mudanza se pasa al 9 de abril."),
    ("L'atelier ouvre en septembre.", "L'atelier est repoussé à novembre."),
]
#: Two notes of which neither says anything of the other.
APART = [
    ("Kollege Ringo mietet ein Zimmer für 310 Euro.", "Die Reifen kosten jetzt 360 Euro."),
    ("Коллега Ринат снимает комнату на Горького.", "Всё, мы переехали! Теперь живём на Садовой, 12."),
    ("同僚の田中さんの家賃は6万2千円です。", "引っ越しました!今は西区のアパートです。"),
    ("CI is red because the linter fails.", "The traffic light is green again."),
    ("Sol is allergic to kiwi.", "The bench will be ash instead of oak."),
    ("Mi primo Unai corre el 5 de octubre en Soria.", "La cena se pasa al 12 de octubre."),
]


@pytest.mark.parametrize(("older", "newer"), OVERTAKEN)
def test_the_older_is_overtaken_and_not_told_alone(older: str, newer: str) -> None:
    """By its first sentence; and in a summary that has little room it stands only beside the newer."""
    lines = [Said(older, None, 0), Said(newer, None, 1)]
    assert {spot[0] for spot in overtaken(lines)} == {0}
    items = tuple(
        Item(text=text, source_ids=(str(at),), created_at=DAY + timedelta(days=9 * at), alone=True)
        for at, text in enumerate((older, newer))
    )
    for room in range(36, 100, 8):
        draft = summarize(Request(items=items, max_tokens=room, prompt=""), count)
        told = {source for statement in draft.statements for source in statement.sources}
        assert 0 not in told or 1 in told


@pytest.mark.parametrize(("older", "newer"), APART)
def test_another_thing_or_person_overtakes_nothing(older: str, newer: str) -> None:
    """Whatever words of change the newer note has."""
    assert not overtaken([Said(older, None, 0), Said(newer, None, 1)])


def test_nobody_else_overtakes_what_somebody_says() -> None:
    """And nothing older overtakes what is newer."""
    older, newer = OVERTAKEN[1]
    assert not overtaken([Said(older, "Rita", 0), Said(newer, "Olga", 1)])
    assert not overtaken([Said(newer, None, 0), Said(older, None, 1)])


#: What is told in a talk, and what became of it, which is not named again.
UNNAMED = [
    ("Wim: The hut is 270 for the weekend, so 90 each.", "Ode: She took 45 off. That makes it 75 each."),
    ("Ilka: Das Zelt kostet 90, also 30 pro Person.", "Ilka: Der Händler war nett. Damit sind es 25 für jeden."),
    ("Théo: Le gîte coûte 600, donc 150 chacun.", "Zoé: On a négocié hier. C'est 120 chacun."),
    ("Iria: La casa son 400, a 80 por persona.", "Iria: Nos hacen descuento. Son 70 cada una."),
    ("陈静: 包车一共八百,每人200元。", "陈静: 便宜了。每人160元。"),
    ("Moss: Fencing practice is on Mondays at 6 in the old mill.", "Moss: So Fridays at 6 now."),
    ("Greet: De bijeenkomst is om 14 uur in het buurthuis.", "Greet: Toch liever om 16 uur."),
    ("Rune: The signing is at 4 pm at the notary.", "Rune: They can do 5 pm."),
    ("Moss: The carpenter asks 780 for the stairs.", "Moss: We got him down to 690."),
    ("Anneke: De nieuwe ketel kost 2 400 euro.", "Anneke: Uiteindelijk is het 2 150."),
    ("Глеб: За гараж просят 350 000.", "Глеб: В итоге 320 000."),
    ("Inga: Somebody stole my kite.", "Inga: The caretaker found my old kite!"),
    ("Paloma: Nuestra tortuga ha desaparecido.", "Paloma: ¡La hemos encontrado!"),
    ("Sören: Vår hund är borta sedan i går.", "Sören: Nu är hon tillbaka."),
    ("Inga: My violin was stolen on the tram.", "Inga: The tram people found the violin."),
    ("美雪: 財布をなくしました。", "美雪: 見つかりました!"),
]
#: Of which the newer is about something else, or is not so.
NOT_UNNAMED = [
    ("Wim: The hut is 270 for the weekend, so 90 each.", "Ode: The scarves are 12 each."),
    ("Wim: The hut is 270 for the weekend, so 90 each.", "Ode: We get three sandwiches each."),
    ("Moss: Fencing practice is on Mondays at 6 in the old mill.", "Moss: The ferry leaves on Fridays at 6 now."),
    ("Moss: Fencing practice is on Mondays at 6.", "Moss: My cousin has a new stall. So Fridays at 6 now."),
    ("Moss: Fencing practice is on Mondays at 6.", "Rune: So Fridays at 6 now."),
    ("Inga: My violin was stolen on the tram.", "Inga: We haven't found it."),
    ("Moss: The carpenter asks 780 for the stairs.", "Moss: My uncle, well, he's 82 now."),
    ("Moss: The carpenter asks 780 for the stairs.", "Moss: The oak table is 690 now."),
    ("Moss: The carpenter asks 780 for the stairs.", "Rune: It's 690 in the end."),
    ("Inga: My violin was stolen on the tram.", "Inga: I found a cheap bakery."),
    ("Paloma: Nuestra tortuga ha desaparecido.", "Paloma: No la hemos encontrado."),
    ("美雪: 財布をなくしました。", "美雪: 見つかりません。"),
]


def _talk(*lines: str) -> list[Said]:
    return [Said(line.partition(": ")[2], line.partition(": ")[0], at) for at, line in enumerate(lines)]


@pytest.mark.parametrize(("older", "newer"), UNNAMED)
def test_what_became_of_it_is_told_though_the_newer_names_nothing(older: str, newer: str) -> None:
    """In a summary of whatever length the older stands only beside the newer."""
    assert {spot[0] for spot in unnamed(_talk(older, newer))} == {0}
    between = ("Ode: My knee is fine again since Sunday.", "Wim: The garden needs water.")
    items = tuple(
        Item(text=line.text, speaker=line.speaker, source_ids=(str(at),), created_at=DAY + timedelta(days=2 * at))
        for at, line in enumerate(_talk(older, *between, newer))
    )
    for room in range(20, 120, 8):
        draft = summarize(Request(items=items, max_tokens=room, prompt=""), count)
        told = {source for statement in draft.statements for source in statement.sources}
        assert 0 not in told or 3 in told


@pytest.mark.parametrize(("older", "newer"), NOT_UNNAMED)
def test_of_another_thing_or_not_so_it_says_nothing(older: str, newer: str) -> None:
    """Nor does what somebody else sets for a day."""
    assert not unnamed(_talk(older, newer))
