"""What a memory is about, found by rules when it is written: type, subject, whose it is, how much it matters.

No model and no network. A subject is named only where a pattern is clear about it; the rest is left to the
nearest centroid. One subject has one type, in whatever words it is told, so that it ends in one cluster.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from precis.language.chitchat import is_reply
from precis.language.kinds import SMALLTALK, is_question, is_smalltalk, statement_kind
from precis.language.themes import PHRASES, SUBJECTS, Subject
from precis.language.words import STOP_WORDS, numbers, stem, words
from precis.memory import Extracted


def extract(text: str, *, speaker: str | None) -> Extracted:
    """Find type, subject, person and importance of one text; of its sentences the weightiest decides."""
    best, best_weight, content = _NOTHING, -1.0, set[str]()
    parts = list(_sentences(_told(text)))
    for sentence in parts:
        said = list(words(sentence))
        content.update(said)
        found = _read(sentence, said)
        weight = _BASE[found.kind] + min(found.score, 4) * 0.1 + len(set(said) - STOP_WORDS) * 0.01
        if weight > best_weight:
            best, best_weight = found, weight
    if best.subject is None and best.kind not in {"question", "decision"} and is_reply(parts):
        best = _NOTHING
    key = best.subject.key if best.subject else None
    return Extracted(
        type=best.kind,
        key=key,
        person=_person(best, speaker),
        importance=_importance(best.kind, key, text, content),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """What one sentence is taken for."""

    sentence: str
    kind: str
    subject: Subject | None
    #: How clearly the subject is named; 0 without one.
    score: int


_NOTHING = _Reading(sentence="", kind="smalltalk", subject=None, score=0)


# --- keys ---

_POSSESSIVE = re.compile(r"['\u2019]s\b")
_PUNCTUATION = re.compile(r"[\W_]+")
_SPELLINGS = (
    (re.compile(r"\buser interface\b"), "ui"),
    (re.compile(r"\be mails?\b"), "email"),
    (re.compile(r"\b(colo|favo|neighbo|harbo)ur"), r"\1r"),
)


def normalize_key(key: str) -> str:
    """Merge the spellings of a subject: "UI-theme", "UI_Themes" and "User Interface theme" are "ui theme"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold())
    plain = _PUNCTUATION.sub(" ", _POSSESSIVE.sub("", folded)).strip()
    for pattern, spelling in _SPELLINGS:
        plain = pattern.sub(spelling, plain)
    first, last = plain[: plain.rfind(" ") + 1], plain[plain.rfind(" ") + 1 :]
    return first + _singular(last) or folded.strip()


def _singular(word: str) -> str:
    """Take the plural off, and nothing else: a key is shown to people, so it stays a word."""
    if len(word) <= 3 or word[-2:] in {"ss", "us", "is"} or word[-1] != "s" or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


# --- one sentence ---

#: What a picture shows, in the words of somebody who was not there: "[shares a photo of a dog]".
_CAPTION = re.compile(r"\[(?:shares|shared|sends|sent|attaches|image|photo|picture)\b[^\[\]]*\]", re.IGNORECASE)
_BREAK = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")


def _told(text: str) -> str:
    """What is said without the captions, unless they are all there is: a dog in a picture is not yet a pet."""
    said = _CAPTION.sub(" ", text)
    return said if any(map(str.isalnum, said)) else text


def _sentences(text: str) -> Iterator[str]:
    return (part for part in _BREAK.split(text) if part and not part.isspace())


def _read(sentence: str, said: Sequence[str]) -> _Reading:
    if is_smalltalk(sentence, said):
        return _Reading(sentence=sentence, kind="smalltalk", subject=None, score=0)
    if is_question(sentence):
        return _Reading(sentence=sentence, kind="question", subject=None, score=0)
    subject, score = _subject(sentence, said)
    kind = subject.type if subject else statement_kind(sentence, said)
    return _Reading(sentence=sentence, kind=kind, subject=subject, score=score)


# --- the subject ---

#: What makes a plain mention of a thing a statement of how somebody has it.
_STATES = re.compile(
    r"\b(?:my|our|mine|favou?rite|prefer\w*|switch\w*|chang\w+|mov(?:e|es|ed|ing)|now|anymore|no longer|"
    r"these days|instead|is|are|was|were|set|use[sd]?|using|want\w*|drink\w*|eat\w*|keep|start\w*|stop\w*|"
    r"quit\w*|take|taking|drop(?:s|ped)|go(?:es|ing)? (?:back|up|down|to|out)|i'm|i've|i'd|got|have|had|has|"
    r"need\w*|like\w*|love\w*|order\w*|bought)\b"
)
_FAVORITE = re.compile(
    r"\b(?:favou?rite|preferred|go-to)\s+([\w-]+(?:\s[\w-]+){0,2}?)"
    r"\s+(?:is|are|was|were|has|remains|used to|these|now|at)\b",
    re.IGNORECASE,
)
_POSSESSOR = r"(?:\b(?:[Mm]y|[Oo]ur)|(?!(?:That|It|What|Here|There|He|She|Let|Who|Where)\b)\b[A-Z]\w+['\u2019]s)\s+"
_ATTRIBUTE = re.compile(
    _POSSESSOR + r"((?:[\w-]+\s){0,2}(?:address|birthday|budget|cadence|code|deadline|frequency|goal|hours|language|"
    r"name|number|password|preference|role|salary|schedule|setting|size|time ?zone))s?\b",
)
_RESET = re.compile(
    _POSSESSOR + r"([\w-]+(?:\s[\w-]+)?)\s+(?:is now|are now|is no longer|changed (?:to|from)|went from)\b",
)
_OPEN_SUBJECTS = ((_FAVORITE, "preference"), (_ATTRIBUTE, "fact"), (_RESET, "fact"))
#: Nouns that name no subject by themselves.
_VAGUE = frozenset(
    """
    thing things part way one ones place kind sort day time people person moment stuff bit
    """.split()
)


def _subject(sentence: str, said: Sequence[str]) -> tuple[Subject | None, int]:
    """Name the subject and how clearly it is named."""
    known = _known_subject(sentence, said)
    if known[0]:
        return known
    for pattern, kind in _OPEN_SUBJECTS:
        match = pattern.search(sentence)
        key = normalize_key(match.group(1)) if match else ""
        if key and key.split()[-1] not in _VAGUE and STOP_WORDS.isdisjoint(key.split()):
            return Subject(key=key, type=kind), 2
    return None, 0


def _known_subject(sentence: str, said: Sequence[str]) -> tuple[Subject | None, int]:
    """Pick the subject whose phrases weigh most; a weak mention counts only where something is stated."""
    stems = [stem(word) for word in said]
    scores: dict[int, int] = {}
    for start, word in enumerate(stems):
        for phrase, place, weight in PHRASES.get(word, ()):
            if tuple(stems[start : start + len(phrase)]) == phrase:
                scores[place] = scores.get(place, 0) + weight
    if not scores:
        return None, 0
    place = min(scores, key=lambda place: (-scores[place], place))
    if scores[place] < 2 and not _STATES.search(sentence.replace("\u2019", "'").lower()):
        return None, 0
    return SUBJECTS[place], scores[place]


# --- the person ---

_FIRST = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")
_SECOND = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_FIRST_PLURAL = re.compile(r"\b(?:we|our|us|ours)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear )\b([A-Z][^\W\d_]+)"
    r"(?:['\u2019]s\s+(?!(?:go|see|talk|say|use|start|not|been|got)\b)[a-z]|"
    r"\s+(?:(?:also|now|still|really|just|always|never) )?(?:has|is|was|likes|loves|hates|prefers|wants|"
    r"needs|moved|moves|lives|lived|works|worked|drinks|eats|uses|got|gets|went|goes|started|starts|"
    r"takes|took|bought|adopted|joined|left|quit|plans|switched|changed|decided|became|born|turned|speaks|plays|runs|ran|"
    r"enjoys|studies|keeps)\b)"
)
_OWNED = re.compile(r"\b([A-Z][^\W\d_]+)['\u2019]s\s+([\w-]+(?:\s[\w-]+){0,2})")
_NO_PERSON = frozenset(
    """
    nothing everything something anything the it that this there he she they what who which one everyone
    everybody somebody someone nobody monday tuesday wednesday thursday friday saturday sunday january
    february march april may june july august september october november december english spanish french
    german japanese christmas easter today tomorrow yesterday let here how where why when and but so
    then these those each every another half most some all not no yes i my we our you your his her their
    its app android python postgres figma penpot mapbox maplibre hetzner github slack google
    """.split()
)


def _person(found: _Reading, speaker: str | None) -> str | None:
    """Whose the subject is, else the earliest of the first person and a named one.

    What belongs to a team, or to whomever "you" is, is about nobody in particular.
    """
    sentence, subject = found.sentence, found.subject
    if subject.shared if subject else found.kind == "decision":
        return None
    owner = _owner(sentence, subject) if subject and "s " in sentence else None
    if owner:
        return owner
    first = _FIRST.search(sentence)
    named = next((m for m in _NAMED.finditer(sentence) if _is_name(m.group(1))), None)
    if named and (first is None or named.start() < first.start()):
        return named.group(1)
    if first or _FIRST_PLURAL.search(sentence):
        return speaker
    #: "Back from the clinic." leaves the I out, as one does about oneself.
    return speaker if subject and not _SECOND.search(sentence) else None


def _is_name(word: str) -> bool:
    return word.casefold() not in _NO_PERSON and stem(word.casefold()) not in PHRASES


def _owner(sentence: str, subject: Subject) -> str | None:
    """Find the name in "Alice's email cadence", also where somebody else says "I moved" it."""
    for match in _OWNED.finditer(sentence):
        if not _is_name(match.group(1)):
            continue
        owned = [stem(word) for word in words(match.group(2))]
        if subject.key in normalize_key(match.group(2)) or any(
            SUBJECTS[place].key == subject.key for word in owned for _, place, _ in PHRASES.get(word, ())
        ):
            return match.group(1)
    return None


# --- the importance ---

_BASE = {
    "smalltalk": 0.05,
    "question": 0.2,
    "opinion": 0.35,
    "event": 0.45,
    "fact": 0.45,
    "preference": 0.5,
    "plan": 0.5,
    "relationship": 0.5,
    "decision": 0.6,
}


_INNER_CAPITAL = re.compile(r"(?<=[\w,;] )[A-Z]\w+")


def _importance(kind: str, key: str | None, text: str, said: AbstractSet[str]) -> float:
    """Type first, then what can be looked up later: a subject, figures, names, and how much is said."""
    if kind == "smalltalk":
        return _BASE[kind]
    content = sum(word not in STOP_WORDS and word not in SMALLTALK for word in said)
    figures = min(len(numbers(text)), 2) * 0.04
    named = min(len(_INNER_CAPITAL.findall(text)), 2) * 0.04
    return round(_BASE[kind] + (0.1 if key else 0.0) + figures + named + min(content, 20) * 0.0125, 3)
