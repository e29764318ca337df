"""Runs of experiments and their cells; frozen, whatever `schema.py` has become since."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", ID, nullable=False),
        sa.Column("uid", sa.String(length=80), nullable=False),
        sa.Column("experiment", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.Column("quick", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.String(length=20), nullable=True),
        sa.Column("versions", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("started", sa.String(length=20), nullable=False),
        sa.Column("finished", sa.String(length=20), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("runs_by_experiment", "runs", ["experiment"], unique=False)
    op.create_index("runs_by_digest", "runs", ["digest"], unique=False)
    op.create_table(
        "cells",
        sa.Column("run_id", ID, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("times", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("measured", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "key"),
    )


def downgrade() -> None:
    for name in ("cells", "runs"):
        op.drop_table(name)
