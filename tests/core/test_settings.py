"""The settings file: what is written stays, what can't be is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import paths, settings
from core.command_line import main
from core.errors import ChatRecallError


@pytest.fixture
def file(home: Path) -> Path:
    file = Path(paths.settings_file())
    file.parent.mkdir(parents=True)
    return file


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    assert settings.read() == settings.DEFAULTS


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', '{"daily_cap_usd": "much"}'])
def test_a_damaged_file_is_an_error_and_stays_as_it_is(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ChatRecallError, match="can't be read"):
        settings.read()
    with pytest.raises(ChatRecallError, match="can't be read"):
        settings.write({"model": "m"})
    assert file.read_text(encoding="utf-8") == text


def test_a_byte_order_mark_does_no_harm(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"model": "m"}')
    assert settings.read()["model"] == "m"


def test_what_others_have_written_stays(file: Path) -> None:
    file.write_text('{"from the future": [1, "日本"]}', encoding="utf-8")
    settings.write({"model": "m"})
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written == {"from the future": [1, "日本"], "model": "m"}


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("summarizer", "claude", "gpt"),
        ("daily_cap_usd", "0.5", "-1"),
        ("daily_cap_usd", "1000000", "NaN"),
        ("interval_minutes", "30", "often"),
        ("interval_minutes", "0", "true"),
        ("quiet_minutes", "0.5", "1e12"),
        ("quiet_minutes", "20", "Infinity"),
        ("excluded_projects", '["~/secret"]', "~/secret"),
        ("excluded_projects", '["**/*"]', '[["~/secret"]]'),
        ("project_names", '{"/srv/a": "A"}', "[]"),
        ("project_names", '{"/srv/a": ""}', '{"/srv/a": null}'),
    ],
)
def test_a_setting_is_changed_by_command_only_to_what_it_can_be(
    home: Path, name: str, good: str, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", name, bad], {}) == 1
    assert settings.read()[name] == settings.DEFAULTS[name]
    assert main(["settings", name, good], {}) == 0
    assert capsys.readouterr().out.strip() == good
    assert main(["settings"], {}) == 0
    assert f"{name:<20}{good}" in capsys.readouterr().out


def test_an_unknown_setting_is_named_with_those_there_are(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "colour"], {}) == 1
    assert "There is no setting called colour" in capsys.readouterr().err
