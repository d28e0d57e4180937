"""What somebody takes back right after saying it: the value that they mean counts, where it is plain which that is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.engine.keeping import keeping
from precis.engine.repeating import as_meant
from precis.extractive.summarizer import summarize
from precis.language.newest.corrections import Turn, may_be_put_right, settled
from precis.language.newest.swapping import corrected
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Fate, Statement
from precis.trust import SourceClass

AT = datetime(2026, 4, 23, 7, 40, tzinfo=UTC)
REHEARSAL = "My orchestra rehearsal moved to Wednesdays at five, starting next week."


def turns(*lines: tuple[str | None, str], seconds: int = 40) -> list[Turn]:
    """What is said, so many seconds apart."""
    return [Turn(text, who, AT + timedelta(seconds=seconds * at)) for at, (who, text) in enumerate(lines)]


def items(*lines: tuple[str, str]) -> list[Item]:
    """The same as entries of a prompt, by the ids "0", "1"."""
    return [
        Item(text=turn.text, source_ids=(str(at),), created_at=turn.at, speaker=turn.speaker)
        for at, turn in enumerate(turns(*lines))
    ]


@pytest.mark.parametrize(
    ("said", "correction", "meant"),
    [
        (REHEARSAL, "no wait, it's Thursdays.", REHEARSAL.replace("Wednesdays", "Thursdays")),
        (REHEARSAL, "It's Thursdays, not Wednesdays.", REHEARSAL.replace("Wednesdays", "Thursdays")),
        (REHEARSAL, "Sorry, I meant Thursdays at six.", REHEARSAL.replace("Wednesdays at five", "Thursdays at six")),
        ("I weigh 74 kilos and have 2 cats.", "Correction: 72 kilos.", "I weigh 72 kilos and have 2 cats."),
        ("I live in Graz.", "Sorry, I meant Linz.", "I live in Linz."),
        ("My flight leaves at 9:40.", "19:40, sorry.", "My flight leaves at 19:40."),
        ("Ich habe am Dienstag Chor.", "Quatsch, am Mittwoch.", "Ich habe am Mittwoch Chor."),
        ("Pago 850 euros de alquiler.", "Perdón, quería decir 890 euros.", "Pago 890 euros de alquiler."),
        ("J'ai chorale mardi.", "Non attends, c'est jeudi.", "J'ai chorale jeudi."),
        ("Pago 700 euros de renda.", "Desculpa, queria dizer 750.", "Pago 750 euros de renda."),
        ("Ho il coro il lunedì.", "Anzi no, il martedì.", "Ho il coro il martedì."),
        ("The gala is on June 13.", "Sorry, not the 13th, June 20.", "The gala is on June 20."),
        ("The gala is on June 13.", "Not the 13th, the 21st.", "The gala is on June 21."),
        ("We ordered thirty chairs.", "Not thirty, forty.", "We ordered forty chairs."),
        ("The saw is Leo's.", "No sorry, the saw is Lea's, not Leo's!", "The saw is Lea's."),
        ("El bautizo es el 4 de mayo.", "Perdona, el 4 no, el 11 de mayo.", "El bautizo es el 11 de mayo."),
        ("La reunión es el martes.", "Ay perdona. El martes no, el jueves.", "La reunión es el jueves."),
        ("Le baptême est le 4 mai.", "Pardon, pas le 4, le 11 mai.", "Le baptême est le 11 mai."),
        ("Marc m'a prêté sa scie.", "Non pardon, la scie est à Max, pas à Marc !", "Max m'a prêté sa scie."),
        ("Der Kurs ist am Dienstag.", "Nein, Donnerstag, nicht Dienstag.", "Der Kurs ist am Donnerstag."),
        ("Der Kurs ist am Dienstag.", "Ach Unsinn, am Mittwoch.", "Der Kurs ist am Mittwoch."),
        ("Ich turne montags und freitags.", "Quatsch, dienstags und samstags.", "Ich turne dienstags und samstags."),
        ("La cena è venerdì.", "Scusa, non venerdì, sabato.", "La cena è sabato."),
        ("A festa é a 5 de julho.", "Desculpe, não é a 5, é a 12 de julho.", "A festa é a 12 de julho."),
        ("De les is op dinsdag.", "Sorry, nee, op donderdag.", "De les is op donderdag."),
    ],
)
def test_the_value_that_is_meant_takes_the_place_of_the_other(said: str, correction: str, meant: str) -> None:
    """All else that was said stays, and the sentence rests on both turns."""
    assert corrected(said, correction) == meant
    talk = settled(turns(("Tess", said), ("Tess", correction)))
    assert [(meant, (0, 1)), ("", (1,))] == talk


@pytest.mark.parametrize(
    ("said", "after"),
    [
        (REHEARSAL, "No wait, I forgot my keys."),
        (REHEARSAL, "Actually, my sister visits on Thursday."),
        (REHEARSAL, "No wait, is it Thursdays?"),
        ("I have choir on Mondays and yoga on Tuesdays.", "No wait, Thursdays."),
        ("I have 3 cats.", "Sorry, 2 dogs."),
        ("I met Anna.", "Sorry, Tom."),
        ("I like tea.", "No wait."),
        ("I pay 900 euros for the flat.", "Actually, I also pay 60 euros for the garage."),
        ("Ich habe am Dienstag Chor.", "Doch, am Mittwoch kommt meine Tante."),
        ("Leo lent me his drill.", "No sorry, the drill is Lea's, not Leo's!"),
        ("The vet is on March 3.", "Sorry, the groomer is on the 10th, not the vet."),
        ("La boda es el 13 de junio.", "Perdona, el 13 no puedo ir al cine, el 20 sí."),
        ("Tengo 13 gatos.", "Perdona, 13 perros no, 20 perros."),
        ("La fête est le 4 mai et le bal le 6 mai.", "Pardon, le 11 mai."),
        ("La cena è venerdì.", "Scusa, venerdì non posso chiamarti, sabato sì."),
        ("Thanks a lot, Sony sent it.", "No thanks, not and Sony."),
        ("Noor suggests Redis for caching.", "Ok no Redis."),
        ("Ben proposed Prague for the trip.", "Fine, not Prague."),
        ("Ben schlug Prag vor.", "Schade, nicht Prag."),
    ],
)
def test_what_is_not_plain_stands_as_it_was_said(said: str, after: str) -> None:
    """No value, another matter, a question, two values of one kind, a name that is called."""
    talk = settled(turns(("Tess", said), ("Tess", after)))
    assert [(said, (0,)), (after, (1,))] == talk


def test_who_else_speaks_corrects_nothing_until_it_is_agreed_to() -> None:
    """Then it counts, and rests on all three turns."""
    table, other = ("Tom", "I booked the table for 7 pm."), ("Eva", "No, make it 8 pm, I work late.")
    assert settled(turns(table, other))[0] == (table[1], (0,))
    assert settled(turns(table, other, ("Tom", "No, 7 pm.")))[0] == (table[1], (0,))
    assert settled(turns(table, other, ("Tom", "OK, 8 pm.")))[0] == ("I booked the table for 8 pm.", (0, 1, 2))


def test_an_answer_to_somebody_elses_question_corrects_nothing() -> None:
    """Nor does what is said long after, or beside a value of somebody else; the echo of an agent is no such value."""
    shift, late = ("Tom", "My shift starts at 9:40."), ("Tom", "No wait, 9:30.")
    assert settled(turns(shift, ("Liz", "When is the bus?"), late))[0].of == (0,)
    assert settled(turns(shift, ("Liz", "My bus leaves at 9:15."), late))[0].of == (0,)
    assert settled(turns(shift, ("Juno", "Noted, 9:40."), late))[0].of == (0, 2)
    assert settled(turns(shift, ("Juno", "Noted."), ("Tom", "No, 9:30.")))[0].of == (0,)
    assert settled(turns(shift, late, seconds=3600))[0].of == (0,)
    asked = "Is it at 9:40? No, 9:30."
    assert settled(turns(("Tom", asked))) == [(asked, (0,))]
    train = ("Tom", "A train leaves at 7 pm."), ("Eva", "Better take the one at 8 pm."), ("Tom", "OK, 8 pm.")
    assert settled(turns(*train))[0] == (train[0][1], (0,))
    assert settled(turns(shift, ("Tom", "No, 9:30.")), surely=True)[0].of == (0,)


def test_a_summary_says_what_was_meant_and_rests_on_both() -> None:
    """Of the tiles the color that both agreed on, of the rehearsal the day that she meant."""
    talk = as_meant(
        items(
            ("Liz", "Which color are the tiles?"), ("Tom", "Grey, the matt ones."),
            ("Liz", "Grey like a prison? No. Let's take the sage green ones."),
            ("Tom", "OK, sage green. I'll tell Ray."),
            ("Tess", REHEARSAL), ("Tess", "no wait, it's Thursdays."),
        )
    )  # fmt: skip
    draft = summarize(Request(items=tuple(talk), max_tokens=200, prompt=""), count)
    by_text = {statement.text: statement for statement in draft.statements}
    assert "Liz: Which color are the tiles? Tom: Sage green." in by_text
    (rehearsal,) = [statement for text, statement in by_text.items() if "rehearsal" in text]
    assert "Thursdays" in rehearsal.text
    assert {id_ for at in rehearsal.sources for id_ in talk[at].source_ids} == {"4", "5"}
    assert not any("matt ones" in text or "Wednesdays" in text for text in by_text)


def test_originals_go_with_what_was_meant_and_not_before_all_is_said() -> None:
    """The overruled value is not quoted; what else the correcting turn says has to be said as well."""
    wind = "No wait, it's Thursdays. Wednesday is the wind section."
    originals = items(("Tess", REHEARSAL), ("Tess", wind))
    meant = REHEARSAL.replace("Wednesdays", "Thursdays")
    served = [
        Statement(text=f"Tess: {meant}", importance=0.5, source_ids=("0", "1")),
        Statement(text="Tess: Wednesday is the wind section.", importance=0.5, source_ids=("1",)),
    ]
    kept = keeping(originals, served, count=count)
    assert {"0": Fate.SAID, "1": Fate.SAID} == dict(kept.fates)
    assert not any("to Wednesdays" in statement.text for statement in kept.statements)
    only = keeping(originals, served[:1], count=lambda text: len(text) // 40)
    assert "1" not in only.fates or any("wind section" in statement.text for statement in only.statements)


def test_a_note_without_a_speaker_has_to_say_surely_that_it_corrects() -> None:
    """Notes of the user are told in any order, and "no" may be of anything; what a tool says corrects nothing."""
    cleaner, sure, weak = "Our cleaner Marta comes on Fridays.", "No wait, Marta comes on Mondays.", "No, on Mondays."
    assert settled(turns(("", cleaner), ("", sure)))[0] == ("Our cleaner Marta comes on Mondays.", (0, 1))
    assert settled(turns(("", cleaner), ("", weak)))[0].of == (0,)
    assert settled(turns((None, cleaner), (None, sure)))[0].of == (0,)
    tool = [
        Item(text=text, source_ids=(text,), created_at=AT, classes=frozenset({SourceClass.TOOL}))
        for text in (cleaner, sure)
    ]
    assert as_meant(tool) == tool


@pytest.mark.parametrize(
    "sign",
    ["No Wait, it's Thursdays.", "SORRY, NOT the 13th, the 20th.", "Okay, sage green.", "El 13 no, el 20 de junio."],
)
def test_a_talk_with_any_sign_of_a_correction_is_looked_through(sign: str) -> None:
    """Wherever it stands, and however it is written; a talk without one is not."""
    texts = ["My rehearsal moved to Wednesdays.", sign, "The lamp fell."]
    assert may_be_put_right([Turn(text, "Mara", None) for text in texts])
    assert not may_be_put_right([Turn(text, "Mara", None) for text in (texts[0], texts[2])])
