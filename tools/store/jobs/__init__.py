"""Documents that are read by workers on any number of machines: the queue in the database, and who serves it."""
