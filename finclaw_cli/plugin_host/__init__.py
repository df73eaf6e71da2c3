"""Finding what others wrote, without importing it before it is used."""
