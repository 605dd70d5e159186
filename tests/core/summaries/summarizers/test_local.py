from __future__ import annotations

from core.sessions import Exchange
from core.summaries.condense import Condensed, Former, Turn, condense
from core.summaries.summarizers.local import LocalSummarizer

LONG_ANSWER = """\
Great!

I found it. The webhook handler in `billing/webhooks.py` verified the signature against the parsed
body, so every retry failed with `SignatureVerificationError`. It now reads the raw body.

| file | lines |
|---|---|
| billing/webhooks.py | 12 |

```python
payload = request.get_data()
```

All 48 tests pass. The deploy to staging is still open.
"""
STRIPE = (
    ("user", "hi"),
    ("assistant", "Hello! How can I help?"),
    ("user", "Stripe webhooks return 400 in staging since we moved to Flask 3. Logs say "
     "SignatureVerificationError. Please find the cause."),
    ("assistant", "Let me read billing/webhooks.py."),
    ("user", "Let's read the raw body instead of re-encoding the JSON."),
    ("assistant", LONG_ANSWER),
    ("user", "thanks!"),
    ("assistant", "You're welcome!"),
)  # fmt: skip


def conversation(turns: object = STRIPE, former: Former | None = None) -> Condensed:
    return Condensed("s1", "shop", tuple(Turn(*turn) for turn in turns), former)  # type: ignore[attr-defined]


def test_a_person_recognises_the_session() -> None:
    summary = LocalSummarizer().summarize(conversation())

    assert summary.summary.startswith("Stripe webhooks return 400 in staging")
    assert "verified the signature against the parsed" in summary.summary
    assert len(summary.summary) < 500


def test_topics_are_what_somebody_would_type() -> None:
    topics = LocalSummarizer().summarize(conversation()).topics

    for topic in ("SignatureVerificationError", "billing/webhooks.py", "Flask 3"):
        assert topic in topics


def test_decisions_are_those_that_were_said() -> None:
    decisions = LocalSummarizer().summarize(conversation()).decisions

    assert decisions == ("Let's read the raw body instead of re-encoding the JSON.",)


def test_markup_and_tables_are_no_sentences() -> None:
    text = LocalSummarizer().summarize(conversation((("user", "Why?"), ("assistant", "## Cause\n\n"
        "| a | b |\n|---|---|\n- **The cache** was stale.\n```\ncode\n```")))).summary  # fmt: skip

    assert text == "Why? → Cause; The cache was stale."


def test_it_speaks_the_conversation_s_language() -> None:
    turns = (
        ("user", "登录页面在 Safari 里打不开，请检查原因。"),
        ("assistant", "原因是 Cookie 的 SameSite 属性。改用 Lax 之后登录页面正常了。"),
    )

    summary = LocalSummarizer().summarize(conversation(turns))

    assert summary.summary.startswith("登录页面在 Safari 里打不开")
    assert summary.decisions == ("改用 Lax 之后登录页面正常了。",)


def test_the_same_session_gives_the_same_summary() -> None:
    assert LocalSummarizer().summarize(conversation()) == LocalSummarizer().summarize(
        conversation()
    )


def test_a_grown_session_keeps_what_a_model_said() -> None:
    former = Former("Webhooks were fixed.", ("Stripe",), ("Read the raw body.",))
    turns = (("user", "Now deploy it."), ("assistant", "Deployed to staging."))

    summary = LocalSummarizer().summarize(conversation(turns, former))

    assert summary.summary == "Webhooks were fixed. → Deployed to staging."
    assert "Stripe" in summary.topics
    assert summary.decisions[0] == "Read the raw body."


def test_a_bare_command_does_not_name_the_session() -> None:
    turns = (("user", "/review"), ("user", "!ls"), ("user", "Check the retry logic in queue.ts"))

    assert LocalSummarizer().summarize(conversation(turns)).summary == (
        "Check the retry logic in queue.ts"
    )


def test_a_session_of_greetings_still_gets_a_summary() -> None:
    assert LocalSummarizer().summarize(conversation(STRIPE[:2])).summary.startswith("hi")


def test_a_session_without_a_person_s_words_still_gets_a_summary() -> None:
    summary = LocalSummarizer().summarize(conversation((("assistant", "I went on by myself."),)))

    assert summary.summary == "I went on by myself."


def test_nothing_said_gives_nothing() -> None:
    assert LocalSummarizer().summarize(conversation(())).summary == ""


def test_a_huge_session_is_summarized_too() -> None:
    said = [
        Exchange(n, "user" if n % 2 else "assistant", "human", f"Step {n}. " + "word " * 2_000, "")
        for n in range(1, 400)
    ]
    condensed = condense(said, LocalSummarizer.input_budget, session_id="s1", project_name="shop")

    assert LocalSummarizer().summarize(condensed).summary.startswith("Step 1.")
