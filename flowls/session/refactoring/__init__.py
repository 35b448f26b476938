"""Changes of flows that somebody may want, offered only where they do what they say."""
