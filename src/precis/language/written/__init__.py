"""What texts have in them that nobody tells: code, tables and headings, credentials, and what is told in confidence."""
