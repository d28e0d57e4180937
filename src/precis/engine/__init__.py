"""The engine, step by step, and the files of each step.

    select, group    policy, grouping/       which memories a policy reads, and of which groups each is a member
    plan             plan, segments          which nodes are to be made, and why
    budget           budget                  what fits a prompt, a node and an answer
    summarize        draft, node, titles/    every node of a plan, children first; prose and titles
    check            node, repeating         what is not borne out is dropped, what is said twice is one
    commit           drafted, lease, engine  what is committed, under which lease, and how that ends
    retain           retention, keeping      what is sealed in frozen nodes before its text may go
    withdraw         forgetting              what leaves when a memory is forgotten, or a statement marked as wrong
    spend            spending                what models may cost, and what a plan would take

Start reading at ``pipeline``, which joins them to the store.
"""
