"""Rules about which way a run goes."""
