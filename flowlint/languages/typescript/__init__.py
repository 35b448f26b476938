"""TypeScript and JavaScript source, with and without JSX."""
