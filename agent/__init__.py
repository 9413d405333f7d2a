"""The assistant as its users meet it: settings, sessions, command line, Studio."""
