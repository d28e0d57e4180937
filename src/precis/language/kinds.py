"""What kind of sentence it is: smalltalk, a question, or what its words say it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from precis.language.chitchat import hollow
from precis.language.words import STOP_WORDS

SMALLTALK = frozenset(
    """
    ya hi hello hey morning evening night good bye goodbye thanks thank cheers welcome congratulations
    congrats bravo wow ha haha lol yes yeah yep no nope ok okay sure right done agreed noted great nice
    lovely cool awesome amazing perfect absolutely exactly definitely totally sorry take care soon later
    see talk everyone all everybody guys team please same works day today sounds catch luck best glad
    happy hear hope well really so much that's it's what's how's got keep up work chat way anytime worries
    problem course wonderful fantastic cute aw aww oh never hug hugs proud inspiring
    """.split()
)
_QUESTION_OPENS = re.compile(
    r"(?:(?:and|but|so|ok|okay|hey|oh|wow|well|also)\W+)?(?:who|what|when|where|why|how|which|whose|is|are|was|"
    r"were|do|does|did|can|could|would|will|should|have|has|any|shall|may)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_SELF = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")

_FAMILY = (
    r"wife|husband|partner|girlfriend|boyfriend|fianc\w+|sister|brother|mother|mom|mum|father|dad|son|daughter|"
    r"kids?|children|cousin|aunt|uncle|niece|"
    r"nephew|grand\w+|friends?|roommate|neighbou?r|boss|colleague|parents|family"
)
_DONE = (
    r"went|got|had|made|won|lost|ran|met|saw|found|bought|took|left|came|gave|hurt|did|broke|began|wrote|started|"
    r"tried|visited|joined|finished|moved|adopted|\w{3,}ed"
)
#: Tried in order; the first that occurs decides.
_KINDS = (
    (
        "decision",
        (
            r"\b(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on|chose|picked)\b",
            r"\bdecision\b|\bdecided[:.]",
            r"\blet's (?:use|go with|say|start)\b",
            r"\bwe(?:'ll| will)? (?:go with|switch(?:ed)? to)\b|\bthe plan is\b",
        ),
    ),
    (
        "preference",
        (
            r"\b(?:prefer|favou?rite|i(?:'d| would) (?:rather|like)|can't stand|my go-to|big fan of)\b",
            r"\bi (?:(?:really|absolutely|just|always|don't) )*(?:love|like|enjoy|adore|hate|dislike)\b",
            r"\b(?:likes|loves|hates|enjoys|prefers|wants|always|never)\b",
        ),
    ),
    (
        "plan",
        (
            r"\b(?:going to|gonna|planning|plan to|plans? (?:for|to)|i'll|we'll|i will|we will)\b",
            r"\bcan't wait\b",
            r"\bwill (?:be|move|start|leave|go|take|come)\b",
            r"\b(?:hoping to|thinking (?:of|about)|wants? to)\b",
            r"\b(?:looking forward|booked|signed up|tomorrow|upcoming)\b",
            r"\bnext (?:week|month|year|summer|spring|autumn|fall|winter|\w+day)\b",
            r"\b(?:i'm|i am|we're|we are) (?:moving|starting|leaving|travel\w*|flying|getting|visiting)\b",
        ),
    ),
    (
        "relationship",
        (
            rf"\b(?:my|our|his|her|their|'s) (?:\w+ )?(?:{_FAMILY})\b",
            r"\b(?:engaged|married|divorced|dating)\b",
        ),
    ),
    (
        "event",
        (
            r"\b(?:yesterday|ago|this morning|today|recently)\b",
            r"\blast (?:night|week|weekend|month|year|summer|spring|fall|autumn|winter|\w+day)\b",
            rf"\b(?:just|finally) (?:{_DONE})\b",
            rf"\b(?:i|we|he|she|they) (?:(?:just|also|finally|recently) )?(?:{_DONE})\b",
        ),
    ),
    (
        "opinion",
        (
            r"\bi (?:(?:really|still|also) )?(?:think|believe|feel|guess|suppose|doubt|find|bet)\b",
            r"\bin my opinion\b",
            r"\b(?:honestly|seems?|should|must be|feels? like|such an?|worth)\b",
            r"\b(?:important|impressive|best|worst)\b",
            r"\b(?:so (?:much|good|great|nice|important|cool)|too (?:much|good|bad|many))\b",
            r"\b(?:amazing|awesome|incredible|beautiful|terrible|inspiring|great|lovely|wonderful)\b",
            r"\b(?:that|it)(?:'s| is| was| sounds| looks| must)(?: \w+)? \w+\b",
        ),
    ),
)
_KIND = tuple((kind, re.compile("|".join(patterns))) for kind, patterns in _KINDS)


def is_smalltalk(sentence: str, said: Sequence[str]) -> bool:
    """Whether it holds nothing to remember: only the words of greeting, thanking, cheering and agreeing."""
    if not said or _FIGURE.search(sentence):
        return not said
    if hollow(sentence, selfless=True):
        return True
    strange = sum(word not in SMALLTALK and word not in STOP_WORDS for word in said)
    short = len(said) <= 4 and said[0] in SMALLTALK and not {"from", "in"}.intersection(said)
    return strange == 0 or (strange == 1 and short and not sentence.endswith("?"))


def is_question(sentence: str) -> bool:
    """Whether it asks: a question mark at its end, or inside after an opening that asks."""
    ending = sentence.rstrip("\"')]\u201d ")[-1:]
    return ending in {"?", "\uff1f"} or ("?" in sentence and _QUESTION_OPENS.match(sentence) is not None)


def statement_kind(sentence: str, said: Sequence[str]) -> str:
    """Name what a statement without a known subject tells; a fact when no rule says otherwise."""
    plain = sentence.replace("\u2019", "'").lower()
    kind = next((kind for kind, pattern in _KIND if pattern.search(plain)), "fact")
    return "smalltalk" if kind == "fact" and _is_fragment(sentence, said) else kind


def _is_fragment(sentence: str, said: Sequence[str]) -> bool:
    """Whether it is a shout or an aside: one word of content, nobody speaking of themselves, no figure."""
    content = sum(word not in SMALLTALK and word not in STOP_WORDS for word in said)
    return content < 2 and not _FIGURE.search(sentence) and not _SELF.search(sentence)
