"""`finclaw serve`, in the event loop of the tests, over real sockets."""
