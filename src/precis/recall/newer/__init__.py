"""Which newer row is put before an older one among the first rows: a note, a turn, or what tells of a change."""
