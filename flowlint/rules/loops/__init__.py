"""Rules about going round."""
