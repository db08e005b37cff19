"""What benchmarks/compare and benchmarks/convergence are made of. Standard library only."""
