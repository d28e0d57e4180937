"""Statements that stand alone: how many open on a dangling word, address the listener, only react, or say nothing.

The signs looked for are written down in this file and share nothing with the summarizer, so that a rule of it that
misses something does not hide that here. They are simple on purpose: a sentence is judged by how it opens, by whom it
speaks of, and by whether it has anything that could be looked up. Print the statements with ``--show`` and read them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from precis.extractive.summarizer import summarize
from precis.makers import Item, Request
from precis.models.tokens import count
from retention import load as load_locomo
from retention import word_count

_START = datetime(2024, 3, 4, 12, tzinfo=UTC)
Talk = tuple[Item, ...]

_LEAD = re.compile(r"^(?:(?:#\w+#|[A-Z][\w.'-]*)(?: [A-Z#][\w.'#-]*){0,2}): ")
_SPLIT = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+(?=\S)")
_OPENERS = r"(?:(?:and|but|so|also|because|well|yeah|yes|no|oh|plus|or|then|still|maybe|honestly|luckily)[, ]+)*"
_TIMES = (
    r"(?:morning|afternoon|evening|night|day|week|weekend|month|year|summer|winter|spring|fall|autumn|time|term"
    r"|semester|season|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june"
    r"|july|august|september|october|november|december|past|last|coming)"
)
_DANGLING = re.compile(
    rf"{_OPENERS}(?:(?:it|they|he|she|him|them|its|their|his|her|theirs|hers)\b"
    rf"|(?:this|that|these|those)\b(?! {_TIMES}\b)|which\b|same (?:here|with)\b|me (?:too|neither)\b|such\b)",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|yourself|u|ur|ya)\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|me|my|mine|myself|[Ww]e|[Uu]s|[Oo]ur|[Mm]y|[Mm]e)\b")
_FIGURE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|yesterday|tomorrow|tonight"
    r"|(?:last|next) (?:week|month|year|night|summer|winter|weekend)|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,] )(?!I\b|I'|I\u2019)[A-Z][a-z]+")
#: Feeling for or about the other, in the first person.
_KIND_SELF = re.compile(
    rf"{_OPENERS}(?:i|we)(?:'m|\u2019m| am|'re| are|'ll| will| can| can't| do| would)? ?"
    r"(?:so |really |just |also |totally |truly )*(?:hope|glad|proud|happy|sorry|believe in|appreciate"
    r"|agree|wish you|bet|see (?:that|what|why|how) you|imagine|thrilled for|rooting|excited for you|hear you"
    r"|get it|understand|know what you mean|know you|think you"
    r"|love (?:that|your|how you|hearing)|wait to (?:hear|see)|here for you|impressed|stoked)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    rf"{_OPENERS}(?:(?:how |so |what a |what an |such a |that's |it's |that is |really |very |pretty )*"
    r"(?:wow|whoa|woah|aw+|yay|cool|awesome|amazing|great|nice|wonderful|fantastic|congrats|congratulations|thanks"
    r"|thank|good luck|good job|great job|well done|way to go|kudos|cheers|bravo|haha|lol|hey|hi|hello|bye|goodbye"
    r"|welcome|sounds?|looks?|looking forward|glad|proud|happy (?:for|to)|sorry to|no problem|no worries|of course"
    r"|absolutely|definitely|exactly|totally|sure|same|fingers crossed|best wishes|all the best|lovely|gorgeous"
    r"|beautiful|stunning|incredible|perfect|sweet|neat|bless|take care|talk soon|see you|see ya|catch)\b"
    r"|what an? |how (?:cool|nice|sweet|cute|exciting|awesome|great|wonderful|lovely|fun)\b)",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    rf"{_OPENERS}(?:please )?(?:just )?(?:always )?(?:keep|try|remember|take|don't|don\u2019t|do not|never|stay|enjoy"
    r"|believe|let's|let\u2019s|let me|trust|hang|go (?:for|ahead|get)|make sure|consider"
    r"|check (?:it|out|them)|give (?:it|yourself)|focus on|be (?:sure|careful|proud|patient|kind|yourself)"
    r"|follow your|have (?:fun|a)|tell me|feel free|imagine|listen to|look (?:at|for|forward)|ask|find"
    r"|start (?:with|by)|use|think (?:of|about)|wait|come on|share)\b",
    re.IGNORECASE,
)
#: Offers, stock phrases of assistants, and what is said to anybody.
_OFFER = re.compile(
    r"\b(?:(?:i'?m|i\u2019m|i am|i'?ll be|we'?re|we are) (?:always |all |right )?(?:here (?:to|for|if)"
    r"|(?:happy|glad) to (?:help|assist)|ears)|let me know|feel free|don'?t hesitate|as an ai|as your assistant"
    r"|how (?:can|may) i help"
    r"|i (?:can|could|would|will|'d|'ll) (?:be (?:glad|happy) to )?(?:help|assist|suggest|recommend|advise|give) you"
    r"|i (?:suggest|recommend|advise|would suggest|would recommend|would advise)\b|here are (?:some|a few)"
    r"|hope (?:this|that|it|these) helps?|fingers (?:are )?crossed|cross(?:ing)? (?:my|our) fingers"
    r"|at the end of the day|it is what it is|one step at a time|we(?:'re| are) all in this|we got this)\b",
    re.IGNORECASE,
)
#: Who is spoken of, in the third person and in particular: then it is no truth about everybody.
_PARTICULAR = re.compile(
    r"\b(?:he|she|him|his|her|hers|mom|mum|dad|mother|father|brother|sister|son|daughter|wife|husband|boss|grandma"
    r"|grandpa|uncle|aunt|cousin|today|now|currently|lately|recently|here|already|yet|still)\b"
    rf"|^{_OPENERS}(?:the|this|that|these|those|my|your|our|his|her|its|their|it|they|there|what)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\b(?:is|are|isn't|aren't|can|can't|cannot|may|might|should|must|could|has|have|does|do|helps?|makes?|brings?|takes?"
    r"|matters?|means|requires?|deserves?|needs?|gives?|keeps?|allows?|becomes?|comes?|goes|shows?|leads?|boosts?"
    r"|improves?|speaks?)\b|'s (?:all|about|a|an|so|never|always)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|came|made|took|said|told|gave|saw|felt|kept|left|lost|won|ran|found|bought|became"
    r"|began|\w{2,}ed)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"^\W*\[(?:shares|shared|photo|image|picture|sends)", re.IGNORECASE)
#: A statement of fewer words, with nothing to look up, tells nothing to somebody who was not there.
_SHORT = 5


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is wrong with one statement."""

    #: Its first sentence opens on a word whose antecedent is not in it.
    dangling: bool
    #: One of its sentences speaks to the listener and states nothing about anybody.
    you: bool
    #: One of its sentences greets, thanks, praises, cheers on, advises, or is a caption.
    reaction: bool
    #: The last two are so of every sentence of it.
    empty: bool
    #: One of its sentences is an offer, a stock phrase, or a truth about everybody: it tells nothing of anybody.
    platitude: bool

    @property
    def bad(self) -> bool:
        """Whether any of the three is so; a platitude is counted for itself."""
        return self.dangling or self.you or self.reaction

    @property
    def poor(self) -> bool:
        """Whether any of the four is so."""
        return self.bad or self.platitude


def parts_of(statement: str) -> list[str]:
    """The sentences without the names of who speaks."""
    return [_LEAD.sub("", part).strip() for part in _SPLIT.split(_LEAD.sub("", statement)) if part.strip()]


def tells(part: str) -> bool:
    """Whether it has a figure, a date or a name, or somebody speaks of themselves other than in kindness."""
    if _FIGURE.search(part) or _NAME.search(part):
        return True
    return bool(_SELF.search(part)) and not _KIND_SELF.match(part)


def addresses(part: str) -> bool:
    """Whether it speaks to the listener and states nothing."""
    return _YOU.search(part) is not None and not tells(part)


def reacts(part: str) -> bool:
    """Whether it greets, thanks, praises, cheers on or advises, or is a caption alone."""
    if _CAPTION.match(part):
        return True
    if tells(part):
        return False
    return bool(_PRAISE.match(part) or _ADVICE.match(part) or _KIND_SELF.match(part))


def platitude(part: str) -> bool:
    """Whether it offers, is a stock phrase, or says in the present what holds of everybody, with nothing to look up."""
    if _OFFER.search(part):
        return not _FIGURE.search(part)
    if tells(part) or part.endswith("?") or _PARTICULAR.search(part) or _PAST.search(part):
        return False
    return _PRESENT.search(part) is not None


def scrap(part: str) -> bool:
    """Whether a statement is nothing but a few words without anything to look up."""
    return len(part.split()) < _SHORT and not tells(part) and not re.search(r"[^\x00-\x7f]{3}", part)


def judged(statement: str) -> Verdict:
    """What is wrong with a statement. A question that is quoted with its answer may address whoever is asked."""
    parts = parts_of(statement)
    asked = [part for part in parts if part.endswith("?")]
    if 0 < len(asked) < len(parts):
        rest = [part for at, part in enumerate(parts) if not part.endswith("?") and not parts[at - 1].endswith("?")]
        is_answer = parts[0].endswith("?")
    else:
        rest, is_answer = parts, False
    you = [addresses(part) for part in rest]
    reaction = [reacts(part) for part in rest]
    return Verdict(
        dangling=not is_answer and bool(parts) and _DANGLING.match(parts[0]) is not None,
        you=any(you),
        reaction=any(reaction) or (len(parts) == 1 and scrap(parts[0])),
        empty=bool(rest) and all(one or two for one, two in zip(you, reaction, strict=True)),
        platitude=any(map(platitude, rest)),
    )


def items(turns: Sequence[tuple[str, str]], start: datetime = _START) -> Talk:
    """Turns (speaker, text) a minute apart."""
    return tuple(
        Item(text=text, source_ids=(str(number),), created_at=start + timedelta(minutes=number), speaker=speaker)
        for number, (speaker, text) in enumerate(turns)
        if text.strip()
    )


def locomo(folder: Path) -> list[list[Talk]]:
    """Four conversations, a talk a session."""
    return [list(sessions.values()) for sessions in load_locomo(folder / "locomo" / "locomo.json")]


def memorybank(folder: Path) -> list[list[Talk]]:
    """Months of chat of a few people with a companion, a talk a day."""
    people = json.loads((folder / "memorybank" / "en.json").read_text())
    return [
        [
            items([turn for pair in day for turn in ((name.strip(), pair["query"]), ("Companion", pair["response"]))])
            for day in person["history"].values()
        ]
        for name, person in people.items()
    ]


def dialogsum(folder: Path) -> list[list[Talk]]:
    """Short dialogs of two."""
    talks = []
    for line in (folder / "dialogsum" / "dev.jsonl").read_text().splitlines()[:120]:
        turns = [turn.split(": ", 1) for turn in json.loads(line)["dialogue"].split("\n") if ": " in turn]
        names = {"#Person1#": "Nora", "#Person2#": "Tom"}
        talks.append([items([(names.get(who, who.strip("#")), text) for who, text in turns])])
    return talks


def friendsqa(folder: Path) -> list[list[Talk]]:
    """Scenes of many speakers."""
    scenes = json.loads((folder / "friendsqa" / "friendsqa_dev.json").read_text())["data"]
    return [[items(spoken(paragraph["utterances:"])) for paragraph in scene["paragraphs"]] for scene in scenes]


def spoken(turns: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Who said what, written as people write; directions of the stage left out."""
    return [
        (" ".join(turn["speakers"]), re.sub(r" (?=[.,!?']|n't)", "", turn["utterance"]))
        for turn in turns
        if turn["speakers"] != ["#NOTE#"]
    ]


def madial(folder: Path) -> list[list[Talk]]:
    """Dialogs of a person with an assistant that remembers."""
    talks = []
    for line in (folder / "madial" / "en-dialogue.jsonl").read_text().splitlines():
        turns = re.findall(r"<([\w ]+)>: \"(.*)\"", "\n".join(json.loads(line)["dialogue"]))
        talks.append([items(turns)])
    return talks


SETS = {"locomo": locomo, "memorybank": memorybank, "madial": madial, "dialogsum": dialogsum, "friendsqa": friendsqa}


def summaries(talk: Talk, share: float) -> Iterator[str]:
    """Statements at a share of the words; at a share of 1 those of each six turns with room for all of it."""
    if share < 1:
        budget = int(share * sum(word_count(item.text) for item in talk))
        draft = summarize(Request(items=talk, max_tokens=budget, prompt=""), word_count)
        yield from (statement.text for statement in draft.statements)
        return
    for at in range(0, len(talk), 6):
        draft = summarize(Request(items=talk[at : at + 6], max_tokens=400, prompt=""), count)
        yield from (statement.text for statement in draft.statements)


_KINDS = ("dangling", "you", "reaction", "empty", "bad", "platitude", "poor")


def row(texts: Sequence[str]) -> str:
    """Figures of one set."""
    verdicts = [judged(text) for text in texts]
    tally = Counter[str]()
    for verdict in verdicts:
        tally.update(name for name in _KINDS if getattr(verdict, name))
    size = max(1, len(texts))
    shares = "  ".join(f"{name} {tally[name] / size:5.1%}" for name in _KINDS)
    return f"{len(texts):6} statements  {shares}"


def main() -> None:
    """Print one row a data set, half and share of the words."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--shares", type=float, nargs="+", default=[0.2, 1.0], help="of the words; 1 is all the room")
    parser.add_argument("--half", choices=("first", "second", "both"), default="both")
    parser.add_argument("--show", type=int, default=0, help="print so many statements by lot, of the halves measured")
    parser.add_argument("--bad", action="store_true", help="show only those with something wrong")
    args = parser.parse_args()
    shown: list[str] = []
    for name in args.sets:
        talks = SETS[name](args.data)
        halves = {"first": talks[0::2], "second": talks[1::2]}
        for half in [args.half] if args.half != "both" else list(halves):
            for share in args.shares:
                texts = [text for talk in halves[half] for session in talk for text in summaries(session, share)]
                print(f"{name:10} {half:6} {share:4.0%} {row(texts)}", flush=True)
                shown += [f"{name} {share:.0%} | {text}" for text in texts if not args.bad or judged(text).poor]
    for line in random.Random(7).sample(shown, min(args.show, len(shown))):
        print(line)


if __name__ == "__main__":
    main()
