"""The stores that the archive passes over: precis's own, and pools, which are somebody else's. One small interface."""
