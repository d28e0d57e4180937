"""The process of the command ``precis``, also as ``python -m precis``."""

import os
import signal
import sys
from importlib import import_module


def main() -> None:
    """Read precis and be the command. While it is read, and once it has ended, Ctrl-C ends the process without a word.

    In between the verb listens for signals, and ends in order.
    """
    _open_standard_streams()
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if is_heard:
            signal.signal(signal.SIGINT, _leave)
        import_module("precis.cli").main()
    finally:
        if is_heard:  # the loop of the verb took it away
            signal.signal(signal.SIGINT, _leave)


def _open_standard_streams() -> None:
    """Have a stream that a caller closed lead nowhere: else the next socket would be taken for it.

    What the encoding of one that is open has no letter for is written as an escape.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It takes the lowest number that is free, which is that of the stream.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - stays open
        elif mode == "w" and hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")


def _leave(number: int, _: object) -> None:
    """Nothing is open: leave as shells count it."""
    os._exit(128 + number)


if __name__ == "__main__":
    main()
