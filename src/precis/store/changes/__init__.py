"""What changed: which memory replaced which, and what a summary said before."""
