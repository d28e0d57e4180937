"""Words of Chinese and Japanese, which write none apart: what comes back in a scope is one. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from precis import patterns as re
from precis.language import tables
from precis.language.dating.elsewhere import without_times
from precis.language.languages import PASSING
from precis.language.words import normal

_KANA = re.compile(r"[\u3041-\u30fa]")
_HAN = re.compile(r"[\u3005\u3400-\u4dbf\u4e00-\u9fff]+")
#: A run of Katakana is a word, and so is a run of ideographs; one ideograph is, where no ending in kana goes on.
_JAPANESE = re.compile(
    r"[\u30a1-\u30fa\u30fc]{2,}|[\u3005\u3400-\u4dbf\u4e00-\u9fff]{2,}"
    r"|[\u4e00-\u9fff](?=[\u306e\u306f\u304c\u3092\u306b\u3067\u3068\u3082\u3078\u3001\u3002])"
)
_PARTING = re.compile(f"[{tables.entry('keywords.parting.Chinese')}]")
#: A word of kana alone is one where clauses of several texts begin with it, and tell of it: "きなこは", "きなこが".
_OPENING = re.compile(
    "(?:^|[\\s\u3001\u3002\u300c\u300d\uff01\uff1f]|[\u3005\u3400-\u9fff\u30a1-\u30fc]\u306e)([\u3041-\u3096\u30fc]{3,})"
)
_LONGEST, _TOLD, _PARTICLES = 6, frozenset("はが"), "はがをのにともへで"
_NAMELESS = frozenset(tables.words("keywords.kana.Japanese"))
_EDGES = {name: frozenset(signs) for name, signs in tables.section("keywords.edges").items()}
_NUMBERS = re.compile(r"[\d零〇一二两三四五六七八九十百千万]+(?:[年月日号天点元块人个次位周]|分钟|小时|星期|欧元)?")
#: Characters of a run that may be a word.
_SIZES = range(2, 6)


def is_unspaced(text: str) -> bool:
    """Whether it has words of Chinese or Japanese."""
    return _HAN.search(text) is not None or _KANA.search(text) is not None


def repeated_runs(texts: Sequence[str]) -> list[frozenset[str]]:
    """For each text those runs of its characters that are words, as far as the others tell."""
    japanese = sum(1 for text in texts if _KANA.search(text)) * 2 > len(texts)
    return _of_japanese(texts) if japanese else _of_chinese(texts)


def _of_japanese(texts: Sequence[str]) -> list[frozenset[str]]:
    runs = [
        {run for run in _JAPANESE.findall(without_times(normal(text))) if run not in PASSING["Japanese"]}
        for text in texts
    ]
    runs = [run | names for run, names in zip(runs, _names_in_kana([*map(normal, texts)]), strict=True)]
    every = {run for each in runs for run in each}
    # What several ideographs name stands in longer runs, too: an operation in its room.
    within = {run: every.intersection(_pieces(run)) for run in every}
    return [frozenset(each.union(*(within[run] for run in each))) for each in runs]


def _names_in_kana(texts: Sequence[str]) -> list[set[str]]:
    """For each text the words of kana in it that clauses of several texts begin with, and some tell of."""
    openings = [
        {(run[:size], run[size]) for run in _OPENING.findall(text) for size in range(2, min(len(run), _LONGEST))}
        for text in texts
    ]
    standing = Counter(word for each in openings for word in {word for word, behind in each if behind in _PARTICLES})
    names = {word for each in openings for word, behind in each if behind in _TOLD and standing[word] > 1} - _NAMELESS
    # What stands nowhere but at the beginning of a longer one is none: of "ことはが" and "ことはに" it is "ことは".
    names -= {name[:size] for name in names for size in range(2, len(name)) if standing[name[:size]] <= standing[name]}
    spelled = {name: re.compile(f"(?:^|[^ぁ-ん]|[{_PARTICLES}]){name}(?:[{_PARTICLES}]|[^ぁ-ん]|$)") for name in names}
    return [{name for name, pattern in spelled.items() if pattern.search(text)} for text in texts]


def _pieces(run: str) -> Iterator[str]:
    return (run[at:end] for at in range(len(run)) for end in range(at + 2, len(run) + 1))


def _of_chinese(texts: Sequence[str]) -> list[frozenset[str]]:
    parts = [list(_stretches(text)) for text in texts]
    runs = [
        {part[at : at + size] for part in each for size in _SIZES for at in range(len(part) - size + 1)}
        for each in parts
    ]
    standing = Counter(run for each in runs for run in each)
    names = {run for run, number in standing.items() if number > 1 and _may_name(run)}
    # What never stands without the longer one is a piece of it.
    pieces = {
        piece for run in names for piece in (run[1:], run[:-1]) if len(piece) > 1 and standing[piece] == standing[run]
    }
    return [frozenset((each & names) - pieces) for each in runs]


def _may_name(run: str) -> bool:
    """Whether a run of Chinese may be a word that names something, or may have one in it."""
    if run[0] in _EDGES["first"] or run[-1] in _EDGES["last"]:
        return False
    return not any(passing in run for passing in PASSING["Chinese"] if len(passing) > 1)


def _stretches(text: str) -> Iterator[str]:
    """What may be words: ideographs between what parts words, without times and numbers."""
    for stretch in _HAN.findall(_NUMBERS.sub(" ", without_times(normal(text)))):
        yield from (part for part in _PARTING.split(stretch) if len(part) > 1)
