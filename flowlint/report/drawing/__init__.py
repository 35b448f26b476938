"""Pictures of flows: where everything goes, and how it is drawn."""
