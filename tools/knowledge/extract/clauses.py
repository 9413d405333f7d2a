"""What the clauses of a sentence say of its nouns: who does what to whom, who is what of whom, what is whose.

Read from spaCy's dependency parse (the labels of ClearNLP), with any verb or noun; who is named is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Protocol

from tools.knowledge.lexicon.relation_verbs import BEING, Form, Relation, Status, relation_of, verb_base
from tools.knowledge.lexicon.verb_forms import base_form
from tools.knowledge.lexicon.verbs import FUTURE, HYPOTHETICAL

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_NOUN_WORDS = 4
"""Of a noun between two names, with what stands before it: 'definitive merger agreement'."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})
PARTS_OF_COMPANIES = frozenset(
    {"segment", "division", "business", "unit", "brand", "subsidiary", "platform", "product", "service"}
)
"""Nouns beside which plain words with capitals are a name: 'our Rail Products segment'."""
_EXAMPLES = frozenset({"including", "like", "as"})
"""Prepositions before parts and examples."""
MAX_WAY = 4
"""Nouns and prepositions between a verb and a name behind which no further name is looked for."""
_BEFORE_NOUN = frozenset({"compound", "amod", "nummod", "nmod", "quantmod"})
_BORROWS = frozenset({"conj", "xcomp", "advcl"})
"""Verbs that may do without a subject of their own."""
_BOUND = frozenset({"require", "need", "seek", "try", "attempt"})
"""Verbs before an infinitive that tells neither a plan nor what has happened."""
_FAILING = frozenset({"fail", "decline", "refuse"})
"""Verbs before an infinitive that tells what has not happened."""
MAX_PAIRS = 50
"""Heads times ends of a verb: of more, the sentence is a list that is read amiss."""
_GOING_ON = frozenset({"begin", "start", "continue", "help", "manage", "cease", "use"})
"""Verbs before an infinitive that tells what has happened."""
_NO = frozenset({"no", "neither", "never", "nor"})
_IF = frozenset({"if", "unless", "whether"})


class Named(Protocol):
    """Tells names."""

    def __call__(self, token: Token, *, titled: bool = False) -> bool:
        """Whether a word is of a name; `titled`: or of plain words with capitals, which are one beside a noun or
        'including'."""
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """Two nouns and what a clause says of them."""

    head: Token
    relation: Relation
    tail: Token
    predicate: Token
    """The verb or noun that says it."""


@dataclass(frozen=True, slots=True)
class _End:
    """What a verb is joined to, with the nouns and prepositions on the way."""

    token: Token
    way: tuple[str, ...] = ()


def links(tokens: Iterable[Token], named: Named) -> Iterator[Link]:
    """Every two nouns that a clause joins, `named` both. Nouns that are not named may stand between them: 'entered into
    an agreement with'."""
    for token in tokens:
        if token.tag_.startswith("VB") and token.dep_ not in ("aux", "auxpass"):
            yield from _of_verb(token, named)
        elif token.tag_.startswith("NN"):
            yield from _of_noun(token, named)
            yield from _examples(token, named)


def _of_verb(verb: Token, named: Named) -> Iterator[Link]:
    passive = _is_passive(verb)
    heads = [each for each in map(partial(_thing, named=named), _subjects(verb)) if each is not None]
    ends = list(_ends(verb, named)) if heads else []
    status, base = _status(verb), _base(verb)
    present = _is_present(verb)
    particle = "".join(f" {child.lower_}" for child in verb.children if child.dep_ == "prt")
    said = _as_said(verb, passive=passive)
    for end, head in product(ends, heads) if len(ends) * len(heads) <= MAX_PAIRS else ():
        if passive and end.way == ("by",):
            relation = relation_of(base + particle, "active", status, present=present)
            yield Link(end.token, relation, head, verb)
        elif base != "be":
            form: Form = "passive" if passive else "active"
            relation = relation_of(base + particle, form, status, end.way, present=present, said=said)
            yield Link(head, relation, end.token, verb)
        elif end.way:
            yield Link(head, relation_of(" ".join(end.way), "being", status), end.token, verb)


def _of_noun(noun: Token, named: Named) -> Iterator[Link]:
    """What belongs to a name or we call ours, and who is what of whom."""
    owners = [child for child in noun.children if child.dep_ == "poss" and named(child)]
    if named(noun):
        for owner in owners:
            yield Link(owner, relation_of("", "having", "done"), noun, noun)
        for title in noun.children:
            if title.dep_ == "appos" and not named(title):
                yield from _as_title(noun, title, named)
        return
    own, behind = _noun_words(noun, named), list(_behind(noun, named))
    before = [child for child in noun.children if child.dep_ in ("compound", "nmod")]
    for owner in owners or [each for each in before if named(each)][:1]:
        for preposition, token in behind:
            yield Link(owner, relation_of("", "having", "done", (own, preposition)), token, noun)
    for owner in owners:
        for child in (each for each in before if named(each, titled=_is_part(noun))):
            yield Link(owner, relation_of("", "having", "done", (noun.lower_,)), child, noun)
        for child in noun.children:
            if child.dep_ == "appos" and named(child):
                yield Link(child, relation_of(f"{own} of", "being", "done"), owner, noun)


def _as_title(name: Token, title: Token, named: Named) -> Iterator[Link]:
    own = _noun_words(title, named)
    owners = [("of", child) for child in title.children if child.dep_ == "poss" and named(child)]
    for preposition, token in (*owners, *_behind(title, named)):
        yield Link(name, relation_of(f"{own} {preposition}", "being", "done"), token, title)


def _behind(noun: Token, named: Named) -> Iterator[tuple[str, Token]]:
    """Names that a noun leads to, with the prepositions between."""
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ not in _EXAMPLES:
            yield from ((child.lower_, token) for token in _nouns_after(child) if named(token))


def _subjects(verb: Token) -> list[Token]:
    """Who does it, or to whom it is done; a verb without a subject of its own takes that of the verb it is joined to,
    and one in a clause upon a noun that noun."""
    own = [child for child in verb.children if child.dep_ in _SUBJECTS]
    if own and own[0].tag_ in ("WDT", "WP"):
        own = [verb.head] if verb.dep_ == "relcl" else []
    if not own and verb.dep_ == "acl" and verb.tag_ in ("VBN", "VBG"):
        own = [verb.head]
    if verb.dep_ == "advcl" and any(child.lower_ == "to" for child in verb.children):
        return []  # what is done so that something may come about
    if not own and verb.dep_ in _BORROWS and verb.head.tag_.startswith("VB") and verb.head is not verb:
        if verb.dep_ == "xcomp" and any(child.dep_ == "dobj" for child in verb.head.children):
            own = [child for child in verb.head.children if child.dep_ == "dobj"]
        else:
            return _subjects(verb.head)
    return [each for token in own for each in (token, *token.conjuncts) if each is token or each.i > token.i]


def _is_passive(verb: Token) -> bool:
    if any(child.dep_ in ("nsubjpass", "auxpass") for child in verb.children):
        return True
    if verb.tag_ != "VBN" or any(child.dep_ in ("aux", *_SUBJECTS) for child in verb.children):
        return False
    return verb.dep_ in ("acl", "advcl") or (
        verb.dep_ == "conj" and verb.head.tag_.startswith("VB") and _is_passive(verb.head)
    )


def _ends(verb: Token, named: Named) -> Iterator[_End]:
    plain: tuple[str, ...] = ()
    for child in verb.children:
        if child.dep_ in _OBJECTS and child.tag_ != "IN":
            if not named(child):
                plain = (_noun_words(child, named),)
            for each in (child, *child.conjuncts):
                if each.i >= child.i:
                    yield from _reached(each, (), named)
    for child in verb.children:
        if child.dep_ == "agent" or (
            child.dep_ in ("prep", "dative") and child.tag_ == "IN" and child.lower_ not in _EXAMPLES
        ):
            way = (*plain, child.lower_) if child.dep_ != "agent" else ("by",)
            for noun in _nouns_after(child):
                yield from _reached(noun, way, named)


def _reached(noun: Token, way: tuple[str, ...], named: Named) -> Iterator[_End]:
    """A name, or those behind a noun that is none: of 'an agreement with Orla' and 'the Orla agreement' Orla."""
    if named(noun):
        yield _End(noun, way)
        return
    own = (*way, _noun_words(noun, named))
    thing = _thing(noun, named)
    if thing is not None and not way:
        yield _End(thing, (*own, "of"))
    for child in noun.children:
        if child.dep_ == "poss" and named(child):
            yield _End(child, (*own, "of"))
        elif child.dep_ == "prep" and len(way) < MAX_WAY:
            for each in _nouns_after(child):
                yield from _reached(each, (*own, child.lower_), named)


def _thing(noun: Token, named: Named) -> Token | None:
    """A name, or the one that a part of a company goes by: of 'the Orla segment' Orla; its shareholders are not it."""
    if named(noun):
        return noun
    before = (
        child for child in noun.lefts if child.dep_ in ("compound", "nmod") and named(child, titled=True)
    )
    return next(before, None) if _is_part(noun) else None


def _is_part(noun: Token) -> bool:
    return base_form(noun.lower_) in PARTS_OF_COMPANIES


def _nouns_after(preposition: Token) -> list[Token]:
    found = [child for child in preposition.children if child.dep_ == "pobj"]
    return [each for child in found for each in (child, *child.conjuncts) if each.i >= child.i]


def _examples(noun: Token, named: Named) -> Iterator[Link]:
    """Parts of a name: 'Orla, including Kestrel and Heron', 'such as Kestrel'."""
    whole = noun if named(noun, titled=True) else _thing(noun, named)
    for child in noun.children if whole is not None else ():
        if child.dep_ == "prep" and child.lower_ in _EXAMPLES:
            such = child.lower_ != "as" or any(each.lower_ == "such" for each in child.children)
            for each in _nouns_after(child) if such else ():
                part = each if named(each, titled=True) else _thing(each, named)
                if part is not None and whole is not None:
                    yield Link(part, relation_of("part of", "being", "done"), whole, noun)


def _noun_words(noun: Token, named: Named) -> str:
    """A noun with the plain words before it: 'definitive merger agreement'."""
    before = [
        child
        for child in noun.lefts
        if child.dep_ in _BEFORE_NOUN and not child.ent_type_ and not named(child, titled=True)
    ]
    return " ".join(each.lower_ for each in [*before, noun][-MAX_NOUN_WORDS:])


def _is_present(verb: Token) -> bool:
    helpers = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    perfect = verb.tag_ == "VBN" and not any(_base(each) == "be" for each in helpers)
    if perfect or any(_base(each) == "have" for each in helpers):
        return False
    return any(each.tag_ in ("VBZ", "VBP") for each in (helpers or [verb]))


def _base(verb: Token) -> str:
    word = verb.lower_
    if word in BEING:
        return "be"
    if word in ("'ve", "\u2019ve", "have", "has", "had"):
        return "have"
    return word if verb.tag_ in ("VB", "VBP") else verb_base(word) or base_form(word)


def _as_said(verb: Token, *, passive: bool) -> str:
    """The verb as it is written, where this is its form in the graph, too; '' where it must be made of its base."""
    finite = verb.tag_ in ("VBD", "VBZ") and not passive
    return verb.lower_ if finite or verb.tag_ == "VBN" else ""


def _status(verb: Token) -> Status:
    """What the clause makes of it."""
    helpers = {child.lower_ for child in verb.children if child.dep_ in ("aux", "mark", "neg")}
    if any(child.dep_ == "neg" or child.lower_ in _NO for child in verb.children) or any(
        child.lower_ in _NO and child.dep_ in ("det", "neg", "preconj")
        for each in verb.children
        if each.dep_ in _OBJECTS | _SUBJECTS | {"advmod"}
        for child in each.children
    ):
        return "not done"
    if helpers & (HYPOTHETICAL | _IF):
        return "conditional"
    if helpers & FUTURE:
        return "planned"
    if verb.dep_ in ("xcomp", "advcl", "acl") and "to" in helpers:
        return _status_of_infinitive(verb)
    alone = verb.tag_ not in ("VBD", "VBZ", "VBP") and not helpers
    if verb.dep_ in ("conj", "xcomp") and alone and verb.head is not verb and verb.head.tag_.startswith("VB"):
        return _status(verb.head)
    return "done"


def _status_of_infinitive(verb: Token) -> Status:
    above = _base(verb.head)
    if above in _BOUND:
        return "conditional"
    if above in _FAILING:
        return "not done"
    return _status(verb.head) if verb.dep_ == "xcomp" and above in _GOING_ON else "planned"
