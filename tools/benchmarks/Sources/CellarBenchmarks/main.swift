import BenchmarkKit

Benchmarks.main()
