"""Reading the bodies of functions: what they may return, without evaluating their callers."""
