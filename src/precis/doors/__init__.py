"""What ``precis.agents`` was called in 0.1: imports by that name work in 0.2 as well, and end with 0.3.

There is nothing here to read or to change: the doors to agent frameworks are in ``precis/agents``.
"""

from precis import agents

__path__ = agents.__path__
