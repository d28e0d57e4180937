"""What is put before the first rows of an answer since it is newer: notes, turns, and what tells of a change."""
