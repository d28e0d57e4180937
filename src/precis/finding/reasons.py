"""Why something is asked for is no part of what is asked for: "Forget Rusty, he went to a new home".

A clause behind the one that asks, with a subject and a verb of its own, says why. What says of whom or of which of
several the request speaks, what asks something itself, and what tells of a change stay.
"""

import re
from collections.abc import Sequence

from precis.finding.asked.refusals import spared_in
from precis.finding.capitals import ADVERBS, finite
from precis.finding.framing import CLAUSE, Asked, sorts_of, unframed
from precis.finding.parts import Subject
from precis.finding.reading import Word, read_words
from precis.finding.tables import name_words, patterns
from precis.finding.wording import stripped
from precis.language.tokens import token
from precis.language.verbs import form_of
from precis.language.words import STOP_WORDS

#: Subjects of a clause that says why; the last are contracted with their verb.
_SUBJECTS = frozenset("i he she it they we you that this these those there everyone everybody nobody".split())
_OWNERS = frozenset("the my our his her their".split())
_CONTRACTED = re.compile(r"(?:['\u2019](?:s|m|re|ve|d|ll)|^im|^ive|^hes|^shes|^theyre|^thats)$", re.IGNORECASE)
#: Before a reason, in the same clause.
_BECAUSE = re.compile(
    r",?\s+(?:because|'?cause|cuz|coz|bc|seeing (?:that|as)|given that|now that"
    r"|(?:as|since)(?= (?:he|she|it|they)\b))\s",
    re.IGNORECASE,
)
#: Between a request in another language and why it is made.
_JOINTS = re.compile(r"[,.;:!?]\s+(?=\S)|\s+[-\u2013\u2014]\s+|[\u3001\u3002\uff0c\uff1b\uff01\uff1f](?=\S)")
_OPENS = frozenset("so and as because since cause cuz bc well anyway".split())
#: They say which of several is meant, or what is not.
_SELECTS = name_words("selecting")
#: Something is another now: what was told of it may be old or new.
_CHANGES = name_words("changing_verbs")
_BEFORE = re.compile(
    r"\b(?:before|after|until|till|since|bis|seit|bevor|nachdem|avant|jusqu\w*|depuis|antes|hasta|despu\u00e9s|prima|fino"
    r"|dopo|at\u00e9|depois|tot|sinds|innan|tills|sedan|\u043f\u043e\u0441\u043b\u0435)\b"
    r"(?! (?:about|of|regarding|concerning)\b)['\u2019 ]+\w",
    re.IGNORECASE,
)
_MOST = re.compile(r"\b(?:most recent|latest|newest|oldest|earliest|(?:\u00e4lt|neu|j\u00fcng)est\w+)\b", re.IGNORECASE)
_PERSONS = frozenset("he she they he's she's they're".split())
_DETERMINERS = frozenset("a an the my our his her their one".split())
#: Longest subject of a reason, in words.
_SUBJECT = 4


def selects(subject: Subject) -> bool:
    """Whether words that choose among several values or times are left in a subject, which nothing has read.

    What is meant by "my address before the present one" would else be every address.
    """
    before = _BEFORE.search(subject.text) is not None and not subject.old
    return before or (_MOST.search(subject.text) is not None and not (subject.old or subject.current))


def without_reasons(text: str) -> str:
    """An English request without the clauses behind it that say why."""
    joints = [*CLAUSE.finditer(text)]
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(text)]
    asking = next((at for at in range(len(starts)) if _asks(text[starts[at] : ends[at]])), None)
    if asking is None:
        return text
    begins = starts[asking]
    because = _BECAUSE.search(text, begins, ends[asking])
    kept = text[: ends[asking]]
    if because and _asks(text[begins : because.start()]) and _is_reason(text[because.end() : ends[asking]]):
        kept = text[: because.start()]
    for at in range(asking + 1, len(starts)):
        if not _is_reason(text[starts[at] : ends[at]]):
            kept = f"{kept}{text[ends[at - 1] : ends[at]]}"
    return kept


def without_reasons_abroad(text: str, language: str) -> str:
    """A request in another language without the last clauses that only say that two people part, or the like."""
    reasons = patterns(language, "reason")
    while reasons:
        *_, joint = [None, *_JOINTS.finditer(text)]
        clause = text[joint.end() :].strip(" .!\u3002\uff01") if joint else ""
        if joint is None or not any(re.fullmatch(reason, clause, re.IGNORECASE) for reason in reasons):
            return text
        rest, purpose = unframed(text[: joint.start()], language)
        if not stripped(rest, language) or purpose is Asked.KEEP:
            return text  # "Forget: we are parting"
        text = text[: joint.start()]
    return text


def _asks(clause: str) -> bool:
    """Whether it asks to forget something that it names itself."""
    rest, purpose = unframed(clause, "en")
    words = read_words(rest)
    return purpose is Asked.FORGET and not all(word.low in STOP_WORDS for word in words)


def _is_reason(clause: str) -> bool:
    words = read_words(clause)
    while words and words[0].low in _OPENS:
        words = words[1:]
    lows = {word.low for word in words}
    selecting = lows & _SELECTS or spared_in(clause, "en", opens=True)  # "the car excepted"
    if len(words) < 2 or selecting or {"keeps", "forgets"} & {*sorts_of(clause, "en")}:
        return False
    if not _has_verb(words) or any(_changes(word.low) for word in words):
        return False
    who = words[0].text.lower() in _PERSONS or words[0].low in _PERSONS
    identifies = who and any(word.low in _DETERMINERS for word in words[1:3])
    return not identifies


def _has_verb(words: Sequence[Word]) -> bool:
    """Whether it begins with a subject and goes on with a verb."""
    opening = words[0]
    short = _CONTRACTED.search(opening.text) is not None
    if short and opening.owns and opening.low not in _SUBJECTS:
        # "Anna's moved", and not "Anna's birthday".
        short = words[1].low in STOP_WORDS or words[1].low in ADVERBS or form_of(token(words[1].low)) is not None
    if opening.low in _SUBJECTS or short:
        return True
    if not (opening.low in _OWNERS or opening.capital):
        return False
    return any(finite(word) or word.low in name_words("auxiliaries") for word in words[1 : _SUBJECT + 1]) and (
        words[1].low not in ADVERBS
    )


def _changes(low: str) -> bool:
    form = form_of(token(low))
    return low in _CHANGES or (form is not None and form.lemma in _CHANGES)
