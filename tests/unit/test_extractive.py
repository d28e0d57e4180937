"""The offline summarizer: what it chooses, how a sentence is made to stand alone, and what it never does."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precis.extractive.summarizer import NAME, Extractive, summarize
from precis.language.dating.resolving import dated
from precis.language.words import content
from precis.makers import Aim, Draft, Item, Request
from precis.models.tokens import counter

COUNT = counter()
MONDAY = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def item(
    text: str, speaker: str | None = None, *, days: int = 0, derived: bool = False, importance: float = 0.5
) -> Item:
    """An item said some days after the Monday."""
    return Item(
        text=text,
        source_ids=(text[:8],),
        created_at=MONDAY + timedelta(days=days),
        speaker=speaker,
        derived=derived,
        importance=importance,
    )


def draft(*items: Item, limit: int = 200, aim: Aim = Aim.AUTO) -> Draft:
    """What the summarizer makes of these items."""
    return summarize(Request(items=items, max_tokens=limit, prompt="", aim=aim), COUNT)


def text_of(made: Draft) -> str:
    """The assembled text."""
    return " ".join(statement.text for statement in made.statements)


def test_names_speaker_and_date() -> None:
    """A chosen sentence says who speaks and which day yesterday was, without its interjection."""
    made = draft(item("Wow, I went to a carpentry class yesterday!", "Clara"))
    assert text_of(made) == "Clara: I went to a carpentry class yesterday (7 May 2023)!"
    assert made.statements[0].sources == (0,)
    assert made.made_by == NAME


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("7 May 2023", "yesterday"),
        ("9 May 2023", "tomorrow"),
        ("5 May 2023", "last Friday"),
        ("1 May 2023", "last Monday"),
        ("12 May 2023", "this Friday"),
        ("1\u20137 May 2023", "last week"),
        ("June 2023", "next month"),
        ("2022", "last year"),
        ("about 24 April 2023", "two weeks ago"),
        ("6\u20137 May 2023", "last weekend"),
    ],
)
def test_dates_are_put_in_words(expected: str, said: str) -> None:
    """A relative date is followed by the date or period it means."""
    assert dated(f"It was {said}.", MONDAY.date()) == f"It was {said} ({expected})."


def test_dates_before_the_calendar_stay_as_said() -> None:
    """A date no calendar has is left alone."""
    assert dated("It was last year.", date(1, 1, 1)) == "It was last year."


def test_bare_yes_brings_its_question() -> None:
    """A bare answer is folded with the question it answers and cites both."""
    made = draft(item("Did you sell the blue bicycle?", "Ann"), item("Yes, finally!", "Bob"))
    assert text_of(made) == "Ann: Did you sell the blue bicycle? Bob: Yes, finally!"
    assert made.statements[0].sources == (0, 1)


@pytest.mark.parametrize(
    "chat", ["Hello Marta! How lovely to hear you!", "Thanks so much, Clara!", "What's new?", "Wow, cool!"]
)
def test_chitchat_is_left_out(chat: str) -> None:
    """Greetings, thanks and bare questions are no statements where something else was said."""
    made = draft(item(chat, "Clara"), item("My sister Olga repairs violins in Turin.", "Marta"))
    assert text_of(made) == "Marta: My sister Olga repairs violins in Turin."


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("The mast is oak.", "Hey Nils! The mast is oak."),
        ("The mast is oak.", "Thanks, Nils! Yeah Nils, the mast is oak."),
        ("The mast is oak.", "On another note, the mast is oak, Nils. Thanks, Nils."),
        ("The berth is at Super Marina.", "The berth is at Super Marina."),
        ("I ate at simply soup in Turin.", "I really ate at simply soup in Turin."),
    ],
)
def test_only_what_is_told_is_left_of_a_sentence(expected: str, said: str) -> None:
    """Names that are called, lead-ins and fillers go; the same words within a name stay."""
    assert text_of(draft(item(said, "Olga"))) == f"Olga: {expected}"


@pytest.mark.parametrize(
    "cheer",
    [
        "Let me know if you need any help.",
        "Keep going, you can do it!",
        "Your support means a lot.",
        "Please note it down.",
    ],
)
def test_encouragement_is_chosen_only_where_nothing_else_is_said(cheer: str) -> None:
    """It takes no room from a fact, and alone it is better than nothing."""
    fact = item("My sister repairs violins in Turin.", "Marta")
    assert text_of(draft(item(cheer, "Clara"), fact)) == "Marta: My sister repairs violins in Turin."
    assert text_of(draft(item(cheer, "Clara")))


def test_a_list_is_not_cut() -> None:
    """What follows a comma is a clause only with a verb of its own."""
    said = "I packed the lamp, the oak shelf and the map of Turin."
    assert text_of(draft(item(said, "Olga"))) == f"Olga: {said}"


def test_a_dependent_clause_keeps_what_it_depends_on() -> None:
    """An "if" is not left without its "then"."""
    said = "Nothing works before breakfast, so if I grumble at nine, that is why."
    assert text_of(draft(item(said, "Olga"))) == f"Olga: {said}"


def test_a_picture_comes_with_what_is_said() -> None:
    """A caption never stands alone beside words of its own item."""
    made = draft(
        item("The old mill burned. [shares a photo of a violin, a kettle and a telescope]", "Olga"),
        item("Ben sails to Tromsø.", "Ben"),
        limit=24,
    )
    assert "[" not in text_of(made) or "mill" in text_of(made)
    assert "[shares" in text_of(draft(item("[shares a photo of a violin]", "Olga")))


def test_a_change_is_dated() -> None:
    """What is different from some day on says from which, so that the newest is known among the older."""
    made = draft(
        item("Send the digest every morning, please.", "Olga"),
        item("The digest is enough on Fridays from now on.", "Olga", days=84),
    )
    assert text_of(made).endswith("The digest is enough on Fridays from now on (as of 31 July 2023).")
    assert "as of" not in text_of(draft(item("The digest is enough on Fridays from now on.", "Olga")))


def test_the_day_on_which_a_move_was_told_is_not_taken_for_the_new_day() -> None:
    """Behind "moved to Thursday" the plain day would be read as that of the Thursday."""
    made = draft(
        item("The scan of the knee is on Monday.", "Olga"),
        item("The scan of the knee was moved to Thursday, so it's the 16th.", "Olga", days=2),
    )
    assert "Thursday (as of 10 May 2023)" in text_of(made) or "Thursday (" not in text_of(made)
    assert "Thursday (10 May" not in text_of(made)


def test_what_is_so_now_is_told_though_its_words_stand_elsewhere() -> None:
    """A home of before and a plan hold each word of it, and neither says that it came true."""
    made = draft(
        item("I live in Derry, above a bakery that opens at four.", "Olga"),
        item("In August I am moving to Tromsø, close to the harbor and to my aunt.", "Olga", days=30),
        item("I live in Tromsø now. The stairs creak and the kitchen smells of tar and herring.", "Olga", days=70),
        item("The landlord painted the fence in green and planted a row of currants.", "Olga", days=80),
        limit=60,
    )
    assert "I live in Tromsø now (as of 17 July 2023)." in text_of(made)


#: What was so, what took its place in words that all stand elsewhere, and what tells more beside it.
TURNED = [
    (
        "Der Zaun für die Witwe Pohl wird aus Lärche.", "Frau Pohl nimmt für den Zaun nun doch Robinie statt Lärche.",
        "Die Robinie liegt seit Montag trocken unter dem Vordach neben der Säge.",
        "Frau Pohl hat für den Zaun 900 Euro Vorschuss gezahlt und Kuchen gebracht.",
    ),
    (
        "La clase de piano de Nora es el lunes en la casa verde.", "La clase de Nora cambió del lunes al viernes.",
        "El viernes la profesora de Nora llega tarde porque viene desde Toledo en tren.",
        "La clase cuesta dieciocho euros y el lunes siguiente se paga en efectivo.",
    ),
    (
        "Wizyta u kardiologa jest we wtorek rano.", "Przychodnia przełożyła wizytę u kardiologa na czwartek.",
        "We czwartek rano jadę autobusem numer dwanaście, bo w przychodni brak parkingu na czwartek.",
        "Wizytę u kardiologa opłaca syn, bo przychodnia podniosła ceny o czterdzieści złotych.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "beside", "more"), TURNED, ids="de es pl".split())
def test_what_is_otherwise_now_is_told_in_other_languages_too(before: str, after: str, beside: str, more: str) -> None:
    """Where there is room for most, what changed is not left out because each of its words stands somewhere."""
    memories = [item(text, days=10 * at) for at, text in enumerate([before, after, beside, more])]
    assert after in text_of(draft(*memories, limit=sum(COUNT(memory.text) for memory in memories) * 3 // 5))


def test_what_points_back_is_not_begun_where_something_else_is() -> None:
    """Where no sentence fits whole, the beginning of one that can be read alone stands for all."""
    made = draft(
        item("It was bought by Captain Jens of Bergen in 1990.", "Olga"),
        item("Ben painted the old wooden fence of the harbor museum in Tromsø green.", "Olga"),
        limit=8,
    )
    assert text_of(made).startswith("Olga: Ben painted")


def test_derived_statements_stay_as_they_are() -> None:
    """A statement of a node below is kept word for word, with its importance."""
    said = "Ann: Well, so I moved there yesterday (7 May 2023)"
    made = draft(item(said, derived=True, importance=0.9, days=30))
    assert text_of(made) == said
    assert made.statements[0].importance == 0.9


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The rent is 900 euros.", "The rent is 950 euros."),
        ("The dentist appointment is at 3 pm.", "Actually the dentist appointment is at 5 pm."),
        ("User lives in Berlin.", "User moved to Munich."),
        ("User prefers tea.", "User now prefers coffee."),
    ],
)
def test_newest_value_wins(old: str, new: str) -> None:
    """Of two values of one slot only the newer is said, though both would fit."""
    made = draft(item(old), item("User plays the cello on Sundays."), item(new, days=3))
    assert {0}.isdisjoint({index for one in made.statements for index in one.sources})
    assert {2} <= {index for one in made.statements for index in one.sources}


def test_values_of_two_subjects_both_stay() -> None:
    """Two numbers about two things are no conflict."""
    made = draft(item("Ann has 2 dogs."), item("Bob planted 14 apple trees."))
    assert len(made.statements) == 2


def test_entries_of_a_list_do_not_change_each_other() -> None:
    """What holds of number 4 is no newer value of number 3, also where the entries sound like a booking."""
    entries = [f"Ferry {at}: it leaves from pier {at + 3}, tickets cost {20 - at} euros." for at in range(8)]
    said = [item(text, speaker=("Ana", "Ben")[at % 2]) for at, text in enumerate(entries)]
    made = draft(*said, limit=400)
    assert set(range(8)) == {index for one in made.statements for index in one.sources}
    rooms = draft(*(item(f"The code of room {at} is {100 + 7 * at}.") for at in range(5)))
    assert set(range(5)) == {index for one in rooms.statements for index in one.sources}


def test_what_happened_twice_both_stay() -> None:
    """Two journeys are two facts: a later one does not undo the one before."""
    made = draft(item("Ann flew to Oslo."), item("Ann flew to Rome.", days=9))
    assert len(made.statements) == 2


def test_last_arrangement_stands() -> None:
    """When people arrange something, what they settled on is kept and what they gave up is not."""
    made = draft(
        item("I want to book a table at Orso for 7 pm.", "User"),
        item("Please confirm: a table for 2 at Orso in Bari at 7 pm.", "System"),
        item("Can we change it to 9 pm?", "User"),
        item("Please confirm: a table for 2 at Orso in Bari at 9 pm.", "System"),
        limit=30,
    )
    assert "9 pm" in text_of(made)
    assert "7 pm" not in text_of(made)


def test_opinions_give_what_most_say() -> None:
    """Among reviews of one thing the shared judgment comes first, not the rarest words."""
    reviews = [
        "The battery is great and the sound is great.",
        "Great battery, great sound, nice price.",
        "The sound is great, the battery is good.",
        "My zebra-striped envelope came from Reykjavik via Montevideo.",
        "I love the great sound and the good battery.",
    ]
    made = draft(*map(item, reviews), limit=16)
    assert "battery" in text_of(made)
    assert "Reykjavik" not in text_of(made)


def test_facts_prefer_what_is_new() -> None:
    """A sentence that repeats what was said is passed over for one that adds something."""
    made = draft(
        item("Olga keeps bees in Turin."),
        item("Olga keeps bees in Turin."),
        item("Olga collects antique maps."),
        limit=16,
        aim=Aim.FACTS,
    )
    assert "maps" in text_of(made)
    assert text_of(made).count("bees") == 1


def test_more_telling_statement_is_more_important() -> None:
    """Importance follows what a statement tells."""
    made = draft(item("It rained."), item("Olga Rossi opened a violin workshop in Turin with 12 apprentices."))
    assert made.statements[1].importance > made.statements[0].importance


def test_too_long_a_sentence_is_cut() -> None:
    """Where nothing fits whole the beginning is given, visibly cut."""
    made = draft(item("Olga " + "carried violins and " * 40), limit=12)
    assert text_of(made).endswith("…")
    assert COUNT(text_of(made)) <= 12


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "🎉🎉🎉",
        "我叫张曼婷，很高兴认识你。我喜欢绘画和弹钢琴。",
        "أعيش في القاهرة. أحب الموسيقى.",
        "ฉันชอบดนตรี",
        "\u202e\x00",
        "?",
    ],
)
def test_any_script_is_taken(text: str) -> None:
    """Empty, emoji, unspaced and right-to-left texts do not fail."""
    made = draft(item(text), item(text, "Ann"), limit=100)
    assert COUNT(text_of(made)) <= 100


def test_chinese_facts_are_kept() -> None:
    """A text without spaces is summarized too."""
    assert "钢琴" in text_of(draft(item("你好！我喜欢绘画和弹钢琴。")))


def test_no_items_give_no_statement() -> None:
    """Nothing in, nothing out."""
    assert draft().statements == ()


_WORDS = st.sampled_from(
    "Ann Bob Turin violin sold bought bees 12 3.5 yesterday today next week I you it and but , . ! ? … Wow Yes no now "
    "actually moved 🎉 你好 。 music مرحبا piano is was the a at in to".split(" ")
)
_TEXTS = st.lists(_WORDS, max_size=25).map(" ".join)
_ITEMS = st.lists(
    st.builds(
        item,
        _TEXTS | st.text(max_size=60),
        st.sampled_from([None, "Ann", "Bob Stone"]),
        days=st.integers(0, 400),
        derived=st.booleans(),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(items=_ITEMS, limit=st.integers(0, 120), aim=st.sampled_from(Aim))
def test_limits_citations_and_words_hold(items: list[Item], limit: int, aim: Aim) -> None:
    """Never over the limit, every citation valid, and no content word that no cited item, speaker or date holds."""
    made = draft(*items, limit=limit, aim=aim)
    assert COUNT(text_of(made)) <= limit
    for statement in made.statements:
        assert statement.text.strip()
        assert 0 <= statement.importance <= 1
        assert statement.sources
        assert set(statement.sources) <= set(range(len(items)))
        cited = [items[index] for index in statement.sources]
        held = content(" ".join(f"{one.speaker or ''} : {dated(one.text, one.day)} {one.text}" for one in cited))
        months = content("January February March April May June July August September October November December")
        years = content("about week weekend of " + " ".join(map(str, [*range(1, 32), *range(2020, 2030)])))
        assert content(statement.text.removesuffix("…")) <= held | months | years


@settings(deadline=None, max_examples=25)
@given(items=_ITEMS)
def test_same_request_same_draft(items: list[Item]) -> None:
    """A draft is a function of its request."""
    assert draft(*items) == draft(*items)


async def test_large_requests_leave_the_loop() -> None:
    """The class gives what the function gives, also when it works in a thread."""
    items = tuple(item(f"Olga sold violin number {n} to the shop in street {n * 7}.", days=n) for n in range(60))
    request = Request(items=items, max_tokens=80, prompt="")
    assert await Extractive(COUNT).summarize(request) == summarize(request, COUNT)


def test_the_time_grows_with_the_items_and_not_with_their_square() -> None:
    """Four times as many short items take some four times as long, in time of this process; the square would be 16."""
    names = ("violin", "garden", "museum", "bicycle", "library", "engine", "bakery")
    items = [item(f"Person {n} visited the {names[n % 7]} of town {n * 13 % 101}.", days=n % 90) for n in range(2000)]
    draft(*items[:100], limit=80)

    def seconds(number: int) -> float:
        start = time.process_time()
        draft(*items[:number], limit=number * 4 // 5)
        return time.process_time() - start

    assert min(seconds(2000) for _ in range(2)) < 10 * min(seconds(500) for _ in range(3))


def test_a_speaker_written_into_the_text_stays_with_what_was_said() -> None:
    """A greeting at the front is dropped, the name before it is not: nobody is given another's words."""
    items = (
        item("Nadia: Hey Rolf! I bought a green bicycle in Ghent."),
        item("Rolf: Good to see you! I broke my left wrist on Sunday."),
    )
    said = [s.text for s in summarize(Request(items=items, max_tokens=60, prompt=""), COUNT).statements]
    assert any(one.startswith("Nadia: ") and "bicycle" in one for one in said)
    assert any(one.startswith("Rolf: ") and "wrist" in one for one in said)


@pytest.mark.parametrize(
    "line",
    [
        "x = 3;",
        "git commit -m 'so, well, --'",
        "rm -rf ./build -",
        "export PATH=$PATH:/opt/bin:",
        "just run it -- --force",
    ],
)
def test_a_line_of_code_keeps_each_of_its_signs(line: str) -> None:
    """Its first letter, fillers and what it ends with are no matter of style."""
    statements = draft(item("Kofi wrote the script for Ama."), item(line), item("Ama runs it at night.")).statements
    assert line in [statement.text for statement in statements]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("今天去了杭州滨江区的游泳馆", "今天(2023-05-08)去了杭州滨江区的游泳馆。"),
        ("昨日は新しい自転車を買った", "昨日(2023-05-07)は新しい自転車を買った。"),
        ("मैं लखनऊ के एक स्कूल में पढ़ाती हूँ", "मैं लखनऊ के एक स्कूल में पढ़ाती हूँ।"),
        ("أعمل في مكتبة الجامعة", "أعمل في مكتبة الجامعة."),
        ("Gestern war ich in Ulm schwimmen", "Gestern (2023-05-07) war ich in Ulm schwimmen."),
    ],
)
def test_a_sentence_ends_as_its_script_has_it(said: str, told: str) -> None:
    """It ended with a Latin full stop, and a blank stood before the day where no others do."""
    assert text_of(draft(item(said))) == told
