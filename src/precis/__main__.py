"""The process of the command ``precis``, also as ``python -m precis``."""

import os
import signal
from importlib import import_module


def main() -> None:
    """Read precis and be the command. While it is read, and once it has ended, Ctrl-C ends the process without a word.

    In between the verb listens for signals, and ends in order.
    """
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if is_heard:
            signal.signal(signal.SIGINT, _leave)
        import_module("precis.cli").main()
    finally:
        if is_heard:  # the loop of the verb took it away
            signal.signal(signal.SIGINT, _leave)


def _leave(number: int, _: object) -> None:
    """Nothing is open: leave as shells count it."""
    os._exit(128 + number)


if __name__ == "__main__":
    main()
