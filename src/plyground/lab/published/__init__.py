"""What the studies printed, as JSON with citations: tables, and the numbers of figures and texts.

These are facts that readers need beside ours; nothing is corrected. One file per study.
"""
