"""A second look at a question whose words fit no line item: a trained ranking of all that are in scope."""
