"""One tray app a user and data folder, and a way for a second start to speak to the first.

Windows: a named mutex and one named event a request. Elsewhere: a locked file that holds the
process id, and signals. No port is opened.
"""

from __future__ import annotations

import hashlib
import os
import sys
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from core import paths
from core.errors import ChatRecallError

if TYPE_CHECKING:
    from collections.abc import Callable


class Request(Enum):
    """What a second start can ask of the first."""

    SHOW = "show"
    """Bring up the search box."""
    WORK = "work"
    """Run a round of the timer now."""
    QUIT = "quit"


class Claim(Protocol):
    """The proof of being the first; it holds until the process ends."""

    def listen(self, answer: Callable[[Request], None]) -> None:
        """Call `answer` for each request, for ever. Waits without waking up."""


def claim() -> Claim | None:
    """Become the one tray app; None where another runs. To be called from the main thread.

    Raises `ChatRecallError` where the data folder can't be written to.
    """
    return _claim()


def ask(request: Request) -> bool:
    """Send a request to the tray app that runs; False where none does."""
    return _ask(request)


def is_running() -> bool:
    """Whether a tray app runs, hung or not; one that was killed does not."""
    return _is_running()


def _identity() -> str:
    folder = os.path.normcase(os.path.realpath(paths.data_dir()))
    return hashlib.sha256(folder.encode(errors="surrogatepass")).hexdigest()[:16]


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.CreateMutexW.restype = wintypes.HANDLE
    _kernel32.OpenMutexW.restype = wintypes.HANDLE
    _kernel32.CreateEventW.restype = wintypes.HANDLE
    _kernel32.OpenEventW.restype = wintypes.HANDLE
    _ERROR_ALREADY_EXISTS = 183
    _EVENT_MODIFY_STATE = 0x0002
    _SYNCHRONIZE = 0x00100000
    _INFINITE = 0xFFFFFFFF
    _ANY_PROCESS = 0xFFFFFFFF  # ASFW_ANY

    class _WindowsClaim:
        def __init__(self, mutex: int) -> None:
            self._mutex = mutex
            # Here and not in `listen`, so that no request from now on is lost.
            self._events = [
                _kernel32.CreateEventW(None, False, False, _event_name(request))
                for request in Request
            ]

        def listen(self, answer: Callable[[Request], None]) -> None:
            handles = (wintypes.HANDLE * len(self._events))(*self._events)
            requests = list(Request)
            while True:
                number = _kernel32.WaitForMultipleObjects(len(requests), handles, False, _INFINITE)
                if number >= len(requests):
                    raise ctypes.WinError(ctypes.get_last_error())
                answer(requests[number])

    def _mutex_name() -> str:
        return f"Local\\ChatRecall-{_identity()}"

    def _event_name(request: Request) -> str:
        return f"Local\\ChatRecall-{request.value}-{_identity()}"

    def _claim() -> Claim | None:
        mutex = _kernel32.CreateMutexW(None, False, _mutex_name())
        if ctypes.get_last_error() == _ERROR_ALREADY_EXISTS:
            _kernel32.CloseHandle(wintypes.HANDLE(mutex))
            return None
        return _WindowsClaim(mutex)

    def _is_running() -> bool:
        mutex = _kernel32.OpenMutexW(_SYNCHRONIZE, False, _mutex_name())
        if not mutex:
            return False
        _kernel32.CloseHandle(wintypes.HANDLE(mutex))
        return True

    def _ask(request: Request) -> bool:
        event = _kernel32.OpenEventW(_EVENT_MODIFY_STATE, False, _event_name(request))
        if not event:
            return False
        # This process was started by the person, so it may hand on the right to the focus.
        ctypes.WinDLL("user32").AllowSetForegroundWindow(wintypes.DWORD(_ANY_PROCESS))
        done = bool(_kernel32.SetEvent(wintypes.HANDLE(event)))
        _kernel32.CloseHandle(wintypes.HANDLE(event))
        return done

else:
    import fcntl
    import signal
    import socket
    import time

    _RETRY_SECONDS = 0.005

    _SIGNALS = {
        Request.SHOW: (signal.SIGUSR1,),
        Request.WORK: (signal.SIGUSR2,),
        Request.QUIT: (signal.SIGTERM, signal.SIGINT, signal.SIGHUP),
    }

    class _PosixClaim:
        def __init__(self, lock: int) -> None:
            self._lock = lock
            self._requests, wakeup = socket.socketpair()
            wakeup.setblocking(False)
            self._wakeup = wakeup  # closed when collected, so it is kept
            signal.set_wakeup_fd(wakeup.fileno(), warn_on_full_buffer=False)
            for numbers in _SIGNALS.values():
                for number in numbers:
                    signal.signal(number, lambda *_: None)

        def listen(self, answer: Callable[[Request], None]) -> None:
            while True:
                number = self._requests.recv(1)[0]
                for request, numbers in _SIGNALS.items():
                    if number in numbers:
                        answer(request)

    def _lock_file() -> str:
        return os.path.join(paths.data_dir(), "tray.lock")

    def _claim() -> Claim | None:
        try:
            paths.make_private(paths.data_dir())
            lock = os.open(_lock_file(), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ChatRecallError(
                "The tray app can't write to its folder", f"{error.strerror}: {error.filename}."
            ) from error
        if not _becomes_first(lock):
            os.close(lock)
            return None
        os.ftruncate(lock, 0)  # the id of the last one may be another program's by now
        # The signals must be understood before the process id is there to send them to.
        first = _PosixClaim(lock)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        return first

    def _becomes_first(lock: int) -> bool:
        """Lock for oneself. Only an app's lock says no; those who look let go at once."""
        while not _locked(lock, fcntl.LOCK_EX):
            if not _locked(lock, fcntl.LOCK_SH):
                return False
            fcntl.flock(lock, fcntl.LOCK_UN)  # or two that start would keep each other from it
            time.sleep(_RETRY_SECONDS)
        return True

    def _is_running() -> bool:
        return _process_id() is not None

    def _ask(request: Request) -> bool:
        process_id = _process_id()
        if process_id is None:
            return False
        try:
            os.kill(process_id, _SIGNALS[request][0])
        except ProcessLookupError:
            return False
        return True

    def _process_id() -> int | None:
        """The process that holds the lock; one that let it go has left its id in the file.

        The lock is tried shared, so that two that look at once don't take each other for the app.
        """
        try:
            lock = os.open(_lock_file(), os.O_RDONLY)
        except OSError:
            return None
        try:
            return None if _locked(lock, fcntl.LOCK_SH) else int(os.pread(lock, 20, 0))
        except ValueError:  # it is just being written
            return None
        finally:
            os.close(lock)

    def _locked(lock: int, how: int) -> bool:
        try:
            fcntl.flock(lock, how | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
