"""Makes src/precis/finding/words/everyday.txt.gz: names of everyday things in other languages, and in English.

    npm pack emojibase-data && tar xzf emojibase-data-*.tgz
    python scripts/make_everyday.py package

The names are those that Unicode's CLDR has for emoji of things: animals, food, clothing, tools, sports, places,
professions. A line is an English name, and the name in each of the languages of the first line; only names of one word,
and of two in English.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

LANGUAGES = "de fr es pt it ru zh ja ko nl pl sv da uk".split()
TARGET = Path(__file__).parents[1] / "src/precis/finding/words/everyday.txt.gz"
#: Groups of emoji that show things.
GROUPS = [22, 25, 28, *range(34, 49), *range(51, 59), 60, *range(62, 66), *range(67, 77), *range(78, 83)]


def main(folder: Path) -> None:
    """Write the table."""
    names = {code: _names(folder / code / "data.json") for code in ["en", *LANGUAGES]}
    lines = ["\t".join(["en", *LANGUAGES])]
    for emoji, english in names["en"].items():
        if english.count(" ") < 2 and not english.startswith(("man ", "woman ", "person ")):
            others = [names[code].get(emoji, "") for code in LANGUAGES]
            lines.append("\t".join([english, *("" if " " in other else other for other in others)]))
    with gzip.GzipFile(TARGET, "wb", mtime=0, compresslevel=9) as file:
        file.write("\n".join(lines).encode("utf-8"))


def _names(path: Path) -> dict[str, str]:
    entries = json.loads(path.read_text("utf-8"))
    return {each["hexcode"]: each["label"].lower() for each in entries if each.get("subgroup") in GROUPS}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
