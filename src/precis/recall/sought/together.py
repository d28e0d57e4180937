"""Which words of a question stand together in a long text: as a whole it holds some word of any question. Pure."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from precis.language.sentences import sentences
from precis.language.words import PASSAGE, index_terms
from precis.recall.question import Candidate

#: So many sentences stand together: what a sentence leaves out those beside it may tell.
_SENTENCES = 3
#: So much counts a word in another form.
_IN_A_FORM = 0.7


def together(
    text: str, row: Candidate, terms: Sequence[str], forms: Mapping[str, str], rarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], str] | None:
    """The stretch of it that holds most of the terms by rarity, behind how much of each; None of a text that is short.

    Of a summary, each of whose sentences stands for itself, it is one of them. ``forms`` are other forms of the terms,
    each with its term.
    """
    if not terms or (row.length <= PASSAGE and not row.is_summary):
        return None
    length = 1 if row.is_summary else _SENTENCES
    cut = sentences(text)
    of_sentences = [_held(sentence, terms, forms) for sentence in cut]
    if not of_sentences:
        return None
    stretches = [np.max(of_sentences[at : at + length], axis=0) for at in range(len(of_sentences))]
    best = max(range(len(cut)), key=lambda at: (float((rarity * stretches[at]).sum()), -at))
    return stretches[best], " ".join(cut[best : best + _SENTENCES])


def _held(sentence: str, terms: Collection[str], forms: Mapping[str, str]) -> list[float]:
    stems = set(index_terms(sentence))
    others = {forms[stem] for stem in stems if stem in forms}
    return [1.0 if term in stems else _IN_A_FORM * (term in others) for term in terms]
