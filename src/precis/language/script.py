"""Whether an answer is written in the script and language of what it was made from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

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
_WORDS = {name: frozenset(text.split()) for name, text in tables.section("words.languages").items()}
#: Frequent words a text must hold before its language is believed.
_ENOUGH = 4
#: Function words that an English sentence has at least, and so many for each of another language.
_FEW, _CLEARLY = 2, 3
#: English has no larger share of letters with accents.
_ACCENTED = 0.02
_OTHERS = tuple(known for name, known in _WORDS.items() if name != "English")


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


def is_english(text: str) -> bool:
    """Whether its function words are English, with hardly one of another language among them."""
    spoken = list(words.words(text))
    english = sum(word in words.STOP_WORDS for word in spoken)
    foreign = max(sum(word in known - words.STOP_WORDS for word in spoken) for known in _OTHERS)
    return english >= max(_FEW, _CLEARLY * foreign)


def is_foreign(text: str) -> bool:
    """Whether it is plainly not English: by its letters, or by frequent words of another language."""
    letters = [sign for sign in text if sign.isalpha()]
    if sum(not sign.isascii() for sign in letters) > _ACCENTED * len(letters):
        return True
    counts = _hits(text)
    return max(hits for name, hits in counts.items() if name != "English") > counts["English"]


def _main(script: str) -> float:
    """A fifth of kana makes a text Japanese; any other script is the text's when half of it is."""
    return 0.2 if script == "Kana" else 0.5


def _shares(text: str) -> dict[str, float]:
    weights = {name: weight * len(letters.findall(text)) for name, letters, weight in _SCRIPTS}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items() if weight} if total else {}


def _hits(text: str) -> Counter[str]:
    """Frequent words found, by language; every language is present."""
    counts = Counter(words.words(text))
    return Counter({name: sum(counts[word] for word in known) for name, known in _WORDS.items()})


#: Letters from which on a word that comes back is more than grammar.
_LONG = 4
#: Characters of a run that may be a word: of ideographs, and of alphabets that set no words apart.
_IDEOGRAPHS, _LETTERS = range(2, 7), range(4, 11)
#: What Japanese writes in hiragana alone is mostly endings and particles.
_GRAMMAR = re.compile(r"[\u3040-\u309f\u30fc]+")
_SPELLED = re.compile(r"\w+")


def is_frequent(word: str) -> bool:
    """Whether it is a frequent word of a known language."""
    return any(word in known for known in _WORDS.values())


def repeated(texts: Iterable[str]) -> list[str]:
    """What comes back in most of the texts, of any language: a word, or a run of characters where no spaces are.

    Frequent words of known languages are left out. At most one, and none where nothing comes back.
    """
    seen: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for text in texts:
        terms = dict(_terms_of(text))
        seen.update(terms.keys())
        shown = terms | shown
    often = [term for term, times in seen.items() if times > 1]
    best = min(often, key=lambda term: (-seen[term] * len(term) ** 0.5, term), default=None)
    return [shown[best]] if best else []


def _terms_of(text: str) -> Iterable[tuple[str, str]]:
    """What the text may be about, with its spelling."""
    spelled = {spelling.casefold(): spelling for spelling in _SPELLED.findall(text)}
    for run, spaced in words.runs(text):
        if spaced and len(run) >= _LONG and run[0].isalpha() and not is_frequent(run):
            yield words.stem(run), spelled.get(run, run)
        elif not spaced and not _GRAMMAR.fullmatch(run):
            sizes = _LETTERS if run[0] < "\u3000" else _IDEOGRAPHS
            parts = (run[at : at + size] for size in sizes for at in range(len(run) - size + 1))
            yield from ((part, part) for part in parts if not _GRAMMAR.fullmatch(part))
