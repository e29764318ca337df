"""Whatever is typed gets an answer or a message, and never a traceback.

Moves and positions are fuzzed where they are parsed, in tests/games.
"""

from __future__ import annotations

import re

import pytest
from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.kernel import plain_python

GAMES = ["othello", "connect4", "double-card", "kalah", "mnk", "synthetic"]

# Anything at all, and things that look like moves and settings.
LIKELY = "abchxXoO019-./;,= \n\tpass@●○lemptyfirst"
TEXTS = st.text(max_size=40) | st.text(alphabet=LIKELY, max_size=80)
SAVES = re.compile(r"^\s*s(ave)?\s", re.IGNORECASE | re.MULTILINE)  # any text may be a file
BRIEFLY = settings(max_examples=12, derandomize=True)


@pytest.mark.parametrize("game", GAMES)
@BRIEFLY
@given(
    TEXTS, st.sampled_from(["", "size=", "width=", "cards=", "pits=", "k=", "depth=", "preset="])
)
def test_any_text_may_be_given_as_a_setting(game, text, name):
    result = run("show", game, f"--set={name}{text}")
    assert result.status in (0, 2), result
    assert (result.out == "") == (result.status == 2)
    assert len(result.err) < 600


@BRIEFLY
@given(TEXTS)
def test_any_text_may_be_given_as_a_game(text):
    result = run("show", "--", text)
    assert result.status in (0, 2), result


@pytest.mark.parametrize("game", GAMES)
@BRIEFLY
@given(st.lists(TEXTS.filter(lambda text: not SAVES.search(text)), max_size=4))
def test_any_text_may_be_typed_at_the_prompt(game, lines):
    with plain_python():  # a hint may be asked for
        result = run("play", game, "--second", "human", typed="\n".join(lines))
    assert (result.status, result.err) == (0, "")
