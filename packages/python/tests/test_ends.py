"""The table of ends in the README: what was handed over is sent, by the real programs."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from slow_service import SlowService

import answer_evidence

# More than any end takes, also on a machine that does much else.
SECONDS_MAX = 240
# More than are sent at a time.
ANSWERS = 10
EXPECTED = sorted(f"a{n}" for n in range(ANSWERS))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

BEGIN = """
import os, signal, sys, time
import multiprocessing as mp
from answer_evidence import AnswerEvidence, AsyncAnswerEvidence
RANGE = range(10)
def record(evidence):
    for n in RANGE:
        evidence.record("q", f"a{n}")
"""

SCRIPTS = {
    "the end of the program": """
        record(AnswerEvidence("app"))
    """,
    "sys.exit": """
        evidence = AnswerEvidence("app")
        record(evidence)
        sys.exit(0)
    """,
    "an error that nobody handles": """
        sys.excepthook = lambda *_: None
        record(AnswerEvidence("app"))
        raise OSError
    """,
    "a handler of atexit that was registered before": """
        import atexit
        atexit.register(lambda: record(evidence))
        evidence = AnswerEvidence("app")
    """,
    "a handler of atexit where no thread can begin": """
        import atexit, threading
        def refuse(_):
            raise RuntimeError("can't create new thread at interpreter shutdown")
        def late():
            threading.Thread.start = refuse
            record(evidence)
        atexit.register(late)
        evidence = AnswerEvidence("app")
    """,
    "SIGTERM": """
        record(AnswerEvidence("app"))
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    """,
    "SIGTERM with a handler of the application": """
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        record(AnswerEvidence("app"))
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    """,
    "event loops that ended": """
        import asyncio
        evidence = AsyncAnswerEvidence("app")
        async def use(n):
            await evidence.record("q", f"a{n}")
        for n in RANGE:
            asyncio.run(use(n))
    """,
    "event loops that ended, each answer awaited": """
        import asyncio
        evidence = AsyncAnswerEvidence("app", fail="closed")
        async def use(n):
            await (await evidence.record("q", f"a{n}"))
        for n in RANGE:
            asyncio.run(use(n))
    """,
    "os.fork and sys.exit": """
        evidence = AnswerEvidence("app")
        if os.fork() == 0:
            record(evidence)
            sys.exit(0)
        os.wait()
    """,
    "os.fork and os._exit after flush": """
        evidence = AnswerEvidence("app")
        if os.fork() == 0:
            record(evidence)
            evidence.flush()
            os._exit(0)
        os.wait()
    """,
    "multiprocessing, fork": """
        evidence = AnswerEvidence("app")
        process = mp.get_context("fork").Process(target=record, args=(evidence,))
        process.start()
        process.join()
    """,
    "multiprocessing, fork in which the client is made": """
        process = mp.get_context("fork").Process(target=lambda: record(AnswerEvidence("app")))
        process.start()
        process.join()
    """,
    "multiprocessing, forkserver": """
        def use():
            record(AnswerEvidence("app"))
        if __name__ == "__main__":
            process = mp.get_context("forkserver").Process(target=use)
            process.start()
            process.join()
    """,
    "multiprocessing, spawn": """
        def use():
            record(AnswerEvidence("app"))
        if __name__ == "__main__":
            process = mp.get_context("spawn").Process(target=use)
            process.start()
            process.join()
    """,
    "Process.terminate": """
        evidence = AnswerEvidence("app")
        def use(handed):
            record(evidence)
            handed.set()
            time.sleep(60)
        context = mp.get_context("fork")
        handed = context.Event()
        process = context.Process(target=use, args=(handed,))
        process.start()
        handed.wait()
        process.terminate()
        process.join()
    """,
    "Process.terminate whose signal does not interrupt what the child waits for": """
        import threading
        evidence, context = AnswerEvidence("app"), mp.get_context("fork")
        def end_elsewhere():
            time.sleep(0.2)
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        def use(answers):
            for n in answers:
                evidence.record("q", f"a{n}")
            threading.Thread(target=end_elsewhere).start()
            context.Semaphore(0).acquire()
        children = [context.Process(target=use, args=(answers,)) for answers in (RANGE, ())]
        for child in children:
            child.start()
        for child in children:
            child.join()
    """,
    "multiprocessing.Pool": """
        evidence = AnswerEvidence("app")
        def use(n):
            evidence.record("q", f"a{n}")
        with mp.get_context("fork").Pool(2) as pool:
            pool.map(use, RANGE)
    """,
    "ProcessPoolExecutor": """
        from concurrent.futures import ProcessPoolExecutor
        evidence = AnswerEvidence("app")
        def use(n):
            evidence.record("q", f"a{n}")
        with ProcessPoolExecutor(2, mp_context=mp.get_context("fork")) as pool:
            list(pool.map(use, RANGE))
    """,
    "a function that is frozen after each invocation": """
        evidence = AnswerEvidence("app")
        def handler(event, context):
            try:
                record(evidence)
            finally:
                evidence.flush(5)
        handler({}, None)
        os.kill(os.getpid(), signal.SIGKILL)
    """,
}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowService]:
    own = SlowService()
    monkeypatch.setenv("ANSWER_EVIDENCE_URL", own.url)
    monkeypatch.setenv("ANSWER_EVIDENCE_TOKEN", "t")
    # Programs begin in other folders, and are to find the package that is tested.
    monkeypatch.setenv("PYTHONPATH", str(Path(answer_evidence.__file__).parents[1]))
    yield own
    own.close()


@pytest.mark.parametrize("name", SCRIPTS)
def test_sends_what_was_handed_over_before(service: SlowService, tmp_path: Path, name: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(BEGIN + textwrap.dedent(SCRIPTS[name]))
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=SECONDS_MAX)
    assert (sorted(service.answers), ended.stderr) == (EXPECTED, "")
    expected = {"SIGTERM": -signal.SIGTERM, "an error that nobody handles": 1}
    frozen = -signal.SIGKILL if "frozen" in name else 0
    assert ended.returncode == expected.get(name, frozen)


@pytest.mark.parametrize("name", ["the end of the program", "SIGTERM", "multiprocessing, fork"])
def test_waits_as_long_as_the_answers_go_out(service: SlowService, tmp_path: Path, name: str) -> None:
    # Three rounds, which take longer than any single wait.
    service.delay = 2.5
    test_sends_what_was_handed_over_before(service, tmp_path, name)


def test_says_what_it_could_not_send(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    options = 'url="http://127.0.0.1:9", token="t", on_error=lambda error: print(error.code)'
    script.write_text(
        BEGIN + f'import answer_evidence.ends as ends\nrecord(AnswerEvidence("app", {options}))\n'
        "ends._end.get().idle = 0.2\n"
    )
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=SECONDS_MAX)
    assert ended.stdout.splitlines()[-1] == "queue_abandoned"
    assert ended.stdout.count("queue_abandoned") == 1


def needs(*programs: str) -> None:
    """Skips where a program is not installed, but for where each must be."""
    missing = [one for one in programs if shutil.which(one) is None and importlib.util.find_spec(one) is None]
    if missing and os.environ.get("REQUIRE_SERVICES") is None:
        pytest.skip(f"not installed: {', '.join(missing)}; tools/foreign-tools/install.sh installs them")
    assert missing == []


def free_port() -> int:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return int(own.getsockname()[1])


@contextlib.contextmanager
def started(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is ended by SIGTERM, and has to end by itself then."""
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield process
        process.terminate()
        process.wait(SECONDS_MAX)
    finally:
        process.kill()
        process.wait()


def ask(server: subprocess.Popen[bytes], port: int, path: str) -> None:
    """Asks once the server has begun."""

    def is_answered() -> bool:
        assert server.poll() is None, "the server has ended; see its output"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=SECONDS_MAX) as response:
                assert response.read() == b"ok"
            return True
        except OSError:
            return False

    until(is_answered)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS_MAX
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


WSGI = """
from answer_evidence import AnswerEvidence
evidence = AnswerEvidence("app", on_error=print)
{at_import}
def app(environ, start_response):
    name = environ["PATH_INFO"][1:]
    if name.startswith("a"):
        evidence.record("q", name)
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]
"""
ASGI = """
from answer_evidence import AsyncAnswerEvidence
evidence = AsyncAnswerEvidence("app", on_error=print)
async def app(scope, receive, send):
    assert scope["type"] == "http"
    name = scope["path"][1:]
    if name.startswith("a"):
        await evidence.record("q", name)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})
"""
USED_AT_IMPORT = 'evidence.record("q", "at import").result()'
# Between its fork and this, a worker has the handlers of gunicorn's own process, where SIGTERM is lost.
GUNICORN = """
def post_worker_init(worker):
    open(f"booted-{worker.pid}", "w").close()
"""


@pytest.mark.parametrize(("preload", "at_import"), [([], ""), (["--preload"], USED_AT_IMPORT)])
@pytest.mark.parametrize("worker", [["-k", "sync"], ["-k", "gthread", "--threads", "4"], ["-k", "gevent"]])
def test_gunicorn(service: SlowService, tmp_path: Path, worker: list[str], preload: list[str], at_import: str) -> None:
    needs("gunicorn", "gevent")
    (tmp_path / "application.py").write_text(WSGI.format(at_import=at_import))
    (tmp_path / "gunicorn.conf.py").write_text(GUNICORN)
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-b", f"127.0.0.1:{port}", "-w", "2", *worker, *preload]
    # Workers of gevent do not always heed SIGTERM, whatever the application does, and are killed then.
    graceful = 5 if "gevent" in worker else SECONDS_MAX
    # On a busy machine a worker would be taken for dead.
    command += ["--graceful-timeout", str(graceful), "--timeout", str(SECONDS_MAX), "--no-control-socket"]
    with started([*command, "application:app"], tmp_path) as server:
        for name in EXPECTED:
            ask(server, port, name)
        until(lambda: len(list(tmp_path.glob("booted-*"))) == 2)
        if "gevent" in worker:
            until(lambda: set(EXPECTED) <= set(service.answers))
    assert sorted(set(service.answers) - {"at import"}) == EXPECTED


@pytest.mark.parametrize("workers", ["1", "2"])
def test_uvicorn(service: SlowService, tmp_path: Path, workers: str) -> None:
    needs("uvicorn")
    (tmp_path / "application.py").write_text(ASGI)
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "--port", str(port), "--workers", workers, "--lifespan", "off"]
    # On a busy machine several would be taken for dead while they begin.
    command += ["--timeout-worker-healthcheck", str(SECONDS_MAX)]
    with started([*command, "application:app"], tmp_path) as server:
        for name in EXPECTED:
            ask(server, port, name)
    assert sorted(service.answers) == EXPECTED


CELERY = """
from celery import Celery
from answer_evidence import AnswerEvidence
app = Celery(broker="filesystem://")
app.conf.broker_transport_options = {"data_folder_in": "queue", "data_folder_out": "queue", "control_folder": "control"}
app.conf.worker_cancel_long_running_tasks_on_connection_loss = False
evidence = AnswerEvidence("app", on_error=print)
@app.task
def answer(name):
    evidence.record("q", name)
    open(f"done-{name}", "w").close()
"""


@pytest.mark.parametrize("tasks", ["1", "1000"])
def test_celery(service: SlowService, tmp_path: Path, tasks: str) -> None:
    needs("celery")
    (tmp_path / "application.py").write_text(CELERY)
    for name in ("queue", "control"):
        (tmp_path / name).mkdir()
    send = f"from application import answer\nfor name in {EXPECTED}: answer.delay(name)"
    subprocess.run([sys.executable, "-c", send], cwd=tmp_path, check=True, timeout=SECONDS_MAX)
    options = ["-c", "2", "--max-tasks-per-child", tasks, "--without-gossip", "--without-mingle", "-l", "error"]
    command = [sys.executable, "-m", "celery", "-A", "application", "worker", *options]
    with started(command, tmp_path):
        until(lambda: len(list(tmp_path.glob("done-*"))) == ANSWERS)
    assert sorted(service.answers) == EXPECTED


RQ = """
from answer_evidence import AnswerEvidence
evidence = AnswerEvidence("app", on_error=print)
def answer(name):
    evidence.record("q", name)
"""


def test_rq(service: SlowService, tmp_path: Path) -> None:
    needs("rq", "redis-server")
    (tmp_path / "application.py").write_text(RQ)
    port = free_port()
    url = f"redis://127.0.0.1:{port}"
    send = f"""
from redis import Redis
from rq import Queue
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from application import answer
queue = Queue(connection=Redis(port={port}, retry=Retry(ConstantBackoff(0.1), 100)))
for name in {EXPECTED}: queue.enqueue(answer, name)
"""
    with started(["redis-server", "--port", str(port), "--save", "", "--dir", str(tmp_path)], tmp_path):
        subprocess.run([sys.executable, "-c", send], cwd=tmp_path, check=True, timeout=SECONDS_MAX)
        command = [sys.executable, "-m", "rq.cli", "worker", "--burst", "--url", url, "--path", "."]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=SECONDS_MAX, capture_output=True)
    assert sorted(service.answers) == EXPECTED
