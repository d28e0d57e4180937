"""What proves that something was forgotten: the signed receipts, and a search of everything that precis writes."""
