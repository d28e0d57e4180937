"""Whether an answer is written in the script and language of what it was made from."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from precis import patterns as re
from precis.language import tables, words

#: Letters of each script, and how much one of them weighs: a Chinese character carries what three letters do.
_SCRIPTS: tuple[tuple[str, re.Pattern[str], int], ...] = (
    ("Latin", re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"), 1),
    ("Greek", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"), 1),
    ("Cyrillic", re.compile(r"[\u0400-\u052f]"), 1),
    ("Hebrew", re.compile(r"[\u0590-\u05ff]"), 1),
    ("Arabic", re.compile(r"[\u0600-\u06ff\u0750-\u077f]"), 1),
    ("Devanagari", re.compile(r"[\u0900-\u097f]"), 1),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]"), 1),
    ("Hangul", re.compile(r"[\u1100-\u11ff\uac00-\ud7af]"), 2),
    ("Kana", re.compile(r"[\u3040-\u30ff]"), 2),
    ("Han", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"), 3),
)
#: Frequent words that tell languages of one script apart.
FREQUENT = {name: frozenset(text.split()) for name, text in tables.section("words.languages").items()}
#: Frequent words a text must hold before its language is believed.
_ENOUGH = 4
#: Function words that an English sentence has at least, and so many for each of another language.
_FEW, _CLEARLY = 2, 3
#: English has no larger share of letters with accents.
_ACCENTED = 0.02
_SPACED = re.compile(rf"{words.LETTERED}(?:['\u2019]{words.LETTERED})?")
_ELISION = re.compile(r"['\u2019]")
#: Words that a question is put with and not about, by language; in English those are the function words.
_SMALL = {name: frozenset(text.split()) for name, text in tables.section("questions.small").items()}
_TELLING_NOTHING = frozenset(tables.words("words.users") + tables.words("words.joining")).union(*_SMALL.values())
#: The same with verbs that are said of nearly anything, and the frequent words.
_LIGHT = {name: frozenset(text.split()) for name, text in tables.section("light").items()}
_COMMON = {name: known.union(_LIGHT.get(name, ()), FREQUENT.get(name, ())) for name, known in _SMALL.items()}
_TURKISH = re.compile("[\u011f\u0131\u011e\u0130]")
#: Languages that may have a small word with English.
_ALIKE = 3
#: In which languages a word is small, common or frequent, in their order.
_SMALL_IN, _COMMON_IN, _FREQUENT_IN = (
    {word: [name for name, known in table.items() if word in known] for word in frozenset().union(*table.values())}
    for table in (_SMALL, _COMMON, FREQUENT)
)
#: The frequent ones of each other language that are no function words of English.
_OTHERS_IN = {
    word: [name for name in names if name != "English"]
    for word, names in _FREQUENT_IN.items()
    if word not in words.STOP_WORDS
}
#: Of which languages a question is that has none of their small words.
_WRITTEN_IN = {
    "Cyrillic": ("Russian", "Ukrainian"), "Arabic": ("Arabic",), "Greek": ("Greek",),
    "Hebrew": ("Hebrew",), "Kana": ("Japanese",), "Han": ("Chinese",),
    "Hangul": ("Korean",), "Devanagari": ("Hindi",)}  # fmt: skip
_OWN = frozenset({"Korean", "Japanese"})


def foreign_script(text: str, sources: Iterable[str]) -> str | None:
    """The script most of the text is written in, when its sources are hardly written in it; else None."""
    shares = _shares(text)
    allowed = _shares(" ".join(sources))
    for script, share in shares.items():
        if allowed and share >= _main(script) and allowed.get(script, 0.0) < share / 5:
            return script
    # Chinese about Japanese sources: a sentence of some length without any kana.
    plain_han = shares.get("Han", 0.0) >= _main("Han") and "Kana" not in shares and len(text) >= 12
    return "Han" if plain_han and allowed.get("Kana", 0.0) >= _main("Kana") else None


def foreign_language(text: str, sources: Iterable[str]) -> str | None:
    """The language of the text, when it is plain and none of the sources' words speak for it; else None."""
    counts = _hits(text)
    (best, hits), (_, second) = counts.most_common(2)
    known = _hits(" ".join(sources))
    if hits < _ENOUGH or hits < 2 * second or max(known.values()) < _ENOUGH:
        return None
    return best if known[best] * 4 < max(known.values()) else None


@words.kept_where_short
def is_english(text: str) -> bool:
    """Whether its function words are English, with hardly one of another language among them."""
    spoken = list(words.words(text))
    english = sum(word in words.STOP_WORDS for word in spoken)
    others = Counter(name for word in spoken for name in _OTHERS_IN.get(word, ()))
    return english >= max(_FEW, _CLEARLY * max(others.values(), default=0))


@words.kept_where_short
def is_foreign(text: str) -> bool:
    """Whether it is plainly not English: by its letters, or by frequent words of another language."""
    if not text.isascii() and not _names_abroad(text):
        letters = [sign for sign in text if sign.isalpha()]
        if sum(not sign.isascii() for sign in letters) > _ACCENTED * len(letters):
            return True
    counts = _hits(text)
    return max(hits for name, hits in counts.items() if name != "English") > counts["English"]


def _names_abroad(text: str) -> bool:
    """Whether a text is plainly English, so that its accents are those of names: "He moved from Troms\u00f8"."""
    return len(words.STOP_WORDS.intersection(words.words(text))) > _FEW and is_english(text)


@words.kept
def languages_of(question: str) -> tuple[tuple[str, ...], bool]:
    """The languages that a question may be in besides English, and whether it is in the first of them for sure.

    Those that most of its small words are of, where English has no more; of a script of few languages all of them.
    """
    spoken, written = frozenset(words.words(question)), () if question.isascii() else _of_script(question)
    hits = _within(written, (name for word in spoken for name in _SMALL_IN.get(word, ())))
    most, english = max(hits.values(), default=0), spoken & words.STOP_WORDS
    if not most:
        return () if english else written, False
    if most < len(english):
        return (), False
    is_sure = most > len(english)
    names = tuple(name for name in _SMALL if hits[name] == most and (is_sure or english <= _SMALL[name]))
    names = ("Turkish",) if "Turkish" in names and _TURKISH.search(question) else names
    # "Was kosten Wohnungen?" has a small word of German and English alike; "A sandwich?" has one of ten languages.
    return names if is_sure or len(names) <= _ALIKE else (), is_sure


@words.kept_where_short
def spoken_in(text: str) -> tuple[str, ...]:
    """The languages besides English of which a text has most common words, however often; several have as many."""
    written = () if text.isascii() else _of_script(text)
    hits = _within(written, (name for word in words.words(text) for name in _COMMON_IN.get(word, ())))
    most = max(hits.values(), default=0)
    return tuple(name for name in _COMMON if most and hits[name] == most) or written


def light_words(language: str | None) -> frozenset[str]:
    """Verbs of a language that are said of nearly anything: "nehme", "faire"."""
    return _LIGHT.get(language or "", frozenset())


def is_common_in(word: str, language: str) -> bool:
    """Whether a word, in small letters, is a small, a frequent or a light one of this language."""
    return word in _COMMON.get(language, ())


def _within(written: Collection[str], names: Iterable[str]) -> Counter[str]:
    """How often each language comes, of those that a script is of: in Japanese the N of a car is no French word."""
    return Counter(name for name in names if not written or name in written)


def _of_script(text: str) -> tuple[str, ...]:
    if "\u00bf" in text or "\u00a1" in text:
        return ("Spanish",)  # which alone opens a question with a mark
    shares = _shares(text)
    shares = shares if "Han" not in shares or "Kana" not in shares else {"Kana": 1.0}  # with one particle alone
    return next((names for script, names in _WRITTEN_IN.items() if shares.get(script, 0.0) >= _main(script)), ())


def own_language(text: str) -> str | None:
    """The language of a text in a script that nothing else is written in today: Korean or Japanese; else None."""
    return next((name for name in _of_script(text) if name in _OWN), None)


@words.kept
def without_small(question: str, language: str | None) -> str:
    """A question in this language without its small words; as it is where None."""
    small = _SMALL.get(language or "")
    if not small:
        return question
    return _SPACED.sub(
        lambda match: "" if _is_small(words.normal(match.group()).lower(), small) else match.group(), question
    )


def _is_small(word: str, small: Collection[str]) -> bool:
    """Whether a word is small, or made of small ones: "j'ai"."""
    return word in small or all(part in small for part in _ELISION.split(word))


def _main(script: str) -> float:
    """A fifth of kana makes a text Japanese; any other script is the text's when half of it is."""
    return 0.2 if script == "Kana" else 0.5


def _shares(text: str) -> dict[str, float]:
    weights = {name: weight * len(letters.findall(text)) for name, letters, weight in _SCRIPTS}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items() if weight} if total else {}


def _hits(text: str) -> Counter[str]:
    """Frequent words found, by language; every language is present."""
    hits = Counter(dict.fromkeys(FREQUENT, 0))
    for word in words.words(text):
        for name in _FREQUENT_IN.get(word, ()):
            hits[name] += 1
    return hits


#: Letters from which on a word that comes back is more than grammar.
_LONG = 4
#: Characters of a run that may be a word: of ideographs, and of alphabets that set no words apart.
_IDEOGRAPHS, _LETTERS = range(2, 7), range(4, 11)
#: What Japanese writes in hiragana alone is mostly endings and particles.
_GRAMMAR = re.compile(r"[\u3040-\u309f\u30fc]+")
_HANGING = "".join(map(chr, range(0x3040, 0x30A0))) + "\u7684"
#: An ideograph between hiragana, or between them and an end, is a word.
_ALONE = re.compile(r"(?<![^\u3040-\u309f])[\u4e00-\u9fff](?=[\u3040-\u309f])")
_KATAKANA = re.compile(r"[\u30a0-\u30ff]{2}")
_VIETNAMESE = re.compile(r"[\u1ea0-\u1ef9\u01a1\u01b0\u0111]", re.IGNORECASE)
#: What ends so in Russian is what somebody does: "получаю".
_VERB = re.compile(r"(?<=[\u0400-\u052f])(?:[аяу]ю|[юу]сь|ешь|ишь|ть?ся|л(?:ся|ась|ось|ись))$")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
#: What Russian and its neighbors put behind a noun for its case.
_CASE = re.compile(r"(?<=[\u0400-\u052f]{3})(?:[аеёиіїоуыюяйь]{1,2}|[оеё]м|[оеё]в|[ая]м|[ая]х|[ая]ми)$")
#: Latin letters, and cases that take the place of the last ones.
_BENDING = frozenset({"Polish", "Czech", "Croatian"})
_PAIR = re.compile(r"(?<!\w)(?=([^\W\d_]+ [^\W\d_]+)(?!\w))")
_SPELLED = re.compile(words.WORDED)


def is_frequent(word: str) -> bool:
    """Whether it is a frequent word of a known language."""
    return word in _FREQUENT_IN


def is_grammar(word: str) -> bool:
    """Whether it is that, a small word of a question, or a word for the user: no text is about these."""
    return word in _TELLING_NOTHING or is_frequent(word)


def repeated(
    texts: Iterable[str], *, least: int = 2, may_be: Callable[[str], bool] = lambda _: True, most: int = 1,
    language: str | None = None,
) -> list[str]:  # fmt: skip
    """What comes back in most of the texts, of any language: a word, or a run of characters where no spaces are.

    Frequent words of known languages are left out, and what may not be it. At most ``most``, none of which holds
    another, and none where nothing stands in ``least`` of them. ``language`` is theirs, where that is known.
    """
    texts = list(texts)
    seen: Counter[str] = Counter()
    shown: dict[str, str] = {}
    forms: dict[str, set[str]] = {}
    for text in texts:
        terms: dict[str, str] = {}
        for term, spelling in _terms_of(text):
            forms.setdefault(without_case(term), set()).add(spelling)
            terms.setdefault(without_case(term), spelling)
        seen.update(terms.keys())
        shown = terms | shown
    often = [term for term, times in seen.items() if times >= least and may_be(_bare(shown[term]))]
    often = [term for term in often if not any(map(_VERB.search, forms[term]))]
    best: list[str] = []
    for term in sorted(often, key=lambda term: (-seen[term] * len(term) ** 0.5, term)):
        if len(best) < most and not any(term in other or other in term for other in best):
            best.append(term)
    if not best:
        return [word for word in _opening_alike(texts, language) if may_be(word)]
    return [
        basic_form(forms[term], texts) if len(forms[term]) > 1 and _CYRILLIC.search(term) else _bare(shown[term])
        for term in best
    ]


def _bare(term: str) -> str:
    """Without what hangs on a word in hiragana, which is grammar, and what says in Chinese whose it is."""
    return term.strip(_HANGING) or term


def without_case(word: str) -> str:
    """A word of Russian or its neighbors without the ending of its case, for what stands in several; else as it is."""
    return _CASE.sub("", word)


def basic_forms(nouns: Collection[str], texts: Sequence[str]) -> Mapping[str, str]:
    """For each noun which of them is its basic form."""
    forms: dict[str, set[str]] = {}
    for noun in nouns:
        forms.setdefault(without_case(noun), set()).add(noun)
    return {noun: basic_form(forms[without_case(noun)], texts) for noun in nouns}


def basic_form(forms: Collection[str], texts: Iterable[str]) -> str:
    """Of the forms of a noun the one that opens a text or a sentence, as who does something does, else the shortest."""
    opening = " ".join(f". {text}" for text in texts)

    def order(form: str) -> tuple[int, int, str]:
        return -len(re.findall(rf"(?:[.!?:] |[\u2014\u2013] ){re.escape(form)}(?!\w)", opening)), len(form), form

    return min(forms, key=order)


def _opening_alike(texts: Sequence[str], language: str | None) -> list[str]:
    """The shortest of the words that begin alike, of languages that put their grammar behind the word.

    They stand in half of the texts or more, and share all of the shortest but its last letter, or two where cases
    take the place of these: "ceramika" and "ceramice".
    """
    bends = not _BENDING.isdisjoint({language, *spoken_in(" ".join(texts))})
    groups: dict[str, dict[int, str]] = {}
    for at, text in enumerate(texts):
        for term, spelling in _terms_of(text):
            if " " not in term and all(spaced for _, spaced in words.runs(term)) and not _VIETNAMESE.search(term):
                groups.setdefault(spelling.casefold()[: _long(spelling)], {}).setdefault(at, spelling)
    alike = [sorted(group.values(), key=len) for group in groups.values() if len(group) >= max(2, len(texts) / 2)]
    last = -2 if bends else -1
    near = [group for group in alike if all(word.casefold().startswith(group[0].casefold()[:last]) for word in group)]
    best = max(near, key=len, default=[])
    # Of "wiaty" and "wiata" it is the one that opens a text.
    return [basic_form(best, texts) if bends else best[0]] if best else []


def matters_in(text: str) -> Iterable[str]:
    """What a text may be about, in any language, as it compares with others: without grammar and frequent words."""
    return (without_case(term) for term, _ in _terms_of(text))


def _long(word: str) -> int:
    """Letters from which on it is more than grammar: a syllable of Korean is one sign."""
    return 2 if "\uac00" <= word[0] <= "\ud7af" else _LONG


def _terms_of(text: str) -> Iterable[tuple[str, str]]:
    """What the text may be about, with its spelling."""
    spelled = {spelling.casefold(): spelling for spelling in _SPELLED.findall(text)}
    for run, spaced in words.runs(text):
        if spaced and len(run) >= _long(run) and run[0].isalpha() and not is_grammar(run):
            yield words.stem(run), spelled.get(run, run)
        elif not spaced and not _GRAMMAR.fullmatch(run):
            sizes = _LETTERS if run[0] < "\u3000" else _IDEOGRAPHS
            ends = [at for at in range(len(run) + 1) if not _KATAKANA.fullmatch(run[max(0, at - 1) : at + 1])]
            parts = (run[at : at + size] for size in sizes for at in ends if at + size in ends)
            yield from ((part, part) for part in parts if not _GRAMMAR.fullmatch(part))
            yield from ((sign, sign) for sign in _ALONE.findall(run))
    # A word of Vietnamese has two syllables, with a space between.
    yield from ((pair.casefold(), pair) for pair in _PAIR.findall(text) if _VIETNAMESE.search(pair))
