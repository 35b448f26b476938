"""The language server of flowlint. Nothing is here yet."""
