EXTRA_DIST += doc/architecture.md doc/results.md
dist_man_MANS += doc/eulercl.3 doc/eulercl-formats.5
