"""The language server: what `flowlint check` finds, as one types.

`session` knows texts, findings and graphs and nothing of the protocol; `features` answers one
request each; `convert` is the only place that turns places into the editor's positions.
"""
