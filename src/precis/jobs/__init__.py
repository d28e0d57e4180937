"""Ticks, timetables and the worker."""
