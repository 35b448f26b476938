"""What other distributions add to flowlint: rules and dialects, found by their entry points."""
