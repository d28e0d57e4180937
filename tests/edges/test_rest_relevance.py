"""Recall and context say when there is nothing: over REST, by what a row and a question have in common."""

from __future__ import annotations

import httpx
import pytest
import pytest_asyncio

from precis.app import App
from precis.app.recall import is_unsure
from precis.errors import InvalidInput
from precis.recall.assembly import Section
from precis.recall.headings import UNSURE

pytestmark = pytest.mark.asyncio(loop_scope="session")
FACTS = [
    ("Runa", "I bought a wooden boat in Bergen last spring."),
    ("Runa", "My sister Ylva keeps bees on the roof."),
    ("Odd", "I am allergic to hazelnuts, so no nougat for me."),
    ("Odd", "The ferry to Fedje leaves at noon."),
    ("Runa", "We sing in the choir on Thursdays."),
]


@pytest_asyncio.fixture(loop_scope="session")
async def filled(app: App) -> App:
    """A few facts of two speakers, in one user's memory."""
    rows = [
        {"id": f"r{at}", "user_id": "house", "session_id": "s", "text": text, "metadata": {"speaker": speaker}}
        for at, (speaker, text) in enumerate(FACTS)
    ]
    await app.memories.add(rows, summarize="deferred")
    return app


async def test_relevance_does_not_depend_on_the_rest_of_an_answer(filled: App) -> None:
    """Nor on how many rows are asked for."""
    few = await filled.recall.search("What is Odd allergic to?", user_id="house", limit=1)
    many = await filled.recall.search("What is Odd allergic to?", user_id="house", limit=5)
    assert "r2" == few[0].memory.id == many[0].memory.id
    assert few[0].relevance.value == many[0].relevance.value
    assert few[0].relevance.value > 3 * max(result.relevance.value for result in many[1:])


async def test_nothing_relevant_is_an_empty_answer(filled: App) -> None:
    """A question in words that nobody has used, and one with a bound."""
    assert [] == await filled.recall.search("xyzzy qwfp", user_id="house", min_relevance=0.1)
    assert "" == (await filled.context.assemble("xyzzy qwfp", token_budget=500, user_id="house")).text
    bounded = await filled.context.assemble("Whose boat is it?", token_budget=500, user_id="house", min_relevance=1)
    assert ("", 0, len(FACTS)) == (bounded.text, bounded.tokens, bounded.left_out[Section.MEMORIES])
    everything = await filled.context.assemble("xyzzy qwfp", token_budget=500, user_id="house", min_relevance=0)
    assert len(FACTS) == len(everything.lines)


async def test_an_answer_says_that_nothing_is_surely_relevant(filled: App) -> None:
    """The text of a context opens with that, within its budget; what is relevant says nothing of the kind."""
    query = "Which opera does the mayor prefer?"
    results = await filled.recall.search(query, user_id="house")
    assert is_unsure(results)
    assert not is_unsure(await filled.recall.search("Which boat did Runa buy?", user_id="house"))
    for budget in (50, 500):
        made = await filled.context.assemble(query, token_budget=budget, user_id="house", min_relevance=0)
        assert made.unsure
        assert made.lines
        assert made.text.startswith(f"{UNSURE}\nMemories:\n")
        assert made.tokens <= budget
    sure = await filled.context.assemble("Which boat did Runa buy?", token_budget=500, user_id="house")
    assert not sure.unsure
    assert UNSURE not in sure.text
    empty = await filled.context.assemble("xyzzy qwfp", token_budget=500, user_id="house")
    assert (empty.unsure, empty.text, empty.tokens) == (True, "", 0)


async def test_a_context_keeps_what_may_matter(filled: App) -> None:
    """The bound that stands where none is given is low."""
    made = await filled.context.assemble("Which boat did Runa buy?", token_budget=500, user_id="house")
    assert "r0" in {line.piece.id for line in made.lines}


TURNS = [
    ("p", "Runa", "I feed the heron at the pond every morning."),
    ("p", "Odd", "I see that from here."),
    ("p", "Odd", "I sleep until noon, as I always did."),
    ("q", "Odd", "I counted purple carpets, as I always did."),
]


async def test_a_turn_stays_where_its_conversation_answers(app: App) -> None:
    """What others say there belongs to the answer; turns of other conversations go, and below a bound all do."""
    rows = [
        {"id": f"t{at}", "user_id": "pond", "session_id": session, "text": text, "metadata": {"speaker": speaker}}
        for at, (session, speaker, text) in enumerate(TURNS)
    ]
    await app.memories.add(rows, summarize="deferred")
    question = "When does Runa feed the heron?"
    context = await app.context.assemble(question, token_budget=500, user_id="pond")
    assert {"t0", "t2"} == {line.piece.id for line in context.lines} - {"t1"}
    bounded = await app.context.assemble(question, token_budget=500, user_id="pond", min_relevance=0.03)
    assert {"t0"} == {line.piece.id for line in bounded.lines} - {"t1"}


@pytest.mark.parametrize("bound", [-0.1, 1.5, True, "much"])
async def test_a_bound_is_a_share(filled: App, bound: object) -> None:
    """Anything else is refused by name."""
    with pytest.raises(InvalidInput, match="min_relevance"):
        await filled.recall.search("boat", min_relevance=bound)  # type: ignore[arg-type]


async def test_over_rest(api: httpx.AsyncClient, filled: App) -> None:
    """Each row says how relevant it is; both verbs take the bound, and refuse what is none."""
    query = {"query": "What is Odd allergic to?", "user_id": "house"}
    rows = (await api.post("/v1/recall", json=query)).json()["results"]
    assert all(0 <= row["relevance"] <= 1 for row in rows)
    bound = rows[0]["relevance"]
    kept = (await api.post("/v1/recall", json={**query, "min_relevance": bound})).json()["results"]
    assert [row["memory"]["id"] for row in rows if row["relevance"] >= bound] == [row["memory"]["id"] for row in kept]
    context = (await api.post("/v1/context", json={**query, "min_relevance": bound})).json()
    assert ["r2"] == [line["id"] for line in context["lines"]]
    for verb in ("recall", "context"):
        refused = await api.post(f"/v1/{verb}", json={**query, "min_relevance": 2})
        assert 422 == refused.status_code
        assert "min_relevance" in refused.text


async def test_a_question_at_the_end_of_a_list_is_read(filled: App) -> None:
    """After more than a hundred words about something else."""
    names = "alder birch cedar hazel juniper larch maple poplar rowan spruce willow yew".split()
    listed = ", ".join(f"{first}{second}" for first in names for second in names)
    found = await filled.recall.search(f"We planted {listed}. Is Odd allergic to hazelnuts?", user_id="house", limit=1)
    assert ["r2"] == [result.memory.id for result in found]


async def test_a_question_for_all_rules_finds_them_without_a_word_in_common(app: App) -> None:
    """Before turns that hold its words."""
    rules = ["From now on put the day before the month.", "Never ring before nine.", "Don't answer in lists."]
    talk = [f"Odd was told about the assistant of the harbor office, boat {at}." for at in range(30)]
    rows = [
        {"id": f"rule{at}", "user_id": "rules", "session_id": f"s{at % 4}", "text": text}
        for at, text in enumerate([*talk[:15], *rules, *talk[15:]])
    ]
    await app.memories.add(rows, summarize="deferred")
    results = await app.recall.search("Which rules was the assistant told?", user_id="rules", limit=5)
    assert set(rules) <= {result.memory.text for result in results}


async def test_a_longer_answer_begins_as_a_shorter_one(app: App) -> None:
    """Whatever the limit, its first twenty rows are the same, each with the same figures."""
    words = ["anchor", "barley", "candle", "desert", "engine", "fennel", "gravel"]
    rows = [
        {
            "user_id": "many", "session_id": f"s{at // 20}",
            "text": f"The {words[at % 7]} and the {words[at // 7 % 7]} came by ship {at}.",
        }
        for at in range(250)
    ]  # fmt: skip
    await app.memories.add(rows, summarize="deferred")
    answers = [
        [(row.memory.id, round(row.score.total, 5), row.relevance.value) for row in results]
        for limit in (5, 10, 11, 20, 30, 31, 60, 100)
        for results in [
            await app.recall.search("Which ship had the anchor and the fennel?", user_id="many", limit=limit)
        ]
    ]
    assert [5, 10, 11, 20, 30, 31, 60, 100] == [len(answer) for answer in answers]
    for answer in answers:
        assert answers[-1][: min(20, len(answer))] == answer[:20]


async def test_behind_the_first_rows_stands_what_neither_arm_has_among_its_first_forty(app: App) -> None:
    """It is said near the turns that hold the question, in no word of it, and fifty others are nearer in meaning."""
    told = ["The ship with the anchor is the Wasa.", "Where did you hear?", "From Odd.", "She sank in 1628, you know."]
    boats = [f"Sailors steer boats and vessels over the ocean, trip {at}." for at in range(50)]
    sessions = [("wasa", told), *((f"trip{at}", [boat]) for at, boat in enumerate(boats))]
    rows = [
        {"id": f"{session}-{at}", "user_id": "ships", "session_id": session, "text": text}
        for session, texts in sessions
        for at, text in enumerate(texts)
    ]
    await app.memories.add(rows, summarize="deferred")
    found = await app.recall.search("Which ship had the anchor?", user_id="ships", limit=20)
    assert "wasa-3" in [row.memory.id for row in found]


RAY = [
    ("Tom", "I called Ray Kowalczyk. He'll come on Wednesday."),
    ("Juno", "I can remind you on Tuesday evening that Ray is coming."),
    ("Tom", "Please do. His number is 555-0148."),
]
PORTO = [
    ("Liz", "Change of plan about the holiday: forty degrees in Lisbon already. I'd rather go to Porto."),
    ("Juno", "Then I'd suggest Matosinhos near Porto: on the beach, and rarely above 26 degrees in July."),
    ("Juno", "Your flight TP1329 on July 6 leaves at 14:05 instead of 11:25, from the South Terminal."),
    ("Tom", "Porto it is, then. I'll tell the kids."),
]


def turns_of(user_id: str, said: list[tuple[str, str]]) -> list[dict[str, object]]:
    """One conversation, a turn a minute."""
    return [
        {
            "id": f"{user_id}{at}", "user_id": user_id, "session_id": user_id, "text": text,
            "created_at": f"2026-04-26T10:{at:02}:00Z", "metadata": {"speaker": speaker},
        }
        for at, (speaker, text) in enumerate(said)
    ]  # fmt: skip


async def test_a_pronoun_behind_the_name_is_of_whom_is_asked(app: App) -> None:
    """Right behind a turn that names Ray, "his number" is no number of nobody."""
    await app.memories.add(turns_of("plumber", RAY), summarize="deferred")
    found = await app.recall.search("What is Ray's phone number?", user_id="plumber")
    (number,) = (result for result in found if result.memory.id == "plumber2")
    assert 0.0 == number.relevance.evidence.unnamed
    assert number.relevance.value == max(result.relevance.value for result in found)
    context = await app.context.assemble("What is Ray's phone number?", token_budget=500, user_id="plumber")
    assert "555-0148" in context.text


async def test_what_recall_puts_first_is_in_the_context(app: App) -> None:
    """Whatever its relevance, unless the caller sets a bound."""
    await app.memories.add(turns_of("travels", PORTO), summarize="deferred")
    question = "When does our plane to Porto leave?"
    found = await app.recall.search(question, user_id="travels")
    (flight,) = (result for result in found[:3] if result.memory.id == "travels2")
    assert flight.relevance.value < 0.03
    assert "14:05" in (await app.context.assemble(question, token_budget=500, user_id="travels")).text
    bounded = await app.context.assemble(question, token_budget=500, user_id="travels", min_relevance=0.03)
    assert "14:05" not in bounded.text
