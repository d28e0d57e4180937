"""The five policies: values and small pure functions."""
