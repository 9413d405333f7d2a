"""The page for a browser: one ASGI application over a home and its chat threads, and the files that it serves.

Imports the chat's words, the threads and the assistant; `static/` is ours and needs no build step, `vendor/` holds what
others made.
"""
