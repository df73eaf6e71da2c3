"""HTTP: connections, TLS, proxies, server-sent events, and what it means that they fail; nothing of models."""
