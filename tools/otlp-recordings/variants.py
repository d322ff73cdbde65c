"""Programs in Python that run another one: with a module of calls as its argument, or with other versions.

Each is an entry of `python/variants.json`: the program that it `runs`, the `arguments` that come before the scenarios,
the `packages` that it adds or has in another version, and the version that a package stays `below`.
"""

import json
import re
import tempfile
from pathlib import Path

PYTHON = Path(__file__).parent / "python"
FILE = PYTHON / "variants.json"
VARIANTS = json.loads(FILE.read_text())
PINNED = re.compile(r'^#   "([^"=]+)==([^"]+)",$', re.MULTILINE)


def pins(script):
    """The versions that a program names in its first lines, by package."""
    return dict(PINNED.findall(script.read_text()))


def write_script(program):
    """A file that names the packages of a variant, for uv: always in one place, so that uv installs them once."""
    given = VARIANTS[program]
    own = dict(package.split("==") for package in given["packages"])
    named = {**own, **{k: v for k, v in pins(PYTHON / f"{given['runs']}.py").items() if k not in own}}
    lines = [f'#   "{name}=={version}",' for name, version in named.items()]
    script = Path(tempfile.gettempdir()) / "otlp-recordings" / f"{program}.py"
    script.parent.mkdir(exist_ok=True)
    header = ["# /// script", '# requires-python = ">=3.11"', "# dependencies = [", *lines, "# ]", "# ///"]
    script.write_text("\n".join(header) + "\n")
    return script


def renew(program, versions):
    """Writes versions into the entry of a variant: those of its own packages, and those that its program has not."""
    given = VARIANTS[program]
    own = [package.split("==")[0] for package in given["packages"]]
    shared = pins(PYTHON / f"{given['runs']}.py")
    kept = [name for name in versions if name in own or shared.get(name) != versions[name]]
    given["packages"] = [f"{name}=={versions[name]}" for name in kept]
    FILE.write_text(json.dumps(VARIANTS, indent=2) + "\n")
