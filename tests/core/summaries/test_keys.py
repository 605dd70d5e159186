from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backend import KeyringBackend

from core.errors import ChatRecallError
from core.summaries import keys

if TYPE_CHECKING:
    from collections.abc import Iterator


class MemoryKeyring(KeyringBackend):
    """A keyring in memory; `locked` makes it wait for a person who never comes."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False
        self.opened = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            self.opened.wait(30)
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    former, fresh = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(fresh)
    yield fresh
    fresh.opened.set()
    keyring.set_keyring(former)


def test_without_any_key_there_is_none() -> None:
    assert keys.find() is None


def test_the_environment_s_key_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", " sk-ant-env\n")

    key = keys.find()

    assert key
    assert key.value == "sk-ant-env"
    assert key.source == "ANTHROPIC_API_KEY in your environment"


def test_the_keyring_s_key_comes_first(
    ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-env")
    keys.store("sk-ant-ring")

    key = keys.find()

    assert key
    assert key.value == "sk-ant-ring"
    assert "keyring" in key.source


def test_a_removed_key_is_gone(ring: MemoryKeyring) -> None:
    keys.store("sk-ant-ring")

    assert keys.remove()
    assert not keys.remove()
    assert keys.find() is None


@pytest.mark.usefixtures("ring")
@pytest.mark.parametrize("text", ["", "  ", "two words", "schlüssel", "sk-ant\x00"])
def test_what_can_be_no_key_is_refused(text: str) -> None:
    with pytest.raises(ChatRecallError, match="no API key"):
        keys.checked(text)


def test_a_locked_keyring_does_not_hold_up_the_timer(
    ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_PATIENCE_SECONDS", 0.05)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-env")
    ring.locked = True

    key = keys.find()

    assert key
    assert key.value == "sk-ant-env"


def test_a_machine_without_a_keyring_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    former = keyring.get_keyring()
    from keyring.backends import fail

    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]
    try:
        with pytest.raises(ChatRecallError, match="Set ANTHROPIC_API_KEY instead"):
            keys.store("sk-ant-ring")
    finally:
        keyring.set_keyring(former)


def test_a_key_never_shows_in_a_log() -> None:
    assert "sk-ant" not in repr(keys.Key("sk-ant-secret", "somewhere"))


def test_a_project_s_env_file_is_no_source(
    home: object, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = tmp_path_factory.mktemp("project")
    (project / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-project\n")
    monkeypatch.chdir(project)

    assert keys.find() is None
