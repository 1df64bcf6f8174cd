from __future__ import annotations

import pytest

from memory_service._generated.invisible import is_invisible


@pytest.mark.parametrize(
    "text", ["", " \t\n\u2028", "\0", "\u200b", "\ufeff", "\u00ad", "\u2800", "\u3164", "\ufe0f", "\U000e0041"]
)
def test_a_text_without_a_mark_is_invisible(text: str) -> None:
    assert is_invisible(text)
    assert not is_invisible(f"{text}a{text}")


@pytest.mark.parametrize("text", ["a", ".", "]", "^", "-", "\\", "ё", "中", "\u0301", "🏠", "\ud83d", "\U0010fffd"])
def test_a_text_with_one_is_not(text: str) -> None:
    assert not is_invisible(text)
