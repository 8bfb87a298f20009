from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.english import detect_language

PARAGRAPHS = {
    "en": (
        "The reservoir had been filled to a level that nobody had tested. When the rain came, the spillway "
        "was blocked by debris, and the water went over the crest of the dam for more than two hours until "
        "the embankment gave way."
    ),
    "de": (
        "Der Stausee war bis zu einer Höhe gefüllt, die niemand geprüft hatte. Als der Regen kam, war der "
        "Überlauf durch Treibgut verstopft, und das Wasser lief mehr als zwei Stunden lang über die "
        "Dammkrone, bis der Damm nachgab."
    ),
    "fr": (
        "Le réservoir avait été rempli jusqu'à un niveau que personne n'avait vérifié. Quand la pluie est "
        "arrivée, le déversoir était bouché par des débris et l'eau est passée par-dessus la crête du barrage"
        " pendant deux heures."
    ),
    "es": (
        "El embalse se había llenado hasta un nivel que nadie había comprobado. Cuando llegó la lluvia, el "
        "aliviadero estaba obstruido por restos y el agua pasó por encima de la presa durante más de dos "
        "horas."
    ),
    "it": (
        "Il bacino era stato riempito fino a un livello che nessuno aveva verificato. Quando arrivò la "
        "pioggia, lo sfioratore era ostruito dai detriti e l'acqua passò sopra la diga per più di due ore."
    ),
    "nl": (
        "Het stuwmeer was gevuld tot een niveau dat niemand had getest. Toen de regen kwam, was de overlaat "
        "verstopt door puin en liep het water meer dan twee uur lang over de kruin van de dam."
    ),
    "ru": (
        "Водохранилище было заполнено до уровня, который никто не проверял. Когда пошёл дождь, водосброс был "
        "забит мусором."
    ),
    "zh": ("水库的水位达到了从未有人测试过的高度。下雨时，溢洪道被杂物堵塞，水漫过坝顶两个多小时。"),
}


@pytest.mark.parametrize("code", sorted(PARAGRAPHS))
def test_paragraphs(code: str) -> None:
    assert detect_language(PARAGRAPHS[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "The pump failed.",
        "Why did checkout fail?",
        "Pump P-101 was tripped by node 17 at 14:32.",
        "The dam broke because it rained.",
    ],
)
def test_short_english(text: str) -> None:
    assert detect_language(text) == "en"


@pytest.mark.parametrize("text", ["", "   \n", "12 345 / 67.8 %", "😀 !!", "1 a"])
def test_text_without_words_is_undetermined(text: str) -> None:
    assert detect_language(text) == "und"


def test_a_cover_page_in_another_language_does_not_decide() -> None:
    assert detect_language(PARAGRAPHS["de"] * 4 + ("\n\n" + PARAGRAPHS["en"]) * 60) == "en"


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_has_a_code(text: str) -> None:
    code = detect_language(text)
    assert code == detect_language(text)
    assert 2 <= len(code) <= 3
