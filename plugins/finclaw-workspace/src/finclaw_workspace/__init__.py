"""Files and a sandboxed shell: what a model may do inside one folder, and nothing outside it."""
