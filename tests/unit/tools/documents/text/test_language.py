"""Which language a document is in."""

from __future__ import annotations

import pytest

from tools.documents.text.language import detect_language, language_note

TEXTS = {
    "en": "Group revenue rose by six per cent in the financial year, driven by demand in the United Kingdom.",
    "de": "Der Mieter kann den Vertrag mit einer Frist von drei Monaten zum Monatsende schriftlich kündigen.",
    "fr": "Le chiffre d'affaires du groupe a progressé de six pour cent, porté par la demande au Royaume-Uni.",
    "es": "Los ingresos del grupo aumentaron un seis por ciento, impulsados por la demanda en el Reino Unido.",
    "nl": "De omzet van de groep is in het boekjaar met zes procent gestegen, dankzij de vraag in Duitsland.",
    "pl": "Przychody grupy wzrosły w roku obrotowym o sześć procent dzięki popytowi w Wielkiej Brytanii.",
    "ja": "当グループの当連結会計年度の売上高は、英国およびドイツでの需要に支えられ、六パーセント増加しました。",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_sentence_is_enough(code: str) -> None:
    assert detect_language(TEXTS[code]) == code


def test_figures_and_capitals_are_no_prose() -> None:
    assert (
        detect_language("Umsatz 1.704 1.606\nGEWINN- UND VERLUSTRECHNUNG DES KONZERNS FÜR DAS JAHR\n" * 9)
        == ""
    )


def test_another_language_is_named_and_english_is_not() -> None:
    assert language_note("de").startswith("in German:")
    assert language_note("en") == language_note("") == ""
