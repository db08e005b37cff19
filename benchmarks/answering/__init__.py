"""What benchmarks/answers is made of: sets, ways to answer, what is measured of an answer, and the targets."""
