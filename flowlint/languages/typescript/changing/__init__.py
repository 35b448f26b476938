"""Changes to texts of TypeScript and JavaScript."""
