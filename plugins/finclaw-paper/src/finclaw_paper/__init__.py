"""A paper broker: orders on a local ledger at stored closes, or on Alpaca's paper account."""
