"""What the bodies of functions in TypeScript give."""
