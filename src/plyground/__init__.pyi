# The public names: what `import plyground` offers, and where each is made. `__init__.py` reads this
# list, so that a name is imported when it is first used; editors and type checkers read it too.
from plyground.core.board import Board as Board
from plyground.core.errors import IllegalMove as IllegalMove
from plyground.core.errors import InputError as InputError
from plyground.core.errors import MalformedText as MalformedText
from plyground.core.errors import PlygroundError as PlygroundError
from plyground.core.errors import Unsupported as Unsupported
from plyground.core.scores import Score as Score
from plyground.evaluation.declaring import evaluator as evaluator
from plyground.evaluation.spec import Factor as Factor
from plyground.games.spec import Game as Game
from plyground.games.spec import Parameter as Parameter
from plyground.kernel import compilable as compilable
from plyground.kernel import plain_python as plain_python
from plyground.lab.declaring import experiment as experiment
from plyground.notebook.board import board as board
from plyground.players.declaring import player as player
from plyground.players.spec import Choice as Choice
from plyground.players.spec import Player as Player
from plyground.players.spec import Turn as Turn
from plyground.public.analysis import Analysis as Analysis
from plyground.public.catalogues import Catalogue as Catalogue
from plyground.public.catalogues import algorithms as algorithms
from plyground.public.catalogues import evaluators as evaluators
from plyground.public.catalogues import experiments as experiments
from plyground.public.catalogues import formats as formats
from plyground.public.catalogues import games as games
from plyground.public.catalogues import players as players
from plyground.public.contests import Match as Match
from plyground.public.contests import Tournament as Tournament
from plyground.public.contests import match as match
from plyground.public.contests import tournament as tournament
from plyground.public.contracts import check as check
from plyground.public.explanation import Explanation as Explanation
from plyground.public.extending import use as use
from plyground.public.interrupting import Interrupted as Interrupted
from plyground.public.interrupting import interrupted as interrupted
from plyground.public.lab import lab as lab
from plyground.public.learning import Learned as Learned
from plyground.public.learning import learn as learn
from plyground.public.position import Position as Position
from plyground.public.reading import read as read
from plyground.public.reading import read_games as read_games
from plyground.public.records import Games as Games
from plyground.public.runs import LabRun as LabRun
from plyground.public.searching import SearchResult as SearchResult
from plyground.public.solution import Solution as Solution
from plyground.public.stored import Store as Store
from plyground.public.stored import open_store as open_store
from plyground.public.tree import Node as Node
from plyground.public.tree import Tree as Tree
from plyground.search.declaring import algorithm as algorithm

__version__: str
__all__: list[str]
