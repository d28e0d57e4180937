"""Cut a sentence: into its clauses, and from it what carries nothing (interjections, names called out, fillers)."""

from collections.abc import Collection, Iterable, Sequence

from precis import patterns as re
from precis.checks.answering import completes
from precis.checks.reactions import lacks_verb
from precis.language import tables
from precis.language.grammar import DEGREES, FORMS
from precis.language.newest.taken_back import jokes_in, taking_back
from precis.language.sentences import sentences, undecorated
from precis.language.vocabulary import MODALS, NEGATORS
from precis.language.words import kept_where_short, words

_OPENER = re.compile(
    rf"^(?:(?:{tables.choices('statements.interjections')})(?=[\s,!.\u2026-])(?:\s*[,!.\u2026]+(?!\s*for\s)\s*|\s+[-\u2013\u2014]+\s+"
    r"|\s+(?=(?:i|we|my|it|the|he|she|they|our)\b)))+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,\s*(?:you know|right|too|as well|if you ask me|i guess|so far)"
    r"|[,\s]+(?:lol|haha+|huh))(?=[.!\u2026]*$)",
    re.IGNORECASE,
)
#: What may go before an adjective, and before a verb, and what before an adjective alone.
_FILLER = re.compile(
    r"(?P<before>[\w'\u2019]+[,;:]?) +(?P<filler>(?P<adverb>really|just|actually|totally|definitely|literally|honestly"
    r"|basically|truly|absolutely|certainly|simply)|super|very|quite|pretty|so) (?P<follows>[\w'\u2019-]+)(?P<rest>.*)"
)
#: Before these a word that means "only" counts, and behind "so" they say how much.
_COUNTS = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half|few|little)\b")
_SO_THAT = re.compile(r"\b(?:that|as)\b|^ (?:I|we|you|he|she|they|it|the|my|our|his|her|their)\b")
_MEASURING = frozenset("a an the one two three few like as for much many enough that far long and or but we".split())
#: Behind these no adverb is a filler: "not really", "at best really", "called simply", "the very best".
_NAMING = frozenset("called named titled entitled at in not never no hardly n't yours it's by".split()) - {"it's"}
_DETERMINERS = frozenset(tables.words("statements.determiners"))
#: Behind these stands no noun without an article.
_LINKING = frozenset("am is are was were be been being feel feels felt looks look seems seem s m re".split())
_PARTICIPLE = re.compile(r"\w{3,}(?:ing|ed|ful|ous|ive|able|ible)")
#: Who is greeted or thanked by name is called elsewhere too: "Hey Mel!", "Thanks, Nate."
_GREETED = re.compile(
    rf"(?:^|[.!?]\s+)(?:{tables.choices('statements.greeted')})[,!]? (?P<name>(?-i:[A-Z][^\W\d_]+))(?=[,.!?]| -|$)",
    re.IGNORECASE,
)
_GREETED_LONGER = re.compile(
    rf"(?:^|[.!?]\s+)(?:{tables.choices('statements.greeted')})[,!]? "
    r"(?P<name>(?-i:[A-Z][^\W\d_]* [A-Za-z]+))(?=[,.!?]| -|$)",
    re.IGNORECASE,
)
#: What opens a message and tells nothing of it.
_LEAD_IN = re.compile(
    rf"^(?:(?:{tables.choices('statements.lead_ins')})(?:\s*[,:!.]+\s*|\s+[-\u2013\u2014]+\s+))+(?=\S)", re.IGNORECASE
)
#: An answer and how far it goes: "Yes, but only chemistry."
_LIMITED = re.compile(
    r"(?:yes|yeah|yep|no|nope|sure|of course|maybe),? (?:but|although|though|except|unless)\b", re.IGNORECASE
)
#: Latin, Greek, Cyrillic and Armenian begin a sentence with a capital.
_SENTENCE_CASE = re.compile(r"[a-z\u00df-\u024f\u0370-\u052f\u0560-\u0588\u1e00-\u1fff]")
#: A first word with a capital, a figure or a sign inside is written as its owner writes it: a name, an address, a code.
_OWN_CASE = re.compile(r"[^\W\d_]\w*[A-Z]|[^\W\d_]+(?:[\d_@=/\\#+&<>~]|[.:]\w)")
_SMALL_NAME = re.compile(r"[a-z]{2,}(?:-[a-z0-9]{2,})+(?:(?P<owns>['\u2019]s\b|:)|(?: (?P<verb>[a-z]+))?)")
_PAST = re.compile(r"[a-z]{3,}ed")
_DOTTED = re.compile(r"[\u0130\u0131\u011e\u011f\u015e\u015f]")
_MARKS = re.compile(r"(?<=[!?])[!?]+|(?<=\.{3})\.+")


#: What somebody began behind "and", and broke off at its subject: "..., and now he...".
_BROKEN_END = re.compile(
    r"(?<=\w)(?:,? and|, so)(?: (?:now|then|suddenly))*(?: (?:I|he|she|we|they|you|it|the|my|our|his|her|their))?"
    r"\s*(?:\.{2,}|\u2026|--+|[\u2013\u2014])\W*$"
)
#: What parts an entry of a list in one line from the next.
_PARTING = re.compile(r"\s+[/|\u2022]\s*$")


def trimmed(sentence: str, people: Collection[str]) -> str:
    """The sentence with its fillers gone, beginning with a capital if it lost its beginning."""
    text = _PARTING.sub("", undecorated(sentence)).strip()
    text = _BROKEN_END.sub(".", text)
    low = text.lower()
    # Letters beyond ASCII may be alike in more ways.
    return _trimmed(text, frozenset(name for name in people if name.lower() in low or not (low + name).isascii()))


@kept_where_short
def _trimmed(text: str, people: frozenset[str]) -> str:
    text = _without_names(text, people)
    if _LIMITED.match(text):
        return capital(_MARKS.sub("", _without_fillers(_TAIL.sub("", text))).strip())
    text = _TAIL.sub("", _OPENER.sub("", text))
    text = _LEAD_IN.sub("", _OPENER.sub("", _without_names(text, people)))
    text = _without_fillers(text)
    return capital(_MARKS.sub("", text).strip())


def called(texts: Iterable[str], present: Collection[str] = ()) -> frozenset[str]:
    """Names by which somebody is greeted or thanked; two words where one is in the name of somebody present."""
    spoken = list(texts)
    names = {match["name"] for text in spoken for match in _GREETED.finditer(text)}
    longer = {match["name"] for text in spoken for match in _GREETED_LONGER.finditer(text)}
    known = {name.casefold() for name in present}
    return frozenset(names | {name for name in longer if not known.isdisjoint(name.casefold().split())})


def capital(text: str) -> str:
    """The text with a capital first letter, where its script has capitals for that and the letter has one.

    Georgian writes whole lines in capitals or none; "iPhone" and the Turkish "iyi" would be other words.
    """
    first = text[:1]
    capital_letter = first.title()
    if len(capital_letter) != 1 or not _SENTENCE_CASE.match(first) or _OWN_CASE.match(text) or opens_on_name(text):
        return text
    return text if first == "i" and _DOTTED.search(text) else capital_letter + text[1:]


def opens_on_name(text: str) -> bool:
    """Whether it opens on what is called so in small letters: "tracking-api's timeout", "menu-planner moved".

    A hyphen in it, no article before it, and a verb or its "'s" behind it.
    """
    match = _SMALL_NAME.match(text)
    if match is None:
        return False
    verb = (match["verb"] or "").casefold()
    return match["owns"] is not None or verb in FORMS or verb in MODALS or _PAST.fullmatch(verb) is not None


def _without_fillers(text: str) -> str:
    """The text without words that say how much somebody means it; within a name or a thing they stay."""
    start = 0
    while match := _FILLER.search(text, start):
        if _is_filler(match):
            text = f"{text[: match.start('filler')]}{text[match.start('follows') :]}"
            start = match.start()
        else:
            start = match.start("filler")
    return text


def _is_filler(match: re.Match[str]) -> bool:
    before, filler, follows = (match[name].lower() for name in ("before", "filler", "follows"))
    if match["follows"] != follows or _says_more(before, follows):
        return False
    likes = follows == "like" and before in {"i", "we", "you", "they"}
    if (follows in _MEASURING and not likes) or before in _DETERMINERS:
        return False
    links = re.split(r"['\u2019]", before)[-1] in _LINKING
    if filler in {"just", "simply"}:
        near = " ".join(match["rest"].split()[:3])
        does = follows in FORMS or follows in {"really", "so"} or _PARTICIPLE.fullmatch(follows) is not None
        return (does or (follows in DEGREES and match["rest"][:1] != " ")) and not _COUNTS.search(near)
    if match["adverb"]:
        return True
    if filler == "so":
        return links and not _SO_THAT.search(match["rest"])
    return follows in DEGREES or (links and (filler in {"very", "quite"} or _PARTICIPLE.fullmatch(follows) is not None))


def _says_more(before: str, follows: str) -> bool:
    """Whether the word says something there, or the words beside it could not stand together."""
    if before in _NAMING or before.endswith(("n't", "n\u2019t", ":", ",", ";")):
        return True
    return _would_need_another_article(before, follows)


def _would_need_another_article(before: str, follows: str) -> bool:
    """Whether the word behind an article begins otherwise than one may behind it: "a (very) old house"."""
    return before in {"a", "an"} and (follows[0] in "aeiou") != (before == "an")


def _without_names(text: str, people: Collection[str]) -> str:
    """Names of those present taken out where they are only called: ``Thanks, Max!``."""
    if not people:
        return text
    called = "|".join(sorted(map(re.escape, people), key=len, reverse=True))
    text = re.sub(rf"^(?:{called})(?:[,!.](?!\s+(?:[A-Z](?!\s|['\u2019])|and\b|or\b))|\s-)\s+", "", text)
    text = re.sub(rf"^((?:hey|hi|hello|thanks|thank you|wow|yeah|oh)) (?:{called})\b", r"\1", text, flags=re.IGNORECASE)
    return re.sub(rf"(?P<before>\S+),\s+(?:{called})(?=\s*(?:[,.!?\u2026]|$))(?P<after>,?\s*\w*)", _unless_listed, text)


def _unless_listed(match: re.Match[str]) -> str:
    """The words around a name without it, or with it where it is one of several: "Ben, Ana and Carl"."""
    follows = match["after"].lstrip(", ")
    listed = (
        (match.start() > 0 and match["before"][:1].isupper())
        or follows[:1].isupper()
        or follows in {"and", "or", "but"}
    )
    return match.group() if listed else match["before"] + match["after"]


#: As the offline summarizer marks a sentence that goes on.
_MARK = " \u2026"
#: Words that decide whether a sentence is so, beside denials and maybes.
_TURNS = NEGATORS | MODALS | frozenset({"but", "except", "until", "instead", "than", "or", "pretend", "false", "lie"})


def is_turned_by_cut(statement: str, texts: Sequence[str]) -> bool:
    """Whether a broken off statement lost a word that its sentence turns on or what takes it back, or may be a joke."""
    if not statement.endswith(_MARK):
        return False
    if any(any(jokes_in(parts)) or taking_back(tuple(parts)) for parts in map(sentences, texts)):
        return True
    kept = set(words(statement))
    candidates = [set(words(sentence)) for text in texts for sentence in sentences(text)]
    original = max(candidates, key=lambda candidate: len(candidate & kept))
    return not (original & _TURNS) <= kept


# --- A sentence cut into clauses of which each could be a sentence ---

_SUBJECT = (
    r"(?:I|we|he|she|it|they|you|my|our|his|her|their|the|there|this|that|these|those)"
    r"(?:['\u2019](?:s|m|re|ve|d|ll))?\b"
)
_BREAK = re.compile(
    rf"\s+[-\u2013\u2014]+\s+(?=\w)|\s*[;\u2014]\s*(?=\w)"
    rf"|(?:,?\s+(?:and|but)|,\s+so(?!\s+that\b))\s+(?={_SUBJECT})|,\s+(?={_SUBJECT})|\s+(?=\[)",
    re.IGNORECASE,
)
#: A clause that opens with a noun is one only if one of these follows: else it is the next of a list.
_NOUN = re.compile(r"(?:my|our|his|her|their|the|this|that|these|those)\s", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{tables.choices('statements.verbs')})\b", re.IGNORECASE)
#: A noun, and behind it who did something, up to that verb: "the struggles I had", "the guy who did our kitchen".
_RELATIVE = re.compile(
    r"(?:my|our|his|her|their|the|this|that|these|those)(?: \w+){1,3}? (?:I|we|he|she|they|you|it|who|which)"
    r"(?:['\u2019](?:ve|d|m|re|s))?(?: \w+ly| had| have| has)? (?!and\b|but\b)\w+",
    re.IGNORECASE,
)
_AND = re.compile(r"[,;]|\b(?:and|but)\b")
_REPORTS = re.compile(rf"\b(?:{tables.choices('statements.reports')})$", re.IGNORECASE)
#: A clause shorter than this many words is no sentence.
_SHORTEST = 3
#: So few words without a verb are no sentence, and say how far what follows goes: "A bit less, but it's nearer."
_CURT = 4
#: Somebody alone, with whom somebody else did it: "my brother Ben", "Noor and Ana".
_PERSON = re.compile(
    r"(?:(?:my|our|his|her|their) [^\W\d_]+(?: [A-Z][^\W\d_]+)?|[A-Z][^\W\d_]+)(?: and [A-Z][^\W\d_]+)*"
)
#: A first clause that opens so needs the second.
_DEPENDENT = re.compile(
    r"\W*(?:(?:and|but|so|or|also|plus|well|then|just|only|even|maybe) )*"
    rf"(?:{tables.choices('statements.dependent')})\b",
    re.IGNORECASE,
)
#: A few words on what stands before them, of which one by itself may say the opposite: "it is silly and it is true".
_GOES_ON = re.compile(r"(?:it|that|this)(?:['\u2019]s| is| was)(?: [\w'\u2019-]+){1,2}\W*$", re.IGNORECASE)
#: So does one whose last part opens so: "..., so if I sound grumpy, that is why".
_HANGING = re.compile(
    r"[,;]\s*(?:(?:and|but|so)\s+)?(?:if|when|whenever|while|although|though|after|before|once|until|unless)\b[^,;]*$",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[tuple[str, str]]:
    """Pairs of (separator before, text) which joined give the sentence; one pair when it cannot be cut."""
    parts: list[tuple[str, str]] = []
    start, separator = 0, ""
    for cut in _BREAK.finditer(sentence):
        head = sentence[start : cut.start()]
        rest = sentence[cut.end() :]
        if not _parts(head, rest) or _shares_subject(head, cut.group()) or completes(head, rest):
            continue
        if cut.group().strip(" ,") == "but" and len(head.split()) <= _CURT and lacks_verb(head):
            continue
        parts.append((separator, head))
        start, separator = cut.end(), cut.group()
    return [*parts, (separator, sentence[start:])]


def _shares_subject(head: str, separator: str) -> bool:
    """Whether "and" ties a person before it to what follows: "Deal, Noor and I agreed that ..."."""
    return separator.strip() == "and" and _PERSON.fullmatch(re.split(r"[,;:]\s*", head)[-1]) is not None


def _parts(head: str, rest: str) -> bool:
    """Whether both sides could be sentences: none is cut within brackets."""
    if head.count("(") > head.count(")"):
        return False
    if min(len(head.split()), len(rest.split())) < _SHORTEST or _DEPENDENT.match(head) or _HANGING.search(head):
        return False
    if _REPORTS.search(head) or (_GOES_ON.match(head) and _GOES_ON.match(rest)):
        return False
    return not _NOUN.match(rest) or (_VERB.search(rest) is not None and not _is_thing(rest))


def _is_thing(rest: str) -> bool:
    """Whether it is a noun with a clause that tells which, as "the struggles I had", and no verb of its own."""
    tells_which = _RELATIVE.match(rest)
    return tells_which is not None and _VERB.search(_AND.split(rest[tells_which.end() :])[0]) is None
