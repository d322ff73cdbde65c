"""Runs programs with real, unmodified instrumentations and keeps the OTLP requests that their exporters send.

    python record.py [--newest] [PROGRAM/SCENARIO ...]

Without names, every scenario of expected.json. `programs.py` says how a program gets its packages; their model is
`fake_model.py`. `--newest` takes the newest version of each package and writes it down.

Needs Python 3.11 or 3.12, uv, Node and npm, a JDK of 17 or later and Maven, and Go.
"""

import argparse
import functools
import gzip
import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from fake_model import FakeModel, read_body
from packs import read_pack, write_pack
from programs import command, is_in_node, prepare

HERE = Path(__file__).parent
RECORDINGS = HERE / "recordings"
REQUESTS = []
ENDED = {}
FOLDERS = b"|".join(re.escape(bytes(folder)) for folder in (HERE, Path.home()))
INSTALLED = re.compile(b"(?:" + FOLDERS + rb")(?:/[\w.-]+)*?(?=/site-packages/|/node_modules/)")


def without_folders(body):
    """The folders of this machine that stack traces name, in as many bytes that name none: protobuf counts bytes."""
    return INSTALLED.sub(lambda found: b"/".ljust(len(found[0]), b"-"), body)


class Collector(BaseHTTPRequestHandler):
    """Takes OTLP requests as they come."""

    def do_POST(self):
        body = read_body(self)
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        # An instrumentation's own exporter, to a store of its maker, has another path.
        if self.path in ("/v1/traces", "/v1/logs"):
            kind = "json" if "json" in self.headers.get("Content-Type", "") else "pb"
            REQUESTS.append((self.path.removeprefix("/v1/"), kind, without_folders(body)))
        elif ended := re.fullmatch(r"/ended/(\w+)/(\d+)", self.path):
            ENDED[ended[1]] = (ended[2], list(REQUESTS))
            REQUESTS.clear()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        """A project, which Langfuse asks its store for."""
        named = {"id": "none", "name": "none"}
        body = json.dumps({"data": [{**named, "organization": named, "metadata": {}, "retentionDays": None}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def environment(model, collector):
    taken = {key for key in os.environ if key.lower().endswith("_proxy") or key == "PYTHONPATH"}
    kept = {key: value for key, value in os.environ.items() if key not in taken}
    return {
        **kept,
        "NO_PROXY": "127.0.0.1",
        "PYTHONWARNINGS": "ignore",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OTEL_SERVICE_NAME": "support-bot",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector,
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        "OTEL_METRICS_EXPORTER": "none",
        # A scenario is one request, however slow the machine is; an exporter's flush at the end sends it.
        "OTEL_BSP_SCHEDULE_DELAY": "600000",
        "OTEL_BLRP_SCHEDULE_DELAY": "600000",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "MODEL_URL": model,
        "OPENAI_BASE_URL": f"{model}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": model,
        "ANTHROPIC_API_KEY": "none",
        "GOOGLE_API_KEY": "none",
        "AWS_ENDPOINT_URL": model,
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": "us-east-1",
    }


def record(program, scenarios, env, failed):
    """Runs scenarios of a program one after the other. What fails keeps its recording."""
    REQUESTS.clear()
    ENDED.clear()
    given = {"check": True, "env": env, "stdout": sys.stderr, "timeout": 300 * len(scenarios)}
    has_run = attempt(failed, program, lambda: subprocess.run([*command(program), *scenarios], **given))
    if len(scenarios) == 1:
        ENDED.setdefault(scenarios[0], ("0" if has_run else "1", list(REQUESTS)))
    for scenario in scenarios:
        status, requests = ENDED.get(scenario, ("none", []))
        if status != "0" or not requests:
            print(f"{program}/{scenario}: status {status}, {len(requests)} requests", file=sys.stderr)
            failed.append(f"{program}/{scenario}")
        else:
            keep(program, scenario, requests)


def keep(program, scenario, requests):
    """Replaces the recording of one scenario; the others of the program stay as they are."""
    RECORDINGS.mkdir(exist_ok=True)
    pack = RECORDINGS / f"{program}.otlp"
    write_pack(pack, {**read_pack(pack), scenario: requests})
    size = sum(len(body) for _, _, body in requests)
    print(f"{program}/{scenario}: {len(requests)} requests, {size} bytes", flush=True)


def attempt(failed, name, action, *given):
    """Names what fails, and lets the others go on; whether it succeeded."""
    try:
        action(*given)
        return True
    except subprocess.SubprocessError as error:
        print(f"{name}: {error}", getattr(error, "stderr", None) or "", file=sys.stderr)
        failed.append(name)
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    expected = json.loads((HERE / "expected.json").read_text())
    every = [f"{program}/{scenario}" for program in expected for scenario in expected[program]["scenarios"]]
    names = given.names or every
    programs = dict.fromkeys(name.split("/")[0] for name in names)
    failed = []
    prepare(programs, given.newest, functools.partial(attempt, failed))
    env = environment(serve(FakeModel), serve(Collector))
    for program in programs:
        scenarios = [name.split("/")[1] for name in names if name.split("/")[0] == program]
        # A program in Node runs one scenario.
        groups = [[scenario] for scenario in scenarios] if is_in_node(program) else [scenarios]
        for group in groups:
            record(program, group, env, failed)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
