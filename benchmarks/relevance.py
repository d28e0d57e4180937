"""Does recall know when it has nothing? ROC-AUC of the best row's relevance: questions with evidence against others.

Without evidence are: questions that ask one speaker for what the other said (locomo's adversarial ones; friendsqa's
with the name of another speaker in place of theirs), questions of another user of the same data, and questions of
another data set, which nobody here ever spoke of. Beside each figure stands that of the best row's score, which orders
an answer and is scaled to it. ``kept`` is the share of evidence rows among the first ten that stay above a bound,
``empty`` the share of answers without evidence of which nothing stays.

``unsure`` is the bound below which an answer says that nothing is surely relevant. For each set it is chosen on the two
others: the highest of which at most ``ALARMS`` of the questions with evidence would be told so. Shown is how often that
is said of those of the set itself (``own``), and of its questions without evidence.

    python benchmarks/relevance.py --data ../shared/data [--sample 200]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import precis
from chats import Case, Data, friends, locomo, meetings
from precis.app import App

BOUNDS = (0.03, 0.05, 0.1)
#: Bounds for what is surely relevant, and the share of answers with evidence that may be below.
SURE, ALARMS = tuple(at / 200 for at in range(8, 31)), 0.08


def cases(sets: Sequence[Data], sample: int) -> Iterator[Case]:
    """Each set's own questions, and those that have no evidence where they are asked."""
    chance = random.Random(5)
    for data in sets:
        users = sorted({case.user for case in data.own})
        yield from chance.sample(data.own, min(2 * sample, len(data.own)))
        yield from random.Random(6).sample(data.swapped, min(sample, len(data.swapped)))
        for case in chance.sample(data.own, min(sample, len(data.own))):
            user = chance.choice([user for user in users if user != case.user])
            yield Case(data=data.name, kind="other", user=user, query=case.query)
        foreign = [case for other in sets if other.name != data.name for case in other.own]
        for case in chance.sample(foreign, min(sample, len(foreign))):
            yield Case(data=data.name, kind="never", user=chance.choice(users), query=case.query)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often one with evidence has more than one without; equal ones count half."""
    more = np.asarray(positive)[:, None] - np.asarray(negative)[None, :]
    return float((more > 0).mean() + 0.5 * (more == 0).mean())


async def measure(app: App, asked: Sequence[Case]) -> None:
    """Ask, and print."""
    best: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    kept: dict[tuple[str, float], list[bool]] = defaultdict(list)
    for case in asked:
        results = await app.recall.search(case.query, user_id=case.user, limit=10, summaries="without")
        relevant = max((result.relevance.value for result in results), default=0.0)
        score = max((result.score.total for result in results), default=0.0)
        best[case.data, case.kind].append((relevant, score))
        for result in results:
            if result.memory.id in case.evidence:
                for bound in BOUNDS:
                    kept[case.data, bound].append(result.relevance.value >= bound)
    for (data, kind), pairs in sorted(best.items()):
        if kind == "own":
            figures = ", ".join(f"{bound} {np.mean(kept[data, bound]):.2f}" for bound in BOUNDS)
            print(f"{data}: {len(pairs)} questions with evidence, evidence kept at {figures}")
            continue
        own = best[data, "own"]
        by_relevance, by_score = (auc([pair[at] for pair in own], [pair[at] for pair in pairs]) for at in (0, 1))
        figures = ", ".join(f"{bound} {np.mean([pair[0] < bound for pair in pairs]):.2f}" for bound in BOUNDS)
        print(f"{data}, {kind}: {len(pairs)}, AUC {by_relevance:.3f} (score {by_score:.3f}), empty at {figures}")
    print_unsure(best)


def print_unsure(best: Mapping[tuple[str, str], Sequence[tuple[float, float]]]) -> None:
    """For each set the bound that the others choose, and what it says of the set."""
    sets = sorted({data for data, _ in best})
    below = {
        (data, kind, bound): float(np.mean([pair[0] < bound for pair in pairs]))
        for (data, kind), pairs in best.items()
        for bound in SURE
    }
    for left_out in [*sets, None]:
        others = [data for data in sets if data != left_out]
        fitting = [bound for bound in SURE if np.mean([below[data, "own", bound] for data in others]) <= ALARMS]
        bound = max(fitting, default=min(SURE))
        for data in [left_out] if left_out else sets:
            shares = ", ".join(f"{kind} {below[data, kind, bound]:.2f}" for of, kind in sorted(best) if of == data)
            print(
                f"unsure below {bound:.3f} ({'chosen without it' if left_out else 'chosen on all'}), {data}: {shares}"
            )


async def main() -> None:
    """Import, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=200)
    options = parser.parse_args()
    sets = [locomo(options.data), friends(options.data), meetings(options.data)]
    with tempfile.TemporaryDirectory(prefix="precis-relevance-") as folder:
        Path(folder).chmod(0o755)
        async with precis.open(data_dir=Path(folder) / "data") as app:
            for rows in (data.rows for data in sets):
                for start in range(0, len(rows), 500):
                    await app.memories.add(rows[start : start + 500], summarize="deferred")
            await measure(app, list(cases(sets, options.sample)))


if __name__ == "__main__":
    asyncio.run(main())
