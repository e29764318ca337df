"""What faces share: work that plays, stores and reports."""
