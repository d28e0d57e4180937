"""What every door of an agent framework promises, walked through the framework's own agent over a scripted model."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

import pytest

from precis.app import App
from precis.errors import InvalidInput, WrongLoop

T = TypeVar("T")


class Talk(Protocol):
    """An agent of the framework in one session of one user."""

    async def say(self, text: str) -> None:
        """The user says something, and the agent answers."""

    async def say_again(self, text: str) -> None:
        """The framework hands in a second time what was said, as after a crash or a restart."""

    async def ask(self, question: str) -> str:
        """The user asks something; answers all that the model is shown of it, but for this session's own messages."""


class DoorContract(ABC):
    """Inherited by the tests of each door."""

    @abstractmethod
    def open(self, app: App, *, user: str, session: str) -> Talk:
        """A talk; it is opened in the loop of the app."""

    async def test_a_second_session_knows_the_first(self, app: App) -> None:
        """What was said is found again by the same user."""
        await self.open(app, user="odile", session="one").say("My houseboat is called Kingfisher.")
        shown = await self.open(app, user="odile", session="two").ask("What is my houseboat called?")
        assert "Kingfisher" in shown

    async def test_another_user_never_sees_it(self, app: App) -> None:
        """Not by the very same question, not in a session of the same name."""
        await self.open(app, user="odile", session="one").say("My houseboat is called Kingfisher.")
        for session in ("one", "two"):
            shown = await self.open(app, user="pavel", session=session).ask("What is Odile's houseboat called?")
            assert "Kingfisher" not in shown

    async def test_a_forgotten_user_comes_back_nowhere(self, app: App) -> None:
        """Not in a new session, not in the old one, and nothing is listed."""
        first, second = (self.open(app, user="odile", session=name) for name in ("one", "two"))
        await first.say("My houseboat is called Kingfisher.")
        assert "Kingfisher" in await second.ask("What is my houseboat called?")
        receipt = await app.memories.forget_user("odile")
        assert receipt.key_destroyed
        assert (await app.memories.list(user_id="odile")).rows == ()
        for talk in (first, second, *(self.open(app, user="odile", session=name) for name in ("one", "three"))):
            assert "Kingfisher" not in await talk.ask("What is my houseboat called?")

    async def test_a_forgotten_user_may_begin_anew(self, app: App) -> None:
        """What is said from then on is kept and found, under a new key."""
        await self.open(app, user="odile", session="one").say("My houseboat is called Kingfisher.")
        await app.memories.forget_user("odile")
        await self.open(app, user="odile", session="two").say("My houseboat is called Wagtail.")
        shown = await self.open(app, user="odile", session="three").ask("What is my houseboat called?")
        assert "Wagtail" in shown
        assert "Kingfisher" not in shown

    async def test_the_same_message_is_stored_once(self, app: App) -> None:
        """However often the framework hands it in."""
        await self.open(app, user="odile", session="one").say("My houseboat is called Kingfisher.")
        for _ in range(2):
            await self.open(app, user="odile", session="one").say_again("My houseboat is called Kingfisher.")
        rows = (await app.memories.list(user_id="odile")).rows
        assert len([row for row in rows if "Kingfisher" in (row.text or "")]) == 1

    async def test_a_framework_may_run_in_a_loop_of_its_own(self, app: App) -> None:
        """In another thread, with another event loop, while the app's goes on."""
        first, second = (self.open(app, user="odile", session=name) for name in ("one", "two"))
        await elsewhere(first.say("My houseboat is called Kingfisher."))
        assert "Kingfisher" in await elsewhere(second.ask("What is my houseboat called?"))

    async def test_several_talk_at_once(self, app: App) -> None:
        """Each user gets their own."""
        boats = {"odile": "Kingfisher", "pavel": "Wagtail", "renske": "Dipper"}
        talks = {user: self.open(app, user=user, session="one") for user in boats}
        await asyncio.gather(*(talks[user].say(f"My houseboat is called {boat}.") for user, boat in boats.items()))
        later = {user: self.open(app, user=user, session="two") for user in boats}
        shown = await asyncio.gather(*(later[user].ask("What is my houseboat called?") for user in boats))
        for user, text in zip(boats, shown, strict=True):
            assert [boat for boat in boats.values() if boat in text] == [boats[user]]

    async def test_what_no_text_holds_stops_nobody(self, app: App) -> None:
        """A null character, as tools print it now and then, is marked; the rest is kept and found."""
        await self.open(app, user="odile", session="one").say("My houseboat is \0 called Kingfisher.")
        assert "Kingfisher" in await self.open(app, user="odile", session="two").ask("What is my houseboat called?")

    async def test_nobody_is_nobody(self, app: App) -> None:
        """An empty name is refused, in words that say what to do: else all strangers would share one memory."""
        with pytest.raises(InvalidInput, match="say whose memory"):
            await self.open(app, user="", session="one").say("My houseboat is called Kingfisher.")

    async def test_it_is_made_where_the_app_is(self, app: App) -> None:
        """Made anywhere else it says so, rather than hang."""
        with pytest.raises(WrongLoop, match="event loop that the app was opened in"):
            await asyncio.to_thread(self.open, app, user="odile", session="one")


async def elsewhere(work: Coroutine[Any, Any, T]) -> T:
    """The result, from another thread and another event loop."""
    return await asyncio.to_thread(asyncio.run, work)
