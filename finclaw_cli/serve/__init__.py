"""Runs, sessions and costs over HTTP: a JSON API, events by WebSocket and server-sent events, and a page."""
