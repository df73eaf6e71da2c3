"""OpenAI's two wires: Responses for OpenAI itself, Chat Completions for every compatible server."""
