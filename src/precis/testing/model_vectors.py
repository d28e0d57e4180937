"""Deterministic vectors for the model server: texts that share words are near each other, on any machine."""

from __future__ import annotations

import base64
import hashlib

import numpy as np
import numpy.typing as npt

from precis.language import words


def hashed_vector(text: str, dimensions: int) -> npt.NDArray[np.float32]:
    """The unit vector of a text by feature hashing of its stemmed content words (Weinberger et al., 2009)."""
    vector = np.zeros(dimensions, dtype=np.float32)
    for term in words.terms(text) or [text.strip().casefold()]:
        digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
        sign = 1.0 if digest[7] & 1 else -1.0
        vector[int.from_bytes(digest[:6], "big") % dimensions] += sign
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        # Two words of opposite sign fell into the same place: any fixed direction will do.
        vector[0] = length = 1.0
    return vector / np.float32(length)


def encode(vector: npt.NDArray[np.float32], *, packed: bool) -> list[float] | str:
    """As the wire has it: a list, or base64 of little-endian 32-bit floats."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode() if packed else vector.tolist()
