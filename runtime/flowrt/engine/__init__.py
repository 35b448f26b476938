"""The engine: owns execution, routing, retries, timeouts, heartbeats and what is written down."""
