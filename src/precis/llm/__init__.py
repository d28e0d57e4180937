"""Models: chat, extractive, embeddings, tokens, prices."""
