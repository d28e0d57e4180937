"""What no row tells alone: who "he" is, by which other name somebody goes, which of two values is the old one."""
