"""One file for each request and notification.

A feature has METHOD (or COMMAND), `answer`, and, where needed, OPTIONS and `is_wanted`, which looks
at what the editor can do.
"""

from flowls.features import (
    acting,
    changing,
    closing,
    configuring,
    defining,
    diagnosing,
    diagnosing_workspace,
    drawing,
    ending,
    highlighting,
    indexing,
    making_actions,
    moving_folders,
    naming_prepared,
    notebooks_changing,
    notebooks_closing,
    notebooks_opening,
    opening,
    referring,
    renaming,
    saving,
    watching,
)

FEATURES = (
    indexing,
    opening,
    changing,
    saving,
    closing,
    notebooks_opening,
    notebooks_changing,
    notebooks_closing,
    watching,
    moving_folders,
    configuring,
    diagnosing,
    diagnosing_workspace,
    drawing,
    acting,
    making_actions,
    defining,
    referring,
    highlighting,
    naming_prepared,
    renaming,
    ending,
)
