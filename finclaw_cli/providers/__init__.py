"""Speaking to models: one adapter a wire dialect, all behind the same door."""
