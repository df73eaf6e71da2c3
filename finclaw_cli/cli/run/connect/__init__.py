"""`finclaw run --connect`: a run that a server makes."""
