"""One file for each request and notification.

A feature has METHOD (or COMMAND), `answer`, and, where needed, OPTIONS and `is_wanted`, which looks
at what the editor can do.
"""

from flowls.features import (
    acting,
    changing,
    closing,
    configuring,
    diagnosing,
    diagnosing_workspace,
    drawing,
    ending,
    indexing,
    making_actions,
    moving_folders,
    notebooks_changing,
    notebooks_closing,
    notebooks_opening,
    opening,
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
    ending,
)
