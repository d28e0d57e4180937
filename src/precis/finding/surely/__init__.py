"""What raises a doubt that the rules for words leave: a memory that can mean nothing else."""
