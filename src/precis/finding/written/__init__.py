"""How a thing or a name may be written: in which language and script, with which ending, in which other spelling."""
