"""The title of a summary, made without a model: ``title.title_of`` chooses among what the other files offer."""
