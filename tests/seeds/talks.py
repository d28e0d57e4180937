"""What the tests of conversations share: a talk whose every message is about something else, and how to hold it."""

from __future__ import annotations

from typing import Any

from precis.app import App
from precis.app.messages import Context, Turned
from precis.policies.conversations import Limits
from precis.sizes import Size

THINGS = """violin canoe lantern bakery meadow compass sweater garden bicycle telescope kitchen ladder museum orchard
    piano harbor saddle notebook chimney mirror blanket castle ferry hammock kettle lighthouse mandolin observatory
    pottery quilt rowboat sundial tractor umbrella vineyard windmill xylophone yacht zeppelin anvil""".split()
PLACES = "Lisbon Kyoto Oslo Quito Tunis Perth Lyon Hanoi Turin Riga Cusco Fez Split Ghent Malmo".split()


def said(number: int) -> dict[str, Any]:
    """The message of that number: odd ones are the user's."""
    thing, place = THINGS[number % len(THINGS)], PLACES[number % len(PLACES)]
    text = f"The {thing} number {number} of her aunt in {place} needs repair."
    return {"id": f"m{number}", "role": ("assistant", "user")[number % 2], "content": text}


def texts(numbers: range) -> list[str]:
    """What those say."""
    return [said(number)["content"] for number in numbers]


async def hold(app: App, numbers: range, *, each: int = 2, named: str = "talk", **how: Any) -> Turned:
    """A talk in turns of ``each`` messages; answers the last turn."""
    turned: Turned | None = None
    for start in range(numbers.start, numbers.stop, each):
        given = [said(number) for number in range(start, min(start + each, numbers.stop))]
        turned = await app.conversations.turn(named, given, user_id="ana", **how)
    assert turned is not None
    return turned


def told(context: Context) -> list[str]:
    """What its messages say."""
    return [one.text for one in context.messages]


def short(trigger: int = 6, keep: int = 2, **fields: Any) -> Limits:
    """Over so many messages; so many stay. However busy the computer is, the summary is made, unless told otherwise."""
    fields = {"deadline": 120.0} | fields
    return Limits(triggers=(Size.parse(f"{trigger} messages"),), keep=Size.parse(f"{keep} messages"), **fields)
