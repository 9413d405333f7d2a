"""LangGraph state machines and the steps they are made of."""
