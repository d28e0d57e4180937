"""Is a newer memory understood to leave an older one out of date, and only where it does? Pairs in updates.toml.

``understood`` are updates after which nothing of the older memory stands; ``lost`` are pairs in which both stay true
and the older one is overruled all the same. Of each list one half, by the hash of the pair, was read while rules were
written (``read``), and the other was not. ``plain`` was written beside the rules.

    python benchmarks/updates.py [--failures]
"""

from __future__ import annotations

import argparse
import hashlib
import tomllib
from pathlib import Path

from precis.language.newest.timeline import leaves_nothing_of
from precis.language.reading import Line, read


def is_read(old: str, new: str) -> bool:
    """Whether a pair is of the half that was looked at."""
    return hashlib.sha256((old + new).encode()).digest()[0] % 2 == 0


def overruled(old: str, new: str) -> bool:
    """Whether the newer text leaves nothing of the older one."""
    older, newer = (read(Line(text=text, speaker=None)) for text in (old, new))
    return leaves_nothing_of(older, newer)


def main() -> None:
    """Print a row a list and half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="print what failed, of the halves that are read only")
    options = parser.parse_args()
    document = tomllib.loads(Path(__file__).with_name("updates.toml").read_text("utf-8"))
    for name, pairs in document.items():
        halves: dict[str, list[tuple[str, str]]] = {"read": [], "unread": []} if name != "plain" else {"read": []}
        for old, new in pairs:
            halves["read" if name == "plain" or is_read(old, new) else "unread"].append((old, new))
        for half, listed in halves.items():
            hits = [pair for pair in listed if overruled(*pair)]
            word = "lost" if name == "both" else "understood"
            print(f"{name:8}{half:8}{len(listed):5} pairs {len(hits):4} {word}")
            if options.failures and half == "read":
                for old, new in listed:
                    if ((old, new) in hits) == (name == "both"):
                        print(f"    {old}  |  {new}")


if __name__ == "__main__":
    main()
