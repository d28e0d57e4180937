"""In which ways a name is written: cases, other scripts, and the forms of lists."""
