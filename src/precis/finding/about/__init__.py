"""Whether a row is about what was asked for; ``conditions`` asks for each of its files and takes the worst answer."""
