"""What in a talk tells nothing of anybody: reactions, talk about the talk; advice, offers, truths about everybody."""

from precis import patterns as re
from precis.language import chitchat, dates, grammar, sentences, tables, verbs
from precis.language.words import content, kept_where_short, names, stem, words


def _opening(place: str) -> re.Pattern[str]:
    return re.compile(rf"\W*(?:(?:and|but|so|well|oh|yeah|yes|ah)\b\W*)?(?:{tables.choices(place)})\b", re.IGNORECASE)


_PRAISES, _CHEERS, _FEELS, _ADVISES, _PICTURES, _ANNOUNCES = (
    _opening(f"reactions.{name}") for name in ("praises", "cheers", "feels", "advises", "pictures", "announces")
)
#: Of no more than this: "Well done her!", "Congratulations to Ben and Noor.", "She'll be over the moon."
_CRIES = re.compile(
    rf"\W*(?:(?:and|but|so|well|oh|yeah|yes|ah|aw+)\b\W*)*(?:{tables.choices('reactions.cries')})\W*", re.IGNORECASE
)
_EXACT = re.compile(rf"\d|\b(?:{tables.choices('chitchat.exact')}|{dates.A_WEEKDAY}|{dates.A_MONTH})\b", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves)\b")
_SUBJECT = re.compile(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_LISTENER = re.compile(r"\b(?:you(?:rs?|rself|rselves)?|y'all|ya)\b", re.IGNORECASE)
#: What only the sentence before says: "That's why", "It was", "They".
POINTS_BACK = re.compile(rf"(?:{tables.choices('statements.points_back')})\b", re.IGNORECASE)
_OFFERS = re.compile(rf"\b(?:{tables.choices('reactions.offers')})\b", re.IGNORECASE)
_PAST = "|".join(
    sorted(verb for verb, form in grammar.FORMS.items() if "past" in form.kinds and "base" not in form.kinds)
)
_OFTEN = r"(?:\w+ly |also |once |still |already |never |always )?"
_ABOUT_LISTENER = re.compile(
    rf"\byour (?:[\w-]+ ){{1,3}}(?:is|are|was|were|has|have|had|{_PAST}|\w{{2,}}ed)\b"
    rf"|(?<!\bif )(?<!\bwhen )(?<!\bonce )\byou (?:{_OFTEN}(?:are|have|like|love|hate|prefer|live|work|own)\b"
    rf"|(?P<did>{_OFTEN}(?:were|had|{_PAST}|\w{{2,}}ed)\b))|\byou['\u2019](?:re|ve) ",
    re.IGNORECASE,
)
#: What may stand between "you are" and how somebody is praised.
_DEGREES = frozenset("so such a an really very truly always doing being not just quite still all the".split())
_PEOPLE = frozenset(map(stem, grammar.PEOPLE))
#: Words which tell something that a reaction, and a sentence to the listener, may still have.
_FEW = 3
_SEVERAL = 5
#: From so many on it says more than that somebody likes what it points at.
_MORE = 2
#: From so many on it tells something although nobody knows what it points at.
_ENOUGH = 5
#: A sentence of fewer words is no sentence, nor is a cry without a verb of fewer than these.
_SHORT = 5
_LONG_CRY = 8
_BROKEN_OFF = re.compile(r"(?:\.\.|\u2026)\W*$")
_NUMBER_WORDS = "|".join(tables.words("numbers.count") + tables.words("numbers.tens"))
_COUNTS = re.compile(rf"\S*\d\S*|\b(?:{_NUMBER_WORDS}|hundreds?|thousands?|millions?)\b", re.IGNORECASE)
_JOINTS = rf"\W*(?:(?:{tables.choices('reactions.joints')})\b\W*)*"
_IS = r"(?:['\u2019]s|\s(?:is|are|isn['\u2019]t|aren['\u2019]t|(?:can|may|might|must) be|feels|seems|sounds))"
_OWN = r"(?:has|have) (?:(?:his|her|its|their) )?(?:\w+ )?own"
_DOES = rf"(?:can|can['\u2019]t|cannot|may|might|should|must|helps?|makes?|brings?|takes?|gives?|means?|allows?|{_OWN})"
#: "Life", "Saving money", "Safety", "Small steps", "Warm weather": whom or what a truth about everybody is about.
_EVERYBODY = (
    rf"(?:(?:{tables.choices('reactions.everybody')})\b|\w{{2,}}ing\b"
    rf"|(?:\w+[ -])?(?:(?:{tables.choices('reactions.abstract')})"
    r"|\w{3,}(?:tion|ness|ment|ity|ship|ance|ence|ety|ism|ery)s?)\b)"
)
_PLURAL = r"[^\W\d_]{3,}(?<![su])s (?:and )?(?:[^\W\d_]+ )?"
_ADVERBS = r"(?:\w+ly |indeed |also |all |always |never |not |so |too |very |really |quite |just |often )*"
_VALUED = rf"{_ADVERBS}(?:{tables.choices('reactions.valued')})\b"
_FRAMED = rf"{_ADVERBS}(?:{tables.choices('reactions.framed')})\b"
_GENERAL = tuple(
    re.compile(_JOINTS + pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EVERYBODY}[^,;:]*?(?:\s{_DOES}\b|{_IS} (?:(?:such )?{_VALUED}|{_ADVERBS}(?:such )?an? \w))",
        r"an? (?:[^\W\d_]+ ){1,3}(?:always|often|usually|never|sometimes) ",
        rf"{_PLURAL}(?:(?:bring|make|take|give|help|mean|allow|matter|count|have (?:such|so))\b|are {_VALUED})",
        rf"{_EVERYBODY} (?:{tables.choices('reactions.does')})\b",
        # Whatever it is of which is said what it is to anybody: "Yoga is a great way to relax."
        rf"[^\W\d_][^,;:]{{1,60}}?{_IS} {_FRAMED}",
    )
)
#: "Attending those events takes guts": of whatever was spoken of, and of whoever does it.
_SUCH = re.compile(r"^(\W*\w{2,}ing )(?:these|those|such) ", re.IGNORECASE)
#: What people say of everybody, word for word.
_SAYING = re.compile(rf"{_JOINTS}(?:{tables.choices('reactions.sayings')})\W*$", re.IGNORECASE)
#: "Friends" and "kids" are anybody's where nobody owns them.
_ANYBODY = re.compile(rf"^{_JOINTS}(?:friends|kids|children|parents|families|we all)\b", re.IGNORECASE)
#: Who is anybody's where no word says whose: "old friends", "parenting".
_ANYONE = re.compile(
    r"(?<!my )(?<!our )(?<!his )(?<!her )(?<!their )(?<!['\u2019]s )"
    r"\b(?:friends|kids|children|parents|families|people|we all|parenting)\b",
    re.IGNORECASE,
)
#: Something in particular, or a moment: no truth about everybody.
_PARTICULAR = re.compile(
    rf"^{_JOINTS}(?:the|this|that|these|those|it|they|there|here|what|all|both|your)\b"
    r"|\b(?:today|now|currently|lately|recently|here|already|yet|still|this|these|those|anymore|due|ready)\b"
    r"|(?<!^)\bthe\b(?! (?:most|best|only|same|right|key|first|\w+est)\b)",
    re.IGNORECASE,
)


@kept_where_short
def states(sentence: str) -> bool:
    """Whether it has what can be looked up: a figure, a date or a name."""
    # Who shouts writes no names: "WAIT!"
    return _EXACT.search(sentence) is not None or (not sentence.isupper() and bool(names(chitchat.uncalled(sentence))))


def counts(sentence: str) -> bool:
    """Whether it has a figure, in digits or in words: "Four ferries."."""
    return _COUNTS.search(sentence) is not None


def states_more(sentence: str) -> bool:
    """Whether it has that and tells something beside it: "It's Oslo." does not."""
    return states(sentence) and bool(chitchat.telling_in(_without_exact(sentence)))


def _without_exact(sentence: str) -> str:
    named = "|".join(map(re.escape, names(chitchat.uncalled(sentence))))
    bare = _EXACT.sub(" ", _COUNTS.sub(" ", chitchat.uncalled(sentence)))
    return re.sub(rf"\b(?:{named})\b", " ", bare) if named else bare


def is_reaction(sentence: str) -> bool:
    """Whether a sentence of a talk praises, cheers on or advises the other, and states nothing of anybody."""
    if _CRIES.fullmatch(sentence):
        return True
    if "[" in sentence or states(sentence):
        return False
    feels = _FEELS.match(sentence)
    rest = sentence[feels.end() :] if feels else sentence
    if speaks_of_somebody(rest):
        return False
    tells = len(chitchat.telling_in(rest))
    if not feels and (_PRAISES.match(rest) or _CHEERS.match(rest)):
        return tells <= _FEW
    if tells > _SEVERAL or not (tells == 0 or to_listener(sentence)):
        return False
    return feels is not None or _ADVISES.match(rest) is not None or (to_listener(rest) and not tells_listener(rest))


def opens_on_reaction(sentence: str) -> bool:
    """Whether a sentence of a talk begins as praise, cheers, or feeling with the other do, whatever follows."""
    return any(pattern.match(sentence) for pattern in (_PRAISES, _CHEERS, _FEELS))


def named_by_reaction(sentence: str) -> frozenset[str] | None:
    """Stems of what a bare reaction names, which is all that is lost with it; None where a sentence is none.

    It is far stricter than ``is_reaction``: this is for what may be lost. What speakers say of themselves but that they
    are glad or sorry for the other, what is refused or asked, and advice with a word in it that tells something is no
    bare reaction.
    """
    if not is_reaction(sentence) or chitchat.MAY_TELL.search(sentence) or sentences.is_question(sentence):
        return None
    if _SELF.search(sentence) and not to_listener(sentence):
        return None
    named = chitchat.telling_in(sentence)
    return None if named and _directs(sentence) else named


def _directs(sentence: str) -> bool:
    """Whether it tells the other what to do or what is so: an arrangement, an order of a doctor, a fact."""
    if _PRAISES.match(sentence) or _FEELS.match(sentence):
        return _ABOUT_LISTENER.search(sentence) is not None
    return True


def speaks_of_somebody(sentence: str) -> bool:
    """Whether it speaks of the speaker or of a third person."""
    if _SELF.search(sentence) or grammar.SOMEBODY_ELSE.search(sentence):
        return True
    return not _PEOPLE.isdisjoint(map(stem, words(sentence)))


def to_listener(sentence: str) -> bool:
    """Whether it has a word for the listener."""
    return _LISTENER.search(sentence) is not None


def tells_listener(sentence: str) -> bool:
    """Whether it says of the listener what is or was so: "Your order has shipped.", "You grew up by a lake."."""
    about = _ABOUT_LISTENER.search(sentence)
    if about is None or len(chitchat.telling_in(sentence)) < (1 if about["did"] else _MORE):
        return False
    follows = next((word for word in words(sentence[about.end() :]) if word not in _DEGREES), "")
    return stem(follows) not in chitchat.MOODS


def advises(sentence: str) -> bool:
    """Whether it offers something to the other, or says what the other may do or should."""
    return (_OFFERS.search(sentence) or _ADVISES.match(sentence) or _CHEERS.match(sentence)) is not None


def is_fragment(sentence: str) -> bool:
    """Whether a sentence of a talk is too short to be one: what it means stands in the question before, if anywhere.

    A cry may be longer: "A harbor without the bars!" A figure, a date or a name alone answers something, too.
    """
    size = len(sentence.split())
    cries = sentence.rstrip().endswith("!") and not states(sentence)
    if size >= (_LONG_CRY if cries else _SHORT) or _SUBJECT.search(sentence) or not _spaced(sentence):
        return False
    if states_more(sentence) or grammar.SOMEBODY_ELSE.search(sentence):
        return False
    return _BROKEN_OFF.search(sentence) is not None or not verbs.has_verb(list(words(sentence)))


@kept_where_short
def lacks_verb(sentence: str) -> bool:
    """Whether a sentence of English has nothing that somebody is or does: "Grilled sardines, no kiwi"."""
    return _spaced(sentence) and not verbs.has_verb(list(words(sentence)))


def is_scrap(sentence: str) -> bool:
    """Whether there is nothing in it but a figure, a date, a name or a cry; in any language a word more is more."""
    return is_fragment(sentence) and not chitchat.telling_in(_without_exact(sentence))


def _spaced(sentence: str) -> bool:
    """Whether it is written in letters of a script that parts its words."""
    return re.search(r"[^\x00-\u05ff\u2000-\u206f\U0001f000-\U0001faff]", sentence) is None


def tells_more(sentence: str) -> bool:
    """Whether a sentence that points back says more of it than what somebody thinks of it."""
    return len(chitchat.telling_in(sentence)) >= _MORE


def tells_enough(sentence: str) -> bool:
    """Whether a sentence that points back tells so much that it is worth reading without what it points at."""
    return states(sentence) or len(chitchat.telling_in(sentence)) >= _ENOUGH


#: A promise about something that the sentence does not name: "I will give them a try."
_PROMISES = re.compile(
    rf"{_JOINTS}(?:i|we)(?:['\u2019]ll| will)(?! not\b| never\b) [^,;:]*\b(?:it|this|that|them|those|these)\b",
    re.IGNORECASE,
)
#: What is handed over: "Here is your receipt."
_HANDS_OVER = re.compile(rf"{_JOINTS}here(?:['\u2019]s| is| are) (?:you|yours?)\b", re.IGNORECASE)


@kept_where_short
def is_aside(sentence: str) -> bool:
    """Whether it says nothing of anybody: what the other may do, what is offered, what holds of everybody."""
    if is_general(sentence) or (_HANDS_OVER.match(sentence) and not re.search(r"[\d:]", sentence)):
        return True
    if "[" in sentence or states(sentence):
        return False
    if _ANNOUNCES.match(sentence) or (_PROMISES.match(sentence) and not chitchat.telling_in(sentence)):
        return True
    pictures = _PICTURES.match(sentence)
    if pictures is not None and not _SELF.search(sentence[pictures.end() :]):
        return True
    if speaks_of_somebody(_OFFERS.sub("", sentence)):
        return False
    return advises(sentence) or commands(sentence) or (to_listener(sentence) and not tells_listener(sentence))


def is_general(sentence: str) -> bool:
    """Whether a sentence without a person, a figure or a name says in the present what holds of everybody."""
    if _SAYING.match(sentence):
        return True
    sentence = _SUCH.sub(r"\1", sentence)
    return is_of_nobody(sentence, _ANYBODY) and any(pattern.match(sentence) for pattern in _GENERAL)


def is_of_nobody(sentence: str, anybody: re.Pattern[str] = _ANYONE) -> bool:
    """Whether it says in the present what is so of nobody but ``anybody``: no person, figure, name or moment."""
    if "[" in sentence or states(sentence) or speaks_of_somebody(anybody.sub("", sentence)):
        return False
    return not (_PARTICULAR.search(sentence) or any(map(grammar.is_past, words(sentence))))


def commands(sentence: str) -> bool:
    """Whether it is an order of one word: "Wake up". "Keep answers short" and "Use emojis" are what somebody wants."""
    form = grammar.FORMS.get(next(words(sentence), ""))
    return form is not None and form.kinds == {"base"} and len(content(sentence)) <= 1
