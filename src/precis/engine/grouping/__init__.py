"""Grouping: which group each row belongs to. Pure."""

from precis.engine.grouping.likeness import Candidate, Cluster, Grouping, Vector, assign
from precis.engine.grouping.regrouping import Regrouping, Sitting, regroup

__all__ = [
    "Candidate",
    "Cluster",
    "Grouping",
    "Regrouping",
    "Sitting",
    "Vector",
    "assign",
    "regroup",
]
