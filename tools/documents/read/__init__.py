"""Files to documents, within limits: PDFs in a process of their own.

Imports the other rooms of `documents`; nothing of them imports it.
"""
