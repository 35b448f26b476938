"""The model of a flow and the algorithms that decide questions about it."""
