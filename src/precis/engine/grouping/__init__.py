"""Grouping: which rows a policy reads, which group each belongs to, and when a group is due. Pure."""

from precis.engine.grouping.likeness import Candidate, Cluster, Grouping, Vector, assign
from precis.engine.grouping.regrouping import Regrouping, Sitting, regroup
from precis.engine.grouping.selection import Selection, Trigger

__all__ = [
    "Candidate",
    "Cluster",
    "Grouping",
    "Regrouping",
    "Selection",
    "Sitting",
    "Trigger",
    "Vector",
    "assign",
    "regroup",
]
