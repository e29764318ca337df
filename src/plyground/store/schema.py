"""The tables, as this version of the program has them; `migrations/` tells how they came about.

A game is written while it is played: its row first, then a row for each move as it is made. When it
is over, its result is filled in and its positions are listed for look-up. Games of archives, of
which nothing is known but the moves, have no rows of moves: the list in their own row is enough.
A run of an experiment grows in the same way: its row first, then one for each measured cell.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
)

metadata = MetaData()
Id = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER counts up by itself there

players = Table(
    "players",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

# What games belong together: a match, a tournament, an experiment, an archive.
events = Table(
    "events",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", String(16), nullable=False, server_default=""),
    Column("details", Text, nullable=False, server_default="{}"),  # JSON: its specification
)

games = Table(
    "games",
    metadata,
    Column("id", Id, primary_key=True),
    Column("uid", String(80), nullable=False, unique=True),
    # The same for the same game in every store: what imports and merges go by.
    Column("game", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("position", Text),
    Column("first_id", Id, ForeignKey("players.id"), nullable=False),
    Column("second_id", Id, ForeignKey("players.id"), nullable=False),
    Column("event_id", Id, ForeignKey("events.id")),
    Column("date", String(20), nullable=False),
    Column("moves", Text, nullable=False),  # separated by semicolons; filled in at the end
    Column("sides", Text),  # whose they were, as 0 and 1; nothing if they took turns
    Column("plies", Integer, nullable=False),
    Column("opening", Integer, nullable=False),
    Column("result", SmallInteger),  # of the first player: 2 won, 1 drawn, 0 lost
    Column("outcome", Integer),
    Column("ended", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("seed", String(20), nullable=False),  # 64 bits without a sign: no database has those
    Column("tags", Text, nullable=False),  # JSON
    Column("stored", String(20), nullable=False),
    Column("removed", String(20)),  # when it was deleted; then it is in no list and no look-up
    Index("games_by_kind", "game", "date"),
    Index("games_by_first", "first_id"),
    Index("games_by_second", "second_id"),
    Index("games_by_event", "event_id"),
    Index("games_unfinished", "ended"),
)

moves = Table(
    "moves",
    metadata,
    Column("game_id", Id, ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("side", SmallInteger, nullable=False),
    Column("time_s", Float, nullable=False),
    Column("score", Integer),
    Column("kind", String(16)),  # of the score
    Column("depth", Integer, nullable=False),
    Column("nodes", BigInteger, nullable=False),
    Column("pondered", Boolean, nullable=False),
    PrimaryKeyConstraint("game_id", "ply"),
    sqlite_with_rowid=False,
)

# Every position of every finished game, by its canonical form: all games that reached it stand
# together, in the order of what was played next, with the result at hand. So "what happened here"
# is one walk along the key and touches no other table.
positions = Table(
    "positions",
    metadata,
    Column("key", BigInteger, nullable=False),
    Column("move", Integer, nullable=False),  # as seen in the canonical form; NO_MOVE at the end
    Column("game_id", Id, nullable=False),  # no reference: checking it would need a second index
    Column("ply", SmallInteger, nullable=False),
    Column("result", SmallInteger),
    PrimaryKeyConstraint("key", "move", "game_id", "ply"),
    sqlite_with_rowid=False,
)

# One run of an experiment; the games that were played in it are games like all others.
runs = Table(
    "runs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("uid", String(80), nullable=False, unique=True),  # the same in every store
    Column("experiment", Text, nullable=False),
    Column("digest", String(64), nullable=False),  # of all that says what is measured
    Column("parameters", Text, nullable=False),  # JSON
    Column("quick", Boolean, nullable=False),
    Column("seed", String(20)),  # as those of games; nothing if there is no chance in it
    Column("versions", Text, nullable=False),  # JSON: of the programs that measured
    Column("machine", Text, nullable=False),  # JSON: where the run was begun
    Column("started", String(20), nullable=False),
    Column("finished", String(20)),
    Column("total", Integer, nullable=False),  # cells, measured or not
    Index("runs_by_experiment", "experiment"),
    Index("runs_by_digest", "digest"),
)

cells = Table(
    "cells",
    metadata,
    Column("run_id", Id, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("task", Text, nullable=False),
    Column("arguments", Text, nullable=False),  # JSON
    Column("answer", Text, nullable=False),  # JSON: what is the same wherever it is measured
    Column("times", Text, nullable=False),  # JSON: seconds of each repetition, by what was timed
    Column("seconds", Float, nullable=False),  # of all the work, preparations included
    Column("measured", String(20), nullable=False),
    PrimaryKeyConstraint("run_id", "key"),
)
