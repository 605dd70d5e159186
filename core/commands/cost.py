"""`chatrecall cost`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core import database, settings
from core.summaries import ledger
from core.summaries.money import counted, dollars

if TYPE_CHECKING:
    import argparse

    from core.summaries.ledger import Line


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`."""
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(arguments: argparse.Namespace) -> str:
    """Say what summaries have cost: today, this month, and by month and summarizer."""
    db = database.connect()
    try:
        today, month = ledger.spent_today(db), ledger.spent_this_month(db)
        lines = ledger.by_month(db)
    finally:
        db.close()
    cap = settings.number("daily_cap_usd")
    if arguments.json:
        told = {"today": today, "daily_cap": cap, "this_month": month}
        return json.dumps({**told, "months": [vars(line) for line in lines]}, indent=2)
    return "\n".join(
        [
            f"Today       {dollars(today)} of at most {dollars(cap)}",
            f"This month  {dollars(month)}",
            *(_line(line) for line in lines),
        ]
    )


def _line(line: Line) -> str:
    failed = f" ({line.failed} without a summary)" if line.failed else ""
    return (
        f"{line.month}     {dollars(line.cost_usd)}  {line.written_by}: "
        f"{counted(line.calls, 'call')}{failed}, "
        f"{line.input_tokens:,} tokens sent, {line.output_tokens:,} received"
    )
