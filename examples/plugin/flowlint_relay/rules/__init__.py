"""The rules of this plugin: one file each."""
