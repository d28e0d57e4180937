"""What kind of answer a question asks for, of what thing, and whether a row has it. Pure."""
