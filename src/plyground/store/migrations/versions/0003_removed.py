"""Games that were deleted, and can be brought back; frozen as the others."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("games", sa.Column("removed", sa.String(length=20), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "removed")
