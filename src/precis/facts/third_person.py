"""A sentence with the name of its speaker in it, where the rules are sure of its grammar; and what is English. Pure."""

import re

from precis.language import tables
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.script import is_english
from precis.language.words import STOP_WORDS, words

_APOSTROPHE = "['\u2019]"
_ME = re.compile(rf"\b(?:I(?:{_APOSTROPHE}\w+)?|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b")
#: Several speak, or somebody is spoken to or quoted: who is meant is not for a rule to say.
_OTHERS = re.compile(r"\b(?:we|us|our|ours|ourselves|mine|myself|you|your)\b|[\"\u201c\u201d\u00ab]", re.IGNORECASE)
_ADVERBS = (
    "also|always|never|still|just|only|often|now|once|twice|sometimes|seldom|already|even|ever|"
    r"(?!(?:al|app|bul|comp|f|imp|multip|ral|re|rep|supp|tal)ly\b)[a-z]+ly"
)
_SUBJECT = re.compile(rf"\bI(?:({_APOSTROPHE}\w+)|\b)((?: (?:{_ADVERBS})\b)*)(?: (\w+(?:{_APOSTROPHE}t\b)?))?")
_SHORT = {"m": " is", "ve": " has", "ll": " will"}
_AGREES = {
    "am": "is", "was": "was", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "will": "will",
    "won't": "won't", "can": "can", "can't": "can't", "cannot": "cannot", "must": "must", "should": "should",
    "had": "had", "did": "did", "didn't": "didn't", "wasn't": "wasn't", "hadn't": "hadn't", "couldn't": "couldn't",
    "could": "could", "might": "might", "may": "may",
}  # fmt: skip
#: A verb of the past that the grammar does not list: "passed", but "need" is none.
_PAST = re.compile(r"[a-z]{2,}(?<!e)ed|told|said")
#: What is somebody's own behind a verb of theirs: "changed my mind".
_OWN = re.compile(rf"^([^,;:]*?)\b[Mm]y( (?:(?:left|right|own) )?(?:{tables.choices('told_of.own')})\b)")
#: Behind "I" stands a verb.
_VERBS = {**AMBIGUOUS_FORMS, **FORMS}
_THIRD = {form.lemma: spelling for spelling, form in _VERBS.items() if "third" in form.kinds}
#: Words of English that its neighbors have, too.
_SHARED = frozenset("i a in no as do me come".split())
#: What may bring a second verb that would have to agree as well, and the word behind it.
_JOINS = re.compile(rf"(?:\b(?:and|or|but)\b|,)(?: (?:and|or|but|{_ADVERBS}))* (\w+)")


def speaks_english(sentence: str) -> bool:
    """Whether an English verb stands behind "I", which is a word in other languages, too; or "my" is in it."""
    subject = _SUBJECT.search(sentence)
    if subject is None:
        return re.search(r"\b[Mm]y\b", sentence) is not None
    verb = (subject[3] or "").replace("\u2019", "'")
    if subject[1] is not None or verb in _VERBS or verb in _AGREES:
        return True
    return verb.isascii() and verb.islower() and (verb.endswith("ed") or (_is_plain(sentence) and is_english(sentence)))


def may_be_another(sentence: str) -> bool:
    """Whether "me", by which it would be of its speaker, may be of another language: "Me iría a vivir fuera"."""
    return re.search(r"\b[Mm]e\b", sentence) is not None and not _is_plain(sentence)


def _is_plain(sentence: str) -> bool:
    """Whether a word of it is English alone: "I miei genitori arrivano a mezzogiorno" has two of English, and none."""
    return any(word in STOP_WORDS and word not in _SHARED for word in words(sentence))


def in_third_person(sentence: str, name: str) -> str | None:
    """The sentence with the name of its speaker in it; None where the rules cannot be sure of its grammar."""
    if not _ME.search(sentence):
        return sentence
    if _OTHERS.search(sentence):
        return None
    parts: list[str] = []
    end = 0
    for subject in _SUBJECT.finditer(sentence):
        agreed = _agreed(subject, name, rest=sentence[subject.end() :])
        if agreed is None:
            return None
        between = sentence[end : subject.start()]
        # "I dislike ORMs, I write SQL" is one sentence of one person.
        joined = bool(parts) and parts[0] == "" and between.endswith(", ") and subject[1] is None
        parts += [f"{between[:-2]} and", agreed.removeprefix(name)] if joined else [between, agreed]
        end = subject.end()
    renamed = "".join([*parts, sentence[end:]])
    if parts and parts[0] == "":
        renamed = _OWN.sub(r"\1their\2", renamed)
    renamed = re.sub(r"\b[Mm]y\b", f"{name}'s", renamed)
    return re.sub(r"\b[Mm]e\b", name, renamed)


def _agreed(subject: re.Match[str], name: str, *, rest: str) -> str | None:
    """The name with the verb behind it."""
    short, adverbs, verb = subject[1], subject[2], subject[3] or ""
    if short is not None:
        ending = _SHORT.get(short[1:])
        return None if ending is None else f"{name}{ending}{adverbs}{f' {verb}' if verb else ''}"
    agreed = _AGREES.get(verb.replace("\u2019", "'")) or _third(verb, rest)
    return f"{name}{adverbs} {agreed}" if agreed else None


def _third(verb: str, rest: str) -> str | None:
    kinds = _VERBS[verb].kinds if verb in _VERBS else frozenset()
    if "past" in kinds or (not kinds and _PAST.fullmatch(verb)):
        return None if "base" in kinds else verb
    agree = any("base" in _VERBS[word].kinds for word in _JOINS.findall(rest) if word in _VERBS)
    return _THIRD[_VERBS[verb].lemma] if "base" in kinds and not agree else None
