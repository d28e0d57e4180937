"""What dates in texts mean: "last weekend", "on the 11th", "for four months now"."""
