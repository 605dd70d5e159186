"""Dollars as a person reads them."""

from __future__ import annotations

import pytest

from core.summaries.money import dollars


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0"),
        (0.00001, "$0.00001"),
        (0.000215, "$0.00021"),
        (0.05, "$0.05"),
        (0.25, "$0.25"),
        (1234.5, "$1,234.50"),
    ],
)
def test_an_amount_of_any_size_is_written_plainly(amount: float, text: str) -> None:
    assert dollars(amount) == text
