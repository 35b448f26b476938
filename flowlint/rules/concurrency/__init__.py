"""Rules about what runs side by side and meets again."""
