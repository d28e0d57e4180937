"""Facts in what is said: sentences that stand alone, found by rules. Pure; no model, no network."""
