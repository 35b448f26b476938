"""Lifecycle actions: what a node may have done before and after its own work."""
