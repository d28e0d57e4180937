"""Words of a text: what counts as a word, a content word, a number, a name. Every step that compares texts uses it."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Concatenate, ParamSpec, TypeVar, cast

import Stemmer

from precis import patterns as re
from precis.language import tables

_IDEOGRAPHS = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: Runs of scripts that write without spaces; each is cut into character bigrams.
_UNSPACED = rf"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff{_IDEOGRAPHS}"
#: What a word goes on with and does not begin with: the vowel signs of Indic scripts, accents without a letter of their
#: own.
MARKS = tables.MARKS
#: Letters, and letters and digits, with their marks: what in other scripts ``[^\W\d_]+`` and ``\w+`` cut at a vowel.
LETTERED, WORDED = rf"[^\W\d_]+(?:[{MARKS}]+[^\W\d_]*)*", rf"\w+(?:[{MARKS}]+\w*)*"
_LETTERS = rf"[^\W_{_UNSPACED}]+(?:[{MARKS}]+[^\W_{_UNSPACED}]*)*"
_ENDING = rf"[^\W\d_{_UNSPACED}]+(?:[{MARKS}]+[^\W\d_{_UNSPACED}]*)*"
_WORD = re.compile(rf"[{_UNSPACED}]+|{_LETTERS}(?:'{_ENDING})?")
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
#: What the same comes to in a text of ASCII alone: most texts are, and it is read in half the time.
_PLAIN_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?", re.ASCII)
#: Signs that two spellings of one word differ by: the points of Arabic and Hebrew, joiners and soft hyphens, and which
#: form, color or sex of an emoji is meant.
_OPTIONAL = re.compile(
    "[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff]"
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|\u200d[\u2640\u2642]|[\u00ad\u034f\u200c\u200d]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
#: A flag, any other sign however often it is repeated, and an ideograph that has a neighbor: one without is a word.
#: Lines and blocks are drawn with, not written.
_SINGLE = re.compile(
    r"(?P<flag>[\U0001f1e6-\U0001f1ff]{2})|(?P<sign>[^\w\s\x00-\u20ff\u2500-\u259f\ufffc\ufffd])(?P=sign)*"
    rf"|(?P<ideograph>(?<=[{_UNSPACED}])[{_IDEOGRAPHS}]|[{_IDEOGRAPHS}](?=[{_UNSPACED}]))"
)
#: Ideographs that any text is full of, and nobody asks for by themselves.
_FREQUENT = frozenset("".join(tables.words("words.ideographs")))
#: The comma between thousands.
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
#: The words of a text of more characters are not kept. And how many of such texts a reading is kept of.
_KEPT, _FEW_LONG = 1_000, 8
#: Terms that a passage of a long text has at most: some ninety words of English. And passages: the last may be longer.
PASSAGE, _MOST_PASSAGES = 45, 10_000
_END = re.compile(r"\n+|(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])")
#: By the script that a word begins in, as its first and last character.
_STEMMERS = tuple(
    (first, last, Stemmer.Stemmer(language))
    for first, last, language in (
        ("\0", "\u036f", "english"),
        ("\u0370", "\u03ff", "greek"),
        ("\u0400", "\u052f", "russian"),
        ("\u0530", "\u058f", "armenian"),
        ("\u0600", "\u06ff", "arabic"),
        ("\u0900", "\u097f", "hindi"),
        ("\u0b80", "\u0bff", "tamil"),
        ("\u1e00", "\u1eff", "english"),
    )
)

#: Letters of an ending.
_LONGEST_ENDING = 3
#: By the code of a language that shares its script with others.
_OWN_STEMMERS = {
    code: Stemmer.Stemmer(language)
    for code, language in {
        "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "es": "spanish", "et": "estonian",
        "fi": "finnish", "fr": "french", "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
        "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "sv": "swedish",
        "tr": "turkish",
    }.items()
}  # fmt: skip

STOP_WORDS = frozenset(tables.words("words.stop"))


Texts = ParamSpec("Texts")
Reading = TypeVar("Reading")
_letting_go: list[Callable[[], None]] = []


def kept(read: Callable[Texts, Reading]) -> Callable[Texts, Reading]:
    """A reading of texts that is kept for who reads the same soon; when something is forgotten, none is."""
    return _kept(read, 8192)


def kept_of_words(read: Callable[Texts, Reading]) -> Callable[Texts, Reading]:
    """The same of single words, of which there are more; a name is a word, too."""
    return _kept(read, 65536)


def _kept(read: Callable[Texts, Reading], most: int) -> Callable[Texts, Reading]:
    once = lru_cache(maxsize=most)(read)
    _letting_go.append(once.cache_clear)
    return cast("Callable[Texts, Reading]", once)


def kept_where_short(read: Callable[Concatenate[str, Texts], Reading]) -> Callable[Concatenate[str, Texts], Reading]:
    """The same, but of long texts only the last few are kept: each sentence of one may ask what the whole is."""
    once, lately = kept(read), _kept(read, _FEW_LONG)

    def reads(text: str, /, *others: Texts.args, **named: Texts.kwargs) -> Reading:
        return (once if len(text) <= _KEPT else lately)(text, *others, **named)

    return reads


def let_go() -> None:
    """Nothing is kept of what texts were read for."""
    for clear in _letting_go:
        clear()


def normal(text: str) -> str:
    """The form every comparison starts from: NFKC with straight apostrophes, without signs that may be left out."""
    if text.isascii():
        return text
    return _OPTIONAL.sub("", unicodedata.normalize("NFKC", text).replace("\u2019", "'"))


def runs(text: str) -> Iterator[tuple[str, bool]]:
    """Runs of letters and digits in lower case, in order; each with whether its script sets words apart."""
    for match in _WORD.finditer(normal(text)):
        run = match.group().casefold()
        yield run, not _IS_UNSPACED.match(run)


def words(text: str) -> Iterator[str]:
    """Lower-cased words in order; scripts without spaces as character bigrams."""
    return iter(_words_once(text)) if len(text) <= _KEPT else _words(text)


def _words(text: str) -> Iterator[str]:
    return iter(_PLAIN_WORD.findall(text.lower())) if text.isascii() else _spelled(text)


def _spelled(text: str) -> Iterator[str]:
    for run, spaced in runs(text):
        if spaced or len(run) == 1:
            yield run
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


@kept
def _words_once(text: str) -> tuple[str, ...]:
    """A write, each step of its summary and every check of it read the same sentences."""
    return tuple(_words(text))


@kept_of_words
def stem(word: str) -> str:
    """The Snowball stem of the language most written in the script of a word; of most scripts the word itself."""
    bare = word.removesuffix("'s")
    stems = (stemmer.stemWord(bare) for first, last, stemmer in _STEMMERS if first <= word[:1] <= last)
    return str(next(stems, bare)) or word


def stems_alike(words_of_script: Sequence[str]) -> list[str]:
    """The same of many words that begin in one script; none of them is kept."""
    bare = [word.removesuffix("'s") for word in words_of_script]
    stemmers = (stemmer for first, last, stemmer in _STEMMERS if bare and first <= bare[0][:1] <= last)
    stemmer = next(stemmers, None)
    return bare if stemmer is None else [str(stemmed) for stemmed in stemmer.stemWords(bare)]


@kept_of_words
def is_form(first: str, second: str, language: str) -> bool:
    """Whether two words are forms of one in a language, by its code; an ending has at most three letters.

    Stemmers take what a longer ending makes of a word for the same: "operación" and "opero".
    """
    if stem(first) == stem(second):
        return True
    stemmer = _OWN_STEMMERS.get(language)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    if stemmer is None or max(len(first), len(second)) - alike > _LONGEST_ENDING:
        return False
    return bool(stemmer.stemWord(first) == stemmer.stemWord(second))


#: By the English names of languages that share their script with others.
_STEMMED = {
    "Danish": "da", "Dutch": "nl", "Finnish": "fi", "French": "fr", "German": "de", "Hungarian": "hu", "Italian": "it",
    "Norwegian": "no", "Polish": "pl", "Portuguese": "pt", "Romanian": "ro", "Spanish": "es", "Swedish": "sv",
    "Turkish": "tr", "Czech": "cs",
}  # fmt: skip


@kept_of_words
def stemmed_in(word: str, language: str) -> str:
    """The stem of a word in a language, by its English name; where that has no stemmer, in that of its script."""
    stemmer = _OWN_STEMMERS.get(_STEMMED.get(language, ""))
    return stem(word) if stemmer is None else str(stemmer.stemWord(word)) or word


def terms(text: str) -> list[str]:
    """Stemmed content words in order, repeats kept: what recall indexes and checks compare."""
    return list(_terms_once(text)) if len(text) <= _KEPT else _terms(text)


def _terms(text: str) -> list[str]:
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


@kept
def _terms_once(text: str) -> tuple[str, ...]:
    return tuple(_terms(text))


def index_terms(text: str) -> list[str]:
    """What recall files a row under and looks for: the terms, and what can be asked for besides, repeats kept.

    That is symbols, and ideographs one by one: a question of one is among no bigrams. What compares statements goes by
    the terms alone: a symbol states nothing.
    """
    if text.isascii():
        return terms(text)
    return [*terms(text), *filter(None, map(_single, _SINGLE.finditer(normal(text))))]


def passages(text: str) -> list[list[str]]:
    """The index terms of a text, by passage: each as many whole sentences or lines as there is room for."""
    cut: list[list[str]] = [[]]
    for sentence in _END.split(text):
        stems = index_terms(sentence)
        for start in range(0, len(stems), PASSAGE):
            part = stems[start : start + PASSAGE]
            if cut[-1] and len(cut[-1]) + len(part) > PASSAGE and len(cut) < _MOST_PASSAGES:
                cut.append([])
            cut[-1].extend(part)
    return cut


def _single(match: re.Match[str]) -> str | None:
    sign = match["sign"] or match.group()
    kept = sign not in _FREQUENT if match["ideograph"] else unicodedata.category(sign[0]) == "So"
    return sign if kept else None


@kept_where_short
def content(text: str) -> frozenset[str]:
    """The different stems of the content words."""
    return frozenset(terms(text))


def numbers(text: str) -> list[str]:
    """Digit groups as written, without thousands separators: ``1,200`` is ``1200``, ``10:30`` stays."""
    return [THOUSANDS.sub("", match.group()) for match in _NUMBER.finditer(text)]


#: A word as a name is written, or what ends a sentence.
_NAMED = re.compile(rf"[^\W\d_][\w'\u2019{MARKS}-]*|[.!?\n:]+")


@kept_where_short
def names(text: str) -> tuple[str, ...]:
    """Capitalized words that do not open a sentence, and any word of capitals: likely names."""
    named = []
    opening = True
    for match in _NAMED.finditer(text):
        token = match.group()
        if not token[0].isalpha():
            opening = True
            continue
        bare = token.removesuffix("'s").removesuffix("\u2019s")
        plain = bare.casefold() in STOP_WORDS or bare == "I"
        if bare[0].isupper() and not plain and (not opening or (len(bare) > 1 and bare.isupper())):
            named.append(bare)
        opening = False
    return tuple(named)


def spoken_names(spoken: str | None) -> tuple[str, ...]:
    """The words of a speaker's name or of a question, as they are compared: in small letters, each once."""
    return tuple(dict.fromkeys(word.removesuffix("'s") for word in words(spoken or "") if word not in STOP_WORDS))


#: A name of up to three words with capitals, or in a script without them, before a colon at the beginning of a text.
_PART = r"(?![a-z])[^\W\d_][\w'\u2019.-]{0,30}"
_LEAD = re.compile(rf"\s*({_PART}(?: {_PART}){{0,2}})\s?[:\uff1a]\s*\S")


def led_by(text: str) -> str | None:
    """Who says a text that begins "Ana: ..."; it may be a heading as well, such as "Address: ...".

    Recall takes it for whom a question names, which fits a heading, too. Nothing else relies on it.
    """
    lead = _LEAD.match(text) if ":" in text or "\uff1a" in text else None
    return lead[1] if lead else None
