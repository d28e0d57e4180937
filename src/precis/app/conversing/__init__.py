"""The verb that reads messages for facts."""
