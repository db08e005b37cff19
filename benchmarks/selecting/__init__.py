"""What benchmarks/selection is made of: data sets, and ways to select features."""
