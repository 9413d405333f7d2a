"""Homes of any size, and what a question costs in them:

    python -m evals.growth --base HOME --chunks 1000,10000 --out FOLDER [--seed 1] [--triplets 2] [--questions FILE]
                           [--most 200] [--ask]

The documents of an indexed home are stored again and again under invented companies' names, as if each had been read
from a file of its own, until there are so many chunks; the index is derived from them by the same code as any other.
Vectors are turned by a little seeded noise, so that no two are alike. `--triplets` thins the graph to so many for each
chunk: every document keeps the same share of its own, spread evenly over it. Of each size the seconds, by the clock and
of the processor, and the peak memory are printed of deriving it, of cold questions with a company and without, and of
taking out one document; the median and 95th percentile of a warm search, by kind; and the peak memory of a process that
has asked them. `--ask` only asks: homes that were made before, with the same seed and base, stay as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from evals.bench import command, measured, spread
from evals.records import DATA
from tools.documents.types import Document, ParsedDocument
from tools.knowledge.types import Triplet
from tools.scope import Scope
from tools.store.disk.home import Entry, Home, Manifest
from tools.store.disk.lock import WriterLock
from tools.store.disk.records import StoredRecord, write_record
from tools.store.generation.vector_builder import build_generation

SAMPLES = DATA / "sample.jsonl"
NOISE = 0.3
"""Length of what is added to a vector of length 1: copies of a chunk have a cosine of about 0.92."""
T = TypeVar("T")
COLD = 2
"""Questions that are asked of a process each."""
SPOKEN = "Thanks for taking my question, and congratulations on the quarter. I wanted to ask about this: {}"
FILINGS = Scope(doc_types=("10-K", "10-Q"))
"""A wide filter."""
ONE_MORE = (
    "Alderbrook Quarries Annual Report 2024\n\nRevenue was $12 million in 2024. We sell gravel abroad.\n"
)
_SYLLABLES = (
    "bal",
    "cor",
    "den",
    "fen",
    "gar",
    "hol",
    "kel",
    "lin",
    "mor",
    "nor",
    "pel",
    "quar",
    "ros",
    "sten",
    "tal",
    "ver",
)
_KINDS = ("Foundry", "Holdings", "Instruments", "Logistics", "Materials", "Partners", "Systems", "Works")


@dataclass(frozen=True, slots=True)
class Invented:
    """A company that is none."""

    name: str
    ticker: str


def invented(seed: int) -> Iterator[Invented]:
    """Companies without end, no two of one name; the same seed gives the same."""
    chance = random.Random(seed)
    taken: set[str] = set()
    while True:
        stem = "".join(chance.sample(_SYLLABLES, 3)).capitalize()
        if stem not in taken:
            taken.add(stem)
            yield Invented(f"{stem} {chance.choice(_KINDS)}", f"Z{len(taken):05d}")


class Renaming:
    """What a base company is called, and what a copy of it is called instead."""

    def __init__(self, documents: Sequence[Document], to: Invented) -> None:
        """`documents`: all of one company."""
        self._to = to
        names = {name for each in documents for name in (each.company, *each.aliases, each.ticker or "")}
        names |= {name.split(",")[0].split()[0] for name in names if name}
        ordered = sorted(filter(None, names), key=len, reverse=True)
        self._called = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered))
        self._tickers = {each.ticker for each in documents}

    def __call__(self, text: str) -> str:
        return self._called.sub(self._other, text)

    def taken_out(self, text: str) -> str:
        """The text without the company's names."""
        return " ".join(re.sub(rf"(?:{self._called.pattern})(?:['\u2019]s)?", "", text).split())

    def document(self, document: Document) -> Document:
        """The copy's, with an id of its own."""
        path = f"{self._to.ticker}/{document.name}"
        identity = hashlib.sha256(f"{document.id} {self._to.name}".encode()).hexdigest()[:16]
        return replace(
            document, id=identity, path=path, title=self(document.title), company=self._to.name,
            company_key=self._to.ticker, ticker=self._to.ticker, aliases=(self._to.name.split()[0],),
        )  # fmt: skip

    def _other(self, match: re.Match[str]) -> str:
        if match[0] in self._tickers:
            return self._to.ticker
        return self._to.name if " " in match[0] else self._to.name.split()[0]


def grow(base: Path, target: Path, chunks: int, seed: int, density: float | None = None) -> list[Invented]:
    """A home at `target`, which must not exist, of at least so many chunks: copies of all documents of the home
    `base`, by turns, with about `density` triplets a chunk (None: all). Returns whom they are of. Raises the store's
    errors."""
    manifest = Home(base).manifest()
    records = [StoredRecord(base, entry.record, entry.name) for entry in manifest.entries]
    by_company: dict[str, list[_Original]] = {}
    for record in records:
        original = _Original.of(record)
        by_company.setdefault(original.parsed.document.company_key, []).append(original)
    if density is not None:
        _thin([original for originals in by_company.values() for original in originals], density)
    noise = np.random.default_rng(seed)
    companies: list[Invented] = []
    entries: list[Entry] = []
    stored = 0
    with WriterLock.take(target):
        for to in invented(seed):
            originals = by_company[sorted(by_company)[len(companies) % len(by_company)]]
            rename = Renaming([each.parsed.document for each in originals], to)
            for original in originals:
                entries.append(original.stored_again(target, rename, noise))
                stored += entries[-1].chunks
            companies.append(to)
            if stored >= chunks:
                break
        place = Home(target)
        whole = Manifest(manifest.embedder, tuple(sorted(entries, key=lambda each: each.document_id)))
        place.set_manifest(whole)
        build_generation(place, whole)
    return companies


@dataclass(frozen=True, slots=True)
class _Original:
    record: StoredRecord
    parsed: ParsedDocument
    triplets: list[Triplet]

    @classmethod
    def of(cls, record: StoredRecord) -> _Original:
        return cls(record, record.parsed(), record.triplets())

    def stored_again(self, home: Path, rename: Renaming, noise: np.random.Generator) -> Entry:
        """Of another company, as a record of `home`."""
        document = rename.document(self.parsed.document)
        ids = {each.id: _other_id(each.id, document) for each in self.parsed.chunks}
        parsed = replace(
            self.parsed,
            document=document,
            pages=tuple(replace(page, text=rename(page.text)) for page in self.parsed.pages),
            chunks=tuple(
                replace(
                    each, id=ids[each.id], document_id=document.id, text=rename(each.text),
                    embed_text=rename(each.embed_text), section=rename(each.section),
                )
                for each in self.parsed.chunks
            ),
        )  # fmt: skip
        triplets = [
            replace(
                each, id=_other_id(each.id, document), document_id=document.id, document=document.name,
                company=document.company, company_key=document.company_key, head=rename(each.head),
                tail=rename(each.tail), quote=rename(each.quote), chunk_id=ids.get(each.chunk_id, ""),
            )
            for each in self.triplets
        ]  # fmt: skip
        vectors = self.record.embeddings()
        turned = vectors + NOISE * _unit(noise.standard_normal(vectors.shape))
        seal = self.record.seal()
        file = hashlib.sha256(document.id.encode()).hexdigest()
        key = replace(seal.key, sha256=document.id + file[16:], path=document.path)
        source = home / document.path
        folder = write_record(
            Home(home).documents, key, source, parsed, triplets, _unit(turned).astype(np.float32), None
        )
        return StoredRecord(home, folder, document.name).entry()


def _thin(originals: Sequence[_Original], density: float) -> None:
    """Leave each document the share of its triplets with which all together have `density` a chunk."""
    chunks = sum(len(original.parsed.chunks) for original in originals)
    share = min(1.0, density * chunks / max(1, sum(len(original.triplets) for original in originals)))
    for original in originals:
        original.triplets[:] = evenly(original.triplets, share)


def evenly(items: Sequence[T], share: float) -> list[T]:
    """So much of them, spread over all."""
    places = np.linspace(0, len(items) - 1, round(share * len(items))).round().astype(int)
    return [items[place] for place in places.tolist()]


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _other_id(known: str, document: Document) -> str:
    return hashlib.sha256(f"{known} {document.id}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Asked:
    """A sample question, put about an invented company."""

    company: str
    """Key."""
    named: str
    bare: str
    """The same without a company's name."""


def known(home: Path, seed: int) -> list[Invented]:
    """Whose documents a home holds that `grow` made. The store's errors."""
    entries = Home(home).manifest().entries
    tickers = {StoredRecord(home, entry.record, entry.name).document().company_key for entry in entries}
    return [each for each, _ in zip(invented(seed), tickers, strict=False)]


def asked_of(base: Path, companies: Sequence[Invented], questions: Path = SAMPLES) -> list[Asked]:
    """The questions of a file, of companies of the home `base`, each about the first copy of its company."""
    originals: dict[str, list[Document]] = {}
    for entry in Home(base).manifest().entries:
        document = StoredRecord(base, entry.record, entry.name).document()
        originals.setdefault(document.company_key, []).append(document)
    first = dict(zip(sorted(originals), companies, strict=False))
    renames = {key: Renaming(originals[key], to) for key, to in first.items()}
    found = []
    for line in questions.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if rename := renames.get(fields.get("company")):
            question = fields["question"]
            found.append(Asked(first[fields["company"]].ticker, rename(question), rename.taken_out(question)))
    return found


def searches(home: Path, asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Kind of search -> spread of its seconds by the clock, and of the processor's, warm."""
    from agent.home_shelf import HomeShelf

    shelf = HomeShelf(home)
    index = shelf.current()
    everything = Scope()
    kinds: dict[str, Callable[[Asked], object]] = {
        "graph, company": lambda each: index.kg_search(each.named, Scope((each.company,)), 12, 1, None),
        "graph, none": lambda each: index.kg_search(each.bare, everything, 12, 1, None),
        "vector, company": lambda each: index.vector_search(each.named, Scope((each.company,)), 8, 0.8),
        "vector, filings": lambda each: index.vector_search(each.bare, FILINGS, 8, 0.8),
        "vector, none": lambda each: index.vector_search(each.bare, everything, 8, 0.8),
        "spoken, none": lambda each: index.vector_search(
            SPOKEN.format(each.bare), everything, 8, 0.8, spoken=True
        ),
    }
    found = {}
    for kind, search in kinds.items():
        taken, worked = [], []
        for each in (*asked[:2], *asked):  # the first two load what is loaded once
            started, before = time.perf_counter(), time.process_time()
            search(each)
            taken.append(time.perf_counter() - started)
            worked.append(time.process_time() - before)
        own = spread(worked[2:])
        found[kind] = spread(taken[2:]) | {f"processor {name}": own[name] for name in ("median", "p95")}
    shelf.close()
    return found


def measure(base: Path, home: Path, chunks: int, args: argparse.Namespace) -> dict[str, Any]:
    """Everything that is measured of one size. subprocess.CalledProcessError."""
    companies = known(home, args.seed) if args.ask else grow(base, home, chunks, args.seed, args.triplets)
    asked = asked_of(base, companies, args.questions)[: args.most]
    again = json.dumps([[each.company, each.named, each.bare] for each in asked])
    own = [sys.executable, "-m", "evals.growth", "--searches", str(home), again]
    one = home.with_name(f"{home.name}-one.txt")
    one.write_text(ONE_MORE, encoding="utf-8")
    report: dict[str, Any] = {}
    if not args.ask:
        report["index one more"] = measured(command("index", str(one), "--home", str(home)))
        report["remove it"] = measured(command("remove", one.name, "--home", str(home), "--yes"))
    for number, each in enumerate(asked[:COLD], start=1):
        for kind, question in (("company", each.named), ("none", each.bare)):
            report[f"cold, {kind} {number}"] = measured(command("ask", question, "--home", str(home)))
    done = subprocess.run(own, check=True, capture_output=True, text=True)
    report.update(json.loads(done.stdout))
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print, a line a size and kind."""
    parser = argparse.ArgumentParser(prog="python -m evals.growth", description="Cost against size.")
    parser.add_argument("--base", type=Path, help="a home with the sample documents")
    parser.add_argument("--chunks", default="1000,10000", help="sizes (default: 1000,10000)")
    parser.add_argument("--out", type=Path, help="folder for the homes, which are left there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--questions",
        type=Path,
        default=SAMPLES,
        help="JSON lines with `question` and `company`",
    )
    parser.add_argument("--most", type=int, default=200, help="how many of them")
    parser.add_argument("--ask", action="store_true", help="only ask, in homes that are there")
    parser.add_argument("--triplets", type=float, help="how many a chunk (default: all that were read)")
    parser.add_argument("--searches", nargs=2, metavar=("HOME", "ASKED"), help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.searches:
        home, again = args.searches
        told = searches(Path(home), [Asked(*each) for each in json.loads(again)])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps({**told, "all searches": {"peak_mib": round(peak / 1024, 1)}}))
        return 0
    if args.base is None or args.out is None:
        parser.error("--base and --out are needed")
    for size in map(int, args.chunks.split(",")):
        home = args.out / str(size)
        if home.exists() != args.ask:
            parser.error(f"'{home}' {'exists already' if home.exists() else 'does not exist'}")
        for kind, figures in measure(args.base, home, size, args).items():
            print(f"{size:>9,}  {kind:16}", ", ".join(f"{name} {value:g}" for name, value in figures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
