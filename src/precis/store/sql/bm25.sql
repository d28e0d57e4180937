-- What a word counts in a row, with k1 1.5 and b 0.75: p is its posting, w has its weight, z the mean length of the scope.
w.weight * p.frequency * 2.5 / (p.frequency + 0.375 + 1.125 * p.length / z.mean)
