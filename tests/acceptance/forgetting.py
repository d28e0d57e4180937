"""One forget or revival in a process of its own, which dies where it is told: ``forgetting.py DATA VERB STEP``."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from precis.bootstrap import open_runtime
from precis.keys.chain import Chain
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.keys.vault import Vault
from precis.settings import Settings
from precis.store.changes.writing import Writing
from precis.store.forgetting import Forgetting

NEW = "The box opens with nothing."
#: The calls of each verb, in order; it may die before or after each.
STEPS: dict[str, dict[str, tuple[type, str]]] = {
    "revive": {
        "refuse": (Writing, "refuse_forgotten"),
        "finish": (Forgetting, "finish"),
        "note": (ForgottenLog, "revived"),
    },
    "forget": {
        "sign": (Chain, "add"),
        "log": (ForgottenLog, "forgot"),
        "finish": (Forgetting, "finish"),
        "tell": (Chain, "tell_log"),
        "note": (ForgottenLog, "signed"),
    },
    "forget-user": {
        "lock": (Vault, "lock"),
        "rotate": (Vault, "rotate"),
        "log": (ForgottenLog, "forgot"),
        "finish": (Forgetting, "finish"),
        "erase": (Keyring, "finish_rotation"),
    },
}


def die_at(owner: Any, name: str, when: str) -> None:
    """Let the first call of this name end the process: before it does anything, or once it has done all."""
    real = getattr(owner, name)

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def dying(*args: Any, **options: Any) -> Any:
        if when == "before":
            die()
        answer = await real(*args, **options)
        die()
        return answer

    def dying_at_once(*args: Any, **options: Any) -> Any:
        if when == "before":
            die()
        answer = real(*args, **options)
        die()
        return answer

    setattr(owner, name, dying if asyncio.iscoroutinefunction(real) else dying_at_once)


async def main(data: Path, verb: str, step: str, text: str) -> None:
    """Do it; ``never`` for the step lets it come to its end."""
    async with open_runtime(Settings(data_dir=data)) as runtime:
        if step != "never":
            when, name = step.split()
            owner, method = STEPS[verb][name]
            die_at(owner, method, when)
        app = runtime.app("default")
        if verb == "revive":
            await app.memories.add([{"id": "m1", "user_id": "ana", "text": text, "revive": True}])
        elif verb == "forget":
            await app.memories.forget(text)
        else:
            await app.memories.forget_user("ana")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]))
