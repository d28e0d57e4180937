"""How likely is what a preview lists in doubt meant? Fits the weights of doubts/chances.py to forget_words.py.

Printed: of two memories in doubt for one request, of which one was meant, the share in which it comes first, by rules
alone and by the chance with its set left out of the fit; how many of what has a chance were meant; the weights.

    python benchmarks/forget/forget_chances.py [--every N]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from forget_words import NOW, cases, findings_of
from precis.finding.doubts.chances import WEIGHTS, figures
from precis.finding.halves import written
from precis.finding.request import read_request
from precis.finding.values import Level
from precis.models.embeddings import StaticEmbedder
from precis.models.embeddings.nearness import kin_by

Floats = NDArray[np.float64]
#: How strongly weights are drawn to nothing, and how often the fit is mended.
_RIDGE, _STEPS = 1.0, 25


def fitted(table: Floats, meant: Floats) -> Floats:
    """The weights of a logistic function, the last one of what all have, by Newton's method."""
    spread = table.std(axis=0) + 1e-9
    scaled = np.c_[table / spread, np.ones(len(table))]
    weights = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (meant - chance) - _RIDGE * weights
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + _RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return np.asarray(weights / np.append(spread, 1.0), dtype=np.float64)


def first(chances: Floats, meant: Floats, asked: Floats) -> str:
    """How often of two of one request the one that was meant has more; half where both have the same."""
    by: dict[float, list[int]] = defaultdict(list)
    for at, request in enumerate(asked):
        by[request].append(at)
    pairs = [pair for listed in by.values() for pair in combinations(listed, 2) if meant[pair[0]] != meant[pair[1]]]
    ahead = [np.sign(chances[one] - chances[two]) * (meant[one] - meant[two]) for one, two in pairs]
    return f"{np.mean([(sign + 1) / 2 for sign in ahead]):.3f} of {len(pairs)}"


def main() -> None:
    """Weigh, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th case")
    options = parser.parse_args()
    embedder, rows, sets = StaticEmbedder(), [], []
    for number, case in enumerate(islice(cases(), 0, None, options.every)):
        found = findings_of(case, embedder)
        known = {finding.id: finding for finding in found.rows}
        texts = {row.id: row.text for row in case.rows}
        listed = [row for row in case.rows if row.id in known]
        weighed = figures(case.ask, read_request(case.ask, NOW.date()), listed, known, kin_by(embedder))
        for id_, of_row in weighed:
            left = written(texts[id_], known[id_].keeps).casefold() if known[id_].keeps else ""
            gone, lost = (
                any(part in texts[id_].casefold() and part not in left for part in parts)
                for parts in (case.gone, case.stay)
            )
            if (gone or lost) and known[id_].level is Level.DOUBTFUL:
                rows.append([number, gone and not lost, known[id_].likelihood, *(of_row[name] for name in WEIGHTS)])
                sets.append(case.half.removesuffix("-read"))
    table, of = np.array(rows, dtype=float), np.array(sets)
    asked, meant, by_rules, table = table[:, 0], table[:, 1], table[:, 2], table[:, 3:]
    chances = np.zeros(len(table))
    for name in sorted(set(sets)):
        weights = fitted(table[of != name], meant[of != name])
        chances[of == name] = 1 / (1 + np.exp(-(table[of == name] @ weights[:-1] + weights[-1])))
    print(f"the one that was meant is first, by rules {first(by_rules, meant, asked)}, ", end="")
    print(f"its set left out {first(chances, meant, asked)}")
    for least, most in ((0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)):
        within = (chances >= least) & (chances < most)
        print(f"chance {least:.1f} to {most:.1f}: {within.sum():5} in doubt, {meant[within].mean():.2f} of them meant")
    for name, weight in zip((*WEIGHTS, "all"), fitted(table, meant), strict=True):
        print(f"{name:15} {weight:6.2f}")


if __name__ == "__main__":
    main()
