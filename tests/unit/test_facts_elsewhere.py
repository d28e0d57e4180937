"""Facts by rules in languages other than English: what is told of a speaker, and what only looks like it."""

from __future__ import annotations

import itertools

import pytest

from precis.facts.elsewhere import TONGUES, Tongue
from precis.facts.rules import facts_in

NAMES = ("Noor", "Tomasz", "Ng\u1ecdc")
#: What is said, and the same of somebody; None where it stays a quotation.
SAID = [
    ("Ich wohne seit {year} in {place}.", "{name} wohnt seit {year} in {place}."),
    ("Ich sammle Postkarten aus {place}.", "{name} sammelt Postkarten aus {place}."),
    ("Ich lebe mit meinem Onkel in {place}.", None),
    ("Im Juli {year} wurde ich in {place} operiert.", None),
    ("J'habite \u00e0 {place} depuis {year}.", "{name} habite \u00e0 {place} depuis {year}."),
    ("Je suis allergique au latex.", "{name} est allergique au latex."),
    ("J'ai vendu ma grange en {year}.", None),
    ("Ho venduto il granaio nel {year}.", "{name} ha venduto il granaio nel {year}."),
    ("Ma belle-s\u0153ur travaille \u00e0 {place}.", None),
    ("Colecciono relojes de {place}.", "{name} colecciona relojes de {place}."),
    ("Vivo con mi t\u00eda en {place}.", None),
    ("Moro em {place} desde {year}.", "{name} mora em {place} desde {year}."),
    ("Meu av\u00f4 nasceu em {place}.", None),
    ("Abito a {place} dal {year}.", "{name} abita a {place} dal {year}."),
    ("A giugno mi sposo a {place}.", None),
    ("Я живу в городе {place} с {year} года.", "{name} живёт в городе {place} с {year} года."),
    ("Ich nehme zweimal täglich Metformin.", "{name} nimmt zweimal täglich Metformin."),
    ("Je prends de l'insuline trois fois par jour.", "{name} prend de l'insuline trois fois par jour."),
    ("Tomo metformina dos veces al día.", "{name} toma metformina dos veces al día."),
    ("Prendo la metformina due volte al giorno.", "{name} prende la metformina due volte al giorno."),
    ("Tomo insulina três vezes ao dia.", "{name} toma insulina três vezes ao dia."),
    ("Meine Schwägerin ist glutenintolerant.", None),
    ("Ma tante est intolérante au gluten.", None),
    ("Mi suegra es intolerante al gluten.", None),
    ("Mia zia è intollerante al glutine.", None),
    ("A minha avó é intolerante ao glúten.", None),
    ("Ich habe am 9. Oktober Geburtstag.", "{name} hat am 9. Oktober Geburtstag."),
    ("Ich wohne im 4. Stock in {place}.", "{name} wohnt im 4. Stock in {place}."),
    ("Ich habe eine Nichte, sie hei\u00dft Wilma.", None),
    ("J'ai un fr\u00e8re, il s'appelle Gaspard.", None),
    ("Je viens du Togo.", "{name} vient du Togo."),
    ("Tengo dos perros, se llaman Lola y Tano.", None),
    ("Estudio geolog\u00eda en {place}.", "{name} estudia geolog\u00eda en {place}."),
    ("Nasci em Vit\u00f3ria.", "{name} nasceu em Vit\u00f3ria."),
    ("Estudo odontologia.", "{name} estuda odontologia."),
    ("Abito al quarto piano a {place}.", "{name} abita al quarto piano a {place}."),
    ("У меня дочь, её зовут Зоя.", None),
    ("Мой любимый напиток квас.", None),
    ("Я аптекарь.", None),
    ("{year}'de {place}'da doğdum.", None),
    ("我对海鲜过敏。", "{name}对海鲜过敏。"),
    ("私は{place}に住んでいます。", "{name}は{place}に住んでいます。"),
]
FILLED = [{"year": "1997", "place": "Vaduz"}, {"year": "2011", "place": "Tartu"}]
NONE = [
    "Ich wohne heute bei euch.", "Er wohnt seit 1997 in Vaduz.", "Vielleicht ziehe ich nach Tartu.",
    "Ich habe zwei Anmerkungen.", "Wohnst du in Tartu?", "Ich mag das zweite Kapitel.",
    "J'habiterais bien \u00e0 Tartu.", "Elle habite \u00e0 Vaduz depuis 1997.", "J'ai une question.",
    "Si viviera en Tartu, ser\u00eda feliz.",
    "Creo que vivo en Vaduz.", "Tengo una duda.", "Prefiero el segundo p\u00e1rrafo.",
    "Talvez eu more em Tartu.", "Ele mora em Vaduz.", "Tenho uma d\u00favida.", "Voc\u00ea gosta de ch\u00e1.",
    "Forse abito a Tartu.", "Lei abita a Vaduz.", "Ho una domanda.", "Adoro questa canzone.",
    "J'ai vendu la mauvaise lampe.", "J'ai vendu une lampe.", "Mon oncle est en retard.",
    "Mon vol part dans une heure.",
    "Ho comprato una lampada.", "I miei zii arrivano a casa.", "Mia zia \u00e8 al telefono.",
    "Compr\u00e9 una l\u00e1mpara.", "Mi coche est\u00e1 en el taller hasta el martes.", "Comprei uma l\u00e2mpada.",
    "Она живёт в Вадуце.", "Может быть, я живу в Тарту.", "Belki Tartu'da yaşıyorum.", "O Vaduz'da yaşıyor.",
    "Meine Tante behauptet, ich wohne in Tartu.", "\u00dcbersetze: Ich wohne in Tartu.", "Ich lebe in Angst.",
    "Mio zio dice che suono il violino.", "Lavoro come un bue.", "Je vis dans la peur.",
    "Soy al\u00e9rgica a la necedad.",
    "Me ir\u00eda a Tartu.", "Detesto os domingos, kkkk.", "No livro eu moro em Tartu.", "Я пою от радости.",
    "Я работаю как лошадь.", "Benden \u00f6nce zili \u00e7al\u0131yorum.", "比方说我住在塔尔图。",
    "翻译：我住在塔尔图。", "我对懒惰过敏。", "私は賛成です。", "お声が好きです。", "雲の上に住んでいます。",
    "Au cas o\u00f9 je suis allergique au latex, j'ai un vaccin.", "Na m\u00fasica, moro em Tartu.",
    "N\u00e3o moro em Marte, fique tranquilo.", "Я не живу на Марсе, успокойся.", "Vengo de Tartu agotado.",
    "En el peor de los casos soy al\u00e9rgica al l\u00e1tex.", "Sie hei\u00dft Wilma.", "Его зовут Зигмунд.",
    "如果我住在塔尔图就好了。", "他对海鲜过敏。", "彼はタルトゥに住んでいます。", "タルトゥに住みたいです。",
]  # fmt: skip


@pytest.mark.parametrize(("said", "of_somebody"), SAID)
def test_what_is_told_of_a_speaker(said: str, of_somebody: str | None) -> None:
    """The third person where the table is sure of it, else a quotation."""
    for name, words in itertools.product(NAMES, FILLED):
        sentence = said.format(**words)
        (fact,) = facts_in(sentence, name=name, role="user")
        if of_somebody is None:
            assert (fact.text, fact.speaker) == (sentence, name)
        else:
            assert (fact.text, fact.speaker) == (of_somebody.format(name=name, **words), None)


@pytest.mark.parametrize("sentence", NONE)
def test_what_only_looks_like_a_fact(sentence: str) -> None:
    """Somebody else is meant, or it is not so, or it is about the work in hand."""
    assert facts_in(sentence, name="Noor", role="user") == []


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Wir haben vier Ziegen.", "fact"), ("Unser Neffe Ole ist zwölf und geht aufs Gymnasium.", "relationship"),
        ("On a cinq poules.", "fact"), ("Notre nièce Maud a huit ans.", "relationship"),
        ("Tenemos tres tortugas, Pipa y Roco.", "fact"), ("Nuestra nieta Vega tiene once años.", "relationship"),
        ("Temos quatro galinhas.", "fact"), ("O nosso neto Rui tem sete anos e anda na creche.", "relationship"),
        ("Abbiamo tre conigli.", "fact"), ("Nostra figlia Irma ha dieci anni.", "relationship"),
        ("Dört tavşanımız var.", "fact"), ("Torunumuz Efe beş yaşında.", "relationship"),
        ("У нас три козы.", "fact"), ("Нашей внучке Лизе десять лет.", "relationship"),
        ("我们家养了五只鸡。", "fact"), ("うちには亀が三匹います。", "fact"),
        ("Schreib mir künftig nur auf Spanisch.", "preference"), ("Rispondi sempre in spagnolo.", "preference"),
        ("Always use Celsius.", "preference"),
    ],
)  # fmt: skip
def test_what_is_of_more_than_one_and_how_to_answer(said: str, kind: str) -> None:
    """It is quoted: "we" is no doubt where the whole sentence tells whom or what they have."""
    (fact,) = facts_in(said, name="Noor", role="user")
    assert (fact.text, fact.speaker, fact.type) == (said, "Noor", kind)
    assert facts_in(said, name=None, role="assistant") == ()


@pytest.mark.parametrize(
    "said",
    [
        "Wir haben vier Ziegen gesehen.", "Wir haben einen Kater.", "Unser Neffe ist zwölf Minuten weg.",
        "On a cinq poules à donner ?", "Nous avons un chat.", "Tenemos cuatro gatos en la fila.",
        "Temos quatro galinhas no desenho.", "Abbiamo tre conigli da vendere.", "Dört tavşanımız var mı?",
        "У нас три козы на картинке.", "我们家养了五只鸡吗？", "うちには亀が三匹いますか？",
        "Antworte ihr bitte immer auf Spanisch.", "Réponds-leur toujours en anglais.", "Always answer them in Dutch.",
        "Schreib den Brief auf Spanisch.",
    ],
)  # fmt: skip
def test_what_only_looks_like_it(said: str) -> None:
    """It is over with the hour, asked, of somebody else, or one thing to do."""
    assert facts_in(said, name="Noor", role="user") == []


def test_each_sentence_of_a_message_is_read_for_itself() -> None:
    """What opens a sentence is no part of it, and what an assistant says is about nobody."""
    message = "Hallo! Übrigens, ich wiege 64 Kilo. Was meinst du?"
    (fact,) = facts_in(message, name="Noor", role="user")
    assert fact.text == "Noor wiegt 64 Kilo."
    assert facts_in(message, name=None, role="assistant") == ()


def test_a_speaker_without_a_name_is_quoted() -> None:
    """Who it is stands beside it."""
    (fact,) = facts_in("Je collectionne les cartes postales.", name=None, role="user")
    assert (fact.text, fact.speaker) == ("Je collectionne les cartes postales.", "user")


def test_long_sentences_take_no_time() -> None:
    """A sentence in which every pattern begins and none ends is given up."""
    for opening in ("Ich habe ", "Mi hermana ", "Я работаю ", "我在"):
        assert facts_in(opening + "Katze Pilar " * 2_000, name="Noor", role="user") == []


def test_a_language_is_a_file_and_neighbors_keep_their_order() -> None:
    """Where several read one sentence, the first of them says of what type it is."""
    assert [tongue.code for tongue in TONGUES] == "de fr es pt it ru tr zh ja".split()


@pytest.mark.parametrize("tongue", TONGUES, ids=lambda tongue: tongue.code)
def test_a_table_is_whole(tongue: Tongue) -> None:
    """Every pattern compiles, no list says something twice, and a word that nobody knows tells nothing."""
    assert tongue.kind_of("x" * 20) is None
    assert not tongue.doubts("x" * 20)
    assert tongue.in_third_person("x" * 20, "Noor") is None


@pytest.mark.parametrize(
    "said",
    [
        "Ich bin 46 und arbeite als Koch in Emden.",
        "Meine Nichte Wilma lebt in Gent, sie arbeitet bei der Post.",
        "Guten Abend, ich bin Bodo, ich wohne in Emden.",
        "Moi c'est Odette, je suis sage-femme à Brest.",
        "Mon oncle Yann est boulanger, il vit à Brest.",
        "Hola, soy Marga y tengo una floristería en Lugo.",
        "Boa tarde, sou a Dulce e moro em Beja.",
        "Ciao, mi chiamo Ugo, lavoro in banca a Pavia.",
    ],
)
def test_a_sentence_of_several_clauses_is_a_fact_as_it_was_said(said: str) -> None:
    """Its first clause is one, and nothing in the others speaks against it; a greeting and a name may stand before."""
    (fact,) = facts_in(said, name=None, role="user")
    assert said.endswith(fact.text[1:])


@pytest.mark.parametrize(
    "said",
    [
        "Meine Nichte sagt, ich bin 46 und arbeite als Koch in Emden.",
        "Ich bin 46 und möchte vielleicht nach Emden.",
        "Sie ist meine Nichte, sie lebt in Gent.",
        "Moi c'est Odette, je suis en retard.",
        "Hola, soy yo y tengo sueño.",
        "Ciao, mi chiamo Ugo, se vuoi lavoro in banca.",
    ],
)
def test_what_a_clause_speaks_against_is_none(said: str) -> None:
    """Somebody else says it, it is not so yet, it is of this minute, or nobody knows who she is."""
    assert not facts_in(said, name=None, role="user")
