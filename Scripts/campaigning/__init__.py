"""A campaign of faults against the command, from outside: processes, sockets and files only."""
