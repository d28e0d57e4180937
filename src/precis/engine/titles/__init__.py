"""The title of a summary, without a model: ``title.title_of`` chooses it, the other files read what it may name."""
