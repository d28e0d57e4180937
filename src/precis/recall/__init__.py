"""A question read, rows ranked, a context assembled: pure. ``store/search`` brings rows, ``app/recall`` calls this.

    question     question; answers, users, wishes, persons      what is asked, of whom, in which other words
    score        ranking; relevance, speakers, newest, sought/  each row with its neighbors; the chance that it tells
    first rows   telling, theirs, whose, newer/, echoes         read in full: what kind, whose, which is the newest
    context      assembly; offers, pieces, alone                which sentences are worth their tokens
    apart        naming; listing                                a memory named in words; centers of vector lists

Weights stand in ``ranking.Weights``; those of the chance in ``relevance``.
"""
