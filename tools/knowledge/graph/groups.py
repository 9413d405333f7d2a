"""Names that are one entity: groups that grow by evidence, and what must stay apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tools.knowledge.types import EntityType


class Name(NamedTuple):
    """A name as the documents of one company use it: two companies' 'John Kim' are two names."""

    kind: EntityType
    folded: str
    company: str
    """Key of the company whose documents have it; '' for the name of a filer itself."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Two names taken for one entity, and why."""

    one: Name
    other: Name
    reason: str
    """In words, for the reader; '' for names that are written alike."""


class Groups:
    """Disjoint sets of names. What was put apart first never comes together, whatever is joined in between; two filers
    never do."""

    def __init__(
        self, apart: Iterable[tuple[Name, Name]] = (), filers: Mapping[Name, str] | None = None
    ) -> None:
        """`filers`: name -> key of the company that it is the name of."""
        self._parent: dict[Name, Name] = {}
        self._foes: dict[Name, set[Name]] = defaultdict(set)
        self._filer: dict[Name, str] = dict(filers or {})
        self.merges: list[Merge] = []
        for one, other in apart:
            self._foes[one].add(other)
            self._foes[other].add(one)

    def root(self, name: Name) -> Name:
        """The name that stands for the group."""
        parent = self._parent
        top = name
        while (above := parent.get(top, top)) != top:
            top = above
        while name != top:
            parent[name], name = top, parent.get(name, name)
        return top

    def filer(self, name: Name) -> str:
        """Key of the company that the name's group is; '' for none whose documents are read."""
        return self._filer.get(self.root(name), "")

    def join(self, one: Name, other: Name, reason: str = "") -> bool:
        """Make them one group; False where they must stay apart. Joined before, nothing is noted."""
        a, b = sorted((self.root(one), self.root(other)))
        if a == b:
            return True
        filers = {self._filer.get(a, ""), self._filer.get(b, "")} - {""}
        if len(filers) > 1 or any(self.root(foe) == b for foe in self._foes.get(a, ())):
            return False
        self._parent[b] = a
        if b in self._foes:
            self._foes[a] |= self._foes[b]
        if filers:
            self._filer[a] = filers.pop()
        self.merges.append(Merge(one, other, reason))
        return True

    def members(self, names: Iterable[Name]) -> dict[Name, list[Name]]:
        """Root -> those of these names that are in its group, in order."""
        found: dict[Name, list[Name]] = defaultdict(list)
        for name in sorted(names):
            found[self.root(name)].append(name)
        return found
