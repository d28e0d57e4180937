"""The checks between a draft and its commit: a statement is supported by its sources, or it is dropped.

A file a group of checks; ``gate`` is the loop. Pure functions over the draft and the items it was made from.
"""

from __future__ import annotations

from precis.checks.gate import check
from precis.checks.verdicts import Checked, Thresholds, Verdict

__all__ = ["Checked", "Thresholds", "Verdict", "check"]
