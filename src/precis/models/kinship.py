"""How near two words are in meaning, by their vectors in the table that precis ships."""

from __future__ import annotations

from collections.abc import Callable

from precis.models.embeddings import StaticEmbedder, Vectors


def kin_by(embedder: StaticEmbedder) -> Callable[[str, str], float]:
    """Cosine of two words, -1 to 1. The words of one request are known as long as it lasts, and then by nobody."""
    known: dict[str, Vectors] = {}

    def kin(first: str, second: str) -> float:
        for word in (first, second):
            if word not in known:
                known[word] = embedder.vectors([word])[0]
        return float(known[first] @ known[second])

    return kin
