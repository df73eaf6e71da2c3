"""Speed, as ratios within one run; run by hand, never asserted in CI."""
