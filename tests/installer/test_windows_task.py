from __future__ import annotations

import subprocess
from xml.etree import ElementTree

import pytest

from installer import windows_task
from installer.windows_task import xml

SPACE = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
COMMAND = [
    r"C:\Program Files\Python313\pythonw.exe",
    "-I",
    r"C:\Users\First & Last Ünï 日本\windowless.py",
    "round",
    "--notify",
]

# The schema's rules for the elements that are used, by https://learn.microsoft.com/windows/win32/
# taskschd/task-scheduler-schema: each type's children; `sequence` types fix their order.
CHILDREN = {
    "Task": ("RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"),
    "RegistrationInfo": ("Description",),
    "Triggers": ("LogonTrigger", "TimeTrigger"),
    "LogonTrigger": ("Repetition", "StartBoundary", "EndBoundary", "Enabled", "UserId", "Delay"),
    "TimeTrigger": ("Repetition", "StartBoundary", "EndBoundary", "Enabled", "RandomDelay"),
    "Repetition": ("Interval", "Duration", "StopAtDurationEnd"),
    "Principals": ("Principal",),
    "Principal": ("UserId", "LogonType", "RunLevel"),
    "Settings": (
        "MultipleInstancesPolicy",
        "DisallowStartIfOnBatteries",
        "StopIfGoingOnBatteries",
        "StartWhenAvailable",
        "ExecutionTimeLimit",
    ),
    "Actions": ("Exec",),
    "Exec": ("Command", "Arguments", "WorkingDirectory"),
}
ORDERED = {"LogonTrigger", "TimeTrigger", "Repetition"}


def task(user: str = r"PC\First Last Ünï", minutes: int = 60) -> ElementTree.Element:
    return ElementTree.fromstring(xml(COMMAND, minutes, user).encode("utf-16"))


def text(root: ElementTree.Element, path: str) -> str | None:
    return root.findtext("/".join(SPACE + step for step in path.split("/")))


def test_each_element_is_where_the_schema_wants_it() -> None:
    for element in task().iter():
        name = element.tag.removeprefix(SPACE)
        children = [child.tag.removeprefix(SPACE) for child in element]
        assert set(children) <= set(CHILDREN.get(name, ())), name
        if name in ORDERED:
            assert children == sorted(children, key=CHILDREN[name].index), name


def test_it_repeats_each_hour_for_ever() -> None:
    root = task()

    assert text(root, "Triggers/TimeTrigger/Repetition/Interval") == "PT60M"
    assert text(root, "Triggers/TimeTrigger/Repetition/Duration") is None
    assert root.find(f"{SPACE}Triggers/{SPACE}LogonTrigger/{SPACE}Repetition") is None


def test_batteries_and_a_missed_hour_do_not_stop_it() -> None:
    root = task()

    assert text(root, "Settings/DisallowStartIfOnBatteries") == "false"
    assert text(root, "Settings/StopIfGoingOnBatteries") == "false"
    assert text(root, "Settings/StartWhenAvailable") == "true"
    assert text(root, "Settings/MultipleInstancesPolicy") == "IgnoreNew"


def test_it_needs_no_administrator_and_no_password() -> None:
    root = task()

    assert text(root, "Principals/Principal/LogonType") == "InteractiveToken"
    assert text(root, "Principals/Principal/RunLevel") == "LeastPrivilege"
    assert text(root, "Principals/Principal/UserId") == r"PC\First Last Ünï"


def test_the_windowless_interpreter_is_started_directly() -> None:
    root = task()

    assert text(root, "Actions/Exec/Command") == COMMAND[0]
    assert text(root, "Actions/Exec/Arguments") == subprocess.list2cmdline(COMMAND[1:])


@pytest.mark.parametrize("domain", ["", "PC"])
def test_a_user_has_a_task_of_their_own(monkeypatch: pytest.MonkeyPatch, domain: str) -> None:
    monkeypatch.setenv("USERDOMAIN", domain)
    monkeypatch.setenv("USERNAME", "Ünï")

    assert windows_task.user() == (rf"{domain}\Ünï" if domain else "Ünï")
    assert windows_task.name() == "chatrecall Ünï"


def test_powershell_registers_the_same_work() -> None:
    command = windows_task.by_powershell(COMMAND, 60)

    assert command[command.index("-Program") + 1] == COMMAND[0]
    assert f"-Arguments:{subprocess.list2cmdline(COMMAND[1:])}" in command
