"""Facts of models and exchanges: prices, context windows, trading hours."""
