"""Searching: what is found, in which order, and what the person is told."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.search import search as search_module
from core.search.results import Result
from core.search.search import search
from tests.support.conversations import say

NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
FILLER = ("about gardens", "about rivers", "about mountains", "about bridges", "about trains")


@pytest.fixture
def filled(db: sqlite3.Connection) -> sqlite3.Connection:
    """A database with a few sessions about nothing that is asked for here."""
    for number, text in enumerate(FILLER):
        say(db, f"filler-{number}", [("user", text)], at=NOW - timedelta(days=40 + number))
    return db


def ask(db: sqlite3.Connection, text: str, *, limit: int = 5, typing: bool = False) -> Result:
    return search(db, text, limit=limit, typing=typing, now=NOW)


def ids(result: Result) -> list[str]:
    return [match.session.session_id for match in result.matches]


def test_a_session_is_found_by_any_of_the_words(filled: sqlite3.Connection) -> None:
    say(filled, "cake", [("user", "walnut cake"), ("assistant", "Take two eggs.")])

    result = ask(filled, "which recipe was it with walnut and raisins")
    assert ids(result) == ["cake"]
    assert result.matches[0].excerpt == "walnut cake"
    assert result.matches[0].seq == 1
    assert result.sessions == 6


def test_the_session_with_more_of_the_words_comes_first(filled: sqlite3.Connection) -> None:
    say(filled, "one", [("user", "walnut cake")])
    say(filled, "both", [("user", "walnut cake with raisins")])

    assert ids(ask(filled, "walnut raisins")) == ["both", "one"]


def test_words_in_one_exchange_beat_words_far_apart(filled: sqlite3.Connection) -> None:
    say(filled, "apart", [("user", "walnut"), ("assistant", "well"), ("user", "raisins")])
    say(filled, "together", [("user", "well"), ("assistant", "walnut, raisins"), ("user", "so")])

    assert ids(ask(filled, "walnut raisins")) == ["together", "apart"]


def test_a_query_that_stands_word_for_word_comes_first(filled: sqlite3.Connection) -> None:
    say(filled, "scattered", [("user", "cake walnut. walnut cake. no walnut left, cake left")])
    say(filled, "verbatim", [("user", "it says: no cake left on walnut, and so on and so forth")])

    assert ids(ask(filled, "no cake left on walnut"))[0] == "verbatim"


def test_of_equal_sessions_the_latest_comes_first(filled: sqlite3.Connection) -> None:
    for days in (9, 2, 5):
        say(filled, f"{days} days", [("user", "walnut")], at=NOW - timedelta(days=days))

    assert ids(ask(filled, "walnut")) == ["2 days", "5 days", "9 days"]


def test_a_session_of_everything_gives_way_to_one_of_usual_length(
    filled: sqlite3.Connection,
) -> None:
    say(filled, "long", [("user", f"walnut {'filler ' * 5000}")])
    say(filled, "short", [("user", "about a walnut")])

    assert ids(ask(filled, "walnut"))[0] == "short"


def test_no_more_than_the_limit_is_given(filled: sqlite3.Connection) -> None:
    for number in range(20):
        say(filled, str(number), [("user", "walnut")])

    assert len(ask(filled, "walnut", limit=3).matches) == 3
    assert len(ask(filled, "walnut", limit=15).matches) == 15


def test_a_common_word_finds_where_there_is_no_other(db: sqlite3.Connection) -> None:
    say(db, "one", [("user", "walnut")])

    assert ids(ask(db, "walnut")) == ["one"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("deploying", "it was deployed"),
        ("uberprufung", "die Überprüfung"),
        ("连接池", "数据库连接池满了"),
        ("池", "数据库连接池"),
        ("データ欠損", "センサーのデータが欠損する"),
        ("중복 예매", "좌석이 중복예매되었다"),
        ("отчёты", "выгрузка отчета"),
        ("trien khai", "Triển khai ứng dụng"),
        ("dang nhap", "Đăng nhập"),
        ("C++", "a C++ template"),
        ("src/auth.rs:42", "look at src/auth.rs:42"),
        ("foo_bar", "call foo-bar now"),
        ("v2.10", "release v2.10 is out"),
        ("TokenReuseDetectedError", "tokenReuseDetectedError was thrown"),
        ("kuber", "a kubernetes cluster"),
        ("Lastschriften", "die Lastschrift wurde abgelehnt"),
        ("impresoras", "la impresora de recibos"),
        ("сообщениями", "бот теряет сообщения"),
    ],
)
def test_a_text_is_found_by_what_people_type(
    filled: sqlite3.Connection, query: str, text: str
) -> None:
    say(filled, "there", [("user", text)])

    assert ids(ask(filled, query)) == ["there"]


def test_a_misspelt_word_is_corrected_and_told(filled: sqlite3.Connection) -> None:
    say(filled, "there", [("user", "the failover failed")])

    result = ask(filled, "Faliover")
    assert ids(result) == ["there"]
    assert result.corrected == (("Faliover", "failover"),)
    assert result.words == ("failover",)


def test_an_unknown_word_is_told_and_the_others_are_looked_for(filled: sqlite3.Connection) -> None:
    say(filled, "there", [("user", "the walnut")])

    result = ask(filled, "walnut qqqqqqq")
    assert ids(result) == ["there"]
    assert result.note == "No session holds “qqqqqqq”."


def test_other_forms_of_a_word_are_looked_for_where_nothing_else_is_known(
    filled: sqlite3.Connection,
) -> None:
    say(filled, "there", [("user", "the walnut")])
    say(filled, "elsewhere", [("user", "die Lastschrift")])

    result = ask(filled, "walnut Lastschriften")
    assert ids(result) == ["there"]
    assert result.note == "No session holds “Lastschriften”."


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("the Walnut, cake", "walnut cake", ("Walnut", "cake")),
        ("src/auth.rs", "src/auth.rs", ("src/auth.rs", "src", "auth", "rs")),
        ("kuber", "kubernetes", ("kuber*",)),
        ("отчётов", "отчет", ("отчет*",)),
        ("数据库慢", "数据库很慢", ("数据", "据库", "数据库")),
        ("库", "数据库", ("库",)),
    ],
)
def test_words_to_mark_are_given(
    filled: sqlite3.Connection, query: str, text: str, words: tuple[str, ...]
) -> None:
    say(filled, "there", [("user", text)])

    assert ask(filled, query).words == words


def test_a_phrase_must_stand_word_for_word(filled: sqlite3.Connection) -> None:
    say(filled, "verbatim", [("user", "the connection reset by peer")])
    say(filled, "scattered", [("user", "reset the connection and reset")])

    assert ids(ask(filled, '"connection reset"')) == ["verbatim"]


def test_the_words_of_a_phrase_that_stands_nowhere_are_looked_for(
    filled: sqlite3.Connection,
) -> None:
    say(filled, "scattered", [("user", "reset the connection")])

    result = ask(filled, '"connection reset"')
    assert ids(result) == ["scattered"]
    assert result.note == "No session holds “connection reset”."


def test_an_excluded_word_leaves_sessions_out_and_is_told(filled: sqlite3.Connection) -> None:
    say(filled, "with", [("user", "walnut cake with raisins")])
    say(filled, "without", [("user", "walnut cake")])

    result = ask(filled, "walnut -raisins")
    assert ids(result) == ["without"]
    assert result.note == "Without sessions that hold “raisins”."


@pytest.mark.parametrize("name", ["Ünï", "ÜNÏ SHOP", "/home/dev/Ünï", "shop"])
def test_a_project_is_found_by_part_of_its_name(filled: sqlite3.Connection, name: str) -> None:
    say(filled, "here", [("user", "walnut")], project_name="Ünï Shop")
    say(filled, "there", [("user", "walnut")], project_name="other")

    result = ask(filled, f'walnut project:"{name}"')
    assert "here" in ids(result)
    assert "there" not in ids(result)


@pytest.mark.parametrize(
    ("operator", "found"),
    [
        ("on:yesterday", ["yesterday"]),
        ("after:yesterday", ["today", "yesterday"]),
        ("before:yesterday", ["last week", "october"]),
        ("on:2026-10", ["october"]),
        ("after:2026-10 before:2026-11-28", ["last week", "october"]),
        ("on:2025", []),
    ],
)
def test_a_time_narrows_with_and_without_words(
    filled: sqlite3.Connection, operator: str, found: list[str]
) -> None:
    filled.execute("DELETE FROM exchanges")
    filled.execute("DELETE FROM sessions")
    for name, days in (("today", 0), ("yesterday", 1), ("last week", 5), ("october", 35)):
        say(filled, name, [("user", "walnut")], at=NOW - timedelta(days=days))

    assert ids(ask(filled, operator)) == found
    assert sorted(ids(ask(filled, f"walnut {operator}"))) == sorted(found)
    assert ask(filled, operator).sessions == len(found)


def test_a_session_over_midnight_is_of_both_days(db: sqlite3.Connection) -> None:
    say(db, "long", [("user", "walnut")], at=NOW - timedelta(days=1))
    say(db, "long", [("user", "goes on")], at=NOW)

    assert ids(ask(db, "on:yesterday")) == ["long"]
    assert ids(ask(db, "on:today")) == ["long"]


def test_sessions_of_the_time_that_is_named_come_first(filled: sqlite3.Connection) -> None:
    say(filled, "long ago", [("user", "walnut walnut walnut cake")], at=NOW - timedelta(days=50))
    say(filled, "yesterday", [("user", "walnut tree")], at=NOW - timedelta(days=1))

    assert ids(ask(filled, "walnut"))[0] == "long ago"
    assert ids(ask(filled, "the walnut of yesterday"))[0] == "yesterday"


def test_without_words_the_latest_sessions_are_given(filled: sqlite3.Connection) -> None:
    result = ask(filled, "  ", limit=2)
    assert ids(result) == ["filler-0", "filler-1"]
    assert result.matches[0].excerpt == "about gardens"
    assert result.note == ""


def test_while_typing_a_beginning_is_enough(filled: sqlite3.Connection) -> None:
    say(filled, "walnut", [("user", "walnut")])
    say(filled, "wall", [("user", "the wal of a wall")])

    assert set(ids(ask(filled, "wal", typing=True))) == {"walnut", "wall"}
    assert ids(ask(filled, "wal")) == ["wall"]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("🚀", "There is no word to look for."),
        ("zzqqzz", "No session holds “zzqqzz”."),
        ("walnut project:nowhere", "No session of that project or time answers this."),
        ("walnut -garden", "Without sessions that hold “garden”. No session answers this."),
    ],
)
def test_nothing_is_never_given_without_a_reason(
    filled: sqlite3.Connection, query: str, note: str
) -> None:
    say(filled, "walnut", [("user", "walnut in the garden")])

    result = ask(filled, query)
    assert result.matches == ()
    assert result.note == note


def test_an_empty_database_says_so(db: sqlite3.Connection) -> None:
    for query in ("walnut", ""):
        result = ask(db, query)
        assert result.matches == ()
        assert result.note.startswith("Nothing is remembered yet.")


@pytest.mark.parametrize(("sessions", "told"), [(1, "1 session is"), (3, "3 sessions are")])
def test_not_indexed_yet_is_told_apart_from_nothing_found(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, sessions: int, told: str
) -> None:
    monkeypatch.setattr(search_module, "FRESHEN_SECONDS", -1)
    for number in range(sessions):
        say(db, str(number), [("user", "walnut")])

    result = ask(db, "walnut")
    assert result.not_indexed == sessions
    assert result.note == f"{told} not indexed yet; search again in a moment."


ODD = [
    *(
        "don't",
        "--no-verify",
        "a AND",
        "NOT",
        "NEAR(a b)",
        "*",
        "a*",
        "^a",
        "a:b",
        "col : x",
        "{a}",
    ),
    *('"', '""', '"a', 'a"b', "'", "(", ")", "[x]", "\\", "%", "_", "a;b", "-", "--", "-a", "-abc"),
    *(
        "https://x.org/?q=1#f",
        "C:\\Users\\x",
        "/a/b",
        "@x",
        "#1",
        "1",
        "3.14",
        "é",
        "库",
        "の",
        "가",
    ),
    *(
        "🚀",
        "👩‍💻",
        "\0",
        "a\0b",
        "\ud800",
        "\u202e",
        "x\u0301",
        "ﷺ",
        "ß",
        "İ",
        "मराठी",
        "ไทย",
        "שלום",
    ),
    *("project:", "project:🚀", "after:", "after:x", "on:2026-02-30", "before:9999", "on:0d"),
    *("the of and", " ", "\n\t", "x" * 10_000, "word " * 2_000, "数据" * 5_000, '"' * 999),
    *("(" * 500, "a OR " * 500, "-docker " * 300, "project:x " * 50, '"a b" ' * 300),
]


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("typing", [False, True])
def test_any_text_is_a_query(filled: sqlite3.Connection, query: str, typing: bool) -> None:
    result = ask(filled, query, typing=typing)

    assert result.query == query
    assert result.matches or result.note or result.corrected


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(max_size=8) | st.sampled_from(["gardens", '"', "-", "on:", "project:", "库", "AND"])
    ),
    st.booleans(),
)
def test_no_text_is_an_error(filled: sqlite3.Connection, pieces: list[str], typing: bool) -> None:
    for glue in ("", " "):
        ask(filled, glue.join(pieces), typing=typing)


def test_a_forgotten_session_is_not_found(filled: sqlite3.Connection) -> None:
    say(filled, "there", [("user", "walnut")])
    assert ids(ask(filled, "walnut")) == ["there"]

    filled.execute("DELETE FROM exchanges WHERE session_id = 'there'")
    filled.execute("DELETE FROM sessions WHERE session_id = 'there'")
    assert ids(ask(filled, "walnut")) == []
