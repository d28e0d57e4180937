"""Can the date be read? Of questions for a date, those where a line of the evidence, as it is served, has the day.

The questions of locomo that ask when (category 2) and whose answer is a day, a week, a month or a year. What can be
read: the day above the line, dates in its text, and the days that ``resolved`` adds. "Wrong" are those that add other
days and have not the one asked for: some of them speak of something else.

    python benchmarks/dates.py --data ../shared/data [--show]

``--phrases`` needs no data: the sentences of dated.toml, each said on eight days, by language and half. "Resolved" is
what has all the days that are meant, "wrong" what has any other.

    python benchmarks/dates.py --phrases [--show]

``--blind`` asks two sets that a hand wrote who knew no rule (``dated_blind.json`` with 428 sentences, the second with
260, both in English and other languages); each says which days its words mean, if any. Each set is in two halves by the
hash of the sentence. "All" are sentences of which every day is read; of dates written in full nothing is to be added,
so that it cannot be 1. "Wrong" are those of which a phrase is read that means none of the days; some are debatable.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from chats import questions
from precis.app.importing import read
from precis.language.dates import MONTHS, WEEKDAYS, days_in
from precis.language.dating.elsewhere import meant_elsewhere
from precis.language.dating.english import meant_in
from precis.language.dating.spans import Span

DAY = timedelta(days=1)
HALVES, BLIND = ("unread", "read"), ("dated_blind.json", "dated_blind_second.json")
Range = tuple[date, date]
_TURN = re.compile(r"(?P<day>\d{1,2}) ?(?P<month>[A-Z][a-z]+),? (?P<year>\d{4})|(?P<name>[A-Z][a-z]+),? (?P<of>\d{4})")


def expected(answer: str) -> Range | None:
    """The days that an answer means: "The week before 9 June 2023"."""
    match = _TURN.search(answer)
    if match is None:
        return _year(answer)
    name = (match["month"] or match["name"]).lower()
    if name not in MONTHS:
        return None
    if match["day"] is None:
        first = date(int(match["of"]), MONTHS[name], 1)
        return first, (first + 31 * DAY).replace(day=1) - DAY
    return _around(date(int(match["year"]), MONTHS[name], int(match["day"])), answer.lower())


def _year(answer: str) -> Range | None:
    number = re.fullmatch(r"\D*((?:19|20)\d\d)\.?", answer)
    return (date(int(number[1]), 1, 1), date(int(number[1]), 12, 31)) if number else None


def _around(day: date, lowered: str) -> Range:
    """The day itself, or the weekday, weekend or week that is named beside it."""
    weekday = next((number for word, number in WEEKDAYS.items() if f"{word} before" in lowered), None)
    monday = day - day.weekday() * DAY
    if weekday is not None:
        before = day - ((day.weekday() - weekday - 1) % 7 + 1) * DAY
        return before, before
    weeks = 2 if "two week" in lowered else 1
    if "weekend" in lowered:
        step = -7 * weeks if "before" in lowered else 0
        return monday + (step + 5) * DAY, monday + (step + 6) * DAY
    if "week" in lowered:
        step = -7 * weeks if "before" in lowered else 0
        return monday + step * DAY, monday + (step + 6) * DAY
    return day, day


def readable(text: str, above: date) -> Iterator[Range]:
    """What a reader of the line finds."""
    yield above, above
    for _, spans in meant_in(text, above):
        yield from ((span.first, span.last) for span in spans)
    for day in days_in(text):
        if day.year and day.month and day.day:
            yield date(day.year, day.month, day.day), date(day.year, day.month, day.day)
        elif day.year and not day.month:
            yield date(day.year, 1, 1), date(day.year, 12, 31)


def holds(days: Range, asked: Range) -> bool:
    """Whether one lies in the other, with two days to spare where either is longer than one."""
    spare = 0 if days[0] == days[1] and asked[0] == asked[1] else 2
    slack = spare * DAY
    inside = asked[0] - slack <= days[0] and days[1] <= asked[1] + slack
    return inside or (days[0] <= asked[0] and asked[1] <= days[1] and days[1] - days[0] <= 7 * DAY)


#: The days on which each phrase is said: every weekday, in eight months of four years.
SAID_ON = [date(2021 + at // 2, 1 + (5 * at) % 12, 6 + 2 * at) + at * DAY for at in range(8)]
_CODE = re.compile(r"(?P<unit>[a-zA-Z])(?P<step>[+-]?\d+)(?:\.(?P<day>\d+))?")


def meaning(code: str, today: date) -> Range:
    """The days behind the bar of dated.toml, counted without precis."""
    match = _CODE.fullmatch(code)
    if match is None:
        raise ValueError(code)
    unit, step = match["unit"], int(match["step"])
    monday = today - today.weekday() * DAY
    if unit in "dw":
        day = today + step * (DAY if unit == "d" else 7 * DAY)
        return day, day
    if unit == "W":
        day = monday - 7 * DAY + step * DAY
        return day, day
    if unit == "Y":
        day = today.replace(year=today.year + step)
        return day, day
    if unit == "e":
        return monday + (7 * step + 5) * DAY, monday + (7 * step + 6) * DAY
    if unit in "my":
        months = 12 * today.year + today.month - 1 + step if unit == "m" else 12 * (today.year + step)
        return _months(months, 1 if unit == "m" else 12)
    return _nearest(unit, step, match["day"], today)


def _nearest(unit: str, number: int, day: str | None, today: date) -> Range:
    """The last or next weekday, day of the month, or month of that number."""
    steps = range(-1, -800, -1) if unit in "bnp" else range(1, 800)
    days = (today + step * DAY for step in steps)
    if unit in "ba":
        hit = next(other for other in days if other.weekday() == number)
    elif unit in "nN":
        hit = next(other for other in days if other.day == number)
    else:
        hit = next(other for other in days if other.month == number and (day is None or other.day == int(day)))
        return _months(12 * hit.year + hit.month - 1, 1) if day is None else (hit, hit)
    return hit, hit


def _months(first: int, number: int) -> Range:
    after = first + number
    return date(first // 12, first % 12 + 1, 1), date(after // 12, after % 12 + 1, 1) - DAY


def fits(days: Range, code: str, today: date) -> bool:
    """Whether these are the days: of a week any of it, and the year where the sentence names the rest."""
    first, last = meaning(code, today)
    if code[0] in "pP":
        return days[0].year == days[1].year == first.year and days[0] <= first and last <= days[1]
    spare = (6 if code[0] == "w" else 0) * DAY
    return abs(days[0] - first) <= spare and abs(days[1] - last) <= spare


def outcome_of(served: Sequence[Sequence[Range]], codes: Sequence[str], today: date) -> str:
    """Resolved where each code has a phrase that may mean it, wrong where a phrase means none of them."""
    fitting = [{code for code in codes if any(fits(days, code, today) for days in options)} for options in served]
    if not all(fitting):
        return "wrong"
    return "resolved" if codes and set(codes) <= set().union(*fitting) else "nothing"


def phrases(*, show: bool) -> None:
    """Print resolved and wrong of dated.toml, by language and half."""
    for language, halves in tomllib.loads((Path(__file__).parent / "dated.toml").read_text()).items():
        for half, listed in halves.items():
            counts: Counter[str] = Counter()
            for line in listed.strip().splitlines():
                text, _, code = (part.strip() for part in line.rpartition("|"))
                for today in SAID_ON:
                    meanings = meant_in(text, today) or meant_elsewhere(text, today)
                    served = [[(span.first, span.last) for span in spans] for _, spans in meanings]
                    outcome = outcome_of(served, [] if code == "none" else code.split(), today)
                    counts[f"{outcome} {'of none' if code == 'none' else ''}".strip()] += 1
                    if show and half == "read" and outcome != ("nothing" if code == "none" else "resolved"):
                        print(f"    {outcome} on {today:%a %d %b %Y}: {text} | {code}", *served)
            print(f"{language}, {half}: {_shown(counts)}")


def blind(*, show: bool) -> None:
    """Print what is read of the sentences of the blind sets, by set, language and half."""
    for name in BLIND:
        figures: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for case in json.loads((Path(__file__).parent / name).read_text("utf-8")):
            half = HALVES[zlib.crc32(case["text"].encode()) % 2]
            today = date.fromisoformat(case["said"])
            asked = [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in case["days"]]
            read = [spans for _, spans in meant_in(case["text"], today) or meant_elsewhere(case["text"], today)]
            wrong = any(not any(_meets(span, days) for span in spans for days in asked) for spans in read)
            every = all(any(_meets(span, days) for spans in read for span in spans) for days in asked)
            counts = figures["English" if case["lang"] == "en" else "other languages", half]
            kind = "with" if asked else "without"
            counts.update({kind: 1, f"wrong {kind}": wrong, "all": bool(asked) and every and not wrong})
            if show and half == "read" and wrong:
                print(f"    {case['said']}: {case['text']} | {case['days']}", *read)
        for (language, half), counts in sorted(figures.items()):
            print(
                f"{name}, {language}, {half}: of {counts['with']} that mean days all {counts['all']}, wrong "
                f"{counts['wrong with']}; of {counts['without']} that mean none wrong {counts['wrong without']}"
            )


def _meets(span: Span, days: Range) -> bool:
    return days[0] <= span.last and span.first <= days[1]


def _shown(counts: Counter[str]) -> str:
    meant, none = (sum(counts[f"{way}{of}"] for way in ("resolved", "wrong", "nothing")) for of in ("", " of none"))
    right, wrong = counts["resolved"] / meant, counts["wrong"] / meant
    return (
        f"{meant // len(SAID_ON)} sentences that mean days: resolved {right:.3f}, wrong {wrong:.3f}; "
        f"{none // len(SAID_ON)} that do not: wrong {counts['wrong of none']} of {none}"
    )


def main() -> None:
    """Ask, look, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--phrases", action="store_true", help="the sentences of dated.toml in place of the data")
    parser.add_argument("--show", action="store_true", help="print what is not there to read")
    parser.add_argument("--blind", action="store_true", help="the sentences of the blind sets in place of the data")
    options = parser.parse_args()
    if options.blind:
        blind(show=options.show)
        return
    if options.phrases:
        phrases(show=options.show)
        return
    path = options.data / "locomo" / "locomo.json"
    texts = {row["id"]: row for row in read(path)}
    answers = {
        (sample["sample_id"], entry["question"]): str(entry["answer"])
        for sample in json.loads(path.read_text())
        for entry in sample["qa"]
        if entry["category"] == 2
    }
    counts = {"day above alone": 0, "as served": 0, "wrong": 0}
    number = 0
    for user, question, evidence in questions(path):
        asked = expected(answers.get((user, question), ""))
        if asked is None or not question.lower().startswith(("when", "what date", "since when")):
            continue
        number += 1
        lines = [(texts[id_]["text"], date.fromisoformat(str(texts[id_]["created_at"])[:10])) for id_ in evidence]
        plain = any(holds((day, day), asked) for _, day in lines)
        served = any(holds(days, asked) for text, day in lines for days in readable(text, day))
        added = any(meant_in(text, day) for text, day in lines)
        counts["day above alone"] += plain
        counts["as served"] += served
        counts["wrong"] += added and not served
        if options.show and not served:
            print(question, "|", answers[user, question], *(f"\n    {day} {text[:200]}" for text, day in lines))
    print(f"{number} questions:", ", ".join(f"{name} {count / number:.3f}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
