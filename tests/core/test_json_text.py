"""JSON of others: what nothing after the reader could take is refused by the reader."""

from __future__ import annotations

import json
import os

import pytest

from plyground.core.errors import MalformedText
from plyground.core.json_text import presentable, read_json, read_object

FILE_NAME = os.fsdecode(b"caf\xe9.toml")  # as Latin-1 has it


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": "\\ud800"}', "half of a letter"),
        ('{"\\udc00": 1}', "half of a letter"),
        ('[["\ud800"]]', "half of a letter"),
        (b'{"a": "\xed\xa0\x80"}', "not JSON"),
        (b'{"a": "\xff"}', "not JSON"),
        ("[NaN]", "not JSON"),
        ("[1e999]", "a number without end"),
        (f"[{10**30}]", "a number without end"),
        ("[" * 100 + "]" * 100, "JSON of more than 60 levels"),
        ("[" * 10**5, "not JSON"),
    ],
)
def test_what_nobody_could_take_is_refused(text, problem):
    for file_names in (False, True):
        if text != '{"\\udc00": 1}' or not file_names:
            with pytest.raises(MalformedText, match=f"^{problem}$"):
                read_json(text, file_names)


def test_names_of_files_are_read_where_they_are_expected():
    text = json.dumps({"folder": FILE_NAME})
    with pytest.raises(MalformedText, match="half of a letter"):
        read_object(text)
    read = read_object(text, file_names=True)
    assert os.fsencode(read["folder"]) == b"caf\xe9.toml"
    assert presentable(read) == {"folder": "caf?.toml"}
    with pytest.raises(MalformedText, match="a character that no file's name has"):
        read_object('{"folder": "a\\u0000b"}', file_names=True)


def test_letters_of_all_languages_are_read():
    data = {"Ωmega": ["é", "日本", "🂡", 2**64, -0.5, None, True]}
    for ascii_only in (True, False):
        text = json.dumps(data, ensure_ascii=ascii_only)
        assert read_object(text) == read_object(text.encode()) == data
