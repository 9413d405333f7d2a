"""The assistant as its users meet it: settings, `Assistant`, command line, Studio."""
