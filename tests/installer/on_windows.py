"""Runs inside a Windows Python: installs, uses and removes, and prints what it saw as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = r"C:\users\First Last Ünï"
os.environ |= {"USERPROFILE": HOME, "USERNAME": "First Last Ünï", "USERDOMAIN": "PC"}
os.makedirs(HOME, exist_ok=True)
sys.path.insert(0, ROOT)

from core import paths  # noqa: E402
from installer import (  # noqa: E402
    database,
    files,
    hooks,
    layout,
    logon,
    logon_windows,
    record,
    registry,
    samples,
    slash_commands,
    task,
)

PARTS = (database, hooks, slash_commands, task, logon)
ROOMS = ("core", "hook", "tray", "installer", "assets")


def main() -> None:
    files.remove_tree(HOME)
    start_scheduler()
    make_environment()
    seen = {"problems": install(), **use(), **choose(), **uninstall()}
    print("SEEN " + json.dumps(seen))


def make_environment() -> None:
    """What the environment part makes, without downloading anything."""
    here = layout.current()
    record.note(layout.PART, {"base": here.base, "version": here.version})
    subprocess.run(
        [here.base, "-m", "venv", "--without-pip", here.folder], capture_output=True, check=True
    )
    os.makedirs(here.package)
    for room in ROOMS:
        copy(os.path.join(ROOT, room), os.path.join(here.package, room))
    files.replace(
        os.path.join(here.package, "__main__.py"),
        files.read(os.path.join(ROOT, "__main__.py")) or b"",
    )
    dependencies = os.path.join(os.path.dirname(here.base), "Lib", "site-packages")
    files.replace(
        os.path.join(os.path.dirname(here.package), "dependencies.pth"),
        f"{dependencies}\n".encode(),
    )
    where = "\n".join((paths.claude_dir(), paths.data_dir(), ""))
    files.replace(os.path.join(here.package, "installed_for.txt"), where.encode())


def copy(source: str, target: str) -> None:
    os.makedirs(target)
    for name in os.listdir(source):
        path = os.path.join(source, name)
        if os.path.isdir(path):
            if name != "__pycache__":
                copy(path, os.path.join(target, name))
        else:
            files.replace(os.path.join(target, name), files.read(path) or b"")


def install() -> list[str]:
    for part in PARTS:
        for change in part.install():
            change.do()
    return [
        f"{part.NAME}: {change.words}"
        for part in PARTS
        for change in part.install()
        if change.words
    ]


def use() -> dict[str, object]:
    (handler, _) = hooks.registered(paths.claude_settings_file())
    transcript = samples.write(paths.projects_dir(), HOME)[0]
    payload = {"transcript_path": transcript, "cwd": HOME, "last_assistant_message": "Ünï 日本"}
    hook = subprocess.run(
        [handler["command"], *handler["args"]],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=False,
    )
    sessions = told(layout.current().command("sessions", "--json"))
    quiet = subprocess.run(
        layout.current().quiet_command("library", "--no-open"), capture_output=True, check=False
    )
    return {
        "handler": handler,
        "hook": [hook.returncode, hook.stdout.decode(), hook.stderr.decode()],
        "sessions": [session["project_name"] for session in json.loads(sessions)],
        "quiet": [quiet.returncode, quiet.stdout.decode(), quiet.stderr.decode()],
        "pages": len(os.listdir(paths.pages_dir())) if os.path.exists(paths.pages_dir()) else 0,
        "log": (files.read(paths.log_file()) or b"").decode(),
        "commands": sorted(os.listdir(paths.commands_dir())),
        "slash_command": use_slash_command(),
        "run": registry.read(logon_windows.RUN, "chatrecall"),
        "quiet_tray": subprocess.list2cmdline(
            layout.current().quiet_command("tray", "--background")
        ),
        "states": {part.NAME: part.state().kind for part in PARTS},
    }


def use_slash_command() -> list[object]:
    """Start the program that `/save-recall` names, as it is named there."""
    text = (files.read(os.path.join(paths.commands_dir(), "save-recall.md")) or b"").decode()
    line = text.split("```!")[1].split()[0]
    done = subprocess.run([line, "-c", "print(1)"], capture_output=True, check=False)
    return [line, done.returncode, done.stdout.decode().strip()]


def choose() -> dict[str, object]:
    """Change the PATH, and the launch at logon in Task Manager and in our menu."""
    if sys.platform == "win32":
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, logon_windows.APPROVED) as key:
            winreg.SetValueEx(key, "chatrecall", 0, winreg.REG_BINARY, b"\3" + bytes(11))
    folder = os.path.join(paths.data_dir(), "bin")
    on_path = [registry.is_on_path(folder)]
    for change in (registry.add_to_path, registry.remove_from_path):
        change(folder)
        on_path.append(registry.is_on_path(folder))
    off = [logon.enabled(), len(logon.install())]
    logon.enable()
    on = [logon.enabled()]
    logon.disable()
    return {
        "on_path": on_path,
        "off_in_task_manager": off,
        "on_by_menu": on,
        "off_by_menu": [logon.enabled()],
    }


def uninstall() -> dict[str, object]:
    """Uninstall by the installed copy, which can't delete its own program while that runs."""
    logon.enable()
    done = subprocess.run(
        layout.current().command("uninstall", "--purge"), capture_output=True, check=False
    )
    end = time.monotonic() + 60
    while os.path.exists(paths.data_dir()) and time.monotonic() < end:
        time.sleep(0.2)
    return {
        "uninstalled": [done.returncode, done.stdout.decode(), done.stderr.decode()],
        "left": os.listdir(paths.claude_dir()),
        "left_in_registry": registry.read(logon_windows.RUN, "chatrecall"),
    }


def start_scheduler() -> None:
    """Wine starts the service with the first call, which then would keep our pipe open."""
    subprocess.run(
        ["schtasks", "/delete", "/tn", "nothing", "/f"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def told(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


if __name__ == "__main__":
    main()
