"""Text read by rules and tables of words, without a model: words, sentences, dates, names, and what replaces what.

``tables`` reads the lists in ``en/*.toml``; most of them have sections for other languages too. ``newest/`` says which
sentence a later one overrules, ``dating/`` which day a phrase means, ``assertions/`` what a clause says of whom,
``keywords/`` which words of a memory another may share.
"""
