"""Games and runs in a database: SQLite by default, PostgreSQL by address."""
