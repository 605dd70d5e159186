"""Dollars and counts as text."""

from __future__ import annotations

from decimal import Decimal


def dollars(amount: float) -> str:
    """Cents for large amounts, and enough places for small ones that they are not nothing."""
    if not amount:
        return "$0"
    # By way of Decimal, which never writes 0.00001 as 1e-05.
    return f"${amount:,.2f}" if amount >= 0.1 else f"${Decimal(f'{amount:.2g}'):f}"


def counted(count: int, noun: str) -> str:
    """A count with its noun, e.g. `1 session`, `2,000 sessions`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
