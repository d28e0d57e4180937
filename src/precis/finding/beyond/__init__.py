"""What a request takes beyond the words that it names: quotations, secrets, results of tools, things told as one."""
