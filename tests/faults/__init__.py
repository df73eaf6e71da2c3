"""What goes wrong around a process: signals, pipes, disks."""
