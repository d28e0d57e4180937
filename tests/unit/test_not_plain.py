"""What somebody takes back, where it is not plain what counts instead: both are told in one statement, or neither."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.checks.fates import fates, unsaid
from precis.engine.keeping import keeping
from precis.engine.repeating import as_meant
from precis.extractive.summarizer import summarize
from precis.language.newest.corrections import Turn, settled
from precis.language.newest.taken_back import beyond_doubt, bound, taking_back
from precis.makers import Item, Request
from precis.models.tokens import count
from precis.summary import Statement

AT = datetime(2026, 5, 27, 16, 50, tzinfo=UTC)
Line = tuple[str, str]
OTHERS: tuple[Line, ...] = (
    ("Ada", "The boiler was serviced by Kunz for 180 euros."),
    ("Ben", "I sold the blue kayak to Marek on May 2."),
)
PAIRS = [
    ("La boda de Inés es el 13 de junio en Jaén.", "Perdona, el 13 no puede el cura, creo que el 20."),
    ("Leo lent me his drill, I have to return it by June 6.", "No sorry, the drill is Lea's, not Leo's!"),
    ("Der Termin beim Zahnarzt ist am Dienstag um neun.", "Ach Unsinn."),
    ("Le cours de chant est mardi soir.", "Non pardon, c'est jeudi, chez Mme Pujol, ou vendredi."),
    ("La visita di Pina è il 6 giugno.", "No scusa, mi sono confusa con quella di Rina."),
    ("A consulta da Rita é na terça.", "Desculpa, não, acho que é na quinta com a Dra. Reis."),
    ("De afspraak is dinsdag om negen.", "Sorry, nee, donderdag om tien bij dokter Pol."),
    ("Встреча с врачом во вторник.", "Нет, ошибся, в четверг."),
    ("Wizyta u dentysty jest we wtorek.", "Przepraszam, nie we wtorek, w czwartek."),
    ("歯医者は火曜日です。", "すみません、木曜日です。"),
    ("牙医预约在周二。", "不对，是周四。"),
]


def talk(*lines: Line, minutes: float = 2) -> list[Item]:
    """What these say, so many minutes apart."""
    return [
        Item(text=text, source_ids=(str(at),), created_at=AT + timedelta(minutes=minutes * at), speaker=speaker)
        for at, (speaker, text) in enumerate(lines)
    ]


def turns(*lines: Line) -> list[Turn]:
    """The same as turns."""
    return [Turn(item.text, item.speaker, item.created_at) for item in talk(*lines)]


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("picked", [False, True])
def test_neither_is_told_without_the_other(first: str, second: str, *, picked: bool) -> None:
    """Whatever room there is, in whatever language."""
    items = as_meant(talk(*OTHERS, ("Kim", first), ("Kim", second)))
    opening, correction = first[:5], second.rstrip(" .!?")[-5:]
    shown = False
    for room in range(8, 120, 6):
        draft = summarize(Request(items=tuple(items), max_tokens=room, prompt="", picked=picked), count)
        for statement in draft.statements:
            if opening in statement.text or correction in statement.text:
                assert opening in statement.text
                assert correction in statement.text
                assert {id_ for at in statement.sources for id_ in items[at].source_ids} == {"2", "3"}
                shown = True
    assert shown


def test_who_else_speaks_in_between_parts_them_only_where_that_may_be_answered() -> None:
    """A "no" may be of what another said; "sorry" may be for anything; who denies the very value does not."""
    first = ("Kim", "The recital is on Friday at the church.")
    told, asked = ("Bo", "I like recitals."), ("Bo", "Do you like cake?")
    sure, weak = ("Kim", "No sorry, the recital has no date yet."), ("Kim", "No, the church is cold.")
    excuse, denial = ("Kim", "Sorry, I lost my keys."), ("Kim", "Sorry, not Friday at all.")
    assert [bound(turns(first, other))[0].of for other in (sure, weak, excuse, denial)] == [
        (0, 1),
        (0, 1),
        (0,),
        (0, 1),
    ]
    assert [bound(turns(first, told, other))[0].of for other in (sure, weak, excuse, denial)] == [
        (0, 2), (0,), (0,), (0, 2),
    ]  # fmt: skip
    assert [bound(turns(first, asked, other))[0].of for other in (weak, excuse, denial)] == [(0,), (0,), (0, 2)]
    assert bound(turns(first, ("Bo", sure[1])))[0].of == (0,)
    late = [turn._replace(at=AT + timedelta(hours=at)) for at, turn in enumerate(turns(first, sure))]
    assert bound(late)[0].of == (0,)
    assert bound(turns(first, ("Kim", "No sorry, is the recital on Friday?")))[0].of == (0,)


def test_it_stands_right_behind_what_it_takes_back() -> None:
    """Also what takes back that again; what else was said before and after stays around them."""
    spoken = ("Kim", "I sing. The gala is on May 3. Bring tea."), ("Kim", "Quatsch, not May 3. I mixed it up. Ask Jo.")
    again = ("Kim", "No sorry, not Jo, ask Flo or Mo.")
    (text, of), *rest = bound(turns(*spoken, again))
    assert of == (0, 1, 2)
    assert text == f"I sing. The gala is on May 3. {spoken[1][1]} {again[1]} Bring tea."
    assert [settled.text for settled in rest] == ["", ""]
    parts = "The gala is on May 3.", "Sorry.", "Not the 3rd, some other day.", "I mixed it up.", "Bring tea."
    assert taking_back(parts) == {1, 2, 3}
    assert not taking_back(("I like tea.", "I mean, who does not.", "Wait.", "Bring tea."))


def test_an_original_does_not_go_before_one_statement_says_both() -> None:
    """What quotes it quotes both together."""
    items = as_meant(talk(("Kim", PAIRS[1][0]), ("Kim", PAIRS[1][1])))
    apart = [
        Statement(text=f"Kim: {text}", importance=0.5, source_ids=("0", "1")) for text in PAIRS[1]
    ]  # fmt: skip
    both = Statement(text=f"Kim: {PAIRS[1][0]} {PAIRS[1][1]}", importance=0.5, source_ids=("0", "1"))
    assert fates(items, apart) == [None]
    assert unsaid(items, apart[:1]) == [list(PAIRS[1])]
    assert None not in fates(items, [both])
    kept = keeping(talk(("Kim", PAIRS[1][0]), ("Kim", PAIRS[1][1])), apart[:1], count=count)
    assert all("Lea's" in statement.text for statement in kept.statements if "Leo lent" in statement.text)


def test_nothing_certain_is_read_in_what_is_taken_back() -> None:
    """All else that the two say is; what is put right plainly is certain."""
    spoken = turns(("Kim", "I am a nurse. Leo lent me his drill."), ("Kim", f"{PAIRS[1][1]} I live in Graz."))
    assert beyond_doubt(spoken, settled(spoken)) == [("I am a nurse. I live in Graz.", (0, 1)), ("", (1,))]
    plain = turns(("Kim", "The gala is on June 13."), ("Kim", "Sorry, not the 13th, June 20."))
    assert beyond_doubt(plain, settled(plain)) == [("The gala is on June 20.", (0, 1)), ("", (1,))]
