"""The summarizer without a model: it chooses, trims and quotes sentences of the items. ``summarizer`` calls the steps.

    left out      (language.orders, checks.pasted)   orders to a model; a pasted mail is its sender's
    out of date   conflicts, following               what a later item overrules, or says to be otherwise
    candidates    standalone; trim, together, leading, antecedents, persons, telling
                                                     sentences that can stand alone, cut, joined or led in
    weight        weights/, importance               health, decisions, instructions; less of what an agent says
    choice        selection                          central or covering ones, within the tokens that are left
    text          rendering                          the clauses of an item, with their day

A sentence is missing? ``standalone.candidates`` never made it one (``telling``: it tells nothing), ``conflicts`` has it
overruled, or ``selection`` chose others. ``checks.fates`` says of each source what became of it.
"""
