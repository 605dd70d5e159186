from __future__ import annotations

import pytest

from core.summaries import prices


@pytest.mark.parametrize(
    ("model", "input_usd", "output_usd"),
    [
        ("claude-haiku-5-5", 0.10, 0.50),
        ("claude-haiku-4-5-20251001", 1.00, 5.00),
        ("claude-sonnet-5-5", 2.00, 10.00),
        ("claude-opus-5-5", 4.00, 20.00),
        ("claude-opus-4-8", 5.00, 25.00),
        ("claude-opus-4-1-20250805", 15.00, 75.00),
    ],
)
def test_models_have_their_price(model: str, input_usd: float, output_usd: float) -> None:
    assert prices.price_of(model) == prices.Price(input_usd, output_usd)


@pytest.mark.parametrize("model", ["claude-haiku-9", "gpt-9", "", "claude-haiku-5-50"])
def test_an_unknown_model_counts_as_the_dearest(model: str) -> None:
    assert prices.price_of(model) == prices.Price(15.00, 75.00)


def test_a_summary_stays_near_half_a_cent_at_haiku_4_5_s_price() -> None:
    price = prices.price_of("claude-haiku-4-5")

    asked = prices.input_budget("claude-haiku-4-5") + 700
    assert price.of(asked, prices.OUTPUT_TOKENS) < 0.0065


def test_a_summary_costs_a_fifth_of_a_cent_at_haiku_5_5_s_price() -> None:
    price = prices.price_of("claude-haiku-5-5")

    asked = prices.input_budget("claude-haiku-5-5") + 700
    assert price.of(asked, prices.OUTPUT_TOKENS) < 0.002
