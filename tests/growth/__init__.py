"""How work grows with its input, as ratios within one process; run by `.ci/run`, apart from the other tests."""
