"""How the words before a subject narrow it: "the gossip about Ana" is not everything of her, "Tarvik AG" is Tarvik."""
