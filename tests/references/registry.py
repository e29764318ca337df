"""The naive game for each name in the catalogue; it takes the same settings."""

from .connect_four import NaiveConnectFour
from .double_card import NaiveDoubleCard
from .kalah import NaiveKalah
from .mnk import NaiveMnk
from .othello import NaiveOthello

REFERENCES = {
    "connect4": NaiveConnectFour,
    "double-card": NaiveDoubleCard,
    "kalah": NaiveKalah,
    "mnk": NaiveMnk,
    "othello": NaiveOthello,
}
