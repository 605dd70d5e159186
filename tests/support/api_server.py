"""A real Messages API server on the loopback, with or without TLS, that plays what a test wants."""

from __future__ import annotations

import json
import ssl
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.support import api_plays
from tests.support.api_plays import Play

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Api:
    """The server's address, what it was asked, and what it is going to answer."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the requests for a message, in order."""
    headers: list[dict[str, str]] = field(default_factory=list)
    batches: list[list[dict[str, Any]]] = field(default_factory=list)
    """The requests of each batch."""
    batch_is_ready: bool = True
    batch_play: Play | None = None
    """The answer to a new batch, in place of taking it."""
    model_play: Play | None = None
    """The answer to a question about a model, in place of its description."""
    _plays: list[Play] = field(default_factory=list)
    _closing: threading.Event = field(default_factory=threading.Event)

    def plays(self, *plays: Play) -> None:
        """Answer with these from now on, one a request; the last one is repeated."""
        self._plays = list(plays)

    def next_play(self) -> Play:
        """The answer to the next request."""
        if not self._plays:
            return api_plays.success()
        return self._plays.pop(0) if len(self._plays) > 1 else self._plays[0]

    def wait_for_the_end(self) -> None:
        """Block until the server is closed."""
        self._closing.wait(60)

    def close(self) -> None:
        """Let hung connections go."""
        self._closing.set()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away or distrusts our certificate is what some tests want."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@contextmanager
def serve(tls: ssl.SSLContext | None = None) -> Iterator[Api]:
    """Serve on a free port of the loopback during the block."""
    api = Api()
    server = _Server(("127.0.0.1", 0), _handler(api))
    if tls:
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    api.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield api
    finally:
        api.close()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(api: Api) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            api.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path == "/v1/messages":
                api.asked.append(body)
                self._play(api.next_play())
            elif self.path == "/v1/messages/batches":
                self._take_batch(body)
            else:
                self.send_error(404)

        def do_GET(self) -> None:
            *_, name, last = self.path.split("/")
            if name == "models":
                self._play(api.model_play or _model(last))
            elif last == "results":
                self._play(_results(api, name))
            else:
                self._play(_batch(api, last))

        def _take_batch(self, body: dict[str, Any]) -> None:
            if api.batch_play:
                self._play(api.batch_play)
            else:
                api.batches.append(body["requests"])
                self._play(_batch(api, f"batch_{len(api.batches) - 1}"))

        def _play(self, play: Play) -> None:
            if play.how == "hung":
                api.wait_for_the_end()
                self.close_connection = True
                return
            self.send_response(play.status)
            for name, value in play.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(play.body)))
            self.end_headers()
            whole = play.how == "whole"
            self.wfile.write(play.body if whole else play.body[: len(play.body) // 2])
            self.close_connection = not whole

        def log_message(self, *_: object) -> None:
            """Keep the tests' output clean."""

    return Handler


def _model(name: str) -> Play:
    return api_plays.in_json(
        200,
        {
            "id": name,
            "type": "model",
            "display_name": "Claude",
            "created_at": "2026-10-07T00:00:00Z",
        },
    )


def _batch(api: Api, name: str) -> Play:
    requests = api.batches[int(name.removeprefix("batch_"))]
    ended = api.batch_is_ready
    counts = {"canceled": 0, "errored": 0, "expired": 0, "processing": 0, "succeeded": 0}
    counts["succeeded" if ended else "processing"] = len(requests)
    return api_plays.in_json(
        200,
        {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": "2026-11-30T12:00:00Z",
            "expires_at": "2026-12-01T12:00:00Z",
            "results_url": f"{api.url}/v1/messages/batches/{name}/results" if ended else None,
        },
    )


def _results(api: Api, name: str) -> Play:
    """One line a request, in another order than they were asked, as the API may do."""
    requests = api.batches[int(name.removeprefix("batch_"))]
    lines = []
    for request in requests:
        play = api.next_play()
        answer = json.loads(play.body)
        if play.status == 200:
            result = {"type": "succeeded", "message": answer}
        elif play.status == 410:
            result = {"type": "expired"}
        else:
            result = {"type": "errored", "error": answer}
        lines.append(json.dumps({"custom_id": request["custom_id"], "result": result}))
    body = "\n".join(reversed(lines)).encode()
    return Play(200, body, {"content-type": "application/x-jsonl"})
