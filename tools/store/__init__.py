"""The home folder: what was read, what is derived from it, one writer at a time, nothing lost by a kill."""
