"""What the models cost: one dated table, in US dollars per million tokens.

Sources, read on 2026-11-30: https://platform.claude.com/docs/en/about-claude/pricing and the
overview page of each model below https://platform.claude.com/docs/en/models/. The Message Batches
API takes half. Haiku 5.5 costs five times as much for prompts over 100,000 tokens; ours are never
a quarter of that.
"""

from __future__ import annotations

from dataclasses import dataclass

MODELS = {
    # Family, as the model's id begins; the longest that fits counts.
    "claude-haiku-5-5": (0.10, 0.50),
    "claude-haiku-4-5": (1.00, 5.00),
    "claude-sonnet-5": (2.00, 10.00),  # 5 and 5.5
    "claude-sonnet-4": (3.00, 15.00),  # 4.5 and 4.6
    "claude-opus-5-5": (4.00, 20.00),
    "claude-opus-5": (5.00, 25.00),
    "claude-opus-4-8": (5.00, 25.00),
    "claude-opus-4-7": (5.00, 25.00),
    "claude-opus-4-6": (5.00, 25.00),
    "claude-opus-4-5": (5.00, 25.00),
    "claude-opus-4": (15.00, 75.00),  # 4 and 4.1
    "claude-fable-5": (10.00, 50.00),  # 5, 5.1
    "claude-mythos-5": (10.00, 50.00),  # 5, 5.1
}

BATCH_DISCOUNT = 0.5

OUTPUT_TOKENS = 600
"""What a summary takes, with its search terms: the figure that estimates use."""

BYTES_PER_TOKEN = 3
"""UTF-8 bytes. Low on purpose: Haiku 5.5's tokens are smaller than its forerunners'."""

_TARGET_USD = 0.005  # what one summary should cost at most
_LEAST_INPUT, _MOST_INPUT = 2_500, 12_000


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens."""

    input_usd: float
    output_usd: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What one call costs, in dollars."""
        return (input_tokens * self.input_usd + output_tokens * self.output_usd) / 1_000_000


def price_of(model: str) -> Price:
    """The price of a model; one that the table doesn't know counts as the dearest in it."""
    families = [family for family in MODELS if _belongs(model, family)]
    if families:
        return Price(*MODELS[max(families, key=len)])
    return Price(*max(MODELS.values()))


def input_budget(model: str) -> int:
    """How many tokens of conversation a summary may cost, so that it stays near half a cent.

    Dear models still get enough to see what the session was about; cheap ones get more.
    """
    price = price_of(model)
    left = _TARGET_USD - price.of(0, OUTPUT_TOKENS)
    affordable = int(left * 1_000_000 / price.input_usd)
    return max(_LEAST_INPUT, min(_MOST_INPUT, affordable))


def tokens_in(text: str) -> int:
    """About how many tokens a text takes, rather too many than too few."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def _belongs(model: str, family: str) -> bool:
    return model == family or model.startswith(f"{family}-")
