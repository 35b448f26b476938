"""Changes to Python code become edits."""
