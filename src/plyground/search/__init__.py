"""Search algorithms, one per file, general over games; and the parts they may be given."""
