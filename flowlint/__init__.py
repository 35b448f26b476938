"""Static analysis of flow definitions, without running them."""
