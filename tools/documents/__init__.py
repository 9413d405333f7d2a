"""From files to pages, tables and chunks, with the metadata of their document."""
