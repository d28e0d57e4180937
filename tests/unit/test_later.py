"""Which notes are put before the first of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from precis.language.script import languages_of
from precis.recall.newer.notes import Became
from precis.recall.newer.signs import asks_how_it_is
from precis.recall.newer.turns import newer_turn_first, summary_first
from precis.recall.question import Candidate, read_question
from precis.recall.ranking import Score
from precis.recall.telling import Told

DAY = datetime(2026, 3, 1, tzinfo=UTC)
OLD = "The choir rehearses in the parish hall."


def order(question: str, *texts: str, days: int = 20, behind: float = 0.1) -> str:
    """The rows that say so, each so many days after the one before and so much behind it, by their letters."""
    ids = "abcdefgh"[: len(texts)]
    scores = [Score(id=id_, keyword=0.9 - behind * at) for at, id_ in enumerate(ids)]
    told = {
        id_: Told(text, DAY + timedelta(days=days * at)) for at, (id_, text) in enumerate(zip(ids, texts, strict=True))
    }
    return "".join(score.id for score in Became(read_question(question), told).newer_first(scores))


def became(question: str, told: Mapping[str, Told]) -> Mapping[str, str]:
    """Of which notes a later one says what became of them, each with that one."""
    return Became(read_question(question), told).followed()


@pytest.mark.parametrize(
    "newer",
    [
        "The choir rehearses in the school gym from now on.",
        "The parish dropped the choir; it sings in the gym.",
        "No longer the parish: the gym is warmer.",
    ],
)
def test_a_newer_note_on_the_same_thing_comes_first(newer: str) -> None:
    """It has the words that the first one has of the question, or a rare one besides, and tells of a change."""
    assert order("Where does the choir rehearse?", OLD, "The piano is out of tune.", newer) == "cab"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Which cash register do we use?", "Our cash register runs on Orderbird.", "We went from Orderbird to Kassa."),
        ("Who prints our labels?", "Stamm prints our labels.", "It took a week from Stamm to Verlaan."),
        (
            "Welche Kasse benutzen wir?",
            "Unsere Kasse l\u00e4uft mit Orderbird.",
            "Von Orderbird zu Kassa, in zwei Tagen.",
        ),
        ("\u00bfQu\u00e9 caja usamos?", "Nuestra caja funciona con Orderbird.", "Pasamos de Orderbird a Kassa."),
    ],
)
def test_what_names_the_older_value_as_what_was_needs_no_word_of_the_question(
    question: str, older: str, newer: str
) -> None:
    """It stands before the older note, which is not marked: it may be of something else."""
    assert order(question, older, "-", newer) == "cab"
    assert not became(question, {"a": Told(older, DAY), "c": Told(newer, DAY + timedelta(days=40))})


def test_who_goes_from_one_place_to_another_does_not_move() -> None:
    """Where a place is asked for."""
    rode = "We took the train from Porto to Braga."
    assert order("Where is our office?", "Our office is in Porto.", "-", rode) == "abc"


@pytest.mark.parametrize(
    "other",
    [
        "The choir rehearses every Tuesday.",
        "Lea left her umbrella on the bus.",
        "Should the choir rehearse in the gym instead?",
    ],
)
def test_a_note_that_tells_of_no_change_in_it_stays(other: str) -> None:
    """So does one on another thing, and one that asks."""
    assert order("Where does the choir rehearse?", OLD, other) == "ab"


def test_in_doubt_nothing_moves() -> None:
    """What is older, of the same day, or far behind is no newer value; without texts nothing is known."""
    newer = "The choir rehearses in the school gym instead."
    question = "Where does the choir rehearse?"
    assert order(question, OLD, newer) == "ba"
    assert order(question, OLD, newer, days=-20) == "ab"
    assert order(question, OLD, newer, days=0) == "ab"
    assert order(question, OLD, newer, behind=0.6) == "ab"
    assert Became(read_question(question), {}).newer_first([]) == []
    assert Became(read_question(question), {}).newer_first([Score(id="a")]) == [Score(id="a")]


def test_the_newest_of_several_is_first_and_none_is_lost() -> None:
    """The parts say why."""
    question = "Where does the choir rehearse?"
    texts = (OLD, "The choir moved to the gym, it rehearses there now.", "The choir rehearses in the barn from now on.")
    assert order(question, *texts) == "cba"
    scores = [Score(id="a", keyword=0.9), Score(id="b", keyword=0.7)]
    told = {"a": Told(OLD, DAY), "b": Told(texts[2], DAY + timedelta(days=3))}
    first = Became(read_question(question), told).newer_first(scores)[0]
    assert first.id == "b"
    assert 0.2 < first.newest < 0.21


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Wo wohnt Ida?", "Ida wohnt in Köln.", "Ida ist letzten Monat nach Kiel umgezogen."),
        ("¿Dónde vive Ida ahora?", "Ida vive en Lima.", "Ida se acaba de mudar: se ha mudado con su perro a Quito."),
        ("Où habite Ida ?", "Ida habite à Brest.", "Ida vient de déménager à Dijon."),
        ("Dove lavora Ida?", "Ida lavora alla Hollis.", "Ida è passata alla Brenner."),
        ("Where does Ida work?", "Ida works at Hollis.", "Ida has switched to Brenner."),
        ("Welches Auto fährt Ida?", "Ida fährt einen Volvo.", "Ida hat den Volvo verkauft."),
        ("Wann ist mein Zahnarzttermin?", "Zahnarzt am Dienstag um 15 Uhr", "Der Zahnarzttermin ist abgesagt."),
        ("When is the parents' evening?", "Parents' evening on 12 May", "The parents' evening was called off."),
    ],
)
def test_a_change_in_other_languages_and_of_what_is_asked_for(question: str, older: str, newer: str) -> None:
    """Who moved lives elsewhere; and the older of the two knows that there is a later one."""
    assert order(question, older, "Der Drucker braucht Papier.", newer) == "cab"
    assert asks_how_it_is(question) or "ahora" in question
    told = {"a": Told(older, DAY), "b": Told(newer, DAY + timedelta(days=3))}
    assert became(question, told) == {"a": "b"}
    assert became(question, {"a": Told(newer, DAY), "b": Told(older, DAY + timedelta(days=3))}) == {}


def test_what_is_called_off_on_the_same_day_is_off() -> None:
    """Of what else is said on one day the later mostly goes on with the earlier."""
    told = {"a": Told("Dentist on Tuesday 3 pm", DAY), "b": Told("The dentist is cancelled.", DAY + timedelta(hours=3))}
    assert became("When is my dentist appointment?", told) == {"a": "b"}
    assert became("When is my dentist appointment?", {"a": told["b"], "b": told["a"]}) == {"b": "a"}
    told = {"a": Told(OLD, DAY), "b": Told("The choir rehearses in the gym from now on.", DAY + timedelta(hours=3))}
    assert became("Where does the choir rehearse?", told) == {}


@pytest.mark.parametrize(
    ("question", "newer"),
    [
        ("When is my dentist appointment?", "The dentist has a new fish tank."),
        ("When is my dentist appointment?", "The yoga class was moved to Friday."),
        ("Where does Ida live?", "Ole has moved to Kiel."),
    ],
)
def test_what_is_of_another_thing_follows_nothing(question: str, newer: str) -> None:
    """Whatever it says to be otherwise."""
    older = "Dentist on Tuesday 3 pm" if "dentist" in question else "Ida lives in Cologne."
    assert became(question, {"a": Told(older, DAY), "b": Told(newer, DAY + timedelta(days=3))}) == {}


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Where does the choir rehearse?", True),
        ("What's Ida's new number?", True),
        ("Where did the choir rehearse?", False),
        ("When was the piano tuned?", False),
        ("How often has the choir been to Graz?", False),
        ("Wo probt der Chor?", True),
        ("Wo wurde der Chor gegründet?", False),
        ("¿Dónde ensaya el coro?", True),
        ("Où habitait Ida avant ?", False),
    ],
)
def test_questions_for_how_things_are(question: str, asks: bool) -> None:
    """One for what was or happened is none."""
    assert asks_how_it_is(question) is asks


def row(id_: str, day: int, *, sources: tuple[str, ...] = (), newest: int | None = None) -> Candidate:
    """A candidate of a day of March, or a summary of rows of which the newest is of another."""
    at = datetime(2026, 3, day, tzinfo=UTC)
    return Candidate(
        id=id_, similarity=None, frequencies=(), length=5, importance=0.5, created_at=at, is_summary=bool(sources),
        sources=sources, newest_source_at=None if newest is None else datetime(2026, 3, newest, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("summary", "first"),
    [
        (row("s", 20, sources=("a", "x"), newest=19), "s"),
        (row("s", 20, sources=("a", "x"), newest=2), "a"),  # it has nothing newer
        (row("s", 20, sources=("x", "y"), newest=19), "a"),  # it is of other rows
    ],
)
def test_a_summary_that_has_what_is_newer_comes_before_the_row(summary: Candidate, first: str) -> None:
    """What it says first is what is so now."""
    scores = [Score(id=id_, keyword=0.9 - 0.1 * at) for at, id_ in enumerate("abs")]
    rows = {each.id: each for each in (row("a", 2), row("b", 3), summary)}
    ordered = summary_first(scores, rows)
    assert (ordered[0].id, sorted(each.id for each in ordered)) == (first, ["a", "b", "s"])
    assert ordered == sorted(ordered, key=lambda score: (-score.total, score.id))


def test_that_both_are_of_the_user_makes_no_note_newer_than_another() -> None:
    """All notes of some layers begin so; where somebody lives is told by who moved, of the same person."""
    assert order("Is the user vegetarian?", "The user is vegetarian.", "The user moved to Leeds.") == "ab"
    assert order("Ist der Nutzer Vegetarier?", "Der Nutzer ist Vegetarier.", "Der Nutzer ist umgezogen.") == "ab"
    assert order("Where does the user live?", "The user lives in Hull.", "The user moved to Leeds.") == "ba"


def test_who_asks_whether_it_is_still_so_is_told_the_change() -> None:
    """Though that one has the thing and not the verb; that both tell of one person is not enough."""
    assert order("Does Tom still take ibuprofen?", "Tom takes ibuprofen.", "Tom stopped the ibuprofen.") == "ba"
    assert order("Nehme ich noch Ibuprofen?", "Ich nehme Ibuprofen.", "Das Ibuprofen habe ich abgesetzt.") == "ba"
    assert order("Does Tom still take ibuprofen?", "Tom takes ibuprofen.", "Tom sold his bike.") == "ab"


def test_a_value_told_in_a_common_word_is_newer_too() -> None:
    """A coche is bought as a Mazda."""
    assert order("¿Qué coche tengo?", "Manejo un Nissan blanco.", "Compré un Mazda rojo.") == "ba"


def turns_in_order(question: str, *turns: tuple[str, int, str], behind: float = 0.1) -> str:
    """The ids of turns with speaker, day and text, each so much behind the one before, in the order that they get."""
    said = {
        "abcdef"[at]: Told(text, DAY + timedelta(days=day), speaker) for at, (speaker, day, text) in enumerate(turns)
    }
    scores = [Score(id=id_, keyword=1 - behind * at) for at, id_ in enumerate(said)]
    return "".join(score.id for score in newer_turn_first(read_question(question), said, scores))


def test_the_newest_turn_on_the_same_value_is_first() -> None:
    """Of one speaker and next to as good, or one that tells of a change; the others keep their order."""
    lesson = ("Nuria", 0, "My cello lesson is on Tuesdays.")
    assert (
        turns_in_order("When is Nuria's cello lesson?", lesson, ("Nuria", 40, "The cello lesson is Fridays.")) == "ba"
    )
    others = ("Nuria", 20, "Cello lesson went well."), ("Nuria", 60, "My cello lesson moved to Friday.")
    assert turns_in_order("When is Nuria's cello lesson?", lesson, *others) == "cab"
    moved = ("Oskar", 40, "Nuria's cello lesson was moved to Friday.")
    assert turns_in_order("When is Nuria's cello lesson?", lesson, moved, behind=0.25) == "ba"


def test_who_stays_somewhere_lives_there() -> None:
    """Though nothing in it says "live"; of somebody else, or of a place that is not to be, it says nothing."""
    moved, question = ("Nuria", 0, "Hello from Falmouth, I moved in on Saturday."), "Where does Nuria live now?"
    stays = ("Nuria", 40, "They offered me the Oban flat for good, so I'm staying and Jan keeps the house.")
    assert turns_in_order(question, moved, stays, behind=0.4) == "ba"
    assert turns_in_order(question, moved, ("Oskar", *stays[1:]), behind=0.4) == "ab"
    assert turns_in_order(question, moved, ("Nuria", 40, "I'm staying late at the office."), behind=0.4) == "ab"


def test_what_is_said_to_another_is_no_value_of_whoever_says_it() -> None:
    """Unless whoever says it speaks of themselves as well."""
    lives = ("Nuria", 0, "I live in Falmouth.")
    question = "Where does Nuria live now?"
    assert turns_in_order(question, lives, ("Nuria", 40, "On this team you can live on the moon.")) == "ab"
    assert turns_in_order(question, lives, ("Nuria", 40, "You know I live in Oban now.")) == "ba"


@pytest.mark.parametrize(
    "newer",
    [
        ("Nuria", 0, "The cello lesson is Fridays."),
        ("Nuria", 40, "The lesson is Fridays."),
        ("Oskar", 40, "A cello lesson costs forty euros."),
    ],
)
def test_other_turns_stay_in_their_order(newer: tuple[str, int, str]) -> None:
    """One of the same day, one with fewer words of the question, one by somebody else that tells of no change."""
    assert (
        turns_in_order("When is Nuria's cello lesson?", ("Nuria", 0, "My cello lesson is on Tuesdays."), newer) == "ab"
    )
    assert newer_turn_first(read_question("When is it?"), {}, [Score(id="x")]) == [Score(id="x")]


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("What does the user weigh?", "The user weighs 94 kg.", "The user weighs 88 kg."),
        ("Wie viel verdiene ich brutto?", "Ich verdiene 2.640 Euro brutto.", "Ich bekomme 3.100 Euro brutto."),
        ("¿Cuántos microgramos de tiroxina tomo?", "Tomo tiroxina de 75 microgramos.", "Tiroxina: 100 microgramos."),
        ("Quanto pago de aluguel?", "Pago 900 euros de aluguel.", "O aluguel: 980 euros."),
        ("Combien je paie de loyer ?", "Je paie 900 euros de loyer.", "Le loyer : 980 euros."),
        ("Quanto pago di affitto?", "Pago 900 euro di affitto.", "Affitto: 980 euro."),
        ("Kiramız ne kadar?", "Kiramız 22.000 lira.", "Evi gördük, kirası 24.500 lira."),
        ("Сколько я вешу?", "Я вешу 94 кг.", "Я вешу 88 кг."),
    ],
)
def test_another_value_is_the_newer_one_without_a_word_of_change(question: str, older: str, newer: str) -> None:
    """It counts the same, and is on what is asked."""
    assert order(question, older, newer) == "ba"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        # Another unit, another thing, the same value, and a number of nothing.
        ("What does the gym cost?", "The gym costs 30 euros.", "The gym is 40 minutes away."),
        ("What does the gym cost?", "The gym costs 30 euros.", "The towel costs 40 euros."),
        ("What does the gym cost?", "The gym costs 30 euros.", "The gym costs 30 euros, as ever."),
        ("Which temperature do the jars need?", "The jars stay at minus 20.", "Room 21 stays warm."),
        # It asks how things were.
        ("What did the gym cost before?", "The gym costs 30 euros.", "The gym costs 40 euros."),
    ],
)
def test_what_is_no_other_value_of_the_same_stays_behind(question: str, older: str, newer: str) -> None:
    """In doubt the order stays."""
    if asks_how_it_is(question):
        assert order(question, older, newer) == "ab"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Does the user play in a band?", "The user plays the tuba in a band.", "The user quit the band."),
        ("Fahren wir nach Amrum?", "Wir fahren im Juli nach Amrum.", "Das Haus auf Amrum habe ich storniert."),
        ("Pelin boşanıyor mu?", "Arkadaşım Pelin boşanıyor.", "Pelin boşanmaktan vazgeçti."),
        ("Bozcaada'ya gidiyor muyuz?", "Ağustosta Bozcaada'ya gidiyoruz.", "Bozcaada iptal, hasta oldum."),
        ("¿Nos vamos nosotros a Ronda?", "Vamos a Ronda en julio.", "El hotel de Ronda está cancelado."),
        ("On va à Nantes ?", "On va à Nantes en juillet.", "Le gîte de Nantes est annulé."),
        ("Nós vamos a Braga?", "Vamos a Braga em julho.", "O hotel de Braga foi cancelado."),
        ("Noi andiamo a Lucca in estate?", "Andiamo a Lucca a luglio.", "L'albergo di Lucca è annullato."),
    ],
)
def test_who_asks_whether_is_told_first_that_it_is_not(question: str, older: str, newer: str) -> None:
    """It is off, or over, and has a thing of the question."""
    assert order(question, older, newer, behind=0.3) == "ba"


def test_of_somebody_who_is_asked_of_much_else_is_over() -> None:
    """Their name alone is not the thing."""
    assert order("Is Edda coming on Friday?", "Edda is coming on Friday.", "Edda quit the gym.") == "ab"


@pytest.mark.parametrize(
    ("question", "wish", "value"),
    [
        ("What does the user weigh?", "The user wants to weigh 80 kg.", "The user weighs 91 kg."),
        ("Who is the best man?", "I would like Ole to be the best man.", "Ruben is the best man."),
        ("Was für ein Auto fahre ich?", "Ich möchte ein rotes Auto fahren.", "Ich fahre ein altes Auto."),
        ("¿Dónde trabajo?", "Estoy buscando trabajo en Jaén.", "Trabajo en Jerez."),
        ("Où est-ce que je travaille ?", "Je veux travailler à Brest.", "Je travaille à Nantes."),
        ("Onde eu moro?", "Quero morar em Braga.", "Moro em Faro."),
        ("Dove abito?", "Vorrei abitare a Lucca.", "Abito a Siena."),
        ("Nerede çalışıyorum?", "Bursa'da çalışmak istiyorum.", "İzmir'de çalışıyorum."),
        ("Где я работаю?", "Хочу работать в Твери.", "Работаю в Омске."),
    ],
)
def test_a_wish_stands_behind_what_is_so(question: str, wish: str, value: str) -> None:
    """Whichever is later."""
    assert values(question, wish, value) == "ba"


def values(question: str, *texts: str) -> str:
    """The rows that say so in their new order, by their letters."""
    scores = [Score(id=id_, keyword=0.9 - 0.1 * at) for at, id_ in enumerate("abc"[: len(texts)])]
    told = {score.id: Told(text, DAY) for score, text in zip(scores, texts, strict=True)}
    return "".join(score.id for score in Became(read_question(question, user_id="u"), told).values_first(scores))


@pytest.mark.parametrize("question", ["What does the user want to weigh?", "What will the user weigh?"])
def test_a_wish_is_the_answer_where_it_is_asked_for(question: str) -> None:
    """The order stays."""
    assert values(question, "The user wants to weigh 80 kg.", "The user weighs 91 kg.") == "ab"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Who is the user's partner?", "The user's partner is Ole.", "The user broke up with Ole."),
        ("Mit wem bin ich zusammen?", "Ich bin mit Ole zusammen.", "Ole und ich haben uns getrennt."),
        ("¿Quién es mi pareja?", "Mi pareja es Olmo.", "Terminé con Olmo."),
        ("Sevgilim kim?", "Sevgilim Okan.", "Okan'dan ayrıldım."),
        ("Кто мой парень?", "Мой парень Олег.", "Мы с Олегом расстались."),
        ("Are Mira and Joss still together?", "Mira and Joss are together.", "Mira and Joss split up."),
        ("Ist Wiebke verlobt?", "Wiebke ist mit Jan verlobt.", "Wiebke hat sich von Jan getrennt."),
        ("Kto jest moją dziewczyną?", "Moją dziewczyną jest Hania.", "Rozstałem się z Hanią."),
        ("Vem är min flickvän?", "Min flickvän är Elsa.", "Elsa och jag gjorde slut."),
    ],
)
def test_who_is_together_is_so_until_they_part(question: str, older: str, newer: str) -> None:
    """As with a home and a job, the later note needs none of the words."""
    assert order(question, older, newer, behind=0.3) == "ba"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("What does my husband do?", "My husband Ivo is a roofer.", "We got married in Split."),
        ("When is my girlfriend's birthday?", "My girlfriend's birthday is May 4.", "Tarek is getting divorced."),
        ("Is my wife a vegetarian?", "My wife is a vegetarian.", "We got married in June."),
        ("Was arbeitet meine Frau?", "Meine Frau ist Lehrerin.", "Wir haben in Jena geheiratet."),
        ("Que fait ma femme dans la vie ?", "Ma femme est infirmière.", "Nous nous sommes mariés à Nantes."),
        ("¿A qué se dedica mi mujer?", "Mi mujer es enfermera.", "Nos casamos en Lima."),
        ("Wat doet mijn vrouw?", "Mijn vrouw is verpleegster.", "We zijn in Gent getrouwd."),
        ("Karım ne iş yapıyor?", "Karım hemşire.", "İzmir'de evlendik."),
        ("What is my email address?", "My email address is ola@example.org.", "We moved to Graz."),
        ("Wie ist meine E-Mail-Adresse?", "Meine E-Mail-Adresse ist ola@example.org.", "Ich bin nach Graz gezogen."),
        ("Where will the twins be in August?", "The twins are at camp the first week of August.",
         "We switched the twins to another dentist."),
    ],
)  # fmt: skip
def test_a_question_that_only_names_a_topic_asks_for_another_thing(question: str, older: str, newer: str) -> None:
    """A wife's work is not whether somebody is married, nor an address of mail where they live."""
    assert order(question, older, newer) == "ab"


@pytest.mark.parametrize(
    ("question", "older", "newer", "moves"),
    [
        ("Wann probt der Chor?", "Der Chor probt montags.", "Die Chorprobe ist auf Freitag verlegt.", True),
        ("Quand répète la chorale ?", "La chorale répète le lundi.", "La répétition de la chorale est déplacée.", True),
        ("When does Edda's swimming lesson start?", "Edda's swimming lesson starts at nine.",
         "The piano lesson was canceled.", False),
    ],
)  # fmt: skip
def test_what_is_moved_may_be_told_in_a_noun(question: str, older: str, newer: str, *, moves: bool) -> None:
    """It has half of what is asked, which another lesson has not."""
    assert order(question, older, newer) == ("ba" if moves else "ab")


@pytest.mark.parametrize(
    ("question", "own", "another"),
    [
        ("Wie hoch ist meine Miete?", "Meine Miete beträgt 900 Euro.", "Meine Schwester zahlt 700 Euro Miete."),
        ("What car do I drive?", "My car is a red Volvo.", "Tom bought a Kia."),
        ("What is my salary?", "My salary is 3000 euros.", "Nilo's new salary is 4000 euros."),
        ("Who is my partner?", "My partner is Ole.", "Tom and Ria got married."),
        ("¿Qué coche tengo?", "Manejo un Nissan.", "Brenda compró un Mazda."),
        ("¿Cuánto gano?", "Mi sueldo es de 18,000 pesos.", "Mi hermano gana 30,000 pesos."),
        ("Combien je paie de loyer ?", "Je paie 900 euros de loyer.", "Ma sœur paie 700 euros de loyer."),
        ("Quanto eu pago de aluguel?", "Pago 900 euros de aluguel.", "Minha irmã paga 700 euros de aluguel."),
        ("Kiramız ne kadar?", "Kiramız 22.000 lira.", "Okan 18.000 lira kira ödüyor."),
        ("Сколько я вешу?", "Я вешу 94 кг.", "Моя сестра весит 60 кг."),
    ],
)
def test_what_somebody_else_has_is_no_newer_value(question: str, own: str, another: str) -> None:
    """A relative opens the note, or a name."""
    assert order(question, own, another) == "ab"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Wie viel Ramipril nehme ich?", "Ich nehme 50 mg Ramipril.", "Mein Arzt hat das Ramipril auf 100 mg erhöht."),
        ("What is my rent?", "My rent is 900 euros.", "Our landlord raised the rent to 980 euros."),
        ("Welches Auto fahre ich?", "Mein Auto ist ein Golf.", "Neues Auto: ein Zoe von Renault."),
        ("¿Qué coche tengo?", "Manejo un Nissan.", "Compré un Mazda."),
        ("Hangi arabamız var?", "Arabamız Fiat.", "Artık Togg'umuz var, arabamız o."),
        ("Kiedy teraz śpiewa zespół?", "Zespół śpiewa w środy.", "Występ zespołu przeniesiono na piątek."),
    ],
)
def test_who_changes_it_for_whoever_asks_is_nobody_else(question: str, older: str, newer: str) -> None:
    """A doctor or a landlord; and a verb or "new" at the beginning is no name."""
    assert order(question, older, newer) == "ba"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Onde eu trabalho agora?", "Trabalho numa padaria.", "Fui contratada pelo Hospital Santa Rita!"),
        ("Şu an nerede çalışıyorum?", "Bir kırtasiyede çalışıyorum.", "Vestel'de işe alındım!"),
        ("Где я сейчас работаю?", "Я работаю в пекарне.", "Взяли в Ростсельмаш! Выхожу с понедельника."),
        ("أين أعمل الآن؟", "أعمل في مخبز.", "تم تعييني في مستشفى الشفاء."),
        ("मैं अब कहाँ काम करता हूँ?", "मैं बेकरी में काम करता हूँ।", "रेलवे में मेरी नौकरी लग गई।"),
        ("我现在在哪里上班?", "我在面包店上班。", "华为录用我了。"),
        ("今どこで働いてる?", "パン屋で働いています。", "市役所に採用されました。"),
        ("أين أسكن؟", "أسكن في طنطا.", "انتقلنا إلى الجيزة."),
        ("Qual é o meu telefone?", "Meu telefone é 99 1000.", "Troquei de número, agora é 99 2000."),
        ("Мой номер телефона?", "Мой телефон 55-10.", "Сменил номер, теперь 55-20."),
        ("缬沙坦我一天吃多少?", "医生让我吃缬沙坦80毫克。", "缬沙坦加到160毫克了。"),
        ("Tôi uống bao nhiêu losartan?", "Bác sĩ cho tôi uống losartan 25 mg.", "Bác sĩ tăng losartan lên 50 mg."),
    ],
)
def test_where_somebody_works_lives_and_is_reached_anew(question: str, older: str, newer: str) -> None:
    """In the words of each language, though it has none of the question."""
    assert order(question, older, newer) == "ba"


def test_the_dose_of_another_medicine_is_no_newer_one() -> None:
    """Though both are counted in milligrams."""
    question = "Сколько мг эналаприла я принимаю?"
    assert order(question, "Принимаю эналаприл 5 мг утром.", "Принимаю аспирин 75 мг.") == "ab"


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Where does Gran live?", "Gran's moving into Ashby Lodge.", "Keeper training moves to Sundays at 9, poor me."),
        ("When does Fin train?", "Fin still wants to train as a keeper.", "Marcus wants a new system from now on."),
        ("\u00bfQu\u00e9 quiere ser Nico de mayor?", "Nico empieza primaria.", "A Nico ya no le dan miedo los perros."),
    ],
)
def test_what_is_of_something_else_changes_nothing(question: str, older: str, newer: str) -> None:
    """A verb in common is no subject, and the name alone of whom something is asked is none either."""
    assert order(question, older, newer) == "ab"


def test_a_mark_that_opens_a_question_is_spanish() -> None:
    """With none of its small words, a question finds other forms of its verb."""
    assert languages_of("\u00bfSigo fumando?")[0] == ("Spanish",)
    assert "fumar" in read_question("\u00bfSigo fumando?").forms
