"""A small HTTP proxy that only tunnels (CONNECT), as companies have one."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Proxy:
    """The proxy's address, and where it was asked to connect to."""

    url: str = ""
    targets: list[str] = field(default_factory=list)
    wants_login: bool = False


@contextmanager
def serve() -> Iterator[Proxy]:
    """Serve on a free port of the loopback during the block."""
    proxy = Proxy()
    with ThreadingTCPServer(("127.0.0.1", 0), _handler(proxy)) as server:
        server.daemon_threads = True
        proxy.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()


def _handler(proxy: Proxy) -> type[StreamRequestHandler]:
    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            verb, target, _ = self.rfile.readline().decode("ascii").split()
            while self.rfile.readline().strip():
                pass
            proxy.targets.append(f"{verb} {target}")
            if proxy.wants_login:
                self.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
                return
            host, _, port = target.partition(":")
            with socket.create_connection((host, int(port))) as there:
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                _tunnel(self.connection, there)

    return Handler


def _tunnel(here: socket.socket, there: socket.socket) -> None:
    while True:
        ready, _, _ = select.select([here, there], [], [], 10)
        for side in ready:
            data = side.recv(65536)
            if not data:
                return
            (there if side is here else here).sendall(data)
        if not ready:
            return
