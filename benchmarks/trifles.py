"""What a rule of passing over costs: of the sentences it takes for trifles, how many are somebody's evidence.

A sentence of a talk is evidence where a question was answered with it (LoCoMo: a turn named as evidence, and a word of
the answer in the sentence; FriendsQA: the answer itself), or where a person who wrote a summary of the talk took up
half of what it tells (DialogSum). One row a conversation or set, so that each may be left out. ``--show`` prints some.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from precis.checks.reactions import is_aside, is_reaction
from precis.checks.trifles import is_trifle
from precis.extractive.trim import trimmed
from precis.language.chitchat import hollow
from precis.language.sentences import is_question, sentences
from precis.language.words import content
from readability import spoken
from retention import session_numbers

Rule = Callable[[str], bool]


class Said(NamedTuple):
    """A sentence of a talk and whether it is evidence."""

    of: str
    text: str
    evidence: bool


def locomo(folder: Path) -> Iterator[Said]:
    """Sentences of evidence turns that hold a word of the answer."""
    for number, talk in enumerate(json.loads((folder / "locomo" / "locomo.json").read_text())):
        answers: dict[str, set[str]] = {}
        for asked in talk["qa"]:
            if asked["category"] in (1, 2, 3, 4):
                for id_ in asked["evidence"]:
                    answers.setdefault(id_, set()).update(content(str(asked["answer"])))
        for session in session_numbers(talk["conversation"]):
            for turn in talk["conversation"][f"session_{session}"]:
                wanted = answers.get(turn["dia_id"], set())
                for text in sentences(turn.get("text", "")):
                    yield Said(f"locomo {number}", text, not wanted.isdisjoint(content(text)))


def friendsqa(folder: Path) -> Iterator[Said]:
    """Sentences with the whole answer to a question about their scene."""
    for scene in json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]:
        for paragraph in scene["paragraphs"]:
            answers = {
                (answer["utterance_id"], answer["answer_text"]) for asked in paragraph["qas"]
                for answer in asked["answers"] if not answer.get("is_speaker")
            }  # fmt: skip
            by_turn: dict[int, list[set[str]]] = {}
            for id_, text in answers:
                by_turn.setdefault(int(id_), []).append(set(content(text)))
            turns = [turn for turn in paragraph["utterances:"] if turn["speakers"] != ["#NOTE#"]]
            for turn, (_, message) in zip(turns, spoken(paragraph["utterances:"]), strict=True):
                for text in sentences(message):
                    terms = content(text)
                    wanted = by_turn.get(turn["uid"], [])
                    yield Said("friendsqa", text, any(answer and answer <= terms for answer in wanted))


def dialogsum(folder: Path) -> Iterator[Said]:
    """Sentences of which a summary by hand has half of the content words."""
    for line in (folder / "dialogsum" / "dev.jsonl").read_text().splitlines():
        row = json.loads(line)
        summary = content(row["summary"])
        for turn in row["dialogue"].split("\n"):
            for text in sentences(turn.split(": ", 1)[-1]):
                terms = content(text)
                yield Said("dialogsum", text, bool(terms) and len(terms & summary) >= len(terms) / 2)


def considered(said: Said) -> bool:
    """Whether nothing else passes it over already."""
    bare = trimmed(said.text, ())
    return not (not bare or is_question(bare) or hollow(bare) or is_reaction(bare) or is_aside(bare))


def main() -> None:
    """Print one row a conversation or set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, help="print so many of those that are passed over, by lot")
    args = parser.parse_args()
    rows = [said for load in (locomo, friendsqa, dialogsum) for said in load(args.data) if considered(said)]
    for name in dict.fromkeys(said.of for said in rows):
        own = [said for said in rows if said.of == name]
        trifles = [said for said in own if is_trifle(trimmed(said.text, ()))]
        rest = [said for said in own if said not in trifles]
        of_all, of_trifles, of_rest = (
            sum(said.evidence for said in group) / max(1, len(group)) for group in (own, trifles, rest)
        )
        print(
            f"{name:10} {len(own):5} sentences  evidence {of_all:.3f}  trifles {len(trifles):4}  of them evidence "
            f"{of_trifles:.3f}  of the rest {of_rest:.3f}"
        )
    found_trifles = [said for said in rows if is_trifle(trimmed(said.text, ()))]
    for said in random.Random(11).sample(found_trifles, min(args.show, len(found_trifles))):
        print(f"{said.of:10} {'EVIDENCE' if said.evidence else '        '} {said.text}")


if __name__ == "__main__":
    main()
