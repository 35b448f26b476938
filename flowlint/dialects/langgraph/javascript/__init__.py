"""LangGraph's edition for JavaScript and TypeScript, told in the terms of the one for Python."""
