"""Anthropic's Messages: how a request is written, how its stream is read, and the door that joins both."""
