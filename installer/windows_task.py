r"""The hourly task in Windows' Task Scheduler, described by XML.

The schema is at https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema; what the
schema leaves out was reported by those who tried it, see `xml`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import partial
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from core import paths
from core.errors import ChatRecallError
from installer import changes, programs, record
from installer.changes import Change
from installer.naming import instance

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "Task Scheduler"

_PART = "windows-task"
_SINCE = "2026-01-01T00:07:00"  # a start in the past: the next one is within the interval


def add(command: Sequence[str], minutes: int) -> list[Change]:
    """Register the task, in place of an older one of ours."""
    text = xml(command, minutes, user())
    if record.of(_PART).get("xml") == text and programs.works(
        ["schtasks", "/query", "/tn", name()]
    ):
        return []
    register = partial(_register, text, command, minutes)
    return [Change(f"Register the task {name()}", register, text)]


def remove() -> list[Change]:
    """Delete the task."""
    if not record.of(_PART):
        return []
    command = ["schtasks", "/delete", "/tn", name(), "/f"]
    delete = Change(
        f"Delete the task {name()}", partial(programs.works, command), " ".join(command)
    )
    return [delete, changes.note(_PART, None)]


def name() -> str:
    """The task's name; it is the user's own, since all users of a machine share one folder."""
    return f"{instance()} {os.environ.get('USERNAME', '')}".strip()


def user() -> str:
    r"""The user as Task Scheduler names them: `DOMAIN\name`."""
    domain = os.environ.get("USERDOMAIN")
    account = os.environ.get("USERNAME", "")
    return f"{domain}\\{account}" if domain else account


def xml(command: Sequence[str], minutes: int, user: str) -> str:
    r"""The task as XML.

    A repetition without `Duration` goes on for ever; on a logon trigger it would begin at the next
    logon only, so there is a time trigger as well. Batteries hold a task up unless it says
    otherwise. `InteractiveToken` needs no password and no administrator.
    """
    program, *words = command
    return f"""\
<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>ChatRecall takes in and summarizes Claude Code's sessions.</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <UserId>{escape(user)}</UserId>
      <Delay>PT2M</Delay>
    </LogonTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT{minutes}M</Interval>
      </Repetition>
      <StartBoundary>{_SINCE}</StartBoundary>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>{escape(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT30M</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>{escape(program)}</Command>
      <Arguments>{escape(subprocess.list2cmdline(words))}</Arguments>
    </Exec>
  </Actions>
</Task>
"""


def _register(text: str, command: Sequence[str], minutes: int) -> None:
    record.note(_PART, {"name": name(), "xml": text})
    with tempfile.TemporaryDirectory(prefix="chatrecall-") as folder:
        file = os.path.join(folder, "task.xml")
        with open(file, "w", encoding="utf-16") as stream:
            stream.write(text)
        try:
            programs.run(["schtasks", "/create", "/tn", name(), "/xml", file, "/f"])
        except ChatRecallError:
            programs.run(by_powershell(command, minutes))


def by_powershell(command: Sequence[str], minutes: int) -> list[str]:
    """The command that registers the same work where schtasks.exe is refused by a policy.

    The arguments begin with a dash: as a word of its own, PowerShell takes them for a parameter.
    """
    program, *words = command
    return [
        "powershell",
        "-NoProfile",
        "-ExecutionPolicy",
        "Bypass",
        "-File",
        os.path.join(paths.ROOT, "installer", "register-task.ps1"),
        "-TaskName",
        name(),
        "-Program",
        program,
        f"-Arguments:{subprocess.list2cmdline(words)}",
        "-Minutes",
        str(minutes),
    ]
