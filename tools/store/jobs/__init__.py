"""Documents that workers on any number of machines read: the queue in the database, who submits and who serves.

Imports every other room of `store`; nothing of them imports it.
"""
