"""What goes over the wire: vectors of bytes, played through real sockets."""
