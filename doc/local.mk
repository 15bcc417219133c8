EXTRA_DIST += doc/architecture.md doc/results.md
