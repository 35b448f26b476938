"""A forward abstract interpreter for TypeScript: follows what code builds, without running it."""
