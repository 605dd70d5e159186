"""A Messages API on loopback, enough for the real Claude Code client.

What it answers is written into the prompt, or into `MockApi.script` for prompts that should read
as a person's. `[[then]]` parts the steps of one turn: step N is the answer after N assistant
messages. A step may hold:

    [[bash COMMAND]]        a call of the Bash tool; several markers are parallel calls
    [[tool NAME {JSON}]]    a call of any other tool
    [[think TEXT]]          a thinking block before the text
    [[say TEXT]]            text blocks, in place of the default echo
    [[slow SECONDS]]        wait before answering
    [[drip SECONDS]]        wait between the parts of a text
    [[error STATUS]]        an HTTP error
    [[stop REASON]]         another stop_reason, such as max_tokens

In a nested prompt (a subagent's), `((` and `))` stand for `[[` and `]]`.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

Json = dict[str, Any]

MARKER = re.compile(r"\[\[(bash|tool|think|say|slow|drip|error|stop) (.*?)\]\]", re.DOTALL)
STRUCTURED_TOOL = "StructuredOutput"  # what the client makes of its own --json-schema
COMPACTION = "Your task is to create a detailed summary of"
# No model answers at once. Where one seems to, client 2.1.197 writes the answer before the prompt.
THINKING_SECONDS = 0.3
ERROR_KINDS = {400: "invalid_request_error", 429: "rate_limit_error", 529: "overloaded_error"}

# What the client wraps around or puts before a person's words in a user message.
_NOT_SAID = re.compile(
    r"<(system-reminder|local-command-caveat|local-command-stdout)>.*?</\1>", re.DOTALL
)


@dataclass
class Answer:
    """What one request is answered with."""

    blocks: list[Json] = field(default_factory=list)
    stop: str = "end_turn"
    wait_seconds: float = THINKING_SECONDS
    drip_seconds: float = 0
    error: int | None = None


class MockApi:
    """The server, in a thread of its own: `with MockApi() as api: … api.url, api.requests`."""

    def __init__(self) -> None:
        self.script: dict[str, str] = {}
        """What a prompt is answered with; other prompts are their own script."""
        self.structured_answer: Json = {}
        """What a request for an answer by a JSON schema is answered with."""
        self.requests: list[Json] = []
        """The body of every request for a message, in order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.api = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> MockApi:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _at: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def texts(self) -> str:
        """All that any request told the model, in one text."""
        return "\n".join(
            text
            for request in self.requests
            for message in request["messages"]
            for text in _texts(message["content"], results=True)
        )

    def answer(self, request: Json) -> Answer:
        """The answer that the request's last prompt asks for."""
        # The client adds system messages of its own after what the person said.
        messages = [message for message in request["messages"] if message["role"] != "system"]
        if COMPACTION in "\n".join(_texts(messages[-1]["content"])):
            return Answer([_text("<summary>A summary by the mock.</summary>")])
        if form := request.get("output_config", {}).get("format"):
            is_title = "title" in form["schema"]["properties"]  # the client's own, for the session
            answer = {"title": "A mock's title"} if is_title else self.structured_answer
            return Answer([_text(json.dumps(answer))])
        if _offers(request, STRUCTURED_TOOL):
            if _has_tool_result(messages[-1]["content"]):
                return Answer([_text("Done.")])
            return Answer([_call(STRUCTURED_TOOL, self.structured_answer)], "tool_use")
        prompt, step = _last_prompt(messages)
        steps = self.script.get(prompt, prompt).split("[[then]]")
        return _scripted(steps[step] if step < len(steps) else "", prompt)


def _scripted(step: str, prompt: str) -> Answer:
    result = Answer()
    thoughts, said, calls = [], [], []
    for kind, argument in MARKER.findall(step):
        match kind:
            case "think":
                thoughts.append({"type": "thinking", "thinking": argument, "signature": "bW9jaw=="})
            case "say":
                said.append(_text(argument))
            case "bash":
                calls.append(_call("Bash", {"command": argument, "description": "a mock's call"}))
            case "tool":
                name, _, values = argument.replace("((", "[[").replace("))", "]]").partition(" ")
                calls.append(_call(name, json.loads(values)))
            case "slow":
                result.wait_seconds = float(argument)
            case "drip":
                result.drip_seconds = float(argument)
            case "error":
                result.error = int(argument)
            case "stop":
                result.stop = argument
    if calls and result.stop == "end_turn":
        result.stop = "tool_use"
    if not said and not calls:
        said.append(_text(f"Mock answer to: {MARKER.sub('', prompt).strip()[:200]}"))
    result.blocks = [*thoughts, *said, *calls]
    return result


def _last_prompt(messages: list[Json]) -> tuple[str, int]:
    """The last thing that a person said, and how many assistant messages came after it."""
    after = 0
    for message in reversed(messages):
        if message["role"] == "assistant":
            after += 1
            continue
        # The client merges neighbouring user turns into one message: the newest text is the prompt.
        for text in reversed(_texts(message["content"])):
            said = _NOT_SAID.sub("", text).strip()
            if said and not said.startswith("[Request interrupted"):
                return said, after
    return "", after


def _texts(content: Any, *, results: bool = False) -> list[str]:
    """The texts of a message's content; with `results`, those of tool results as well."""
    if isinstance(content, str):
        return [content]
    texts = []
    for block in content or []:
        if block.get("type") == "text":
            texts.append(block["text"])
        elif results and block.get("type") == "tool_result":
            texts.extend(_texts(block.get("content")))
    return texts


def _offers(request: Json, tool: str) -> bool:
    return any(offered.get("name") == tool for offered in request.get("tools") or [])


def _has_tool_result(content: Any) -> bool:
    return not isinstance(content, str) and any(
        block.get("type") == "tool_result" for block in content
    )


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _call(name: str, values: Json) -> Json:
    return {
        "type": "tool_use",
        "id": f"toolu_{uuid.uuid4().hex[:24]}",
        "name": name,
        "input": values,
    }


def _events(message: Json, reply: Answer) -> Iterator[Json]:
    """A message as the stream of events in which the API sends it."""
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(reply.blocks):
        start, deltas = _streamed(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": reply.stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 10}}
    yield {"type": "message_stop"}


def _streamed(block: Json) -> tuple[Json, list[Json]]:
    """A content block's empty start, and the deltas that fill it."""
    match block["type"]:
        case "text":
            text = block["text"]
            size = max(1, -(-len(text) // 4))  # in four parts, so that one can drip
            parts = [text[at : at + size] for at in range(0, len(text), size)]
            return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in parts]
        case "thinking":
            return {"type": "thinking", "thinking": "", "signature": ""}, [
                {"type": "thinking_delta", "thinking": block["thinking"]},
                {"type": "signature_delta", "signature": block["signature"]},
            ]
        case _:
            values = json.dumps(block["input"], ensure_ascii=False)
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": values}]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Serve; a client that was interrupted or killed is no trouble of ours."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            super().handle()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: pytest shows what a test prints."""

    def do_HEAD(self) -> None:
        self._send(200, {})

    def do_GET(self) -> None:
        self._send(200, {"data": [], "has_more": False})

    def do_POST(self) -> None:
        request = json.loads(self._body())
        if "/count_tokens" in self.path:
            return self._send(200, {"input_tokens": 100})
        api: MockApi = self.server.api  # type: ignore[attr-defined]
        api.requests.append(request)
        reply = api.answer(request)
        time.sleep(reply.wait_seconds)
        if reply.error:
            kind = ERROR_KINDS.get(reply.error, "api_error")
            error = {"type": kind, "message": f"mock error {reply.error}"}
            return self._send(reply.error, {"type": "error", "error": error})
        message = {
            "id": f"msg_mock_{uuid.uuid4().hex[:20]}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 1},
        }
        if request.get("stream"):
            return self._stream(message, reply)
        return self._send(200, {**message, "content": reply.blocks, "stop_reason": reply.stop})

    def _stream(self, message: Json, reply: Answer) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        for event in _events(message, reply):
            text = json.dumps(event, ensure_ascii=False)
            self.wfile.write(f"event: {event['type']}\ndata: {text}\n\n".encode())
            self.wfile.flush()
            if event["type"] == "content_block_delta":
                time.sleep(reply.drip_seconds)

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _send(self, status: int, body: Json) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
