"""Newest wins, and only over the same thing: which sentence a later one has overruled.

A sentence overrules an older one where both speak of the same subject and of the same attribute, and the newer gives it
another value, denies it, or says that it ended. Words like "now" say that something changed, never of whom. Where
subject, attribute or value are not certain, both stand; and where a tool or a document says otherwise than somebody.
"""
