"""A server that speaks like those of OpenAI and Anthropic."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


def completion(message: dict[str, Any], reason: str = "stop") -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice]}


# In place of an event: the connection is lost there, or nothing more comes for a while.
CUT, HELD = {"type": "cut"}, {"type": "held"}


def streamed(events: list[dict[str, Any]]) -> str:
    lines = [f"event: {event.get('type', '')}\ndata: {json.dumps(event)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n"])


class Model:
    """A server that replies with what it is told, in their order."""

    def __init__(self) -> None:
        self.replies: list[Any] = []
        self.released = Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                reply = model.replies.pop(0)
                is_stream = isinstance(reply, list)
                kind = "text/event-stream" if is_stream else "application/json"
                held = next((one for one in (CUT, HELD) if is_stream and one in reply), None)
                shown = reply[: reply.index(held)] if held else reply
                body = (streamed(shown) if is_stream else json.dumps(reply)).encode()
                body = body.removesuffix(b"data: [DONE]\n\n") if held else body
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body) + (1 if held else 0)))
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()
                if held is HELD:
                    model.released.wait(60)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        # It asks this often whether it has been closed; half a second by default.
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
