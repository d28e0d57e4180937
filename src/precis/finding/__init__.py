"""Finding the memories that a person means: a request in words against the rows of their scope. Pure.

    the request   request; framing, wording, reasons, spelling      what is asked for, without what it is wrapped in
                  subjects, parts, periods, names, identifiers      of whom, of what and of when
    a row         about/                                            whether it is about that: a memory fits, or not
                  surely/, doubts/                                  what makes a fit sure, and what puts it in doubt
                  asked/                                            what kind of telling, which firm
    rows          together/                                         what only several tell: who "he" is, what is old
    otherwise     grounded/                                         where no rule is sure: by what the memories say
    words         written/, words/, tables, reading, nouns, kinds   languages, scripts, forms of names; the tables
    cutting       halves                                            what stays of a memory that loses a part

Start reading at ``finder.find``. In doubt it stays: a row is sure only where every condition is.
"""
