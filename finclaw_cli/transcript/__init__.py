"""What happened, on disk: sessions that can be read again, continued and replayed."""
