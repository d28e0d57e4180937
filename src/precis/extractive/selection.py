"""Which sentences are chosen: how central each is, how much weight it has, and what the choice covers."""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from precis.checks.asides import manners_of
from precis.checks.sayings import saying_of, says
from precis.extractive.candidate import Candidate, asks_shortly
from precis.language.chitchat import KIND, MOOD
from precis.language.words import STOP_WORDS, kept_of_words, numbers, stem, words
from precis.models.tokens import rank

#: What a clause costs beside its words: short ones would else always win.
_OVERHEAD = 2
#: A clause that points back, or at the listener, is worth this share.
_DANGLING_SHARE = 0.75
#: So is one that has to quote somebody else, and one that has to quote a short question of theirs.
_QUOTING_SHARE, _ASKED_SHARE = 0.7, 0.85
#: What somebody says of the listener is worth this share: listeners say it of themselves, and know better.
_LISTENER_SHARE = 0.7
#: What a picture shows is worth this share of as many words that were said.
_CAPTION_SHARE = 0.5
#: What is worth no more than this share is no filling for room in which something better had none.
_LITTLE = 0.5
#: A clause with the value that stands, where others were changed, or that says what is so now, is worth so many times
#: as much.
_STANDING = 2.5
#: That is so of changes as long as they take no more words, and this share of all that is chosen: a talk of months is
#: more than what is so now.
_CHANGES, _CHANGES_SHARE = 25, 0.2


def cover(
    options: Sequence[Candidate], weights: Mapping[str, float], take: Callable[[Sequence[int]], bool]
) -> list[int]:
    """Indices in the order chosen: next is the candidate with most uncovered weight per (words + 2) that fits.

    A clause that points back is weighed and chosen together with what it points at. ``take`` says whether candidates
    fit and books them. Where room is left at the end, it goes to those whose words all stand in others already, and not
    together in one. Gains mostly fall as words are covered, so a stale gain is an upper bound and a heap finds the
    next one; where a choice makes its neighbors cheaper (their speaker is named now), those are put back anew.
    """
    state = _State(options, weights)
    heap = [(-state.gain(index), index) for index in range(len(options))]
    heapq.heapify(heap)
    tried: set[int] = set()
    is_full = False
    while heap:
        stale, index = heapq.heappop(heap)
        gain = state.gain(index)
        if gain <= 0 or index in tried:
            continue
        if -stale > gain + 1e-12:
            heapq.heappush(heap, (-gain, index))
            continue
        tried.add(index)
        # Where both have no room, what became of it since is told, and it is not.
        for together in (state.with_newer(index), state.newer(index)):
            if is_full and max((options[at].share for at in together), default=0.0) <= _LITTLE:
                continue
            if together and take(together):
                for neighbor in state.choose(together):
                    heapq.heappush(heap, (-state.gain(neighbor), neighbor))
                break
        else:
            is_full = True
    for index in range(len(options)):
        # "Kuno likes Ghent, Greta likes Porto" holds every word of "Kuno likes Porto", and not that.
        if index not in tried and not state.repeats(index) and take(together := state.with_newer(index)):
            state.choose(together)
    return state.selected


class _State:
    """What is covered so far."""

    def __init__(self, options: Sequence[Candidate], weights: Mapping[str, float]) -> None:
        self._options, self._weights = options, weights
        self._of_item: dict[int, list[int]] = {}
        for index, candidate in enumerate(options):
            self._of_item.setdefault(candidate.item, []).append(index)
        self._covered: set[str] = set()
        #: How many words are chosen, and how many of them tell of a change.
        self._length = self._changes = 0
        self._opened: set[int] = set()
        self._taken: set[int] = set()
        #: Words to the chosen candidates that hold them.
        self._holders: dict[str, set[int]] = {}
        self.selected: list[int] = []

    def together(self, index: int) -> list[int]:
        """The candidate and before it what it points back at, as far as not chosen yet."""
        if index in self._taken:
            return []
        back = self._options[index].points_to
        return [*(self.together(back) if back is not None else []), index]

    def newer(self, index: int) -> list[int]:
        """What says how it is now with what the candidate tells, as far as not chosen yet."""
        newest = [at for later in self._options[index].followed_by for at in self.together(later)]
        return [at for at in dict.fromkeys(newest) if at != index]

    def with_newer(self, index: int) -> list[int]:
        """The candidate behind what says how it is now, and both behind what they point back at."""
        return list(dict.fromkeys((*self.newer(index), *self.together(index))))

    def gain(self, index: int) -> float:
        """Uncovered weight for each word that choosing the candidate would add."""
        group = [self._options[candidate] for candidate in self.together(index)]
        if not group:
            return 0.0
        terms = frozenset().union(*(candidate.terms for candidate in group)) - self._covered
        changes = group[-1].changes and self._changes <= _CHANGES + _CHANGES_SHARE * self._length
        terms |= group[-1].terms if changes or group[-1].of_health or group[-1].ends else frozenset()
        lead = 0 if group[0].item in self._opened else group[0].lead_length
        seen = _CAPTION_SHARE if group[-1].caption else 1.0
        share = (
            seen
            * (_DANGLING_SHARE if group[0].dangling else 1.0)
            * (_STANDING if group[-1].standing or changes else 1.0)
        )
        share *= _quoting_share(group[0].quoted) * (_LISTENER_SHARE if group[-1].of_listener else 1.0)
        share *= group[-1].share
        weight = sum(self._weights.get(term, 0.0) for term in sorted(terms))
        return share * weight / (sum(candidate.length for candidate in group) + lead + _OVERHEAD)

    def repeats(self, index: int) -> bool:
        """Whether a chosen candidate of the same speaker says it, word for word."""
        holders = [self._holders.get(word, set()) for word in self._words(index)]
        if index in self._taken or not holders:
            return True
        own = saying_of(self._options[index].text)
        return any(
            says(saying_of(self._options[holder].text), own) or not own.words for holder in set.intersection(*holders)
        )

    def _words(self, index: int) -> list[str]:
        candidate = self._options[index]
        return [f"{candidate.lead}:", *words(candidate.text)]

    def choose(self, together: Sequence[int]) -> Sequence[int]:
        """Book the candidates; the others of their item may be worth more now."""
        for index in together:
            self.selected.append(index)
            self._taken.add(index)
            self._covered |= self._options[index].terms
            self._length += self._options[index].length
            self._changes += self._options[index].length if self._options[index].changes else 0
            for word in self._words(index):
                self._holders.setdefault(word, set()).add(index)
        items = dict.fromkeys(self._options[index].item for index in together)
        self._opened.update(items)
        return [index for item in items for index in self._of_item[item] if index not in self._taken]


def _quoting_share(quoted: str) -> float:
    if not quoted:
        return 1.0
    return _ASKED_SHARE if asks_shortly(quoted) else _QUOTING_SHARE


#: How much of its worth a sentence loses when it says what was chosen already.
_REDUNDANCY = 0.6
#: Long sentences are near to everything; this takes the advantage back.
_LENGTH = -0.25

Vector = NDArray[np.float64]


def central(options: Sequence[Candidate], take: Callable[[Sequence[int]], bool]) -> list[int]:
    """Indices in the order chosen; ``take`` says whether one fits, with what says how it is now, and books both."""
    if not options:
        return []
    space = _Space([Counter(map(stem, words(candidate.text))) for candidate in options])
    lengths = np.array([max(1, candidate.length + candidate.lead_length) for candidate in options], dtype=np.float64)
    worth = space.degrees() * lengths**_LENGTH
    near = np.zeros(len(options))
    is_open = worth > 0
    selected: list[int] = []
    while is_open.any():
        best = int(np.argmax(np.where(is_open, worth * (1 - _REDUNDANCY * near), -1.0)))
        is_open[best] = False
        together = [*(newer for newer in options[best].followed_by if newer not in selected), best]
        if take(together):
            is_open[together] = False
            selected += together
            near = np.maximum.reduce([near, *map(space.likeness, together)])
    return selected


class _Space:
    """Unit tf-idf vectors, kept by word."""

    def __init__(self, bags: Sequence[Counter[str]]) -> None:
        self._size = len(bags)
        seen = Counter(word for bag in bags for word in bag)
        rarity = {word: math.log(1 + self._size / times) for word, times in seen.items()}
        self._vectors = [_unit({word: times * rarity[word] for word, times in bag.items()}) for bag in bags]
        where: dict[str, tuple[list[int], list[float]]] = {}
        for index, vector in enumerate(self._vectors):
            for word, weight in vector.items():
                places, weights = where.setdefault(word, ([], []))
                places.append(index)
                weights.append(weight)
        self._postings = {word: (np.array(places), np.array(weights)) for word, (places, weights) in where.items()}

    def degrees(self) -> Vector:
        """Mean cosine of each vector to all."""
        total = np.zeros(self._size)
        for places, weights in self._postings.values():
            total[places] += weights * weights.sum()
        return total / self._size

    def likeness(self, index: int) -> Vector:
        """Cosine of one vector to each."""
        total = np.zeros(self._size)
        for word, weight in self._vectors[index].items():
            places, weights = self._postings[word]
            total[places] += weight * weights
        return np.minimum(total, 1.0)


def _unit(vector: dict[str, float]) -> dict[str, float]:
    norm = math.hypot(*vector.values()) if vector else 0.0
    return {word: weight / norm for word, weight in vector.items()} if norm else {}


#: Log rank below which a word tells nothing, and the log rank given to words of several tokens.
_FLOOR = 5.5
_RARE = math.log(100_000)
#: A polite or merely emotional word tells this much of what its rank says.
_KIND_SHARE = 0.15
#: A word of opinion or vague doing this much.
_MOOD_SHARE = 0.5
#: A word that comes back in several items is what they are about.
_RETURNS = 0.2


def weigh(texts: Iterable[str]) -> dict[str, float]:
    """Weight of each stem in these texts, about 0 to 7."""
    shortest: dict[str, str] = {}
    seen: Counter[str] = Counter()
    texts = list(texts)
    manners = manners_of(texts)
    for text in texts:
        stems = set()
        for word in words(text):
            if word not in STOP_WORDS and not (manners and manners.is_grammar(word)):
                term = stem(word)
                stems.add(term)
                if len(word) <= len(shortest.get(term, word)):
                    shortest[term] = word
        seen.update(stems)
    kind = {term for term in seen if manners and manners.is_kind(shortest[term])}
    return {
        term: _rarity(shortest[term]) * (_KIND_SHARE if term in kind else 1) * (1 + _RETURNS * math.log(times))
        for term, times in seen.items()
    }


@kept_of_words
def _rarity(word: str) -> float:
    """What the word tells by itself."""
    if numbers(word):
        return _RARE - _FLOOR
    place = rank(word)
    rarity = max(0.0, (math.log(place) if place else _RARE) - _FLOOR)
    term = stem(word)
    return rarity * (_KIND_SHARE if term in KIND else _MOOD_SHARE if term in MOOD else 1.0)
