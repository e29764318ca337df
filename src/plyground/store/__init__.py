"""Games kept in a database: SQLite by default, PostgreSQL by address."""
