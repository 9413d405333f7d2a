"""Files to documents, within limits: PDFs, web pages and office files in a process of their own.

Imports the other rooms of `documents`; nothing of them imports it.
"""
