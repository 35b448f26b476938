"""Systems that settings declare: no code of their own, one reader for all of them."""
