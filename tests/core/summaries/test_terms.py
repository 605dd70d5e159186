from __future__ import annotations

from core.summaries.terms import telling_terms

TALK = [
    "The deploy of checkout-service fails with ECONNREFUSED in src/payments/stripe_client.py since "
    "yesterday. See also TS2345 and the flag --max-old-space-size.",
    "I see. `createPaymentIntent` raises StripeConnectionError because REDIS_URL is not set. "
    "The payment gateway retries, and the gateway gives up.",
    "So the gateway needs REDIS_URL. Kubernetes has it, our Helm chart does not.",
]


def test_names_of_things_stand_out() -> None:
    terms = telling_terms(TALK, 12)

    for name in (
        "ECONNREFUSED", "src/payments/stripe_client.py", "TS2345", "--max-old-space-size",
        "createPaymentIntent", "StripeConnectionError", "REDIS_URL", "checkout-service",
    ):  # fmt: skip
        assert name in terms


def test_small_words_do_not() -> None:
    assert not {"the", "because", "yesterday", "since"} & set(telling_terms(TALK, 30))


def test_words_of_time_and_politeness_do_not() -> None:
    talk = [
        "Thanks, it fails during the night, around midnight, and never during the day.",
        "Thanks again! Definitely someone, Maybe on Friday, around midnight. Definitely someone.",
        "Es war während gestern, während heute: danke, Danke, hinter dem Proxy, hinter dem Proxy.",
    ]

    assert telling_terms(talk, 30) == ["Proxy"]


def test_a_part_of_a_chosen_term_is_no_term_of_its_own() -> None:
    terms = telling_terms(["See auth_test.py. In auth_test.py the auth_test fails."], 10)

    assert terms == ["auth_test.py"]


def test_chinese_words_that_recur_are_found() -> None:
    text = "登录页面打不开。我们看登录页面的日志，发现登录页面缺少令牌。"

    assert telling_terms([text], 5) == ["登录页面"]


def test_the_same_text_gives_the_same_terms() -> None:
    assert telling_terms(TALK, 12) == telling_terms(list(TALK), 12)


def test_a_long_run_without_spaces_is_no_trouble() -> None:
    assert telling_terms(["a" * 500_000, "Aa_" * 200_000, "数" * 100_000], 5) is not None
