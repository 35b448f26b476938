"""Python source and notebooks."""
