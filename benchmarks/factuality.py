"""How well the checks tell supported statements from unsupported ones, beside metrics that cost as little.

    python benchmarks/factuality.py --data DIR

Reads ``qags`` and ``summedits`` (human labels) and ``locomo`` (observations that are corrupted here, one kind of error
at a time). Every metric is computed on the same pairs of a text and its sources. Figures are ROC-AUC: the chance that
a consistent text scores above an inconsistent one.
"""

from __future__ import annotations

import argparse
import calendar
import hashlib
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from precis.checks import Thresholds, check
from precis.language.words import STOP_WORDS, names, numbers, stem, words
from precis.makers import Draft, DraftStatement, Item

_SENTENCE = re.compile(r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bMrs\.)(?<=[.!?])(?<!\d \.)\s+")
_SEED = 11


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A text and what it claims to rest on."""

    text: str
    items: tuple[Item, ...]
    #: Indices of the items it cites.
    cites: tuple[int, ...]
    consistent: bool


# Sets ---------------------------------------------------------------------------------------------


def items_of(text: str) -> tuple[Item, ...]:
    """A document as the items of a prompt: its lines, or its sentences where it has one line."""
    lines = [line for line in text.splitlines() if line.strip()]
    parts = lines if len(lines) > 1 else [part for part in _SENTENCE.split(text) if part.strip()]
    said = datetime(2023, 1, 1, tzinfo=UTC)
    return tuple(Item(text=part, source_ids=(str(n),), created_at=said) for n, part in enumerate(parts))


def qags(folder: Path, name: str) -> list[Pair]:
    """Machine summaries of news; a text is consistent when most votes on its sentences say so."""
    rows = json.loads((folder / "qags" / f"qags_{name}.json").read_text())
    return [
        _whole(row["system_output"], row["source"], consistent=row["scores"]["consistency"] > 1 / 2) for row in rows
    ]


def summedits(folder: Path, name: str) -> list[Pair]:
    """Good summaries with one small edit each, labeled by experts."""
    rows = json.loads((folder / "summedits" / f"{name}.json").read_text())
    return [_whole(row["summary"], row["doc"], consistent=bool(row["label"])) for row in rows]


def _whole(text: str, source: str, *, consistent: bool) -> Pair:
    items = items_of(source)
    return Pair(text=text, items=items, cites=tuple(range(len(items))), consistent=consistent)


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """A claim about one session, with the turns it was noted from."""

    text: str
    session: int
    items: tuple[Item, ...]
    cites: tuple[int, ...]


def observations(folder: Path) -> Iterator[list[Observation]]:
    """The observations of each conversation."""
    for conversation in json.loads((folder / "locomo" / "locomo.json").read_text()):
        yield list(_observations_of(conversation))


def _observations_of(conversation: dict[str, dict[str, object]]) -> Iterator[Observation]:
    talk = conversation["conversation"]
    number = 1
    while f"session_{number}" in talk:
        items, places = _turns(talk[f"session_{number}"], str(talk[f"session_{number}_date_time"]))
        noted = conversation["observation"].get(f"session_{number}_observation", {})
        for claims in noted.values():  # type: ignore[attr-defined]
            for text, *evidence in claims:
                ids = re.findall(r"D\d+:\d+", json.dumps(evidence))
                cites = tuple(places[id_] for id_ in ids if id_ in places)
                if cites:
                    yield Observation(text=text, session=number, items=items, cites=cites)
        number += 1


def _turns(turns: object, said: str) -> tuple[tuple[Item, ...], dict[str, int]]:
    at = datetime.strptime(said, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    items, places = [], {}
    for turn in turns:  # type: ignore[attr-defined]
        shown = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
        places[turn["dia_id"]] = len(items)
        items.append(
            Item(
                text=turn["text"] + shown,
                source_ids=(turn["dia_id"],),
                created_at=at,
                speaker=turn["speaker"],
            )
        )
    return tuple(items), places


# Corruptions ----------------------------------------------------------------------------------------

#: Days and months are no names of somebody.
_CALENDAR = frozenset({*map(str.casefold, [*calendar.day_name, *calendar.month_name])})
Corruption = Callable[[Observation, Sequence[Observation], random.Random], str | None]
_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|does|did)\b(?! not\b|n't)")
_DENIED = re.compile(r"\b(is|are|was|were|has|have|had|can|could|will|would|should|does|did)(?: not|n't)\b")
_VERB = re.compile(r"^([A-Z]\w+(?: and [A-Z]\w+)?) ([a-z]+?)(ed|es|s)\b")


def swap_entity(one: Observation, others: Sequence[Observation], dice: random.Random) -> str | None:
    """A name becomes a name of the conversation that the session does not hold."""
    own = {stem(w) for item in one.items for w in words(item.text + " " + (item.speaker or ""))}
    found = [name for name in names(one.text) if len(name) > 1]
    pool = sorted(
        {n for o in others for n in names(o.text) if stem(n.casefold()) not in own and n.casefold() not in _CALENDAR}
    )
    if not found or not pool:
        return None
    return _replace(one.text, dice.choice(found), dice.choice(pool))


def swap_speaker(one: Observation, _others: Sequence[Observation], _dice: random.Random) -> str | None:
    """What one speaker said is put into the mouth of the other."""
    speakers = sorted({item.speaker for item in one.items if item.speaker})
    named = [speaker for speaker in speakers if re.search(rf"\b{speaker}\b", one.text)]
    if len(speakers) != 2 or len(named) != 1:
        return None
    return _replace(one.text, named[0], next(s for s in speakers if s != named[0]))


def swap_number(one: Observation, _others: Sequence[Observation], dice: random.Random) -> str | None:
    """A number becomes another one, up to nine away."""
    found = re.findall(r"\d+", one.text)
    if not found:
        return None
    old = dice.choice(found)
    return _replace(one.text, old, str(int(old) + dice.randint(1, 9)))


def other_session(one: Observation, others: Sequence[Observation], dice: random.Random) -> str | None:
    """A claim of another session."""
    pool = [o.text for o in others if o.session != one.session]
    return dice.choice(pool) if pool else None


def negate(one: Observation, _others: Sequence[Observation], _dice: random.Random) -> str | None:
    """A denial is put in, or taken out."""
    if match := _DENIED.search(one.text):
        return one.text[: match.end(1)] + one.text[match.end() :]
    if match := _AUXILIARY.search(one.text):
        return one.text[: match.end()] + " not" + one.text[match.end() :]
    if match := _VERB.search(one.text):
        return _VERB.sub(lambda m: f"{m[1]} {'did' if m[3] == 'ed' else 'does'} not {m[2]}", one.text, count=1)
    return None


def swap_word(one: Observation, others: Sequence[Observation], dice: random.Random) -> str | None:
    """A content word becomes one of another observation of the conversation."""

    def plain(text: str) -> list[str]:
        return [w for w in re.findall(r"\b[a-z]{4,}\b", text) if w not in STOP_WORDS]

    mine, pool = plain(one.text), plain(dice.choice(others).text)
    pool = [word for word in pool if word not in mine]
    return _replace(one.text, dice.choice(mine), dice.choice(pool)) if mine and pool else None


def _replace(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", new, text)


CORRUPTIONS: dict[str, Corruption] = {
    "entity swap": swap_entity,
    "speaker swap": swap_speaker,
    "number swap": swap_number,
    "claim of another session": other_session,
    "negation": negate,
    "content word swap": swap_word,
}


def corrupted(folder: Path) -> dict[str, list[Pair]]:
    """For each kind of error, every observation that can be so corrupted, as it was and corrupted."""
    dice = random.Random(_SEED)
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for others in observations(folder):
        for one in others:
            for kind, corrupt in CORRUPTIONS.items():
                text = corrupt(one, others, dice)
                if text is not None and text != one.text:
                    for said, true in ((one.text, True), (text, False)):
                        pairs[kind].append(Pair(text=said, items=one.items, cites=one.cites, consistent=true))
    return pairs


# Metrics --------------------------------------------------------------------------------------------


def by_checks(pair: Pair) -> float:
    """The score of the checks."""
    return check(draft_of(pair), pair.items).score


def draft_of(pair: Pair) -> Draft:
    """The text as a summarizer would hand it in: a statement a sentence."""
    parts = [part for part in _SENTENCE.split(pair.text) if part.strip()]
    said = tuple(DraftStatement(text=part, importance=0.5, sources=pair.cites) for part in parts)
    return Draft(statements=said, made_by="benchmark")


def _source(pair: Pair) -> str:
    return "\n".join(f"{item.speaker}: {item.text}" if item.speaker else item.text for item in pair.items)


def _precision(said: Iterable[object], source: Iterable[object]) -> float:
    counts, there = Counter(said), Counter(source)
    total = sum(counts.values())
    return sum(min(n, there[key]) for key, n in counts.items()) / total if total else 1.0


def rouge_1(pair: Pair) -> float:
    """Share of the text's stemmed words that the sources hold."""
    return _precision(map(stem, words(pair.text)), map(stem, words(_source(pair))))


def rouge_2(pair: Pair) -> float:
    """Share of the text's pairs of stemmed words that the sources hold."""
    return _precision(pairwise(map(stem, words(pair.text))), pairwise(map(stem, words(_source(pair)))))


def rouge_l(pair: Pair) -> float:
    """Share of the text's stemmed words that stand in the sources in the same order (longest common subsequence)."""
    text, source = [stem(word) for word in words(pair.text)], [stem(word) for word in words(_source(pair))]
    row = [0] * (len(source) + 1)
    for word in text:
        before = row
        row = [0]
        for place, other in enumerate(source):
            row.append(before[place] + 1 if word == other else max(before[place + 1], row[place]))
    return row[-1] / len(text) if text else 1.0


def containment(pair: Pair) -> float:
    """Share of the text's names and numbers that the sources hold."""
    source = _source(pair)
    there = set(map(stem, words(source))) | set(numbers(source))
    asked = [stem(name.casefold()) for name in names(pair.text)] + numbers(pair.text)
    return sum(key in there for key in asked) / len(asked) if asked else 1.0


METRICS: dict[str, Callable[[Pair], float]] = {
    "precis": by_checks,
    "ROUGE-2 precision": rouge_2,
    "ROUGE-1 precision": rouge_1,
    "ROUGE-L precision": rouge_l,
    "names and numbers": containment,
}


def auc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Area under the ROC curve, ties counted half (Mann-Whitney)."""
    values, positive = np.asarray(scores), np.asarray(labels, dtype=bool)
    high, low = values[positive], np.sort(values[~positive])
    below, upto = np.searchsorted(low, high, "left"), np.searchsorted(low, high, "right")
    return float((below + upto).sum() / (2 * len(high) * len(low)))


def halves(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The pairs in two halves by the hash of their document: rules are written with one, and the other is reported."""
    parts: list[list[Pair]] = [[], []]
    for pair in pairs:
        parts[hashlib.sha256("\n".join(item.text for item in pair.items).encode()).digest()[-1] % 2].append(pair)
    return parts


# Report ---------------------------------------------------------------------------------------------


def table(sets: dict[str, list[Pair]]) -> Iterator[str]:
    """AUC of every metric on every set."""
    yield "| set | pairs | consistent | " + " | ".join(METRICS) + " |"
    yield "|---|---|---|" + "---|" * len(METRICS)
    for name, pairs in sets.items():
        labels = [pair.consistent for pair in pairs]
        figures = [auc([metric(pair) for pair in pairs], labels) for metric in METRICS.values()]
        share = sum(labels) / len(labels)
        yield f"| {name} | {len(pairs)} | {share:.2f} | " + " | ".join(f"{f:.3f}" for f in figures) + " |"


def gate(sets: dict[str, list[Pair]]) -> Iterator[str]:
    """What the gate does at its defaults: share of true claims kept, of corrupted ones dropped."""
    yield "| error | true claims kept | corrupted claims dropped |"
    yield "|---|---|---|"
    for name, pairs in sets.items():
        kept = [all(v.kept for v in check(draft_of(pair), pair.items).verdicts) for pair in pairs]
        true = [k for k, pair in zip(kept, pairs, strict=True) if pair.consistent]
        false = [k for k, pair in zip(kept, pairs, strict=True) if not pair.consistent]
        yield f"| {name} | {sum(true) / len(true):.3f} | {1 - sum(false) / len(false):.3f} |"


def curve(sets: dict[str, list[Pair]]) -> Iterator[str]:
    """The same over the statement threshold, all kinds of error together."""
    yield "| threshold | true claims kept | corrupted claims dropped |"
    yield "|---|---|---|"
    pairs = [pair for pairs in sets.values() for pair in pairs]
    open_gate = Thresholds(statement=0.0)
    verdicts = [(pair.consistent, check(draft_of(pair), pair.items, thresholds=open_gate).verdicts) for pair in pairs]
    for threshold in (0.0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7):
        share = {
            label: np.mean([all(v.kept and v.score >= threshold for v in vs) for true, vs in verdicts if true is label])
            for label in (True, False)
        }
        yield f"| {threshold:.2f} | {share[True]:.3f} | {1 - share[False]:.3f} |"


def speed(pairs: Sequence[Pair]) -> str:
    """Statements a second, 15 items a draft of four statements; and with all items of a session."""
    rates = []
    for many in (15, 300):
        drafts = []
        for pair in pairs[:200]:
            items = (pair.items * (many // len(pair.items) + 1))[:many]
            said = DraftStatement(text=pair.text, importance=0.5, sources=pair.cites)
            drafts.append((Draft(statements=(said,) * 4, made_by="benchmark"), items))
        start = time.perf_counter()
        for draft, items in drafts:
            check(draft, items)
        rates.append(4 * len(drafts) / (time.perf_counter() - start))
    return f"{rates[0]:.0f} statements a second over 15 items, {rates[1]:.0f} over 300"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder with qags, summedits and locomo")
    folder = parser.parse_args().data
    labeled = {f"QAGS {name}": qags(folder, name) for name in ("cnndm", "xsum")}
    for path in sorted((folder / "summedits").glob("*.json")):
        labeled[f"SummEdits {path.stem}"] = summedits(folder, path.stem)
    sides = {f"{name}, half {n}": part for name, pairs in labeled.items() for n, part in enumerate(halves(pairs))}
    mixed = {name: part for name, part in sides.items() if len({pair.consistent for pair in part}) > 1}
    errors = corrupted(folder)
    for lines in (table(labeled), [""], table(mixed), [""], table(errors), [""], gate(errors), [""], curve(errors)):
        sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write("\n" + speed([pair for pair in errors["negation"] if pair.consistent]) + "\n")


if __name__ == "__main__":
    main()
