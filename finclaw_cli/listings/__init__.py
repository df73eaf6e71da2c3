"""What is listed and shown of sessions, costs, tools, models and settings: for the command line and the server."""
