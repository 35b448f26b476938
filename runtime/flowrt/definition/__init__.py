"""Flows as plain data: JSON and YAML."""
