"""Alembic's entry: migrations run on the connection that `database.py` opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
