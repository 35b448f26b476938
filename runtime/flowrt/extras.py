"""What to type where a package is missing that only some flows need."""

CURE = "type `pip install 'flowls[runtime]'`, or in a checkout of it `pip install '.[runtime]'`"
