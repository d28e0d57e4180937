"""Grouping: which group each row belongs to. Pure."""

from precis.engine.grouping.clusters import Candidate, Cluster, Grouping, Vector
from precis.engine.grouping.likeness import assign
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
