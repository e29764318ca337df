"""The first tables; frozen, whatever `schema.py` has become since."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), server_default="", nullable=False),
        sa.Column("details", sa.Text(), server_default="{}", nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "players",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "positions",
        sa.Column("key", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.Column("ply", sa.SmallInteger(), nullable=False),
        sa.Column("result", sa.SmallInteger(), nullable=True),
        sa.PrimaryKeyConstraint("key", "move", "game_id", "ply"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "games",
        sa.Column("id", ID, nullable=False),
        sa.Column("uid", sa.String(length=80), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=True),
        sa.Column("first_id", ID, nullable=False),
        sa.Column("second_id", ID, nullable=False),
        sa.Column("event_id", ID, nullable=True),
        sa.Column("date", sa.String(length=20), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("sides", sa.Text(), nullable=True),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("opening", sa.Integer(), nullable=False),
        sa.Column("result", sa.SmallInteger(), nullable=True),
        sa.Column("outcome", sa.Integer(), nullable=True),
        sa.Column("ended", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("seed", sa.String(length=20), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("stored", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"],
            ["events.id"],
        ),
        sa.ForeignKeyConstraint(
            ["first_id"],
            ["players.id"],
        ),
        sa.ForeignKeyConstraint(
            ["second_id"],
            ["players.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("games_by_event", "games", ["event_id"], unique=False)
    op.create_index("games_by_first", "games", ["first_id"], unique=False)
    op.create_index("games_by_kind", "games", ["game", "date"], unique=False)
    op.create_index("games_by_second", "games", ["second_id"], unique=False)
    op.create_index("games_unfinished", "games", ["ended"], unique=False)
    op.create_table(
        "moves",
        sa.Column("game_id", ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("side", sa.SmallInteger(), nullable=False),
        sa.Column("time_s", sa.Float(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("pondered", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "ply"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for name in ("positions", "moves", "games", "players", "events"):
        op.drop_table(name)
