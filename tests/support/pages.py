"""Databases and results that the page has to show: ordinary, hostile, long and many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.search.results import Match, Result
from core.sessions import find_session
from tests.support.memory import Said, remember

if TYPE_CHECKING:
    import sqlite3

HOSTILE = (
    "<script>document.title = 'owned'</script>",
    "</script><script>document.title = 'owned'</script>",
    "</style><style>body { display: none }</style>",
    '"><img src=x onerror="document.title = 1">',
    "<!-- <script> -->",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "[click](javascript:document.title='owned') <javascript:alert(1)> [file](file:///etc/passwd)",
    "![spy](http://127.0.0.1:9/pixel.png) <https://example.org/> [data](data:text/html,<b>x</b>)",
    "<svg onload=alert(1)><base href=//evil><meta http-equiv=refresh content=0>",
    "safe\u202egnp.exe\u202c and \u2066hidden\u2069 and zero\u200bwidth and a bell \x07",
)
"""Texts that must stay text."""

_LAG = [
    Said(
        "user",
        "After the last deploy the replica lags behind by minutes and the failover test is red. "
        "What is going on?\n\n```\nERROR 1205 (HY000): Lock wait timeout exceeded\n"
        "replica_lag_seconds 412\n```",
        "2026-11-12T09:30:00.000Z",
    ),
    Said("assistant", "Let me look at the replication settings.", "2026-11-12T09:30:20.000Z"),
    Said(
        "assistant",
        """The lag comes from one long transaction, not from the network.

## What happens

1. `orders_archive` deletes **1.2 million rows** in a single transaction.
2. The replica applies it on *one* thread, so everything behind it waits.
3. The failover test gives up after 60 s.

| setting | now | proposed |
|---|---:|---:|
| `replica_parallel_workers` | 0 | 4 |
| batch size | all | 5,000 |
| failover timeout | 60 s | 120 s |

The loop, in [archive.py](src/jobs/archive.py#L42):

```python
def archive(db, before):
    \"\"\"Delete old orders in batches, so that a replica can follow.\"\"\"
    while True:
        done = db.execute(
            "DELETE FROM orders WHERE created_at < %s LIMIT 5000", (before,)
        ).rowcount
        if not done:
            return
        time.sleep(0.2)
```

> Deletes in batches keep the lag under two seconds in my test.

Shall I change it? The options are in <https://dev.mysql.com/doc/refman/8.4/en/>.""",
        "2026-11-12T09:32:00.000Z",
    ),
    Said(
        "user",
        "Yes, and raise the failover timeout as well. Keep the old job behind a flag.",
        "2026-11-12T09:40:00.000Z",
    ),
    Said(
        "assistant",
        "Done. The job runs in batches of 5,000, `ARCHIVE_BATCHED=0` brings the old one back.\n\n"
        "```diff\n-  failover_timeout: 60\n+  failover_timeout: 120\n```\n\n```yaml\n"
        + "\n".join(f"  - step_{number}: run --shard {number}" for number in range(64))
        + "\n```",
        "2026-11-12T09:47:00.000Z",
    ),
    Said("user", "/review", "2026-11-13T08:01:00.000Z", "slash_command"),
    Said(
        "assistant",
        "The change looks right. Should the flag stay after the next release?",
        "2026-11-13T08:02:00.000Z",
    ),
]


def ordinary(db: sqlite3.Connection) -> Result:
    """Three sessions: summarized by a model, summarized locally, not summarized and untitled."""
    remember(
        db,
        "6f1c2f8e-7f0f-4c3e-9d7e-2f6f3b0a1c11",
        _LAG,
        title="Replica lag after the archive job",
        summary="The nightly archive job deleted 1.2 million orders in one transaction, so the "
        "replica lagged by minutes and the failover test failed. The job now deletes in batches "
        "of 5,000 and the failover timeout is 120 seconds.",
        topics=("MySQL replication", "replica lag", "failover", "orders_archive", "batch delete"),
        decisions=(
            "Delete in batches of 5,000 with a pause of 0.2 s",
            "Failover timeout 120 s",
            "The old job stays behind ARCHIVE_BATCHED=0 until the next release",
        ),
        by="api:claude-haiku-5-5",
    )
    remember(
        db,
        "0b8d7a52-2f44-4a68-8a61-9d9b2f2f5d10",
        [
            Said("user", "Write a runbook for the database failover"),
            Said("assistant", "Here is one:\n\n- check the lag\n- promote the replica"),
        ],
        title="Runbook for a database failover",
        project="/home/lena/src/infra",
        at="2026-10-03T16:05:00.000Z",
        summary="A one-page runbook for promoting a replica by hand. It lists the checks before "
        "the failover and how to move the DNS name.",
        topics=("runbook", "failover", "DNS"),
        decisions=("Lag must be under 5 s before promotion",),
        by="local",
    )
    remember(
        db,
        "aa6d7a52-2f44-4a68-8a61-9d9b2f2f5d99",
        [
            Said("user", "why does the checkout test time out when the second node is stopped"),
            Said("assistant", "The client waits: its failover list is read once, at start."),
        ],
        at="2026-08-21T06:45:00.000Z",
    )
    return Result(
        query="failover timeout",
        matches=(
            match(db, "6f1c2f8e", "everything behind it waits. The failover test gives up", 3),
            match(db, "0b8d7a52", "", None),
            match(db, "aa6d7a52", "its failover list is read once, at start.", 2),
        ),
        words=("failover", "timeout"),
        sessions=3,
    )


def hostile(db: sqlite3.Connection) -> Result:
    """A session in which every field holds what must stay text, its id included."""
    session_id = '"><img src=x onerror=alert(1)>'
    everything = "\n\n".join(HOSTILE)
    remember(
        db,
        session_id,
        [Said("user", everything), Said("assistant", everything), Said("program", everything)],
        title='"><img src=x onerror="document.title = 1">',
        project="/tmp/</script><script>x",
        summary=everything,
        topics=HOSTILE,
        decisions=HOSTILE,
        by="api:<b>",
    )
    return Result(
        query=HOSTILE[1],
        matches=(match(db, session_id, everything, 1),),
        words=("script", "<img", "safe"),
        sessions=1,
        corrected=((HOSTILE[0], HOSTILE[3]),),
        note=HOSTILE[2],
    )


def long(db: sqlite3.Connection) -> Result:
    """One exchange of a million characters, and a session of two thousand exchanges."""
    remember(
        db,
        "11111111-0000-4000-8000-000000000001",
        [
            Said("user", "x" * 400_000 + " needle " + "word " * 120_000),
            Said("assistant", "```\n" + "0123456789 " * 200 + "\n```\n" + "| a |" * 300),
        ],
        title="One exchange of a million characters " * 20,
        summary="A needle in a million characters. " * 40,
        topics=tuple(f"topic number {number}" for number in range(60)),
        by="local",
    )
    remember(
        db,
        "11111111-0000-4000-8000-000000000002",
        [
            Said(
                "assistant" if number % 2 else "user",
                f"Exchange {number} with a needle.\n\n" + "Some more words. " * 60,
            )
            for number in range(2_000)
        ],
        title="Two thousand exchanges",
    )
    return Result(
        query="needle",
        matches=(
            match(db, "11111111-0000-4000-8000-000000000001", "… needle …", 1),
            match(db, "11111111-0000-4000-8000-000000000002", "Exchange 999 with a needle.", 1000),
        ),
        words=("needle",),
        sessions=2,
    )


def many(db: sqlite3.Connection, number: int) -> None:
    """`number` sessions of 40 projects over two years, each with a summary of usual length."""
    subjects = ("deploy", "login", "cache", "parser", "invoice", "webhook", "search", "upload")
    problems = ("times out", "leaks memory", "is flaky", "loses data", "needs a rewrite", "is slow")
    db.execute("BEGIN")
    for count in range(number):
        subject, problem = subjects[count % 8], problems[count % 6]
        year, month, day = 2025 + count % 2, 1 + count % 11, 1 + count % 28
        remember(
            db,
            f"{count:08x}-0000-4000-8000-{count:012x}",
            title=f"The {subject} {problem} (case {count})",
            project=f"/home/lena/src/project-{count % 40}",
            at=f"{year}-{month:02}-{day:02}T{count % 24:02}:15:00.000Z",
            summary=f"The {subject} {problem} when the load is high. " + "It was traced to a "
            "missing index and a retry without back-off; both were mended and a test was added. "
            * 3,
            topics=(subject, problem, "missing index", "retry", f"case-{count}", "PostgreSQL"),
            decisions=("Back off exponentially",),
            by="api:claude-haiku-5-5",
        )
    db.execute("COMMIT")


def match(db: sqlite3.Connection, session_id: str, excerpt: str, seq: int | None) -> Match:
    """A match of a known session."""
    return Match(find_session(db, session_id), 1.0, excerpt, seq)
