"""Statements that stand alone: what points back is quoted with what it points at, and reactions are not chosen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from precis.checks.reactions import is_aside, is_fragment, is_reaction, is_scrap, states_more
from precis.checks.trifles import tells_of_nobody
from precis.extractive.summarizer import summarize
from precis.makers import Draft, Item, Request
from precis.memory import Memory, Scope
from precis.models.tokens import count
from precis.policies.clusters import clusters

START = datetime(2031, 2, 3, 18, tzinfo=UTC)
NAMES = (("Ilse", "Tariq"), ("Nkechi", "Bruno"), ("Yuki", "Odile"))
THINGS = ("accordion", "greenhouse", "sidecar", "loom")


def draft(
    *turns: tuple[str, str], apart: timedelta = timedelta(minutes=1), limit: int = 400, picked: bool = False
) -> Draft:
    """What the offline summarizer makes of turns (speaker, text)."""
    items = tuple(
        Item(text=text, source_ids=(f"m{at}",), created_at=START + at * apart, speaker=speaker)
        for at, (speaker, text) in enumerate(turns)
    )
    return summarize(Request(items=items, max_tokens=limit, prompt="", picked=picked), count)


@pytest.mark.parametrize(("pair", "thing"), list(product(NAMES, THINGS)))
def test_an_answer_that_points_back_brings_the_question(pair: tuple[str, str], thing: str) -> None:
    """It rests on both: nobody knows without the question what "it" is."""
    asks, answers = pair
    made = draft((asks, f"Where did the {thing} come from?"), (answers, "It belonged to a neighbor from Ghent."))
    statement = made.statements[0]
    assert (
        f"{asks}: Where did the {thing} come from? {answers}: It belonged to a neighbor from Ghent." == statement.text
    )
    assert (0, 1) == statement.sources


@pytest.mark.parametrize("thing", THINGS)
def test_what_points_back_is_tied_to_the_sentence_before(thing: str) -> None:
    """Where only a few words fit, "it" is not left without what it is, whatever its words weigh."""
    turns = ("Ilse", f"I restored the {thing}. Great! It squeaks whenever thunderstorms approach Rotterdam.")
    for limit in range(8, 40):
        text = " ".join(statement.text for statement in draft(turns, limit=limit).statements)
        assert "It squeaks" not in text or thing in text


def test_an_answer_of_another_day_brings_no_question() -> None:
    """Two rows of one subject that lie days apart are no question and its answer."""
    made = draft(
        ("Ilse", "Where did the loom come from?"),
        ("Tariq", "It belonged to a neighbor from Ghent."),
        apart=timedelta(days=3),
    )
    assert [(1,)] == [statement.sources for statement in made.statements]


@pytest.mark.parametrize(
    "reaction",
    [
        "Wow, that's great!", "Keep going and reach those goals!", "What a kind gesture!", "So proud of you!",
        "You should try yoga.", "I'm so happy for you!", "That sounds like a lovely evening.", "Don't give up!",
        "You can consider looking for career websites.", "We are looking forward to your reply.",
        "[shares a photo of a harbor at dusk]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("pair", NAMES)
def test_reactions_advice_and_captions_are_not_chosen(reaction: str, pair: tuple[str, str]) -> None:
    """However much room there is, beside something that was told."""
    first, second = pair
    made = draft((first, "I finished the roof of my greenhouse."), (second, reaction))
    assert [f"{first}: I finished the roof of my greenhouse."] == [statement.text for statement in made.statements]


@pytest.mark.parametrize(
    "fact",
    [
        "Wow, my sister moved to Porto!", "Congrats, the closing is on Friday!", "You owe Bruno 40 euros.",
        "Your mother called.", "I'm glad I quit smoking.", "Great, we sold the sidecar.", "Keep answers short.",
        "Don't book Lufthansa again.", "Your flight leaves at 9.", "He is allergic to walnuts.",
    ],
)  # fmt: skip
def test_a_reaction_that_carries_a_fact_is_kept(fact: str) -> None:
    """A figure, a name, a day, somebody, or what speakers say of themselves: in doubt it is no reaction."""
    assert not is_reaction(fact)
    assert not is_fragment(fact)


GENERAL = (
    "Saving money can be tough.", "Everyone has their own strengths.", "But patience is important.",
    "Pottery is a great way to relax.", "Let me know if you have any questions.", "Flowers bring joy.",
    "If you like rivers, you can go kayaking, swimming, fishing, rowing or paddling.", "I'm here to help.",
    "If you need, I can recommend some pottery courses for you.", "Life is short.", "Unconditional love is important.",
    "Honesty matters.", "Everything happens for a reason.", "Kids are amazingly resilient.", "Hard work pays off.",
    "Drawing is a skill that takes practice.", "Breathe!",
    "Stretching and rowing are such powerful tools.",
)  # fmt: skip


@pytest.mark.parametrize("general", GENERAL)
@pytest.mark.parametrize("pair", NAMES)
def test_what_tells_of_nobody_gives_way(general: str, pair: tuple[str, str]) -> None:
    """Advice, offers and truths about everybody are not chosen where more is told of somebody."""
    first, second = pair
    facts = [f"I finished the roof of my {thing}." for thing in THINGS]
    made = draft(*((first, fact) for fact in facts), (second, general))
    assert [f"{first}: {fact}" for fact in facts] == [statement.text for statement in made.statements]


def test_a_talk_of_advice_is_about_that() -> None:
    """Where nearly nothing else is said it is chosen, behind what is told of somebody."""
    made = draft(("Ilse", "I row."), *(("Tariq", text) for text in GENERAL[:4]))
    assert len(made.statements) > 1


@pytest.mark.parametrize(
    "fact",
    [
        "Toby is healthy.", "Chris makes great soup.", "The meeting is at the library.", "Swimming is canceled.",
        "Your order has shipped.", "You wanted to learn pottery.", "I hope to adopt a dog.", "My knee can be bad.",
        "Rent is due on Friday.", "We sold the loom, let me know if you want the spindle.", "Goat cheese is delicious.",
        "Peanuts are dangerous.", "Dogs are not allowed.", "Keep answers short.", "Use emojis.",
        "Swimming is at the lake.", "The silence is important to my sister.", "Life here is short of bread.",
    ],
)  # fmt: skip
def test_what_tells_of_somebody_is_not_set_behind(fact: str) -> None:
    """In doubt a sentence tells something of somebody."""
    assert not is_aside(fact)
    assert not is_reaction(fact)


def test_who_is_greeted_by_two_words_is_only_called() -> None:
    """Where one of them is in the name of somebody present."""
    made = draft(("Ilse", "Hello, Loom assistant."), ("Assistant", "Hello."), ("Ilse", "I sold my sidecar."))
    assert ["Ilse: I sold my sidecar."] == [statement.text for statement in made.statements]


def test_a_caption_makes_no_statement_more_important() -> None:
    """Nobody said what a picture shows."""
    text = "I restored the loom."
    bare, shown = (draft(("Ilse", said)) for said in (text, f"{text} [shares a photo of a Norwegian warehouse]"))
    assert bare.statements[0].importance == shown.statements[0].importance


def test_a_note_of_nobody_is_no_reaction() -> None:
    """Only in a talk is a sentence to a listener: notes give orders to whoever writes them."""
    items = tuple(
        Item(text=text, source_ids=(text,), created_at=START) for text in ("Great bakery near work.", "Buy oat milk.")
    )
    made = summarize(Request(items=items, max_tokens=200, prompt=""), count)
    assert ["Great bakery near work.", "Buy oat milk."] == [statement.text for statement in made.statements]


def test_what_points_at_nothing_stays_where_it_states_something() -> None:
    """A date or a name is kept although nobody knows what "it" is; the rest is left out, not lost."""
    made = draft(("Ilse", "It arrives on 4 March."), ("Ilse", "I restored the loom."))
    assert any("4 March" in statement.text for statement in made.statements)


ANSWERS = ("Sixty-eight!", "Fourteen in August.", "Two hundred and five.", "In Trieste.", "By 19:40, 3 June.")


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_bare_figure_or_name_comes_with_its_question_or_not_at_all(answer: str) -> None:
    """What it counts or names stands in the question, and in nothing else."""
    pair = draft(("Ilse", "How did the loom auction go?"), ("Tariq", answer))
    assert f"Ilse: How did the loom auction go? Tariq: {answer.rstrip('!.')}" in pair.statements[0].text
    alone = draft(("Ilse", "The loom auction is over."), ("Tariq", answer))
    assert [(0,)] == [statement.sources for statement in alone.statements]


@pytest.mark.parametrize("answer", ["Nineteen crates, all very dusty.", "Mine or Bruno's.", "Forty crates in all."])
def test_an_answer_without_a_verb_brings_its_question_where_there_is_room(answer: str) -> None:
    """However many words it has: what it is of stands in the question."""
    made = draft(("Ilse", "What is left in the loom shed?"), ("Tariq", answer))
    assert f"Ilse: What is left in the loom shed? Tariq: {answer}" == made.statements[0].text


def test_what_is_handed_over_gives_way() -> None:
    """It names a thing of the listener's and tells nothing of it, unless a figure or more follows."""
    assert is_aside("Here is your receipt and ID card.")
    assert not is_aside("Here is your booking: room 12.")
    assert not is_aside("Here is my plan for the loom.")


@pytest.mark.parametrize(
    "fact", ["Dentist on Friday.", "My cousin's ill.", "Rent due 4 May.", "Toby moved.", "Allergic to 2 nuts."]
)
def test_a_few_words_that_tell_stay(fact: str) -> None:
    """Beside the figure, the date or the name there is a word of what it is about, or somebody did something."""
    alone = draft(("Ilse", "The loom auction is over."), ("Tariq", fact))
    assert [(0,), (1,)] == [statement.sources for statement in alone.statements]
    assert not tells_of_nobody(fact)


@pytest.mark.parametrize(
    ("scrap", "message"),
    [
        (True, "Sixty-eight!"),
        (True, "Fourteen in August. In Trieste."),
        (False, "Fourteen in August. The loom squeaks."),
        (False, "Achtundsechzig Stühle."),
    ],
)
def test_a_message_of_scraps_is_in_no_cluster(scrap: bool, message: str) -> None:
    """The question it answers is none of that cluster's; a note of nobody is what it says."""
    assert scrap == tells_of_nobody(message)
    assert scrap == all(map(is_scrap, message.split(". ")))
    memory = Memory(
        id="m", scope=Scope(tenant_id="t", user_id="ana"), text=message, created_at=START, updated_at=START,
        speaker="Tariq",
    )  # fmt: skip
    assert scrap != clusters().select.takes(memory)
    assert clusters().select.takes(replace(memory, speaker=None))


@pytest.mark.parametrize("cry", ["A tram without the bells!", "Such clever magpies!", "NO SIRENS!", "Half done."])
def test_a_cry_states_nothing(cry: str) -> None:
    """However it is written."""
    assert not states_more(cry)
    assert [(0,)] == [s.sources for s in draft(("Ilse", "The loom is sold."), ("Tariq", cry)).statements]


@pytest.mark.parametrize(
    "promise",
    [
        "I'll do my best!",
        "We will keep you posted.",
        "I'll check those out.",
        "Count me in!",
        "I will give them a try.",
        "I will consider these suggestions.",
        "I'll definitely try your tips!",
    ],
)
def test_a_promise_of_nothing_in_particular_gives_way(promise: str) -> None:
    """What is promised stands elsewhere; with anything that can be looked up it is a plan."""
    assert is_aside(promise)
    assert not is_aside(f"{promise.rstrip('.!')} on 9 June.")
    assert not is_aside(f"{promise.rstrip('.!')}, my cousin sings.")
    assert not is_aside("I will never do that.")


def test_a_request_before_an_answer_is_not_quoted_twice() -> None:
    """It is chosen for itself, and the answer behind it."""
    made = draft(("Ilse", "Could you tell me when we get to the harbor? I'm a stranger here."))
    assert ["Ilse: Could you tell me when we get to the harbor? I'm a stranger here."] == [
        s.text for s in made.statements
    ]


def test_in_other_languages_no_short_sentence_is_taken_for_a_scrap() -> None:
    """Which word is a verb is known of English alone."""
    turns = (
        ("Ilse", "Meine Schwester singt."),
        ("Tariq", "Ich mag Tee und auch Brot."),
        ("Ilse", "Omas Brot schmeckt."),
    )
    assert {(0,), (1,), (2,)} == {statement.sources for statement in draft(*turns).statements}


#: A fact beside courtesy, what others are told to do, and facts that look like these, by language.
ELSEWHERE = {
    "de": ("Oh, wie wunderbar!", "Du solltest es mal versuchen.", "Wir haben gewonnen!", "Deine Schwester ist krank."),
    "fr": ("Merci, c'est adorable !", "Tu devrais y réfléchir.", "On a gagné !", "Ta sœur est malade."),
    "es": ("¡Qué maravilla, gracias!", "Deberías intentarlo.", "¡Ganamos el partido!", "Tu hermana está enferma."),
    "tr": ("Vay, ne kadar güzel!", "Biraz beklemelisin.", "Maçı kazandık!", "Ablan hasta."),
    "ru": ("Ой, как красиво!", "Тебе стоит попробовать.", "Мы выиграли!", "Твоя сестра болеет."),
    "ar": ("هذا جميل جدا!", "يمكنك أن تجرب.", "فزنا بالمباراة!", "أختك مريضة."),
    "hi": ("वाह, यह बहुत सुंदर है!", "तुम्हें यह करना चाहिए।", "हम मैच जीत गए!", "तुम्हारी बहन बीमार है।"),
    "zh": ("哇，真漂亮！", "你可以试试。", "我们赢了！", "你姐姐生病了。"),
    "ko": ("와, 정말 예쁘네요!", "그만 포기하지 마세요.", "우리가 이겼어요!", "언니가 아파요."),
}


@pytest.mark.parametrize("language", ELSEWHERE)
def test_courtesy_and_advice_of_other_languages_are_not_chosen(language: str) -> None:
    """What somebody shouts, and what is so of the listener, is; nothing of it is lost for good."""
    courtesy, advice, cried, of_listener = ELSEWHERE[language]
    turns = (("Ilse", cried), ("Tariq", courtesy), ("Ilse", advice), ("Tariq", of_listener))
    texts = "\n".join(statement.text for statement in draft(*turns).statements)
    assert all(fact.rstrip(" !.।。！") in texts for fact in (cried, of_listener))
    assert not any(aside.rstrip(" !.।。！") in texts for aside in (courtesy, advice))


def test_what_points_back_in_another_language_brings_what_it_points_at() -> None:
    """And a short answer its question, which has another word for yes."""
    boat = "Ich habe ein Boot gekauft. Er gefällt meinen Nachbarn Rademacher und Wittgenstein überhaupt nicht."
    cinema = "Ich war im Kino mit Anneliese und habe dort meinen Lehrer getroffen."
    assert draft(("Ilse", boat), ("Tariq", cinema), limit=18).statements[0].text.startswith("Ilse: Ich habe ein Boot")
    asked = draft(("Ilse", "Hast du das rote Boot verkauft?"), ("Tariq", "Ja, klar!"))
    assert ["Ilse: Hast du das rote Boot verkauft? Tariq: Ja, klar!"] == [s.text for s in asked.statements]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The rehearsal moved to Monday.", "It begins at half past six."),
        ("Die Probe ist am Montag.", "Sie beginnt jetzt um halb sieben."),
        ("Prova salı gününe alındı.", "Artık altı buçukta başlıyor."),
        ("El ensayo es el lunes.", "Ahora empieza a las seis y media."),
        ("合唱の練習は月曜日です。", "今は高校に集まります。"),
    ],
)  # fmt: skip
def test_who_goes_on_in_a_message_of_its_own_is_quoted_behind_what_was_said_before_it(first: str, second: str) -> None:
    """It rests on both. What is said later or behind somebody else stands alone, and so does what a cluster picked."""
    statement = draft(("Ilse", first), ("Ilse", second)).statements[-1]
    assert (f"Ilse: {first} {second}", (0, 1)) == (statement.text, statement.sources)
    assert (0, 1) not in {
        s.sources for s in draft(("Ilse", first), ("Ilse", second), apart=timedelta(hours=2)).statements
    }
    assert "Tariq: " in " ".join(s.text for s in draft(("Ilse", first), ("Tariq", second)).statements)
    of_cluster = draft(("Ilse", first), ("Ilse", second), picked=True).statements
    assert (0, 1) not in {s.sources for s in of_cluster}


@pytest.mark.parametrize(
    ("regret", "fact"),
    [
        ("Das tut mir sehr leid!", "Das Leid der Ziegen war groß."), ("Quel dommage !", "Il est absent depuis lundi."),
        ("¡Cuánto lo siento!", "Siento el frío en la rodilla."), ("Che peccato!", "Il mulino è rotto."),
        ("Çok üzüldüm!", "Değirmen bozuldu."), ("Как жаль!", "Мельница сломалась."),
        ("残念だね。", "水車が壊れました。"), ("아쉽네요.", "우리 집 물레방아가 고장 났어요."),
    ],
)  # fmt: skip
def test_regret_of_other_languages_is_not_chosen(regret: str, fact: str) -> None:
    """What is regretted is, and so is a sentence in which such a word tells something."""
    texts = " ".join(statement.text for statement in draft(("Ilse", fact), ("Tariq", regret)).statements)
    assert fact.rstrip(".。") in texts
    assert regret.rstrip(" !.。") not in texts


@pytest.mark.parametrize("second", ["Pretends to be asleep in the straw.", "Costs 40 euros a month in oats."])
def test_what_has_no_subject_brings_the_sentence_that_has_it(second: str) -> None:
    """A noun that looks like a verb is a subject."""
    first = "The old gander moved in with Bruno and Wilhelmina."
    for statement in draft(("Ilse", f"{first} {second}"), limit=30).statements:
        assert statement.text.startswith(f"Ilse: {first}")
    assert "Ilse: Plans for Ghent and Utrecht are open." in {
        s.text for s in draft(("Ilse", f"{first} Plans for Ghent and Utrecht are open."), limit=12).statements
    }


@pytest.mark.parametrize("joint", ["Firstly,", "In addition,", "For example,", "Nonetheless,"])
def test_a_truth_about_everybody_is_one_behind_a_joint(joint: str) -> None:
    """And what tells of somebody, or of a day, tells it behind one too."""
    assert is_aside(f"{joint} learning patience is a slow process.")
    assert not is_aside(f"{joint} my sister is learning patience.")
    assert not is_aside(f"{joint} the ferry leaves at 7 on Monday.")


@pytest.mark.parametrize(
    ("before", "behind", "united"),
    [
        ("The couple from Selby offered 212,000 for the cottage.", "Accepted it this morning.", True),
        ("I passed the harbor pilot's course.", "Grade 2, from 1 August.", True),
        ("Meine Schwester Tilda zieht am Sonntag ein.", "Ja. Sie verträgt keine Nüsse.", True),
        ("Mi hermana Ainhoa trabaja en Vigo.", "Ella vive con mi tía.", True),
        ("The couple from Selby offered 212,000 for the cottage.", "My sister accepted a job in Hull.", False),
        ("Der Kuchen war trocken.", "Sie verträgt keine Nüsse.", False),
    ],
)
def test_what_needs_what_was_told_before_it_is_one_with_that(before: str, behind: str, *, united: bool) -> None:
    """Another asked between, and it is of the same sitting; of who is named nowhere it stands alone."""
    when = datetime(2026, 3, 4, 18, tzinfo=UTC)
    turns = (("Ivo", before, 0), ("Una", "Schön!" if "ä" in behind else "Oh!", 1), ("Ivo", behind, 2))
    talk = tuple(
        Item(text=text, source_ids=(text,), created_at=when + timedelta(minutes=at), speaker=who)
        for who, text, at in turns
    )
    rests = {s.sources for s in summarize(Request(items=talk, max_tokens=300, prompt=""), count).statements}
    assert ((0, 2) in rests) is united
    late = (*talk[:2], replace(talk[2], created_at=when + timedelta(hours=1)))
    later = summarize(Request(items=late, max_tokens=300, prompt=""), count).statements
    assert (0, 2) not in {s.sources for s in later}
