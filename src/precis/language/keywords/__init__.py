"""What a memory is about, in words: which of its words another memory may share with it, in any language."""
