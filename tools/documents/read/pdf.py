"""Page text in layout mode, also for pages whose text stands inside form XObjects.

pypdf's layout mode reads a page's own content stream alone. Some producers (the filings of 2022 and 2023
print their cover page so) draw the whole page as one form XObject: layout mode then yields nothing. Such
forms are written into the page's content before it is read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypdf import PageObject
from pypdf.generic import ContentStream, DictionaryObject, NameObject, StreamObject

_MIN_LAYOUT_SHARE = 0.6
_MAX_FORMS = 500
_MAX_FORM_DEPTH = 5


def layout_text(page: PageObject, plain: str) -> str:
    """The page's text with its columns kept apart by spaces; '' where even then most of `plain`, its plain
    text, is missing (rotated pages). Changes the page's content where forms are written into it."""
    text = page.extract_text(extraction_mode="layout")
    if not _covers(text, plain) and _inline_forms(page):
        text = page.extract_text(extraction_mode="layout")
    return text if _covers(text, plain) else ""


def _covers(text: str, plain: str) -> bool:
    return len("".join(text.split())) >= _MIN_LAYOUT_SHARE * len("".join(plain.split()))


def _inline_forms(page: PageObject) -> bool:
    """Replace each `Do` of a form by the form's content, fonts renamed; False if the page draws no form."""
    resources = _dictionary(page.get("/Resources"))
    contents = page.get_contents()
    if contents is None or not _dictionary(resources.get("/XObject")):
        return False
    fonts = DictionaryObject(_dictionary(resources.get("/Font")))
    budget = [_MAX_FORMS]
    stream = ContentStream(None, page.pdf)
    stream.operations = list(_expand(page, contents, resources, fonts, "", budget, 0))
    if budget[0] == _MAX_FORMS:
        return False
    page[NameObject("/Contents")] = stream
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    return True


def _expand(
    page: PageObject,
    contents: ContentStream,
    resources: DictionaryObject,
    fonts: DictionaryObject,
    prefix: str,
    budget: list[int],
    depth: int,
) -> Iterator[tuple[Any, bytes]]:
    """The operations of a content stream with those of its forms in their place.

    `prefix` keeps apart fonts of one name in several forms; `budget` holds how many more forms may be written
    out, so that forms which draw each other end.
    """
    forms = _dictionary(resources.get("/XObject"))
    for operands, operator in contents.operations:
        if operator == b"Tf" and operands and prefix:
            yield [NameObject(f"/{prefix}{str(operands[0])[1:]}"), *operands[1:]], operator
            continue
        form = _form(forms, operands[0]) if operator == b"Do" and operands else None
        if form is None or budget[0] <= 0 or depth >= _MAX_FORM_DEPTH:
            yield operands, operator
            continue
        budget[0] -= 1
        inner_prefix = f"X{_MAX_FORMS - budget[0]}"
        inner = _dictionary(form.get("/Resources")) or resources
        for name, font in _dictionary(inner.get("/Font")).items():
            fonts[NameObject(f"/{inner_prefix}{name[1:]}")] = font
        yield [], b"q"
        matrix = form.get("/Matrix")
        if matrix is not None:
            yield list(matrix.get_object()), b"cm"
        yield from _expand(
            page, ContentStream(form, page.pdf, "bytes"), inner, fonts, inner_prefix, budget, depth + 1
        )
        yield [], b"Q"


def _form(forms: DictionaryObject, name: object) -> StreamObject | None:
    found = forms.get(name)
    target = found.get_object() if found is not None else None
    return target if isinstance(target, StreamObject) and target.get("/Subtype") == "/Form" else None


def _dictionary(value: Any) -> DictionaryObject:
    target = value.get_object() if value is not None else None
    return target if isinstance(target, DictionaryObject) else DictionaryObject()
