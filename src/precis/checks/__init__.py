"""The checks between a draft and its commit: a statement is supported by its sources, or it is dropped.

A file a group of checks; ``gate`` is the loop. Pure functions over the draft and the items it was made from.
"""

from precis.checks.gate import Checked, check
from precis.checks.judging import Thresholds, Verdict

__all__ = ["Checked", "Thresholds", "Verdict", "check"]
