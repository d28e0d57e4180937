"""The summarizer without a model: it chooses, trims and quotes sentences of the sources."""
