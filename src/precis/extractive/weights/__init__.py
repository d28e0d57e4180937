"""What weighs more than its words do: decisions, instructions, dates that moved; and what an agent says, which less."""
