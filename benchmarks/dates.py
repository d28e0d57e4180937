"""Can the date be read? Of questions for a date, those where a line of the evidence, as it is served, has the day.

The questions of locomo that ask when (category 2) and whose answer is a day, a week, a month or a year. What can be
read: the day above the line, dates in its text, and the days that ``resolved`` adds. "Wrong" are those that add other
days and have not the one asked for: some of them speak of something else.

    python benchmarks/dates.py --data ../shared/data [--show]
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from precis.app.importing import read
from precis.language.dates import MONTHS, WEEKDAYS, days_in
from precis.language.dating.english import meant_in
from recall import questions

DAY = timedelta(days=1)
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


def main() -> None:
    """Ask, look, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is not there to read")
    options = parser.parse_args()
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
