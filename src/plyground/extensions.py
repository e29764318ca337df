"""What users add: Python files, modules and programs that offer games, evaluators and the rest.

A module offers what it lists under the names of `LISTS`, and what its decorators declare. A file is
imported because the user named it (`core/naming.py`), or listed it in the settings, a package
because it is installed with an entry point; then everything in it is in the catalogues, which ask
`offers` and know how to check what they get.

Other processes get the same: the content of files as they were imported here, and what was made in
this program, by value (`packed`, `unpack`). Files that are edited while the program runs are taken
up by `refresh`.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import importlib.abc
import importlib.metadata
import importlib.util
import linecache
import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from plyground import sources
from plyground.core import naming, settings
from plyground.core.errors import (
    GameCodeError,
    PlygroundError,
    Unsupported,
    shorten,
    system_errors_as,
)
from plyground.core.naming import is_named, is_path, place_of

LISTS = {
    "game": ("GAME", "GAMES"),
    "evaluator": ("EVALUATOR", "EVALUATORS"),
    "algorithm": ("ALGORITHM", "ALGORITHMS"),
    "player": ("PLAYER", "PLAYERS"),
    "level": ("LEVELS",),
    "solver": ("SOLVER", "SOLVERS"),
    "format": ("FORMAT", "FORMATS"),
    "experiment": ("EXPERIMENT", "EXPERIMENTS"),
}
"""By kind: the names under which a module lists what it offers."""
ENTRY_POINTS = ("plyground.games", "plyground.extensions")
PROGRAM = "__main__"  # where cells and scripts are
DECLARED = "__plyground__"  # of a module: what its decorators declared, by kind
MOST_PACKAGES = 50  # inside each other
NOT_USERS = (str(Path(__file__).parent), str(importlib.__file__), "<frozen")

_lock = threading.RLock()


class NotNamed(Unsupported):
    """Code that a file names, but not the user."""


@dataclass(eq=False, repr=False)
class Extension:
    """A module of a user's, as it was imported."""

    place: str
    """The path of the file, or the name of the module."""
    module: ModuleType
    files: dict[str, str] = field(default_factory=dict)
    """The modules that it rests on, with the paths of their files."""
    stamps: dict[str, tuple[int, int]] = field(default_factory=dict)
    """What these files looked like from outside."""
    error: PlygroundError | None = None
    """Why the file as it is now cannot be used; what it offered before stays listed."""
    made: dict[str, list[Any]] = field(default_factory=dict)
    """What cells or a script declared, by kind: only of this program."""

    @property
    def label(self) -> str:
        """A short name for people."""
        return Path(self.place).name if is_path(self.place) else self.place

    @property
    def digest(self) -> str:
        """Of all files it rests on, as they were imported."""
        return sources.contents_digest(self.files.values())[:16] if self.files else ""

    @property
    def names(self) -> set[str]:
        """Of all things that it offers."""
        things = [each for kind in LISTS for each in self.offers(kind)]
        return {each.name for each in things if hasattr(each, "name")}

    def offers(self, kind: str) -> list[Any]:
        """What it lists or declares of a kind, then what modules that it rests on do."""
        found = self.own(kind)
        for name in self.files:
            beside = sys.modules.get(name, self.module)
            # There a name of ours may mean anything: `LEVELS = 5`.
            ours = [each for each in _listed(beside, kind) if _is_ours(type(each))]
            found += ours + _declared(beside, kind)
        return list({id(each): each for each in found}.values())

    def own(self, kind: str) -> list[Any]:
        """What it lists or declares itself."""
        if self.place == PROGRAM:
            return list(self.made.get(kind, ()))
        return _listed(self.module, kind) + _declared(self.module, kind)

    def __repr__(self) -> str:
        """What it offers, by kind and name."""
        things = [(kind, each) for kind in LISTS for each in self.offers(kind)]
        named = (f"{kind} {getattr(each, 'name', '')}".strip() for kind, each in things)
        return f"{self.label}: {', '.join(named) or 'nothing'}"

    def line_of(self, name: str) -> str:
        """Where the file names something: its path and line."""
        path = getattr(self.module, "__file__", None)
        if not path or not path.endswith(".py"):
            return self.place
        nodes: list[Any] = list(ast.walk(ast.parse(sources.read_source(path))))
        texts = [e.lineno for e in nodes if isinstance(e, ast.Constant) and e.value == name]
        places = [e.lineno for e in nodes if getattr(e, "name", "") == name.replace("-", "_")]
        return f"{path}:{max(texts or places or [1])}"


class Numbers(NamedTuple):
    """Learned numbers behind something, as records name them."""

    label: str
    digest: str


class Offer(NamedTuple):
    """Something that an extension offers."""

    thing: Any
    extension: Extension


# ------------------------------------------------------------------ what there is

_files: dict[str, Extension] = {}  # by place, in the order in which they were named
_program = Extension(PROGRAM, sys.modules[PROGRAM])
_importing: list[str] = []  # files that are running now
_generation = 0
_has_begun = False


def generation() -> int:
    """A number that changes with what is offered, for those who keep what they made of it."""
    _begin()
    return _generation


def offers(kind: str) -> list[Offer]:
    """What users add of a kind, in the order in which they named it.

    What one file imports from another is offered by both, and belongs to the one with fewer files.
    """
    found: dict[int, Offer] = {}
    for each in extensions():
        for thing in each.offers(kind):
            known = found.get(id(thing))
            if known is None or len(each.files) < len(known.extension.files):
                found[id(thing)] = Offer(thing, each)
    return list(found.values())


def extensions() -> list[Extension]:
    """All that was imported, and this program if it declares anything."""
    _begin()
    for each in _files.values():
        if not each.files and not each.place.startswith("plyground."):
            # A module that declared something while it was being imported.
            _record(each)
    return [*_files.values(), *([_program] if _program.made else [])]


def _listed(module: ModuleType, kind: str) -> list[Any]:
    found: list[Any] = []
    for name in LISTS[kind]:
        listed = getattr(module, name, ())
        if name == "PLAYERS" and not _are_kinds(listed):
            continue
        is_list = name.endswith("S") and kind != "level"
        if not is_list or isinstance(listed, list | tuple):
            found += listed if is_list else [listed]
        else:
            found.append(name)  # which no catalogue takes for a thing of its kind
    return [each for each in found if each != ()]


def _declared(module: ModuleType, kind: str) -> list[Any]:
    """What decorators declared there."""
    return list(vars(module).get(DECLARED, {}).get(kind, ()))


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "plyground"


def _are_kinds(listed: Any) -> bool:
    """Whether PLAYERS are what we mean by it; to many a file of a game they are its two sides."""
    return isinstance(listed, list | tuple) and any(hasattr(each, "make") for each in listed)


def declare(kind: str, thing: Any, module: str, is_same: Callable[[Any], bool]) -> None:
    """Offer something in the name of a module, as decorators do.

    A cell that is run again, or a module that is imported again, replaces what it declared. A
    module that a program imports by itself is an extension too.
    """
    home = sys.modules.get(module)
    with _lock:
        if home is None or module == PROGRAM or getattr(home, "__file__", None) is None:
            known = _program.made.setdefault(kind, [])
        else:
            known = vars(home).setdefault(DECLARED, {}).setdefault(kind, [])
            if not _importing and module not in _files:
                naming.name_code(module)
                _files[module] = Extension(module, home)
        if not _importing:
            known[:] = [each for each in known if not is_same(each)]
        known.append(thing)
        _change()


def _change() -> None:
    global _generation
    _generation += 1


def _begin() -> None:
    """Import what is installed or listed in the settings; what fails is said, and the rest goes on.

    A process that works for another has what that one sent.
    """
    global _has_begun
    with _lock:
        if _has_begun:
            return
        _has_begun = True
        listed: list[str] = []
        try:
            listed = settings.listed_files()
        except PlygroundError as error:
            say(str(error))
        installed = importlib.metadata.entry_points()
        places = {each.module for group in ENTRY_POINTS for each in installed.select(group=group)}
        for place in (*sorted(places), *listed):
            naming.name_code(place)
            try:
                load(place)
            except PlygroundError as error:
                say(f"left out {place}: {error}")


def say(line: str) -> None:
    """Tell whoever runs the program, where compiling is told as well."""
    from plyground import kernel  # imports NumPy: not before it is needed

    for show in kernel.on_compile:
        show(line)
    if not kernel.on_compile:
        print(line, file=sys.stderr, flush=True)


# ------------------------------------------------------------------ importing


def is_code(text: str) -> bool:
    """Whether a text names a file or module."""
    return is_path(text) or ("." in text and _is_module_name(text))


def name(text: str) -> Extension:
    """Import a file or module that the user names: for words of a command, nothing else."""
    naming.name_code(text)
    return load(text)


def load(text: str) -> Extension:
    """The extension in a file or module that the user has named. Raises PlygroundError."""
    place = place_of(text)
    with _lock:
        known = _files.get(place)
        if known is None:
            known = _files[place] = _read_file(place, text) if is_path(text) else _import(text)
            _change()
    if known.error:
        raise known.error
    return known


def _demand_named(text: str) -> None:
    if not is_named("code", text):
        raise NotNamed(
            f"{shorten(text, 80)} is Python code, which runs only if you name it yourself: "
            f"--with {shorten(text, 80)}"
        )


def _read_file(place: str, text: str) -> Extension:
    """Under a module name that is the same in every process."""
    path = Path(place)
    if place not in _sent:
        try:
            is_file = path.is_file()
        except (OSError, ValueError):  # a name that no file can have
            is_file = False
        if not is_file:
            raise Unsupported(f"no game file at {shorten(text, 80)}; expected a Python file")
        _demand_named(text)
        if path.suffix != ".py":
            raise Unsupported(
                f"{path.name} cannot be read as Python; expected a file ending in .py"
            )
    beside = sys.modules.get(path.stem)
    if beside is not None and getattr(beside, "__file__", None) == place:
        module = beside  # another extension has imported it already
    else:
        module = _run(place)
    return _record(Extension(place, module))


def _run(place: str) -> ModuleType:
    """A new module made from a file."""
    with system_errors_as(f"cannot read {shorten(place, 80)}"):
        content = _sent[place] if place in _sent else Path(place).read_bytes()
    name, before = module_name(Path(place)), sources.as_imported.get(place)
    loader = _ContentLoader(place, content)
    specification = importlib.util.spec_from_loader(name, loader, origin=place)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    replaced = sys.modules.get(name)
    sys.modules[name] = module  # before it runs: dataclasses and pickles look it up there
    try:
        with _importing_beside(place), _blamed_on(place):
            loader.exec_module(module)
    except PlygroundError:
        del sys.modules[name]
        if replaced is not None:
            sys.modules[name] = replaced
        if before is not None:
            sources.as_imported[place] = before
        raise
    return module


def _record(made: Extension) -> Extension:
    """The extension with the files that it rests on, as they are now."""
    found = sources.closure([made.module.__name__])
    made.files = {name: str(module.__file__) for name, module in found.items()}
    for path in made.files.values():
        with contextlib.suppress(OSError):
            sources.as_imported.setdefault(path, Path(path).read_bytes())
            made.stamps[path] = _stamp(path)
    return made


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def module_name(path: Path) -> str:
    """The name of the module that a file becomes."""
    path = path.resolve()
    return f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"


class _ContentLoader(importlib.abc.InspectLoader):
    """Runs a source under the path it has, or had on another machine."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path, self.content = path, content

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.content)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.path
        sources.as_imported[self.path] = self.content
        if self.path in _sent:  # for messages that show a line
            lines = self.get_source("").splitlines(keepends=True)
            linecache.cache[self.path] = (len(self.content), None, lines, self.path)
        exec(compile(self.content, self.path, "exec", dont_inherit=True), module.__dict__)


@contextlib.contextmanager
def _importing_beside(place: str) -> Iterator[None]:
    """An extension may import a file that lies next to it, which may be an extension as well."""
    beside, finder = str(Path(place).parent), _Neighbours(Path(place).parent)
    sys.path.insert(0, beside)
    sys.meta_path.insert(0, finder)
    _importing.append(place)
    try:
        yield
    finally:
        _importing.pop()
        with contextlib.suppress(ValueError):
            sys.path.remove(beside)
        sys.meta_path.remove(finder)


class _Neighbours(importlib.abc.MetaPathFinder):
    """Finds what lies in the folder of an extension: as it was sent, or as it was imported."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        place = str(self._folder / f"{fullname}.py")
        if place in _files:
            return importlib.util.spec_from_loader(fullname, _Known(_files[place].module))
        sent = _sent_modules.get(fullname)
        if sent is None:
            return None
        loader = _ContentLoader(sent, _sent[sent])
        is_package = Path(sent).name == "__init__.py"
        return importlib.util.spec_from_loader(fullname, loader, is_package=is_package)


class _Known(importlib.abc.Loader):
    """A module that is there already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: Any) -> ModuleType:
        self._own = self._module.__spec__, self._module.__loader__
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, module.__loader__ = self._own


def _is_module_name(name: str) -> bool:
    parts = name.split(".")
    return len(parts) <= MOST_PACKAGES and all(part.isidentifier() for part in parts)


def _import(name: str) -> Extension:
    if name not in sys.modules:  # of one that is there nothing runs
        _demand_named(name)
    with _blamed_on(name):
        try:
            found = importlib.util.find_spec(name) is not None  # runs the packages it is in
        except (ImportError, ValueError):
            found = False
        if not found:
            raise Unsupported(
                f"no module named {shorten(name)}; expected a game's name, file or module"
            )
        made = Extension(name, importlib.import_module(name))
    return made if name.partition(".")[0] == "plyground" else _record(made)


@contextlib.contextmanager
def _blamed_on(path: str) -> Iterator[None]:
    """Turn any failure of a user's own code into one line that says where it is."""
    try:
        yield
    except (GameCodeError, NotNamed):
        raise
    except SyntaxError as error:
        raise GameCodeError(error.filename or path, error.lineno or 1, str(error.msg)) from error
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        is_refusal = isinstance(error, PlygroundError)
        if is_refusal and not frames[-1].filename.startswith(NOT_USERS):
            raise  # it refuses something itself, in its own words
        place = _place_of(frames, path)
        if is_refusal and not place:
            raise
        reason = str(error) if is_refusal else f"{type(error).__name__}: {error}"
        raise GameCodeError(*(place or (path, 1)), reason) from error


def _place_of(frames: Iterable[traceback.FrameSummary], path: str) -> tuple[str, int] | None:
    """Where a file was, or the one beside it that it imports, when an error was raised."""
    places = [(each.filename, each.lineno or 1) for each in frames]
    users = [each for each in places if not each[0].startswith(NOT_USERS)]
    beside = [each for each in users if Path(each[0]).parent == Path(path).parent]
    return next(reversed(beside or users), None)


# ------------------------------------------------------------------ files that are edited


def refresh() -> None:
    """Import files again that were edited since; a line says so.

    All of them, as one may rest on another. What a file offered before its newest version failed
    stays listed, and whoever asks for it hears why it failed.
    """
    with _lock:
        watched = [each for each in _files.values() if is_path(each.place) and not _sent]
        edited = [each.place for each in watched if _is_edited(each)]
        if not edited:
            return
        before = dict(_files)
        _forget_modules(watched)
        for each in watched:
            del _files[each.place]
        for each in watched:
            _files[each.place] = _read_again(each, each.place in edited)
        _files.update({place: _files[place] for place in before})  # in the same order
        _change()


def _is_edited(each: Extension) -> bool:
    return any(_stamp(path) != stamp for path, stamp in each.stamps.items())


def _read_again(each: Extension, is_edited: bool) -> Extension:
    try:
        made = _read_file(each.place, each.place)
        news = f"{each.label} has changed and was read again"
    except PlygroundError as error:
        stamps = {path: _stamp(path) for path in each.stamps}
        made, news = replace(each, stamps=stamps, error=error), f"{each.label} has changed: {error}"
        is_edited = is_edited or each.error is None
    if is_edited:
        say(news)
    return made


def _forget_modules(some: Iterable[Extension]) -> None:
    """Have them imported anew; a file's own module stays, as its classes still look there."""
    for each in some:
        for name, path in each.files.items():
            if name != module_name(Path(path)):
                sys.modules.pop(name, None)
            sources.as_imported.pop(path, None)


# ------------------------------------------------------------------ other processes

_sent: dict[str, bytes] = {}  # by path: files of the process for which this one works
_sent_modules: dict[str, str] = {}  # by name of module: the same
_unpacked = ""  # the digest of what was sent last
_packed: tuple[tuple[int, int], bytes, str] | None = None

Parcel = tuple[bytes, str]


def packed() -> Parcel:
    """All that another process needs to offer the same, and a digest to check it by."""
    global _packed
    state = generation(), naming.changes()
    if _packed is None or _packed[0] != state:
        places = [each.place for each in _files.values()]
        files_only = [each for each in _files.values() if is_path(each.place)]
        modules = {name: path for each in files_only for name, path in each.files.items()}
        files = {path: sources.read_source(path) for path in modules.values()}
        content = pickle.dumps((naming.all_named(), places, modules, files, _made_here()))
        _packed = state, content, hashlib.sha256(content).hexdigest()
    return _packed[1:]


def _made_here() -> bytes:
    """What cells or a script declared, with the helpers that compiled code calls."""
    if not _program.made:
        return b""
    import cloudpickle

    from plyground import kernel

    helpers = [each for each in kernel.declared if isinstance(each, kernel.Helper)]
    own = [vars(each) for each in helpers if each.function.__module__ == PROGRAM]
    return bytes(cloudpickle.dumps((_program.made, own)))


def unpack(parcel: Parcel) -> None:
    """Offer what the process offers for which this one works, and nothing else."""
    global _unpacked, _has_begun
    content, digest = parcel
    with _lock:
        if digest == _unpacked:
            return
        if hashlib.sha256(content).hexdigest() != digest:
            raise Unsupported("the code of this task arrived damaged; run it again")
        named, places, modules, files, made = pickle.loads(content)
        forget_all()
        _has_begun = True
        naming.name_all(named)
        _sent.update(files)
        _sent_modules.update(modules)
        if made:
            from plyground import kernel

            declared, helpers = pickle.loads(made)
            for each in helpers:
                kernel.Helper(**each)
            _program.made.update(declared)
        for place in places:
            load(place)
        _unpacked = digest
        _change()


def forget_all() -> None:
    """Begin anew: for workers, and for tests, which are many users in one process."""
    global _has_begun, _unpacked
    with _lock:
        _forget_modules(each for each in _files.values() if is_path(each.place))
        for held in (_files, _program.made, _sent, _sent_modules):
            held.clear()
        _has_begun, _unpacked = False, ""
        _change()


def used_by(things: Iterable[Extension | Numbers | None]) -> str:
    """What is behind some things as records name it: labels and digests."""
    found = {each.label: each.digest for each in things if each is not None}
    return ", ".join(f"{label} {digest}".strip() for label, digest in sorted(found.items()))


def used_since(used: str) -> str:
    """The same in words, with files that have changed since, as far as they are named now."""
    now = {each.label: each.digest for each in extensions()}
    parts = [part.partition(" ") for part in used.split(", ")] if used else []
    changed = [label for label, _, digest in parts if now.get(label, digest) != digest]
    rest = f" ({', '.join(changed)} has changed since)" if changed else ""
    return f"with {used}{rest}" if used else ""
