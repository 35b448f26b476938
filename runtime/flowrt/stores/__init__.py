"""Where runs and definitions are kept."""
