"""Whatever stands beside an ordinary memory, questions and requests to forget are answered: no text breaks a door."""

from __future__ import annotations

import random
from typing import Any

import pytest

from precis.app import App
from precis.errors import InvalidInput, NotFound

pytestmark = pytest.mark.asyncio(loop_scope="session")

ODD = (
    "... 👍 1.234 ?! & … 。 ؟ - «» '' \" () [x] ¯\\_(ツ)_/¯ 12:30 € 🙂🙂 — @ #1 ’ “” ㅋㅋ ㅠㅠ 哈 5 ٥ । ٪ "
    "user: Ana: :x {} <b></b> I a É ß İ ı ﷺ |a|b|"
).split()
PLAIN = (
    "My rent is 700 now.", "Ana's landlord raised it to 650.", "Mum sees Dr. Roe on Friday.", "We moved to Porto.",
    "Please always answer in German.", "What did you recommend?", "我的房租是3600。", "내 월세는 65만원이야",
    "मेरा किराया 9,000 है", "ايجاري ٧٥٠٠",
)  # fmt: skip
QUESTIONS = (
    "What is my rent now?", "Who is my mum's doctor?", "Where does Ana live?", "What did you recommend to me?",
    "Which rules?", "我的房租多少？", "내 월세가 얼마야?", "मेरा किराया कितना है?", "ايجاري كام؟", "👍", "...",
)  # fmt: skip
REQUESTS = ("my rent", "everything about Ana", "what we said in July", "我的房租", "what Ana told me about the rent")


def _rows(dice: random.Random, user: str) -> list[dict[str, Any]]:
    key = dice.choice(["role", "speaker", ""])
    who = ["user", "assistant"] if key == "role" else ["Ana", "Bo"]
    rows: list[dict[str, Any]] = []
    for at in range(dice.randrange(2, 14)):
        text = dice.choice(ODD if dice.random() < 0.6 else PLAIN)
        if dice.random() < 0.3:
            text = f"{dice.choice(ODD)} {text} {dice.choice(ODD)}"
        row = {"id": f"{user}-{at}", "text": text, "user_id": user, "created_at": f"2026-0{1 + at % 6}-10T09:00:00Z"}
        talk = {"memory_type": "message", "session_id": f"s{at // 4}", "metadata": {key: dice.choice(who)}}
        rows.append(row | (talk if key else {}))
    return rows


@pytest.mark.parametrize("seed", range(4))
async def test_no_text_beside_breaks_an_answer(app: App, seed: int) -> None:
    """Signs, single letters, emojis and empty marks, said by a user, by somebody, or noted."""
    dice = random.Random(seed)  # noqa: S311 - texts, no secrets
    for at in range(8):
        user = f"user-{at}"
        rows = _rows(dice, user)
        await app.memories.add(rows)
        for question in QUESTIONS:
            found = await app.recall.search(question, user_id=user, limit=dice.choice([1, 10, 50]))
            assert len({row.memory.id for row in found}) == len(found)
            context = await app.context.assemble(question, user_id=user, token_budget=dice.choice([50, 250, 500]))
            assert context.tokens <= 500
        for request in REQUESTS:
            try:
                preview = await app.memories.find_to_forget(request, user_id=user)
            except (InvalidInput, NotFound):
                continue
            assert {row.id for row in preview.forget}.isdisjoint(row.id for row in preview.doubtful)
