"""What precis.agents was called in 0.1: imports by that name go on working."""

from precis import agents

__path__ = agents.__path__
