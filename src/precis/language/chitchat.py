"""Words of courtesy and mood: a sentence made of nothing else says nothing about anything."""

from collections.abc import Sequence
from unicodedata import category

from precis import patterns as re
from precis.language import tables
from precis.language.dates import A_MONTH, A_WEEKDAY, MONTHS, NUMBERS, WEEKDAYS
from precis.language.dating.elsewhere import without_times
from precis.language.languages import is_general, spoken_abroad
from precis.language.script import is_foreign, is_grammar
from precis.language.words import MARKS, STOP_WORDS, content, kept_where_short, names, normal, stem


def _stems(place: str) -> frozenset[str]:
    return frozenset(map(stem, tables.words(place)))


#: What people say to be kind. A sentence with nothing else says nothing about anything.
KIND = _stems("chitchat.kind")
#: Words of opinion and of vague doing: they seldom are what somebody asks for later.
MOOD = _stems("chitchat.mood") - KIND
#: Words of praise and thanks.
PRAISE = _stems("chitchat.praise")
#: Words of encouragement: kept apart from the moods, because a word of these may well be what somebody asks for.
_HEARTENING = _stems("chitchat.heartening")
_WAITING = _stems("chitchat.waiting")
#: Unions are made once: these are asked of each word of each text.
MOODS, _THANKS = KIND | MOOD | PRAISE, KIND | PRAISE
_WISHED = _THANKS | _WAITING
_KINDLY = _WISHED | _HEARTENING
#: Greetings, thanks, wishes and excuses, whole and in lower case, of every language that has some.
_GREETED = frozenset(phrase for tag in tables.entry("greetings") for phrase in tables.phrases(f"greetings.{tag}"))
#: After these a capital letter makes no name: German writes nouns with one, an excuse may correct ("Sorry, Oslo."),
#: what is enjoyed is nobody.
_NAMELESS = frozenset([*tables.phrases("greetings.de"), *tables.phrases("greetings.excuses"), "enjoy"])
_LONGEST_GREETING = 60
#: Words, as written, of greeting, thanking, cheering and agreeing.
GREETINGS = frozenset(tables.words("chitchat.smalltalk"))

#: Words of time, number and no thing in particular: what memories share with them is no subject.
_GENERAL = STOP_WORDS.union(
    MONTHS, WEEKDAYS, NUMBERS, (f"{day}{of}" for day in WEEKDAYS for of in ("s", "'s"))
) | frozenset(tables.words("numbers.tens") + tables.words("numbers.ordinals") + tables.words("chitchat.times"))
#: The same of languages whose phrases for days are not read.
_TIMES = frozenset(normal(word) for listed in tables.section("words.times").values() for word in listed.split())
_SPOKEN_WORD = re.compile(rf"\w[\w{MARKS}]*(?:['\u2019][\w{MARKS}]+)*")
#: A day is nobody's name: "Sounds good, Tuesday!" agrees on one. Nor is what stands before one: "at three, Dr. Brandl."
_NAME = rf"(?!(?i:{A_WEEKDAY}|{A_MONTH})\b)(?!(?:Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Sr|St)\b\.? )[A-Z][^\W\d_]+"
#: Somebody called by name: "John! ...", "Thanks John.", "..., John."
_CALLING = ("hey", "hi", "hello", "thanks", "thank you", "congrats", "wow", "yeah", "sorry")
_CALLED = re.compile(
    rf"^{_NAME}(?=\s*[,!])|(?:,|\b(?:{'|'.join(f'[{word[0].upper()}{word[0]}]{word[1:]}' for word in _CALLING)}))"
    rf"\s+{_NAME}(?=\s*(?:[,.!?\u2026]|$))"
)
#: A noun, and behind its name what they are or do.
_SOMEBODY = re.compile(r"\b(?:my|our|his|her|their|the|an?)\b[^,.;:!?]*$", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*, (?!(?:I|[Ww]e|[Yy]ou|[Ii]t|and|but|so|or|if|please|the|my|our)\b)")
#: Where a greeting ends and the next begins.
_PAUSE = re.compile(r"[,.!?;\n\u2026\u3001\u3002\uff0c\uff01\uff1f\u060c\u061f\u0964]+")
#: One or two names; in a script without capital letters a name cannot be told from a word that tells.
_NAMES = re.compile(r"@?[^\W\d_][^\W\d_'-]*(?:[-'][^\W\d_]+)*(?: [^\W\d_]+)?")
_DAYS = frozenset(f"{A_WEEKDAY}|{A_MONTH}".split("|") + list(map(normal, tables.words("chitchat.days")))) | _TIMES
_LISTENER = re.compile(
    r"\b(?:you(?:r|rs|rself|['\u2019]\w+)?|let['\u2019]s|let me|we can|keep|keeping)\b", re.IGNORECASE
)
_SELF = re.compile(r"\b(?:I|I['\u2019]\w+|[Mm]y|[Mm]ine|[Mm]yself)\b")
_OTHERS = re.compile(r"\b(?:he|she|his|her|him|hers)\b", re.IGNORECASE)
#: What has a figure or a date can be looked up, however kindly it is said.
_EXACT = re.compile(rf"\d|\b(?:{tables.choices('chitchat.exact')})\b", re.IGNORECASE)
_IT = r"(?:it|this|that|them)"
_KEPT = r"(?:notes?|list|log|calendar|records?|files?|decisions)"
#: That something was written down is no fact beside the fact itself.
_KEEPS_NOTES = re.compile(
    r"\W*(?:(?:and|so|okay|ok|please|then|yes),? )*(?:"
    rf"(?:(?:I|we)(?:['\u2019](?:ve|ll)| have| will)? )?(?:wrote|written|write|note|noted|put) (?:{_IT} )?down\b.*"
    rf"|(?:(?:I|we)(?:['\u2019](?:ve|ll)| have| will)? )?(?:put|add(?:ed)?|saved?|record(?:ed)?|log(?:ged)?|keep) {_IT}"
    rf" (?:to|in|under|on) (?:[\w']+ ){{0,4}}{_KEPT}\b.*"
    rf"|I (?:have|keep|put) (?:\w+ ){{1,5}}(?:under|in) (?:the )?{_KEPT}\b.*"
    rf"|(?:done|noted|added|changed|saved|updated|got it)(?: {_IT})?)\W*",
    re.IGNORECASE | re.DOTALL,
)
_WISHES = re.compile(
    r"\W*(?:happy \w+(?: \w+)?|merry \w+|welcome(?: \w+)?|get well(?: soon)?"
    r"|good (?:morning|evening|night)(?: \w+)?|long time no (?:see|talk)|guess what|check (?:it|this) out)\W*",
    re.IGNORECASE,
)
_COURTEOUS = re.compile(rf"(?:{tables.choices('chitchat.courteous')})\b", re.IGNORECASE)
#: Words that tell something which a compliment, and a message that says nothing of its speaker, may still have.
_COMPLIMENT = 1
_REPLY = 3


def hollow(sentence: str, *, selfless: bool = False) -> bool:
    """Whether a sentence only greets, thanks, praises, encourages or confirms: nobody will ask for it later.

    With ``selfless``, what speakers say of themselves alone is hollow only where it is thanks or a wish.
    """
    if _EXACT.search(sentence) or "[" in sentence:
        return False
    if _KEEPS_NOTES.fullmatch(sentence) or _WISHES.fullmatch(sentence):
        return True
    stems = _said(sentence)
    to_listener = _LISTENER.search(sentence) is not None
    if selfless and not to_listener and _SELF.search(sentence):
        return stems <= _WISHED
    strange = len(_telling(stems))
    if to_listener:
        return strange <= (0 if stems.isdisjoint(PRAISE) else _COMPLIMENT)
    return strange == 0 and not stems.isdisjoint(_THANKS)


#: Words by which even a courteous sentence may tell something: of others, that something was refused, or an answer.
MAY_TELL = re.compile(rf"\b(?:{tables.choices('chitchat.may_tell')})\b|n['\u2019]t\b|:", re.IGNORECASE)


@kept_where_short
def greets(sentence: str) -> bool:
    """Whether it is nothing but greetings, thanks, wishes or excuses, in any of the languages, and who is called."""
    if len(sentence) > _LONGEST_GREETING:
        return False
    parts = [part for part in map(_bare, _PAUSE.split(sentence)) if part]
    first, *others = parts or [""]
    may_call = first.lower() not in _NAMELESS
    return _greeted(first) and all(_greeted(part) or (may_call and _is_called(part)) for part in others)


def _bare(part: str) -> str:
    words = " ".join(part.replace("\u2019", "'").split())
    # The vowels of Indic scripts are marks, and so is what colors an emoji.
    return words.strip("\ufe0f" + "".join(sign for sign in words if not sign.isalnum() and category(sign)[0] != "M"))


def _greeted(part: str) -> bool:
    if part.lower() in _GREETED:
        return True
    words = part.split(" ")
    phrases = ((" ".join(words[:-names]).lower(), " ".join(words[-names:])) for names in (1, 2))
    return any(phrase in _GREETED and phrase not in _NAMELESS and _is_called(name) for phrase, name in phrases)


def _is_called(part: str) -> bool:
    if not _NAMES.fullmatch(part):
        return False
    return all(word.lstrip("@")[:1].isupper() and word.lower() not in _DAYS for word in without_times(part).split(" "))


@kept_where_short
def is_small_talk(sentence: str) -> bool:
    """Whether a sentence surely tells nothing: signs, a greeting, thanks or praise, and not one word of anything else.

    What ``hollow`` passes over when it chooses may still be what somebody asks for; this is for what may be lost. So a
    word of opinion counts as nothing only where it is said to the listener: "It was tough but rewarding" tells.
    """
    words_in_it = _said(sentence)
    if (not words_in_it and not re.search(r"\w", sentence)) or greets(sentence):
        return True
    if not words_in_it or _telling(words_in_it):
        return False
    if MAY_TELL.search(sentence) or names(uncalled(sentence)) or _KEEPS_NOTES.fullmatch(sentence):
        return False
    is_kind = words_in_it <= _KINDLY or _LISTENER.search(sentence) is not None
    return is_kind and hollow(sentence, selfless=True)


def is_reply(parts: Sequence[str]) -> bool:
    """Whether the sentences of a message only answer to what another said: no figure, no date, nothing of its own."""
    message = " ".join(parts)
    stems = _said(message)
    if not _COURTEOUS.match(message) and (stems.isdisjoint(PRAISE) or not _LISTENER.search(message)):
        return False
    if _EXACT.search(message) or _OTHERS.search(message) or names(uncalled(message)):
        return False
    own = [part for part in parts if _SELF.search(part)]
    if any(_telling(_said(part)) for part in own if not _LISTENER.search(part)):
        return False
    return len(_telling(stems)) <= (_COMPLIMENT if own else _REPLY)


@kept_where_short
def uncalled(sentence: str) -> str:
    """The sentence without the name of whoever is called by it."""
    low = sentence.lower()
    if not any(map(low.__contains__, (",", "!", *_CALLING))):
        return sentence
    return _CALLED.sub(lambda called: called[0] if _tells_who(called) else "", sentence)


def _tells_who(called: re.Match[str]) -> bool:
    """Whether a name between commas says who is meant by the noun before it: "our librarian, Yusuf, he brings ..."."""
    before, behind = called.string[: called.start()], called.string[called.end() :]
    return called[0][0] == "," and _SOMEBODY.search(before) is not None and _GOES_ON.match(behind) is not None


def telling_in(sentence: str) -> frozenset[str]:
    """Stems of its words that tell something: none of courtesy, mood or encouragement."""
    return _telling(_said(sentence))


def topical(text: str) -> str:
    """The text without the words that cannot be what it is about: of grammar, time, number, courtesy and mood.

    Of languages other than English the frequent words are known, and of some the words for days, times and numbers.
    """
    if is_foreign(text):
        return _topical_abroad(text)
    rest = without_times(normal(text))
    return _SPOKEN_WORD.sub(lambda word: " " if _is_general(word[0].casefold()) else word[0], rest)


def _topical_abroad(text: str) -> str:
    """The same of another language: without what may be said of anything in one of those that it may be in."""
    names = spoken_abroad(text)

    def kept_of(match: re.Match[str]) -> str:
        # An article, or an ending of a name: "dell'affitto", "Lizbon'da".
        spelling = max(match[0].split("'"), key=len) if names else match[0]
        word = spelling.casefold()
        general = word[0].isdigit() or is_grammar(word) or any(is_general(word, name) for name in names)
        return " " if general else spelling

    return _SPOKEN_WORD.sub(kept_of, untimed(text))


def untimed(text: str) -> str:
    """A text of another language than English without its words for times and numbers, as far as they are known."""
    return _SPOKEN_WORD.sub(lambda word: " " if word[0].casefold() in _TIMES else word[0], without_times(normal(text)))


def _is_general(word: str) -> bool:
    return word[0].isdigit() or word in _GENERAL or stem(word) in MOODS


_OF_COURSE = re.compile(r"\bof course\b", re.IGNORECASE)


@kept_where_short
def _said(sentence: str) -> frozenset[str]:
    """Stems of what is said, whoever is called by name. A course is a thing, and "of course" says nothing."""
    return content(_OF_COURSE.sub(" ", uncalled(sentence)))


def _telling(stems: frozenset[str]) -> frozenset[str]:
    """Those that tell something."""
    return stems - KIND - MOOD - _HEARTENING


_FIGURE = re.compile(r"\d")
OF_SELF = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")


def is_greeting(sentence: str, wording: Sequence[str]) -> bool:
    """Whether a sentence of these words holds nothing to label: it greets, thanks, cheers or agrees, no more."""
    if not wording or _FIGURE.search(sentence):
        return not wording
    if hollow(sentence, selfless=True):
        return True
    strange = sum(word not in GREETINGS and word not in STOP_WORDS for word in wording)
    short = len(wording) <= 4 and wording[0] in GREETINGS and not {"from", "in"}.intersection(wording)
    return strange == 0 or (strange == 1 and short and not sentence.endswith("?"))


def is_aside(sentence: str, wording: Sequence[str]) -> bool:
    """Whether it is a shout or an aside: one word of content, nobody speaking of themselves, no figure."""
    content = sum(word not in GREETINGS and word not in STOP_WORDS for word in wording)
    return content < 2 and not _FIGURE.search(sentence) and not OF_SELF.search(sentence)
