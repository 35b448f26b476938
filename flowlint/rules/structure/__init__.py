"""Rules about nodes, edges and entries as such."""
