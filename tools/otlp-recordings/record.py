"""Runs programs with real, unmodified instrumentations and keeps the OTLP requests that their exporters send.

    python record.py [--newest] [PROGRAM/SCENARIO ...]

Without names, every scenario of expected.json. The programs in `python/` name their packages in their first lines, and uv
installs these; those in `node/` have a `package.json`, and npm installs what it names. Their model is `fake_model.py`.
`--newest` takes the newest version of each package and writes it down.
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

HERE = Path(__file__).parent
PROGRAMS = HERE / "python"
NODE = HERE / "node"
RECORDINGS = HERE / "recordings"
PYTHON = "3.12"
PINNED = re.compile(r'^#   "([^"=]+)==([^"]+)",$', re.MULTILINE)
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
            REQUESTS.append((self.path.removeprefix("/v1/"), without_folders(body)))
        elif ended := re.fullmatch(r"/ended/(\w+)/(\d+)", self.path):
            ENDED[ended[1]] = (ended[2], list(REQUESTS))
            REQUESTS.clear()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def environment(model, collector):
    kept = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy") and key != "PYTHONPATH"}
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


@functools.cache
def find_python(script):
    """The interpreter with the packages of a program, installed once for all of its scenarios."""
    subprocess.run(["uv", "sync", "--quiet", "--python", PYTHON, "--script", str(script)], check=True)
    given = ["uv", "python", "find", "--script", str(script)]
    found = subprocess.run(given, check=True, stdout=subprocess.PIPE, text=True)
    return found.stdout.strip()


def command(program):
    script = PROGRAMS / f"{program}.py"
    if script.exists():
        return [find_python(script), str(script)]
    return ["node", str(NODE / f"{program}.mjs")]


def record(program, scenarios, env, failed):
    """Runs scenarios of a program one after the other. What fails keeps its recording."""
    REQUESTS.clear()
    ENDED.clear()
    given = {"check": True, "env": env, "stdout": sys.stderr, "timeout": 300 * len(scenarios)}
    has_run = attempt(failed, program, lambda: subprocess.run([*command(program), *scenarios], **given))
    if len(scenarios) == 1:
        ENDED[scenarios[0]] = ("0" if has_run else "1", list(REQUESTS))
    for scenario in scenarios:
        status, requests = ENDED.get(scenario, ("none", []))
        if status != "0" or not requests:
            print(f"{program}/{scenario}: status {status}, {len(requests)} requests", file=sys.stderr)
            failed.append(f"{program}/{scenario}")
        else:
            keep(program, scenario, requests)


def keep(program, scenario, requests):
    for old in (RECORDINGS / program).glob(f"{scenario}.*.pb"):
        old.unlink()
    (RECORDINGS / program).mkdir(parents=True, exist_ok=True)
    for number, (signal, body) in enumerate(requests, 1):
        (RECORDINGS / program / f"{scenario}.{number}.{signal}.pb").write_bytes(body)
    print(f"{program}/{scenario}: {len(requests)} requests, {sum(len(body) for _, body in requests)} bytes", flush=True)


def renew_python(script):
    """Writes the newest versions that fit each other into the first lines of a program."""
    text = script.read_text()
    names = [name for name, _ in PINNED.findall(text)]
    if not names:
        return
    resolved = subprocess.run(
        ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python-version", PYTHON, "-"],
        input="\n".join(limit(name, text) for name in names), capture_output=True, text=True, check=True,
    )
    found = dict(line.split("==") for line in resolved.stdout.splitlines() if "==" in line)
    newest = {name.split("[")[0]: version.split(" ")[0] for name, version in found.items()}
    script.write_text(PINNED.sub(lambda m: f'#   "{m[1]}=={newest[m[1].split("[")[0]]}",', text))


def limit(name, text):
    """A program whose name says a major version stays in it: `# Stays below: langfuse 4`."""
    stays = re.search(rf"^# Stays below: {re.escape(name)} (\S+)$", text, re.MULTILINE)
    return f"{name}<{stays[1]}" if stays else name


def renew_node():
    """Writes the newest versions into package.json; one that is an alias stays in its major version."""
    file = NODE / "package.json"
    package = json.loads(file.read_text())
    for name, version in package["dependencies"].items():
        alias = re.fullmatch(r"npm:(.+)@(\d+)\..*", version)
        wanted = f"{alias[1]}@{alias[2]}" if alias else f"{name}@latest"
        shown = subprocess.run(["npm", "view", wanted, "version", "--json"], capture_output=True, text=True, check=True)
        found = json.loads(shown.stdout)
        newest = found[-1] if isinstance(found, list) else found
        package["dependencies"][name] = f"npm:{alias[1]}@{newest}" if alias else newest
    file.write_text(json.dumps(package, indent=2) + "\n")


def install_node(action):
    subprocess.run(["npm", action, "--no-audit", "--no-fund"], cwd=NODE, check=True, stdout=sys.stderr)


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
    names = given.names or [f"{program}/{scenario}" for program in expected for scenario in expected[program]["scenarios"]]
    programs = {name.split("/")[0] for name in names}
    in_node = [program for program in programs if (NODE / f"{program}.mjs").exists()]
    failed = []
    if given.newest:
        for program in sorted(programs.difference(in_node)):
            attempt(failed, f"newest versions of {program}", renew_python, PROGRAMS / f"{program}.py")
        if in_node:
            attempt(failed, "newest versions for Node", renew_node)
    if in_node:
        attempt(failed, "packages for Node", install_node, "install" if given.newest else "ci")
    env = environment(serve(FakeModel), serve(Collector))
    for program in dict.fromkeys(name.split("/")[0] for name in names):
        scenarios = [name.split("/")[1] for name in names if name.split("/")[0] == program]
        # A program in Node runs one scenario.
        groups = [[scenario] for scenario in scenarios] if program in in_node else [scenarios]
        for group in groups:
            record(program, group, env, failed)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
