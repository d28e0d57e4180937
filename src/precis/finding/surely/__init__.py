"""What makes a row sure that words alone leave in doubt: "Card PIN: 7306" can be nobody's but the user's."""
