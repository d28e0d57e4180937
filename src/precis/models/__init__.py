"""Models: chat, judge, extraction, embeddings, tokens, prices."""
