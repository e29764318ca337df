"""The registers behind the catalogues: things of one kind by name, ours first, then what users add.

A name stands for one thing. What users add under a name that is taken is left out and becomes an
error of its file, which names both places: whoever named the file raises it, and everything else
goes on. A name that nobody has is answered with the nearest one that somebody has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from plyground import extensions
from plyground.core.errors import Unsupported, unknown
from plyground.extensions import Extension

Thing = TypeVar("Thing")


class Register(Generic[Thing]):
    """All things of a kind; each has a `name`, and perhaps `aliases`."""

    def __init__(
        self, kind: str, thing: type[Thing], own: Callable[[], Iterable[Thing]], expected: str
    ) -> None:
        self._kind, self._thing, self._own, self._expected = kind, thing, own, expected
        self._generation = -1
        self._all: tuple[Thing, ...] = ()
        self._origins: dict[int, Extension] = {}

    def all(self) -> tuple[Thing, ...]:
        """Ours, then what users added, in the order in which they named it."""
        if (now := extensions.generation()) != self._generation:
            origins, found = dict[int, Extension](), [*self._own()]
            for thing, extension in self.offers():
                if any(thing is each for each in found):
                    continue
                try:
                    self._demand_kind(thing, extension)
                    self._demand_free(thing, extension, found, origins)
                except Unsupported as error:
                    extension.error = extension.error or error
                    continue
                found.append(thing)
                origins[id(thing)] = extension
            self._origins, self._all, self._generation = origins, tuple(found), now
        return self._all

    def offers(self) -> Iterable[extensions.Offer]:
        """What users add."""
        return extensions.offers(self._kind)

    def by_name(self) -> dict[str, Thing]:
        """The same by name; of several that may share a name, the first."""
        return {name_of(each): each for each in reversed(self.all())}

    def find(self, name: str, among: Sequence[Thing] | None = None) -> Thing:
        """The thing of this name or alias. Raises Unsupported, or why its file cannot be used."""
        wanted = plain(name)
        some = self.all() if among is None else among
        found = next((each for each in some if wanted in names_of(each)), None)
        if found is None:
            raise unknown(self._kind, name, [alias for each in some for alias in names_of(each)])
        return self.demand_sound(found)

    def demand_sound(self, thing: Thing) -> Thing:
        """The thing itself. Raises what is wrong with the file that it comes from."""
        origin = self.origin(thing)
        if origin is not None and origin.error:
            raise origin.error
        return thing

    def origin(self, thing: Thing) -> Extension | None:
        """The extension that offers it; None for our own."""
        self.all()
        return self._origins.get(id(thing))

    def _demand_kind(self, thing: object, extension: Extension) -> None:
        """Raise Unsupported for what is listed as something that it is not."""
        if not isinstance(thing, self._thing):
            raise Unsupported(
                f"{extension.label} defines no {self._kind}; expected a line {self._expected}"
            )

    def _demand_free(
        self,
        thing: Thing,
        extension: Extension,
        known: Sequence[Thing],
        origins: dict[int, Extension],
    ) -> None:
        for each in known:
            twice = {*names_of(each)} & {*names_of(thing)}
            if twice and self.exclude_each_other(each, thing):
                other = origins.get(id(each))
                if other not in (None, extension) and other.digest == extension.digest != "":
                    continue  # a copy of one file
                name = min(twice)
                if other is extension:
                    raise Unsupported(f"{extension.line_of(name)}: a second {self._kind} {name}")
                where = "in Plyground itself" if other is None else f"at {other.line_of(name)}"
                raise Unsupported(
                    f"{extension.line_of(name)}: there is another {self._kind} named {name}, "
                    f"{where}; give yours another name"
                )

    def exclude_each_other(self, one: Thing, other: Thing) -> bool:
        """Whether two things must not share a name."""
        return True


def plain(name: str) -> str:
    """A name as people may write it, in the one form in which names are compared."""
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def name_of(thing: object) -> str:
    return str(getattr(thing, "name", ""))


def names_of(thing: object) -> tuple[str, ...]:
    return name_of(thing), *getattr(thing, "aliases", ())
