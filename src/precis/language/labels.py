"""What a memory is about, found by rules when it is written: type, subject, whose it is, how much it matters.

No model and no network. A subject is named only where the grammar is clear about it: "my locker code", "Bob's favorite
coffee", where somebody lives or works. No list of themes says what memories are about: the rest is left to the nearest
centroid (``precis.engine.grouping``), and titles say it in the words of the memories. The words of the grammar stand in
``en/labels.toml`` and ``en/attributes.toml``.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from precis import patterns as re
from precis.language import tables
from precis.language.chitchat import GREETINGS, greets, is_aside, is_greeting, is_reply
from precis.language.dates import MONTH_NAMES, WEEKDAYS
from precis.language.grammar import FORMS, ROLES, SINGLE_ATTRIBUTES
from precis.language.reading import Line, read
from precis.language.sentences import asks
from precis.language.words import MARKS, STOP_WORDS, numbers, words
from precis.memory import Extracted


def extract(text: str, *, speaker: str | None) -> Extracted:
    """Find type, subject, person and importance of one text; of its sentences the weightiest decides."""
    best, best_weight, content = _NOTHING, -1.0, set[str]()
    parts = list(_sentences(_without_captions(text)))
    for sentence in parts:
        wording = list(words(sentence))
        content.update(wording)
        reading = _read(sentence, wording)
        weight = _BASE[reading.kind] + (0.2 if reading.subject else 0.0) + len(set(wording) - STOP_WORDS) * 0.01
        if weight > best_weight:
            best, best_weight = reading, weight
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
class Subject:
    """What a memory is about."""

    key: str
    #: The type of every memory of this subject.
    type: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """What one sentence is taken for."""

    sentence: str
    kind: str
    subject: Subject | None = None


_NOTHING = _Reading(sentence="", kind="smalltalk")


# --- keys ---

_POSSESSIVE = re.compile(r"['\u2019]s\b")
#: A word with its marks ("कॉफ़ी") and with the signs that make another name of it ("C++", "F#").
_PART = re.compile(rf"(?:[^\W_][{MARKS}]*)+(?:[+#]+(?!\w))?")
_SPELLINGS = (
    (re.compile(r"\buser interface\b"), "ui"),
    (re.compile(r"\be mails?\b"), "email"),
    (re.compile(r"\b(colo|favo|neighbo|harbo)ur"), r"\1r"),
)


#: Nouns that end as a plural does; and plurals that end as the names of sciences do.
_SINGULARS, _COUNTED = frozenset(tables.words("labels.singulars")), frozenset(tables.words("labels.counted"))


def normalize_key(key: str) -> str:
    """Merge the spellings of a subject: "UI-theme", "UI_Themes" and "User Interface theme" are "ui theme"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", key).casefold())
    plain = " ".join(_PART.findall(_POSSESSIVE.sub("", folded)))
    for pattern, spelling in _SPELLINGS:
        plain = pattern.sub(spelling, plain)
    first, last = plain[: plain.rfind(" ") + 1], plain[plain.rfind(" ") + 1 :]
    return first + _singular(last) or folded.strip()


def _singular(word: str) -> str:
    """Take the plural off, and nothing else: a key is shown to people, so it stays a word."""
    if len(word) <= 3 or word[-2:] in {"ss", "us", "is"} or word[-1] != "s" or not word.isascii():
        return word
    if word in _SINGULARS or (word.endswith("ics") and word not in _COUNTED):
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


def _without_captions(text: str) -> str:
    """What is said without the captions, unless they are all there is: a dog in a picture is not yet a pet."""
    spoken = _CAPTION.sub(" ", text)
    return spoken if any(map(str.isalnum, spoken)) else text


def _sentences(text: str) -> Iterator[str]:
    return (part for part in _BREAK.split(text) if part and not part.isspace())


def _read(sentence: str, wording: Sequence[str]) -> _Reading:
    if is_greeting(sentence, wording) or greets(sentence):
        return _Reading(sentence=sentence, kind="smalltalk")
    if asks(sentence):
        return _Reading(sentence=sentence, kind="question")
    subject = _subject(sentence, wording)
    return _Reading(sentence=sentence, kind=subject.type if subject else _kind(sentence, wording), subject=subject)


_NAMES = {f"{{{name}}}": tables.choices(f"labels.names.{name}") for name in tables.section("labels.names")}


def _kind_pattern(kind: str) -> re.Pattern[str]:
    alternatives = tables.choices(f"labels.kinds.{kind}")
    for name, meaning in _NAMES.items():
        alternatives = alternatives.replace(name, meaning)
    return re.compile(alternatives)


#: Tried in order; the first that occurs decides.
_KINDS = {kind: _kind_pattern(kind) for kind in tables.section("labels.kinds")}


def _kind(sentence: str, wording: Sequence[str]) -> str:
    """Name what a statement without a named subject tells; a fact when no rule says otherwise."""
    plain = sentence.replace("\u2019", "'").lower()
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(plain)), "fact")
    return "smalltalk" if kind == "fact" and is_aside(sentence, wording) else kind


# --- the subject ---

_FAVORITE = re.compile(
    r"\b(?:favou?rite|preferred|go-to)\s+([\w-]+(?:\s[\w-]+){0,2}?)"
    r"\s+(?:is|are|was|were|has|remains|used to|these|now|at)\b",
    re.IGNORECASE,
)
_POSSESSOR = r"(?:\b(?:[Mm]y|[Oo]ur)|(?!(?:That|It|What|Here|There|He|She|Let|Who|Where)\b)\b[A-Z]\w+['\u2019]s)\s+"
_ATTRIBUTE = re.compile(rf"{_POSSESSOR}((?:[\w-]+\s){{0,2}}(?:{tables.choices('labels.attributes')}))s?\b")
_RESET = re.compile(
    _POSSESSOR + r"([\w-]+(?:\s[\w-]+)?)\s+(?:is now|are now|is no longer|changed (?:to|from)|went from)\b",
)
#: The patterns, each with what whatever fits it has one of in it.
_OWNERS = ("my", "My", "our", "Our", "'s", "\u2019s")
_PATTERNS = ((_FAVORITE, "preference", None), (_ATTRIBUTE, "fact", _OWNERS), (_RESET, "fact", _OWNERS))
#: Nouns that name no subject by themselves.
_VAGUE = frozenset(tables.words("labels.vague"))


#: What somebody has one of: where they live, for whom they work.
_ATTRIBUTES = SINGLE_ATTRIBUTES - {"place"}
#: Forms of the verbs that say so.
_VERBS = frozenset(
    spelling
    for spelling, form in FORMS.items()
    if any(role.attribute in _ATTRIBUTES for role in ROLES.get(form.lemma, ()))
)


def _subject(sentence: str, wording: Sequence[str]) -> Subject | None:
    """Name the subject where a pattern is clear about it."""
    for pattern, kind, parts in _PATTERNS:
        match = pattern.search(sentence) if parts is None or any(map(sentence.__contains__, parts)) else None
        key = normalize_key(match.group(1)) if match else ""
        if key and key.split()[-1] not in _VAGUE and STOP_WORDS.isdisjoint(key.split()):
            return Subject(key=key, type=kind)
    attribute = _attribute(sentence, wording) or _slot(sentence)
    return Subject(key=attribute, type="fact") if attribute else None


#: How a statement tells where somebody lives or works that the grammar does not read to its end.
_SLOTS = {key: re.compile(rf"\b(?:{tables.choices(f'labels.slots.{key}')})") for key in tables.section("labels.slots")}


def _slot(sentence: str) -> str | None:
    """What everybody has one of, and the sentence tells of: that a newer value stands for it is found by this."""
    lowered = sentence.replace("\u2019", "'").lower()
    return next((key for key, pattern in _SLOTS.items() if pattern.search(lowered)), None)


def _attribute(sentence: str, wording: Sequence[str]) -> str | None:
    """What the sentence gives somebody a value of: "home" of "Ben moved to Oslo"."""
    if _VERBS.isdisjoint(wording) or not any(_may_say(wording, at) for at in range(len(wording) - 1)):
        return None  # reading it takes long
    assertions = (assertion for part in read(Line(text=sentence, speaker=None)) for assertion in part.assertions)
    named = (_ATTRIBUTES & assertion.attributes for assertion in assertions if not assertion.subject.thing)
    return next((min(attributes) for attributes in named if attributes), None)


def _may_say(wording: Sequence[str], at: int) -> bool:
    """Whether a verb stands here with the words behind it that give an attribute a value."""
    form = FORMS.get(wording[at])
    return form is not None and any(
        role.attribute in _ATTRIBUTES and role.particle == tuple(wording[at + 1 : at + 1 + len(role.particle)])
        for role in ROLES.get(form.lemma, ())
    )


# --- the person ---

_FIRST = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")
_SECOND = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_FIRST_PLURAL = re.compile(r"\b(?:we|our|us|ours)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear )\b([A-Z][^\W\d_]+)"
    r"(?:['\u2019]s\s+(?!(?:go|see|talk|say|use|start|not|been|got)\b)[a-z]"
    rf"|\s+(?:(?:also|now|still|really|just|always|never) )?(?:{tables.choices('labels.does')})\b)"
)
_OWNED = re.compile(r"\b([A-Z][^\W\d_]+)['\u2019]s\s+([\w-]+(?:\s[\w-]+){0,2})")
#: Words with a capital behind which nobody stands, with the names of days and months.
_ROLES = frozenset(tables.words("labels.roles"))
NO_PERSON = frozenset((*tables.words("labels.no_person"), *WEEKDAYS, *MONTH_NAMES.values()))


def _person(reading: _Reading, speaker: str | None) -> str | None:
    """Whose the subject is, else the earliest of the first person and a named one.

    What several decided, or what belongs to whomever "you" is, is about nobody in particular.
    """
    sentence, subject = reading.sentence, reading.subject
    if reading.kind == "decision":
        return None
    owner = _owner(sentence, subject) if subject and "s " in sentence else None
    if owner:
        return owner
    first = _FIRST.search(sentence)
    names = (m for m in _NAMED.finditer(sentence) if _is_name(m.group(1)))
    named = next((m for m in names if subject or m.start() or m.group(1).casefold() not in _ROLES), None)
    if named and (first is None or named.start() < first.start()):
        return named.group(1)
    if first or _FIRST_PLURAL.search(sentence):
        return speaker
    #: "Back from the clinic." leaves the I out, as one does about oneself.
    return speaker if subject and not _SECOND.search(sentence) else None


def _is_name(word: str) -> bool:
    return word.casefold() not in NO_PERSON


def _owner(sentence: str, subject: Subject) -> str | None:
    """Find the name in "Alice's locker code", also where somebody else says "I changed" it."""
    owners = (match for match in _OWNED.finditer(sentence) if _is_name(match.group(1)))
    return next((match.group(1) for match in owners if subject.key in normalize_key(match.group(2))), None)


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


def _importance(kind: str, key: str | None, text: str, wording: AbstractSet[str]) -> float:
    """Type first, then what can be looked up later: a subject, figures, names, and how much is said."""
    if kind == "smalltalk":
        return _BASE[kind]
    content = sum(word not in STOP_WORDS and word not in GREETINGS for word in wording)
    figures = min(len(numbers(text)), 2) * 0.04
    named = min(len(_INNER_CAPITAL.findall(text)), 2) * 0.04
    return round(_BASE[kind] + (0.1 if key else 0.0) + figures + named + min(content, 20) * 0.0125, 3)
