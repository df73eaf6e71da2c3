"""What requests have cost: what is asked for, the report, its forms."""
