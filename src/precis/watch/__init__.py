"""Seeing precis work: counts for a scraper, the state of each part, and what the doctor advises."""
