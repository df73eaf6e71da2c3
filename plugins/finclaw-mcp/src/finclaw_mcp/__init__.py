"""Tools of servers of the Model Context Protocol (https://modelcontextprotocol.io)."""
