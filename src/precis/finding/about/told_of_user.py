"""A clause in which the user says something of themselves, and a note that says it of the user, word for word.

"Vergiss, dass ich keinen Alkohol trinke" means "Der Nutzer trinkt keinen Alkohol": the person is another one, and with
it the ending of the verb; in German its place is as well. No other word may be missing, or be more, before the last.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache

from precis.finding import parts, scripts, values
from precis.finding.reading import HANGUL, UNSPACED, Word, folded, read_words, unelided
from precis.finding.tables import all_words, name_words, words_of
from precis.finding.written import clauses, speaking

_WHY = "it says the same of the user"
#: The ending of a verb is at least behind so many letters, and so many characters say something without spaces.
_STEM, _LEAST = 2, 3
#: In the first person so many words more may stand there: "hace dos meses que no fumo".
_MORE = 3
#: How a clause ends in languages whose verb stands last.
_VERBS_LAST = {"hi": "hindi_verbs", "ko": "korean_told", "tr": "turkish_told"}


def told_of_user(subject: parts.Subject, row: values.Row, own_names: Collection[str]) -> values.Match | None:
    """The match of a row that says of the user what a request in another language than English says of "me"."""
    marked = subject.identifiers or subject.quotes or subject.old or subject.current or subject.value
    if not subject.foreign or marked or len(row.text) > 2000:
        return None
    if subject.language in {"zh", "ja"}:
        return _unspaced(subject, row)
    if subject.names and subject.language != "ko":
        return None
    asked = [word for word in read_words(subject.text) if not _is_aside(word, subject.language)]
    few = len(read_words(subject.text)) < _STEM and not subject.text.endswith(tuple(name_words("turkish_told")))
    if not asked or few or not _is_clause(subject, asked):
        return None
    for start, end in clauses.clauses_of(row.text):
        words = [word for word in read_words(row.text) if start <= word.start < end]
        spans = _same_clause(asked, words, subject.language, own_names)
        if spans:
            return values.Match(level=values.Level.SURE, why=_WHY, spans=spans)
    return None


def asks_own_name(subject: parts.Subject, own_names: Collection[str]) -> bool:
    """Whether what the user is called is asked for, and nothing else: "that my name is not Gerald"."""
    called = name_words("naming_nouns") | name_words("own_called")
    plain = subject.names and all(part.word in called for part in subject.parts)
    if not plain or subject.identifiers or subject.quotes:
        return False
    lows = {unelided(word.low) for word in read_words(subject.text)}
    return not called.isdisjoint(lows) and tells_own_name(subject.text, subject.names, own_names)


def tells_own_name(text: str, names: Collection[tuple[str, ...]], own_names: Collection[str]) -> bool:
    """Whether a sentence has before a name, or else behind it, only what says that it is the user's: "my name is"."""
    users = all_words("first") | name_words("told_users") | name_words("own_called") | set(own_names)
    light = users.union(*map(name_words, "introduces copulas denials name_kinds naming_nouns articles".split()))
    words, firsts = read_words(text), {name[0] for name in names}
    for at, word in enumerate(words):
        if word.low not in firsts or word.owns:
            continue
        start = next((place for place in range(at, -1, -1) if words[place].opens), 0)
        end = next((place for place in range(at + 1, len(words)) if words[place].opens), len(words))
        lows = [{it.low, unelided(it.low), _plain(it)} for it in words[start:at] or words[at + 1 : end]]
        another = any(speaking.is_being(low) for forms in lows if not forms & users for low in forms)
        if any(low & users for low in lows) and all(low & light for low in lows) and not another:
            return True
    return False


def _plain(word: Word) -> str:
    """A word as it is written, in small letters: "isn't"."""
    return word.text.lower().replace("\u2019", "'")


def _is_clause(subject: parts.Subject, asked: Sequence[Word]) -> bool:
    """Whether something is said in it: it has a word for the user, a denial, or a verb in the first person."""
    lows = [word.low for word in read_words(subject.text)]
    last = lows[-1] if subject.language != "ko" else asked[-1].low
    if subject.language in _VERBS_LAST:
        endings = tuple(name_words(_VERBS_LAST[subject.language]))
        return last.endswith(endings) and (len(asked) >= _STEM or subject.language == "tr")
    opening = lows[:_STEM] if subject.language != "ar" else lows
    firsts = name_words("subjects") | name_words("denials") | name_words("told_that")
    return subject.clause or not firsts.isdisjoint(opening)


def _is_aside(word: Word, language: str) -> bool:
    """Whether a word only joins the clause, or says who does it: "dass ich"."""
    low = word.low
    if low in name_words("denials") or _pairs().get(low):
        return False
    light = words_of("tr", "light") if language == "tr" else ()
    return low in name_words("told_that") or low in words_of(language, "first") or low in light


def _same_clause(
    asked: Sequence[Word], words: Sequence[Word], language: str, own_names: Collection[str]
) -> tuple[values.Span, ...]:
    """Where the words of a clause stand in one of the user's; nothing where they do not."""
    told = _behind_subject(words, language, own_names)
    own = told is None
    rest = list(words if told is None else told)
    taken: list[Word] = []
    for word in asked:
        found = next((it for it in rest if it not in taken and _is_same(word, it, language)), None)
        if found is None:
            return ()
        taken.append(found)
    last = max(word.start for word in taken)
    others = [word for word in rest if word not in taken]
    before = [word for word in others if word.start < last and not _says_little(word, language)]
    denied = any(word.low in name_words("denials") for word in others)
    # Without a word for the user it is told in the first person, as it is asked.
    first = own and any(_is_first(word, it, language) for word, it in zip(asked, taken, strict=True))
    others_named = own and any(word.low in own_names or speaking.relations_of(word) for word in words)
    if denied or others_named or (own and not first) or len(before) > (_MORE if own else 0):
        return ()
    return tuple((word.start, word.end) for word in taken)


def _is_first(word: Word, found: Word, language: str) -> bool:
    """Whether a verb is that of the user in both."""
    if language == "tr":
        return found.low.endswith(tuple(name_words("turkish_first")))
    return word.low == found.low and word.low not in _pairs().get(word.low, frozenset({word.low}))


def _says_little(word: Word, language: str) -> bool:
    aside = name_words("articles") | name_words("told_aside")
    return word.low in aside or word.low in words_of(language, "third") or word.low in words_of(language, "first")


def _behind_subject(words: Sequence[Word], language: str, own_names: Collection[str]) -> Sequence[Word] | None:
    """The words of a clause without the user as who does it; None where it does not begin with them."""
    users = name_words("told_users") | set(own_names)
    for at, word in enumerate(words[:2]):
        low = unelided(word.low)
        behind = words[at + 1].low if at + 1 < len(words) else ""
        if low in words_of(language, "first") and at == 0 and low in name_words("subjects") | all_words("first"):
            return words[1:] if behind not in name_words("caseless_of") else None
        if _is_user(low, language, users) and behind not in name_words("caseless_of"):
            acting = scripts.ARABIC.search(low) is not None and at == 1
            plain = at == 0 or acting or words[0].low in name_words("articles")
            return [*(words[:1] if acting else ()), *words[at + 1 :]] if plain else None
    return None


def _is_user(low: str, language: str, users: Collection[str]) -> bool:
    if HANGUL.search(low):
        return any(low in {f"{user}{end}" for end in "은는이가"} for user in users)
    return low in users and (language in {"en", "hi", "ar"} or low in name_words("told_users"))


def _is_same(word: Word, found: Word, language: str) -> bool:
    one, other = word.low, found.low
    if one == other or other in _pairs().get(one, ()):
        return True
    if language == "ko":
        ends = sorted(words_of("ko", "behind"), key=len, reverse=True)
        bare = [next((low[: -len(end)] for end in ends if low.endswith(end) and len(low) > len(end)), low)
                for low in (one, other)]  # fmt: skip
        return bare[0] == bare[1] or (one.endswith("다는") and one[:-1] == other)
    if language == "ar":
        return other in {f"{sign}{stem}" for sign in "\u064a\u062a" for stem in (one, one[1:])}
    if language == "tr":
        denied = [any(deny in low for deny in name_words("turkish_denied")) for low in (one, other)]
        return denied[0] == denied[1] and not _stems(one, "tr").isdisjoint(_stems(other, "tr"))
    return not _stems(one, language).isdisjoint(_stems(other, language)) and _is_ended(one, other)


@lru_cache(maxsize=4096)
def _stems(low: str, language: str) -> frozenset[str]:
    """What a verb is without the ending of its person."""
    ends = name_words("turkish_ends") if language == "tr" else name_words("person_ends")
    bare = {low[: -len(end)] for end in ends if low.endswith(end) and len(low) - len(end) >= _STEM}
    return frozenset(bare | {low})


@lru_cache(maxsize=4096)
def _is_ended(one: str, other: str) -> bool:
    """Whether the two differ as the first and the third person do, or as what men and women say."""
    if len(one) <= _STEM or one[:_STEM] != other[:_STEM]:
        return False
    unlike = (at for at, (first, third) in enumerate(zip(one, other, strict=False)) if first != third)
    shared = next(unlike, min(len(one), len(other)))
    return f"{one[shared:]}={other[shared:]}" in name_words("person_pairs")


@lru_cache(maxsize=1)
def _pairs() -> dict[str, frozenset[str]]:
    """By a frequent verb in the first person, the same in the third."""
    pairs: dict[str, set[str]] = {}
    for pair in name_words("persons_of_verbs"):
        first, _, third = pair.partition("=")
        pairs.setdefault(first, set()).add(third)
    return {first: frozenset(thirds) for first, thirds in pairs.items()}


def _unspaced(subject: parts.Subject, row: values.Row) -> values.Match | None:
    """In Chinese and Japanese what is said of the user stands right behind the word for them."""
    firsts = sorted(words_of(subject.language, "first"), key=len, reverse=True)
    text = _bare(folded(subject.text), subject.language)
    first = next((word for word in firsts if text.startswith(word)), "")
    asked = text.removeprefix(first)
    if not first or len(asked) < _LEAST or text.startswith((f"{first}的", f"{first}の")):
        return None
    for start, end in clauses.clauses_of(row.text):
        told = _bare(folded(row.text[start:end]), subject.language)
        for user in (*firsts, *name_words("users_unspaced")):
            if told.startswith(f"{user}{asked}"):
                return values.Match(level=values.Level.SURE, why=_WHY, spans=((start, end),))
    return None


def _bare(text: str, language: str) -> str:
    """A clause without the particles of Japanese, and without what a request says behind it: "这件事"."""
    for end in sorted(name_words("told_behind"), key=len, reverse=True):
        text = text.removesuffix(end)
    return text.translate(dict.fromkeys(map(ord, "をがはも"))) if language == "ja" and UNSPACED.search(text) else text
