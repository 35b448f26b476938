"""A plugin of flowlint: a dialect for the made-up library Relay, and a rule for all systems."""
