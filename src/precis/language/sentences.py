"""Sentences of a text, in any script: rules for chat and notes. Nothing of the text is lost but white space."""

from itertools import pairwise

from precis import patterns as re
from precis.language import tables
from precis.language.dates import SHORT_NAMES
from precis.language.words import MARKS, STOP_WORDS, kept, kept_where_short

#: Words that carry a full stop inside a sentence.
_ABBREVIATIONS = frozenset(tables.words("words.abbreviations")) | SHORT_NAMES
#: Abbreviations that often close a sentence too: only a following small letter or number keeps them inside.
_OPEN_ENDED = frozenset(tables.words("words.open_ended"))
#: Words that are abbreviations only before a number ("No. 5"), and else may end a sentence ("I said no.").
_BEFORE_NUMBER = frozenset(tables.words("words.before_number"))
#: Of an ordinal: "am 3. Mai", "im 2. Stock".
_BEFORE_ORDINAL = frozenset(tables.words("words.before_ordinal"))
_GERMAN_MONTHS = frozenset(tables.words("words.german_months"))
_GERMAN_OPENERS = frozenset(tables.words("words.german_openers"))
#: Titles that are no other word; others, only before a name; and what says which of two senses such a word has.
_TITLES, _BEFORE_NAMES = (frozenset(tables.words(f"abbreviations.{it}")) for it in ("titles", "before_names"))
_BEFORE_TITLES, _BEFORE_WEEKDAYS, _PARTICLES = (
    frozenset(tables.words(f"abbreviations.{it}")) for it in ("before_titles", "before_weekdays", "particles")
)
#: Words with a capital that open a sentence, and name nobody.
_OPENERS = _GERMAN_OPENERS | STOP_WORDS | frozenset(tables.words("abbreviations.openers"))
_BEFORE_SMALL = frozenset(tables.words("abbreviations.others"))
#: Of measures and lists: behind these a capital is that of a noun, of a name or of "VAT", but for words that open.
_BEFORE_WORDS = frozenset(tables.words("abbreviations.before_words"))
#: Titles that are written without a full stop as well, before an initial: "Ms I. Varga".
_BEFORE_INITIALS = _TITLES | frozenset(tables.words("abbreviations.before_initials"))
_SMALL_WORD = re.compile(r"[^\W\d_A-Z]{3,}")
_INITIAL = re.compile(r"[^\W\d_]\.")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_CLOSERS = r"\"'\u2019\u201d\u00bb\u203a)\]}\u300d\u300f\u3011\uff09\u300b\u3009*_~"
_EMOJI = r"\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U000e0020-\U000e007f\u20e3"
#: Full stops of scripts that put no space after them, or that have no other use.
_WIDE = r"\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u0589\u1362\u1367\u104a\u104b\u17d4\u17d5"
_END = re.compile(
    rf"(?P<wide>[{_WIDE}]+[{_CLOSERS}]*(?:\s*[{_EMOJI}]+)*\s*)"
    rf"|(?P<plain>[.!?\u2026]+[{_CLOSERS}]*(?:\s*[{_EMOJI}]+)*(?:\s+|$))"
    rf"|(?P<emoji>[{_EMOJI}]+\s+(?=[A-Z\u00c0-\u00de\u0400-\u042f]))"
)
#: A tokenizer has been over the text: "2 . 5 miles".
_DECIMAL_POINT = re.compile(r"\d \. \d$")
_ORDINAL = re.compile(r"\d{1,3}|(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])")  #: Also a day with its month: "25.6.".
_FIRST_WORD = re.compile(rf"\w[\w{MARKS}]*")
_LAST_WORD = re.compile(rf"[\w{MARKS}.&-]+$")
_WRAP = re.compile(r"(?<=[^\W\d_]|[,;])[ \t]*\n[ \t]*(?=[a-z\u00df-\u00ff\u0430-\u045f])")
#: The sentences of a text of more characters are not kept.
_KEPT = 2_000
_LINES = re.compile(r"[\r\n\u2028\u2029\x0b\x0c\x85]+")


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, stripped; a line break ends one unless the line was merely wrapped."""
    return list(_sentences_once(text)) if len(text) <= _KEPT else _sentences(text)


def _sentences(text: str) -> list[str]:
    if text.isprintable():  # so it has no line break
        return _of_line(text)
    unwrapped = _WRAP.sub(" ", text)
    return [sentence for line in _LINES.split(unwrapped) for sentence in _of_line(line)]


@kept
def _sentences_once(text: str) -> tuple[str, ...]:
    """Each step of a summary and every check of it cuts the same texts."""
    return tuple(_sentences(text))


#: Around a word.
_STRIPPED = "'\"\u2019\u201c\u201d("
_SIGNS = re.compile(rf"[{_EMOJI}]+")
_CLOSING_SIGNS = re.compile(rf"(?P<before>\S*?[^\s{_EMOJI}]\S*?)\s*[{_EMOJI}][{_EMOJI}\s]*(?P<mark>[.!?\u2026]*)$")


def undecorated(sentence: str) -> str:
    """The sentence without the emoji behind it, which only say how somebody feels.

    One that stands in a sentence is a word of it, and so is one behind a word that something has to follow.
    """
    if not _SIGNS.search(sentence):
        return sentence
    closing = _CLOSING_SIGNS.search(sentence)
    if closing is None or not closing["before"][-1].isalnum() | (closing["before"][-1] in ".!?\u2026)\"'\u2019\u201d,"):
        return sentence
    bare = closing["before"].strip(_STRIPPED).casefold()
    if bare in STOP_WORDS and closing["before"][-1].isalnum():
        return sentence
    return sentence[: closing.end("before")] + closing["mark"]


def is_question(sentence: str) -> bool:
    """Whether the sentence asks."""
    return sentence.rstrip("\"'\u2019\u201d\u00bb) ").endswith(("?", "\uff1f", "\u061f"))


#: A line of code ends so, opens so, or has an operator behind a name, a call, an index, an option or a backslash in it.
#: A face ("=D") is no operator, and what belongs to an address is none of the line.
_CODE = re.compile(
    r"[;{}]\s*$|^\s*(?:[$>]\s|//|/\*|#!|#\w+ <|</?[a-z!]|\||~~)|(?<!`)`[^`\s][^`]*`(?!`)|\\[A-Za-z]"
    r"|\s--?[a-z][\w-]*(?=[\s=\"'\]]|$)"
    r"|(?:^|[\s(\[{,])[^\W\d]\w*(?:\[[^\]\s]*\])?\s*(?:[-+*/|&!<>:=]?=(?![)(DP3](?!\w))|->|::\w|\+\+|--(?=\W|$))"
    r"|\w\((?:\)|[\"'])|\w\[-?[\w:]"
)


#: Whatever fits has one of these in it: most sentences have none, and need not be looked through.
_SIGNS_OF_CODE = re.compile(r"[;{}$>/#<|~`\\=+\[(-]|::")


@kept_where_short
def is_code(sentence: str) -> bool:
    """Whether it looks like code, or is marked as code or as what somebody else wrote: each of its signs counts."""
    return _SIGNS_OF_CODE.search(sentence) is not None and _CODE.search(sentence) is not None


_QUESTION_OPENS = re.compile(
    rf"(?:(?:and|but|so|ok|okay|hey|oh|wow|well|also)\W+)?(?:{tables.choices('labels.question_opens')})\b",
    re.IGNORECASE,
)


def asks(sentence: str) -> bool:
    """Whether it asks anywhere: a question mark at its end, or inside after an opening that asks."""
    ending = sentence.rstrip("\"')]\u201d ")[-1:]
    return ending in {"?", "\uff1f"} or ("?" in sentence and _QUESTION_OPENS.match(sentence) is not None)


#: The number of an entry of a list, where a line begins, behind a mark or behind the entry before.
_NUMBER_OF_ENTRY = re.compile(r"(?:(?<=\s)|\A)(?P<number>\d{1,2})[.)] +(?=\S)")
#: What parts the entries of a list that is written in one line.
_PARTS_ENTRIES = re.compile(r"(?<=\s[/|\u2022;]) +")
_BEFORE_ENTRIES = re.compile(r"(?:\A|[/|\u2022;:.!?,\u2013-]) *\Z")
_ENTRY = re.compile(r"\s*(?:\d{1,2}[.)]|[-*\u2022\u2013])\s+\S")


def is_entry(sentence: str) -> bool:
    """Whether it is one entry of a list, with its number or bullet."""
    return _ENTRY.match(sentence) is not None


def _of_line(line: str) -> list[str]:
    return [sentence for entry in _entries(line) for sentence in _of_entry(entry)]


def _entries(line: str) -> list[str]:
    """The entries of a numbered list that is written in one line, each with its own number; else the line.

    It counts on from 1. Where slashes or bars part its entries, these part the rest of the line, too.
    """
    places: list[int] = []
    for match in _NUMBER_OF_ENTRY.finditer(line):
        before = line[: match.start()]
        # "She is 2. Then we left." counts nothing.
        counts = bool(places) and before.split()[-1].casefold() not in STOP_WORDS
        if int(match["number"]) == len(places) + 1 and (counts or _BEFORE_ENTRIES.search(before)):
            places.append(match.start())
    if len(places) <= 1:
        return [line]
    parts = [line[start:end] for start, end in pairwise([0, *places, len(line)])]
    if all(_PARTS_ENTRIES.search(part[-3:]) for part in parts[1:-1]):
        parts = [piece for part in parts for piece in _PARTS_ENTRIES.split(part)]
    return parts


def _of_entry(line: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if end.start() >= start and _closes(line[start : end.start()], end, line[end.end() :]):
            parts.append(line[start : end.end()].strip())
            start = end.end()
    parts.append(line[start:].strip())
    return [sentence for sentence in parts if sentence]


def _closes(before: str, end: re.Match[str], after: str) -> bool:
    """Whether this mark ends the sentence that ``before`` is the text of."""
    mark = end.group().strip()
    if not before.strip() and end["plain"] and end.start() == 0:
        return False
    if end["wide"] or not after:
        return not _quoted_on(mark, after)
    if end["emoji"]:
        return len(before.split()) > 0
    if mark == "." and _DECIMAL_POINT.search(before + end.group() + after[:1]):
        return False
    if mark[0] == "." and mark.strip(_CLOSERS) == ".":
        return _full_stop(before, after)
    return not (_opens_small(after) and (mark.startswith(("..", "\u2026")) or mark[-1] in "\"\u201d\u2019'\u00bb)"))


def _full_stop(before: str, after: str) -> bool:
    """Whether a single full stop ends the sentence, by the word it follows and the letter after it."""
    match = _LAST_WORD.search(before)
    word = match.group() if match else ""
    if stands_before_name(before, after):
        return False
    word = word.rpartition("-")[2]
    bare = word.lower().strip("&.")
    if bare in _OPEN_ENDED or bare in _BEFORE_NUMBER:
        return not (after[0].isdigit() or (bare in _OPEN_ENDED and _opens_small(after)))
    if bare in _ABBREVIATIONS or (_opens_small(after) and (bare in _BEFORE_SMALL or _INITIALS.fullmatch(word))):
        return False
    if bare in _BEFORE_WORDS:
        return after[0].isupper() and opens_sentence(after)
    if len(bare) == 1 and bare.isalpha() and word[0].isupper():
        return _letter_ends(before[: len(before) - len(word)], word, after)
    return not (_is_ordinal(before, word, after) or (word.isdigit() and before.strip() == word))


def _letter_ends(before: str, letter: str, after: str) -> bool:
    """Whether a sentence ends on this letter: "vitamin C. It helps", and not "Ms I. Varga", "J. K. Rowling"."""
    *_, last = ["", *before.split()]
    if letter == "I":
        is_initial = last.casefold().rstrip(".") in _BEFORE_INITIALS or _INITIAL.fullmatch(last) is not None
        return not is_initial or opens_sentence(after)
    opening = _FIRST_WORD.match(after)
    opens = opening is not None and len(opening.group()) > 1 and opens_sentence(after) and after[0].isalpha()
    return opens and _SMALL_WORD.fullmatch(last) is not None


def stands_before_name(before: str, after: str) -> bool:
    """Whether a full stop between these texts is that of a title, and a name follows: "Fr. Nowak", not "am Fr."."""
    match = _LAST_WORD.search(before)
    if match is None or not after:
        return False
    titled = match.group().strip("&.")
    word = titled.rpartition("-")[2]
    *_, last = ["", *before[: match.start()].split()]
    if last[-1:].isdigit():
        return False  # "8 hr.", "2020 \u0433."
    if not {titled.lower(), word.lower()}.isdisjoint(_TITLES):
        return True
    if {titled, word}.isdisjoint(_BEFORE_NAMES) or _is_no_title(word, last):
        return False
    if _opens_small(after):
        return word[0].isupper() and after.split(maxsplit=1)[0] in _PARTICLES
    return not opens_sentence(after)


def _is_no_title(word: str, before: str) -> bool:
    """Whether it is the older one of two, "John Hale Sr.", or a day of the week, "am Fr."."""
    older = word == "Sr" and before[:1].isupper() and before.casefold() not in _BEFORE_TITLES
    return older or (word.lower() == "fr" and before.casefold().strip(",") in _BEFORE_WEEKDAYS)


def opens_sentence(text: str) -> bool:
    """Whether the first word is one with which sentences begin, or none: then its capital makes no name of it."""
    match = _FIRST_WORD.match(text)
    return match is None or not match.group()[0].isalpha() or match.group().casefold() in _OPENERS


def _is_ordinal(before: str, number: str, after: str) -> bool:
    """Whether the full stop behind a number makes it an ordinal, as in German, Danish or Czech: "den 3. maj"."""
    if not _ORDINAL.fullmatch(number):
        return False
    *_, earlier, last, _ = ["", "", *(word.casefold() for word in before.rsplit(maxsplit=3)[-3:])]
    if _opens_small(after):  # of a writer without capitals only "am 25.6. um 10" is clear
        return before.lstrip()[:1].isupper() or ("." in number and last in _BEFORE_ORDINAL)
    opening = match.group().casefold() if (match := _FIRST_WORD.search(after)) else ""
    if last not in _BEFORE_ORDINAL or earlier == "i":  # "I am 34. Mom is 60."
        return opening in _GERMAN_MONTHS
    return "." not in number and opening not in _GERMAN_OPENERS


def _opens_small(after: str) -> bool:
    return after.lstrip("\"'\u201c\u2018(").strip()[:1].islower()


def _quoted_on(mark: str, after: str) -> bool:
    """Whether the sentence goes on behind a closing quotation mark: 「はい。」と言った."""
    if len(mark) < 2 or after[:1] in ("", " "):
        return False
    return mark[-1] in '\u300d\u300f\u201d"' and after[0] in "と,，、"
