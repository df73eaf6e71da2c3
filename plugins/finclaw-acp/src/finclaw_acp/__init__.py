"""finclaw as an agent of the Agent Client Protocol (https://agentclientprotocol.com), for editors."""
