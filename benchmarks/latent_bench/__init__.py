"""The parts of benchmarks/latent."""
