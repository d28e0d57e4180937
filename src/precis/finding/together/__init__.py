"""What only several rows together tell of one of them."""
