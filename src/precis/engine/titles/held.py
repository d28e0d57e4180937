"""What most statements of another language hold: a name or a noun, in its plain form, as a title has it. Pure."""

from collections import Counter
from collections.abc import Sequence
from math import ceil

from precis import patterns as re
from precis.checks.asides import Manners
from precis.engine.titles import tellings
from precis.engine.titles.abroad import COUNTED, entities, led_by_noun, may_be_a_subject, stands_as_no_noun
from precis.engine.titles.names import in_full
from precis.engine.titles.noun_phrases import TOKEN, body
from precis.language.script import is_grammar, repeated
from precis.language.sharing import without_endings
from precis.language.words import stem
from precis.language.written.runs import is_unspaced, repeated_runs

#: What comes back stands in so many texts. A second word of more texts than these stands in half of them.
_OFTEN, _FEW = 2, 3
_JAPANESE, _KOREAN = "Japanese", "Korean"
_KANA = re.compile("[\u3041-\u3096\u30fc]+")
#: Languages that hang endings on a noun, and no article before it; the longest ending, and the shortest noun.
_HANGING = frozenset({"Turkish", "Finnish", "Hungarian", "Polish", "Czech"})
_ENDING, _SHORTEST = 4, 4
#: A noun of these has what it is a part of or made for right before it: "yoga kursu".
_LED = frozenset({"Turkish"})
#: Small words between two that are one thing: "corso di ceramica".
_BETWEEN = r"(?: [^\W\d_]{1,4}){1,2} "


def back_abroad(
    topics: Sequence[str], bare: Sequence[str], people: Sequence[str], language: str | None, manners: Manners | None
) -> str:
    """What comes back in texts of another language, and is no name of who speaks; of two words the second in half."""
    word = "" if stands_as_no_noun(word := back(bare, language), topics, language) else word
    names = led_by_noun(word, entities(topics, people, language, manners), topics, language)
    names = in_half(names or ([word] if all(tellings.apart(word, who) for who in people) else []), topics)
    return ", ".join(plain(name, topics, language) for name in names)


def back(texts: Sequence[str], language: str | None) -> str:
    """What comes back in whatever language, in every fourth text; what is counted is no subject: "15 000 korun"."""
    bodies = [COUNTED.sub(" ", body(text)) for text in texts]
    if language == tellings.CHINESE:  # where a word ends, only what comes back whole tells
        return ", ".join(tellings.in_one(tellings.without_capitals(bodies, language), bodies))
    least = max(_OFTEN, ceil(len(texts) / 4))
    alike = repeated(bodies, least=least, may_be=lambda word: may_be_a_subject(word, language), language=language)
    word = "".join(alike)
    name = _name_in_kana(bodies) if language == _JAPANESE else ""
    if name and standing(name, bodies) > (standing(word, bodies) if word else 0):
        return name
    return in_full(word, texts) if word else ", ".join(tellings.without_capitals(bodies, language))


def _name_in_kana(bodies: Sequence[str]) -> str:
    """The name of kana alone that most of the texts have: "きなこ"; empty where none comes back."""
    seen = Counter(run for runs in repeated_runs(bodies) for run in runs if _KANA.fullmatch(run))
    often = [run for run in seen if seen[run] >= _OFTEN]
    return max(often, key=lambda run: (seen[run], len(run), run), default="")


def standing(word: str, texts: Sequence[str]) -> int:
    """In how many texts a word stands, in whatever form, or in a longer noun."""
    low = word.casefold()
    if is_unspaced(word):
        return sum(low in body(text).casefold() for text in texts)
    roots = {stem(part) for part in TOKEN.findall(low)}
    return sum(
        low in body(text).casefold() or roots <= {stem(token.casefold()) for token in TOKEN.findall(body(text))}
        for text in texts
    )


def in_half(words: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The first, and the others as far as half of the texts have them."""
    return [*words[:1], *(word for word in words[1:] if standing(word, texts) * 2 >= len(texts))]


def tells_of_enough(noun: str, named: str, texts: Sequence[str]) -> bool:
    """Whether a noun may stand beside what all texts are about: it is in half of them, where they are many.

    A longer noun of that says it twice: "Torte, Kirschtorte".
    """
    if named.casefold() in noun.casefold():
        return False
    return len(texts) <= _FEW or standing(noun, texts) * 2 >= len(texts)


def plain(word: str, texts: Sequence[str], language: str | None) -> str:
    """A word as it stands without the ending of its case, where some text has it so, behind what it is a part of."""
    tokens = [re.findall(r"[^\W\d_]+", body(text)) for text in texts]
    every = {token.casefold(): token for of_text in tokens for token in of_text}
    if language == _KOREAN:
        return _without_particle(word, every)
    if language not in _HANGING or " " in word:
        return word
    low = word.casefold()
    shorter = [
        token for token in every
        if len(token) >= _SHORTEST and low.startswith(token) and len(low) - len(token) <= _ENDING
        and not is_grammar(token)
    ]  # fmt: skip
    noun = every[min(shorter, key=len)] if shorter else word
    places = [
        of_text[at - 1].casefold() if at else ""
        for of_text in tokens
        for at, token in enumerate(of_text)
        if token.casefold().startswith(noun.casefold())
    ]
    led = places[0] if language in _LED and len(places) >= _OFTEN and len({*places}) == 1 else ""
    return f"{every[led]} {noun}" if len(led) >= _SHORTEST and not is_grammar(led) else noun


def _without_particle(word: str, every: Sequence[str] | dict[str, str]) -> str:
    """A word of Korean without what is written behind it, unless something else is behind all of it elsewhere."""
    if any(other != word and other.startswith(word) for other in every):
        return word
    bare = without_endings(word)
    return next((noun for noun in bare if any(other != word and other.startswith(noun) for other in every)), word)


def in_one_phrase(named: str, texts: Sequence[str]) -> str:
    """Two words as one noun phrase, where they stand so in several texts: "corso di ceramica"."""
    pair = named.split(", ")
    if len(pair) != _OFTEN:
        return named
    first, second = map(re.escape, pair)
    pattern = re.compile(rf"(?<!\w)(?:{first}{_BETWEEN}{second}|{second}{_BETWEEN}{first})(?!\w)", re.IGNORECASE)
    wordings = Counter(match.group() for text in texts for match in [pattern.search(body(text))] if match)
    wording, times = max(wordings.items(), key=lambda pair: pair[1], default=("", 0))
    return wording if times >= max(_OFTEN, len(texts) / 2) else named
