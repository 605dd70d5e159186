from __future__ import annotations

import pytest

from core.redact import redact
from core.secret_patterns import SECRET_PATTERNS, SecretPattern

by_name = pytest.mark.parametrize("pattern", SECRET_PATTERNS, ids=lambda pattern: pattern.name)


@by_name
def test_the_secret_of_each_row_is_hidden(pattern: SecretPattern) -> None:
    assert f"[redacted: {pattern.name}]" in redact(pattern.secret)


@by_name
def test_the_harmless_text_of_each_row_stays(pattern: SecretPattern) -> None:
    assert redact(pattern.harmless) == pattern.harmless


@by_name
def test_redacting_twice_changes_nothing_more(pattern: SecretPattern) -> None:
    once = redact(f"before {pattern.secret} after, {pattern.secret}")
    assert redact(once) == once


@by_name
def test_a_needle_of_each_row_stands_in_its_secret(pattern: SecretPattern) -> None:
    assert any(needle in pattern.secret for needle in pattern.needles)
