"""What conversations need besides their verbs: a longer summary, the context of a turn, messages read for facts."""
