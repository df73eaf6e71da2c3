"""What requests and tool calls came to, of all sessions, in one database that many processes write at once."""
