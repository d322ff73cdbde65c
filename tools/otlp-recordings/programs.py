"""How the programs of each language get their packages and are started.

Those in `python/` name their packages in their first lines, and uv installs these; `python/variants.json` names
programs that run another one, with arguments or packages of their own (`variants.py`). Those in `node/` have a
`package.json`, and npm installs what it names; those in `java/` have a `pom.xml` each, for Maven; those in `go/` a
`go.mod` each.
"""

import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from variants import PINNED, VARIANTS, pins, renew, write_script

HERE = Path(__file__).parent
PYTHON = HERE / "python"
NODE = HERE / "node"
JAVA = HERE / "java"
GO = HERE / "go"
# What an agent of OpenTelemetry tells of the machine, which no recording needs.
OF_MACHINE = ["Host", "HostId", "Os", "Process", "ProcessRuntime"]
# Python 3.11 or 3.12: newer ones lack wheels of some frameworks. What is newest is what the oldest of them can run.
PYTHONS = ">=3.11,<3.13"
PYTHON_OLDEST = "3.11"


def is_in_node(program):
    return (NODE / f"{program}.mjs").exists()


def command(program):
    """What runs the scenarios of a program that follow it. Installs or compiles what it needs."""
    if program in VARIANTS:
        given = VARIANTS[program]
        return [find_python(write_script(program)), str(PYTHON / f"{given['runs']}.py"), *given.get("arguments", [])]
    script = PYTHON / f"{program}.py"
    if script.exists():
        return [find_python(script), str(script)]
    if (JAVA / program).exists():
        return compile_java(JAVA / program)
    if (GO / program).exists():
        return compile_go(GO / program)
    return ["node", str(NODE / f"{program}.mjs")]


@functools.cache
def find_python(script):
    """The interpreter with the packages of a program, installed once for all of its scenarios."""
    subprocess.run(["uv", "sync", "--quiet", "--python", PYTHONS, "--script", str(script)], check=True)
    given = ["uv", "python", "find", "--script", str(script)]
    found = subprocess.run(given, check=True, stdout=subprocess.PIPE, text=True)
    return found.stdout.strip()


def compile_java(folder):
    target = Path(tempfile.mkdtemp())
    if "quarkus-maven-plugin" in (folder / "pom.xml").read_text():
        return build_quarkus(folder, target)
    listed = target / "classpath"
    listing = ["dependency:build-classpath", f"-Dmdep.outputFile={listed}", "-f", str(folder / "pom.xml")]
    subprocess.run(["mvn", "--quiet", "--batch-mode", *listing], check=True, stdout=sys.stderr)
    [main] = [*folder.glob("*.java"), *folder.glob("*.kt")]
    classpath = f"{target}:{listed.read_text()}"
    shared = str(JAVA / "Recorded.java")
    sources = [shared] if main.suffix == ".kt" else [str(main), shared]
    subprocess.run(["javac", "-parameters", "-d", str(target), "-cp", classpath, *sources], check=True)
    if main.suffix == ".kt":
        # Its compiler is a package of the program, so that it fits its libraries.
        compiler = ["java", "-cp", classpath, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
        given = ["-nowarn", "-no-stdlib", "-no-reflect", "-d", str(target), "-cp", classpath, str(main)]
        subprocess.run([*compiler, *given], check=True)
    options = [option for path in classpath.split(":") if "javaagent" in Path(path).name for option in attach(path)]
    return ["java", *options, "-cp", classpath, f"recorded.{main.stem}"]


def attach(agent):
    """The options for an agent of OpenTelemetry, which nothing can flush, and which sees the calls of the recorder."""
    of_machine = [f"io.opentelemetry.instrumentation.resources.{name}ResourceProvider" for name in OF_MACHINE]
    return [
        f"-javaagent:{agent}",
        "-Dotel.bsp.schedule.delay=1000",
        "-Dotel.blrp.schedule.delay=1000",
        "-Dotel.instrumentation.java-http-client.enabled=false",
        "-Dotel.instrumentation.genai.capture-message-content=true",
        f"-Dotel.java.disabled.resource.providers={','.join(of_machine)}",
    ]


def build_quarkus(folder, target):
    """An application of Quarkus, which Maven builds as a whole."""
    sources = target / "src/main/java/recorded"
    sources.mkdir(parents=True)
    for source in [*folder.glob("*.java"), JAVA / "Recorded.java"]:
        shutil.copy(source, sources)
    shutil.copy(folder / "pom.xml", target)
    built = ["mvn", "--quiet", "--batch-mode", "-f", str(target / "pom.xml"), "package"]
    subprocess.run(built, check=True, stdout=sys.stderr)
    return ["java", "-jar", str(target / "target/quarkus-app/quarkus-run.jar")]


def compile_go(folder):
    built = Path(tempfile.mkdtemp()) / folder.name
    subprocess.run(["go", "build", "-o", str(built), "."], check=True, cwd=folder, stdout=sys.stderr)
    return [str(built)]


def renew_python(script):
    """Writes the newest versions that fit each other into the first lines of a program."""
    text = script.read_text()
    newest = find_newest([limit(name, text) for name in pins(script)])
    if newest:
        script.write_text(PINNED.sub(lambda m: f'#   "{m[1]}=={newest[m[1].split("[")[0]]}",', text))


def renew_variant(program):
    """Writes the newest versions that fit each other into the entry of a program that runs another one."""
    below = VARIANTS[program].get("below", {})
    names = pins(write_script(program))
    newest = find_newest([f"{name}<{below[name]}" if name in below else name for name in names])
    renew(program, {name: newest[name.split("[")[0]] for name in names})


def find_newest(wanted):
    """The newest versions of packages that fit each other, by the names of the packages without their extras."""
    if not wanted:
        return {}
    resolve = ["uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python-version", PYTHON_OLDEST, "-"]
    resolved = subprocess.run(resolve, input="\n".join(wanted), capture_output=True, text=True, check=True)
    found = dict(line.split("==") for line in resolved.stdout.splitlines() if "==" in line)
    return {name.split("[")[0]: version.split(" ")[0] for name, version in found.items()}


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


def prepare(programs, is_newest, attempt):
    """Installs what is shared, and writes down the newest versions where these are wanted, not of Java and Go."""
    if is_newest:
        for program in sorted(program for program in programs if (PYTHON / f"{program}.py").exists()):
            attempt(f"newest versions of {program}", renew_python, PYTHON / f"{program}.py")
        for program in sorted(VARIANTS.keys() & programs.keys()):
            attempt(f"newest versions of {program}", renew_variant, program)
    if not any(is_in_node(program) for program in programs):
        return
    if is_newest:
        attempt("newest versions for Node", renew_node)
    # `npm ci` refuses a lock without parts for platforms that a package names and that were never published.
    install = ["npm", "install", *([] if is_newest else ["--no-save"]), "--no-audit", "--no-fund"]
    attempt("packages for Node", lambda: subprocess.run(install, cwd=NODE, check=True, stdout=sys.stderr))
