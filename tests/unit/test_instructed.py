"""How an assistant is to work from now on: what says so, and which newer instruction leaves nothing of an older one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from precis.extractive.summarizer import summarize
from precis.language.newest.instructed import (
    forbids,
    holds_of_every_answer,
    instruction_of,
    instructs,
    standing_in,
    takes_place_of,
)
from precis.makers import Aim, Item, Request
from precis.models.tokens import count
from precis.trust import SourceClass

BULLETS = "From now on please always answer in bullet points."
SHORT = "From today answer me in short paragraphs of at most 120 words, unless I ask for details."


@pytest.mark.parametrize(
    "text",
    [
        BULLETS,
        SHORT,
        "Please stop with the bullet points.",
        "Keep every answer under 200 words.",
        "Always show me prices without VAT.",
        "Never use emojis.",
        "Write to me in plain English.",
        "I'd rather have the answers in Dutch from next week on.",
        "From today call me Odile.",
        "No more tables please.",
        "Ab heute bitte immer in kurzen Absätzen antworten.",
        "Réponds toujours en français.",
        "From today (2 March 2026) answer me in short paragraphs.",
        "And no acronyms in your answers please.",
        "For the weight of parcels you can use pounds.",
        "Everything else stays metric.",
        "And use docstrings in all code you show me.",
        "Canadian spelling from now on.",
        "Tests with pytest, never unittest.",
        "Amounts in euros, always with two decimals.",
    ],
)
def test_what_is_to_last_is_an_instruction(text: str) -> None:
    """By an order that lasts, or that says how to write."""
    assert instructs(text)


@pytest.mark.parametrize(
    "text",
    [
        "I always take the bus.",
        "Please send the file.",
        "Keep the oven at 200 degrees.",
        "We never answer the phone.",
        "You should always salt early.",
        "She always writes in French.",
        "Put the keys on the table.",
        "Add three eggs.",
        "Should I always answer in German?",
        "Dinner at Ana's, never again.",
        "He's late for work, always the same.",
    ],
)
def test_what_tells_or_is_done_once_is_none(text: str) -> None:
    """Habits, single tasks, advice and questions."""
    assert not instructs(text)


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        (BULLETS, "Please stop with the bullet points.", True),
        (BULLETS, SHORT, True),
        ("Keep every answer under 200 words.", "From now on keep every answer under 80 words.", True),
        ("Always show me prices without VAT.", "I changed my mind: always show me prices with VAT.", True),
        ("Always answer me in French, please.", "Don't answer in French any more.", True),
        ("Always answer in German.", "Always answer in English.", True),
        ("Always give quantities in grams.", "From today give me quantities in cups.", True),
        ("Always answer in German.", "From now on keep answers under 100 words.", False),
        ("Never use emojis.", "Stop using tables.", False),
        ("Always give quantities in grams.", "Always give prices in euros.", False),
        ("Always answer in German.", "Write the letters to Sam in English from now on.", False),
        ("Please always quote the guideline with its year.", "From today call me Odile.", False),
    ],
)
def test_a_newer_one_takes_the_place_of_what_it_is_about(older: str, newer: str, replaced: bool) -> None:
    """It ends that, or gives another value of the same; what is about something else leaves it."""
    first, second = instruction_of(older), instruction_of(newer)
    assert first is not None
    assert second is not None
    assert takes_place_of(second, first) is replaced


def _request(lines: list[tuple[str, str]], *, room: int) -> Request:
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    items = tuple(
        Item(
            text=text, source_ids=(f"m{at}",), created_at=start + timedelta(hours=at), speaker=role,
            classes=frozenset({SourceClass.USER if role == "user" else SourceClass.AGENT}),
        )
        for at, (role, text) in enumerate(lines)
    )  # fmt: skip
    return Request(items=items, max_tokens=room, prompt="", aim=Aim.FACTS)


def test_the_instruction_that_stands_is_told_and_the_overruled_one_is_not() -> None:
    """However long the answers beside it are: it has the room first, and a statement of its own."""
    answer = "\n".join(
        f"- Step {at}: turn the valve {at} by {at} degrees and wait for {at} minutes." for at in range(30)
    )
    lines = [
        ("user", f"I'm Ilse, I run the boilers. {BULLETS}"), ("assistant", answer),
        ("user", f"Please stop with the bullet points. {SHORT}"), ("assistant", answer),
    ]  # fmt: skip
    texts = [statement.text for statement in summarize(_request(lines, room=120), count).statements]
    assert not any("always answer in bullet points" in text for text in texts)
    assert any("short paragraphs of at most 120 words" in text for text in texts)


ANSWER = """There are three kinds.

| Oven | Price |
|---|---|
| Convection | 3,900 |

## What to check

- The connection: 400 V and 19 kW.
- Descaling every two weeks (Brera, March 2026).

- **Use a tray of 2 cm** and turn it once.

1. **Authentication.**
2. **Roast.** Roast the bones for 40 minutes. Then turn them.

```python
for oven in ovens:
    print(oven)
```

I'd buy the combi steamer, because it does rice and roasts in one device.

If you like, I can draft the order."""


def test_of_a_long_answer_sentences_are_told_and_its_recommendation_first() -> None:
    """No table, code or heading is a statement; an entry of a list stands with what is above it."""
    lines = [("user", "Which oven should we buy?"), ("assistant", ANSWER)]
    (tight,) = summarize(_request(lines, room=30), count).statements
    assert "I'd buy the combi steamer, because it does rice and roasts in one device." in tight.text
    text = " ".join(statement.text for statement in summarize(_request(lines, room=400), count).statements)
    assert "What to check: The connection: 400 V and 19 kW." in text
    assert "Roast: Roast the bones for 40 minutes." in text
    assert "Use a tray of 2 cm and turn it once." in text
    assert not any(part in text for part in ("|", "##", "Authentication", "ovens:", "Print(", "If you like", "**"))


def test_of_a_statement_made_before_only_the_instruction_goes() -> None:
    """What an earlier node said with it in one statement stays: the boilers are still run."""
    items = (
        Item(
            text="user: I run the boilers. From now on please always answer in bullet points.", source_ids=("m0",),
            created_at=datetime(2026, 3, 2, 9, tzinfo=UTC), classes=frozenset({SourceClass.USER}), derived=True,
        ),
        Item(
            text="Please stop with the bullet points. From today answer me in short paragraphs.", source_ids=("m4",),
            created_at=datetime(2026, 3, 2, 13, tzinfo=UTC), speaker="user", classes=frozenset({SourceClass.USER}),
        ),
    )  # fmt: skip
    told = " ".join(s.text for s in summarize(Request(items=items, max_tokens=400, prompt=""), count).statements)
    assert "user: I run the boilers." in told
    assert "short paragraphs" in told
    assert "always answer in bullet points" not in told


@pytest.mark.parametrize(
    "text", ["Also please do not use the word journey.", "Don't use emojis.", "Benutze bitte nicht das Wort Reise."]
)
def test_what_an_answer_is_not_to_have_lasts(text: str) -> None:
    """A word that is not to be used is not to be used for good; to use one is a wish of the moment."""
    assert instructs(text)
    assert forbids(text)
    assert not instructs("Give me the word for a kiln.")
    assert forbids("Don't book it yet.")
    assert not instructs("Don't book it yet.")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("always give me metric units, please.", True), ("Bitte antworte immer auf Deutsch.", True),
        ("Réponds toujours en français.", True), ("Always keep your answers under 100 words.", True),
        ("Also please do not use the word journey.", True), ("In code always give me type hints, please.", False),
        ("For the trip give me prices in euros, not pounds.", False), ("Translate this into German.", False),
        ("I always give my dog metric units.", False), ("Always call the bank first.", False),
        ("De ahora en adelante trátame de tú.", True), ('Nunca uses la palabra "sinergia".', True),
        ("今後は必ず日本語で答えてください。", True), ("絵文字は二度と使わないでください。", True),
        ("从现在起，温度都用摄氏度。", True), ("이모티콘은 절대 쓰지 마세요.", True),
        ("दूरी हमेशा किलोमीटर में बताओ।", True), ("من الآن فصاعدا أجبني دائما بالعربية.", True),
        ("Bundan sonra bana hep Türkçe cevap ver.", True), ("Niente emoji nelle tue risposte.", True),
        ("Ich möchte, dass du mir immer auf Englisch antwortest.", True), ("No emojis, ever.", True),
        ("Use sempre quilômetros em vez de milhas.", True), ("Stop using emojis.", True),
        ("Siempre desayuno en la cocina con mi hermana.", False), ("この手紙を英語に訳してください。", False),
        ("これからは毎日英語で日記を書きます。", False), ("我总是早上喝咖啡。", False),
        ("저는 항상 아침에 커피를 마셔요.", False), ("मेरी माँ हमेशा हिंदी में बोलती हैं।", False),
        ("Da oggi parlo solo inglese con lui.", False), ("Mein Chef benutzt nie das Wort danke.", False),
    ],
)  # fmt: skip
def test_what_holds_of_every_answer(text: str, holds: bool) -> None:
    """In which units, language or words, how long: for good, and whatever is asked."""
    assert holds_of_every_answer(text) is holds


def test_what_stands_is_read_with_what_goes_on_behind_it() -> None:
    """Without what announces it, without what a newer one took the place of, and without wishes of the moment."""
    texts = [
        "For all reports you write: put names in italics. And quantities always without units. The kiln is hot.",
        "Ground rules: always answer in English.",
        "Translate this letter. Please be quick.",
        "From now on always answer in German.",
        "Mengen nenn mir bitte immer in Gramm.",
    ]
    assert standing_in(texts) == [
        (0, "For all reports you write: put names in italics. And quantities always without units."),
        (3, "From now on always answer in German."),
        (4, "Mengen nenn mir bitte immer in Gramm."),
    ]
