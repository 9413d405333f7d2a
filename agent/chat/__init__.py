"""The terminal chat: a loop over lines, what it shows, and its slash commands."""
