"""Whether a sentence tells something of somebody by name, "Theo is allergic to peanuts"; how it is meant, with a name.

A sentence gets the name of its speaker where the rules are sure of its grammar. What somebody takes back within it, "to
me: no wait, to Tomasz", is the value that they mean; where that is not plain, what the next sentence says of the same.
"""

from collections.abc import Sequence

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import AMBIGUOUS_FORMS, FORMS
from precis.language.labels import NO_PERSON
from precis.language.newest.signs import OPENS, SURE
from precis.language.newest.swapping import corrected
from precis.language.script import is_english, is_foreign
from precis.language.sentences import is_question
from precis.language.words import STOP_WORDS, numbers, words

_TITLES = r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sr|St)\.?"
#: A name, what may stand between it and its verb, and the next word; or what is the name's.
_NAMED = re.compile(
    rf"(?:{_TITLES} )?\b(?P<name>[A-Z][^\W\d_]+)(?:[ -](?P<last>[A-Z][^\W\d_]+)){{0,4}}"
    r"(?:['\u2019]s (?P<owned>[a-z][\w-]+)"
    r"|(?: (?:also|now|still|just|always|never|already|only|usually|often|really|[a-z]+ly))*"
    r" (?P<verb>[a-z]+(?:n['\u2019]t)?)\b)"
)
_VERBS, _BARE, _HEALTH = (frozenset(tables.words(f"told_of.{name}")) for name in ("verbs", "bare", "health"))
#: Nouns of what holds of everybody: "Swimming", "Happiness".
_ABSTRACT = re.compile(r".{3,}(?:ing|tion|ness|ment|ity|ship|ance|ence|ism|ery)")
#: "No peanuts, no cashews for Theo": what somebody does not get.
_KEPT_FROM = re.compile(r"no [\w -]+(?:, (?:and )?no [\w -]+)+ for [A-Z][^\W\d_]+\W*", re.IGNORECASE)
#: Behind one of these nobody is who does something: "the van to Glasgow comes".
_BEHIND = re.compile(r"\b(?:in|at|to|from|near|of|for|by|on|via|around|through) $")
_LONGEST = len(" through ")
#: "Olga's mobile is".
_OWNED = re.compile(r"\b[A-Z][^\W\d_]+['\u2019]s (?:[a-z-]+ ){1,3}(?:is|are|was|were|has)\b")
#: "Nordkaj went well", and words behind a verb that say it is of the moment, or goes without saying.
_WENT = re.compile(r" (?:went|goes|is going|was) (?:\w+ly )?(?:well|fine|great|badly|smoothly|ok(?:ay)?|so-so)\b")
_PASSING = frozenset(tables.words("told_of.passing"))
_JUST = re.compile(r"\bjust$")
_BEGUN = re.compile(
    r"(?:[A-Z][\w.]+ )+(?:has |have )?(?:started|begun|began|finished|stopped)"
    r"(?: (?:today|yesterday|now|again|early|late))*\W*"
)
_OPENING = re.compile(rf"\W*(?:{_TITLES} )?")


def tells_of_named(sentence: str) -> bool:
    """Whether somebody with a name does, is or has something in it.

    A capital letter at the beginning makes a name only of a word that is no verb and no noun without an article.
    """
    if _KEPT_FROM.fullmatch(sentence):
        return True
    return any(_tells(match, sentence) for match in _NAMED.finditer(sentence))


def is_passing(sentence: str) -> bool:
    """Whether all that it tells of somebody by name is what they did for a moment: "Tuss ate a sock."."""
    done = [match for match in _NAMED.finditer(sentence) if match["verb"] and _tells(match, sentence)]
    if done and _BEGUN.fullmatch(sentence):  # with what, another sentence says
        return True
    if not done or has_health(sentence) or any(match["verb"] not in _PASSING for match in done[:1]):
        return bool(done) and _WENT.search(sentence) is not None and not numbers(sentence)
    just = _JUST.search(sentence[: done[0].start("verb")].rstrip()) is not None
    off = re.match(r"\s+(?:off|in sick)\b", sentence[done[0].end() :]) is not None
    return just or not (off or numbers(sentence))


def tells_of_health(sentence: str) -> bool:
    """Whether it does so in a word of health, of medicine or of what somebody may not eat."""
    return has_health(sentence) and tells_of_named(sentence)


def has_health(sentence: str) -> bool:
    """Whether it has such a word, of whomever it tells."""
    return not _HEALTH.isdisjoint(words(sentence))


def is_plainly_english(sentence: str) -> bool:
    """Whether somebody with a name does something in a verb that is English, or is something in a word that is.

    It is for sentences too short for their language to show in the words of the grammar.
    """
    if is_foreign(sentence):
        return False
    if _OWNED.search(sentence):
        return True
    verbs = (match["verb"] for match in _NAMED.finditer(sentence) if match["verb"] and _tells(match, sentence))
    return tells_of_health(sentence) or any(verb in FORMS and "third" in FORMS[verb].kinds for verb in verbs)


def _tells(match: re.Match[str], sentence: str) -> bool:
    name = (match["last"] or match["name"]).casefold()
    opens = match["last"] is None and _OPENING.fullmatch(sentence, 0, match.start("name")) is not None
    if name in STOP_WORDS or name in NO_PERSON or (opens and _is_word(name, sentence)):
        return False
    if match["owned"] is None and _BEHIND.search(sentence, max(0, match.start() - _LONGEST), match.start()):
        return False
    return match["owned"] is not None or _is_verb(match["verb"].replace("\u2019", "'"))


def _is_word(opening: str, sentence: str) -> bool:
    """Whether the first word of a sentence is surely no name, as far as the lists go."""
    if re.match(rf"\W*{_TITLES} ", sentence):
        return False
    return opening in FORMS or opening in _BARE or _ABSTRACT.fullmatch(opening) is not None


def _is_verb(word: str) -> bool:
    form = FORMS.get(word) or AMBIGUOUS_FORMS.get(word)
    kinds = form.kinds if form else frozenset()
    return word in _VERBS or not kinds.isdisjoint({"third", "past"}) or word.endswith(("ed", "cts", "sts"))


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
_ANY_VERBS = {**AMBIGUOUS_FORMS, **FORMS}
_THIRD = {form.lemma: spelling for spelling, form in _ANY_VERBS.items() if "third" in form.kinds}
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
    if subject[1] is not None or verb in _ANY_VERBS or verb in _AGREES:
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
    kinds = _ANY_VERBS[verb].kinds if verb in _ANY_VERBS else frozenset()
    if "past" in kinds or (not kinds and _PAST.fullmatch(verb)):
        return None if "base" in kinds else verb
    agree = any("base" in _ANY_VERBS[word].kinds for word in _JOINS.findall(rest) if word in _ANY_VERBS)
    return _THIRD[_ANY_VERBS[verb].lemma] if "base" in kinds and not agree else None


#: What parts a value from what takes it back, and that.
_SIGN = re.compile(
    r"[,;:.\u2026\u2013\u2014-]+\s*(?:(?:no|ah|oh|well|and|but)\b[,\s]*)*"
    rf"{SURE.pattern}[\s,;:.!\u2026-]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'\u2019-]+")
#: What says of the thing that was named what is meant.
_OF_THE_SAME = re.compile(r"(?:(?:so|and|instead|actually)[, ]+)?(?:it|they|that|he|she)(?= [a-z])", re.IGNORECASE)
_LIKE_A_VERB = re.compile(r"(?<=\w) [a-z]{3,}(?:s|ed)(?= (?:from|to|in|at|on|with|by|for|until|the|an?)\b)")
_OF_SEVERAL = re.compile(r"(?<=\w) [a-z]{2,}(?= (?:from|to)\b)")
#: What is said instead has at most so many words.
_MOST = 12


def as_meant(parts: Sequence[str]) -> list[str]:
    """The sentences of a message, each as it is meant, and none that is taken back before it ends."""
    every: list[str] = []
    subject = ""
    for part in parts:
        pieces = _SIGN.split(part)
        again = _OF_THE_SAME.match(part) if subject else None
        if again:
            every.append(f"{subject}{part[again.end() :]}")
        elif len(pieces) == 1 or not pieces[0].strip() or is_question(part):
            every.append(part)
        elif meant := _put_right(pieces):
            every.append(meant)
        subject = _subject(pieces[0]) if len(pieces) > 1 and pieces[0].strip() else ""
    return every


def _put_right(pieces: Sequence[str]) -> str | None:
    """The first piece with what the later ones say instead, each in its turn; None where one of them is not plain."""
    sentence = f"{pieces[0].strip()}."
    for piece in pieces[1:]:
        better = corrected(sentence, f"No wait, {piece}") or _with_ending(sentence, piece.strip(" .,!;:"))
        if better is None:
            return None
        sentence = better
    return sentence


def _with_ending(sentence: str, instead: str) -> str | None:
    """The sentence with another ending from the word on which that begins: "to me", "to Tomasz"."""
    rest = OPENS.sub("", instead).strip()
    opening = _WORD.match(rest)
    if opening is None or len(rest.split()) > _MOST:
        return None
    places = [match.start() for match in re.finditer(rf"\b{re.escape(opening.group())}\b", sentence)]
    if not places or places[-1] == 0 or opening.end() == len(rest):
        return None
    return f"{sentence[: places[-1]]}{rest}."


def _subject(piece: str) -> str:
    """What a sentence opens on, up to its verb; nothing where that is not known."""
    spoken = list(_WORD.finditer(piece))
    for at, match in enumerate(spoken):
        form = FORMS.get(match.group()) or AMBIGUOUS_FORMS.get(match.group())
        if at and form is not None and not form.kinds.isdisjoint({"third", "past"}):
            return piece[: spoken[at - 1].end()]
    verb = _LIKE_A_VERB.search(piece) or _OF_SEVERAL.search(piece)
    return piece[: verb.start()] if verb else ""
