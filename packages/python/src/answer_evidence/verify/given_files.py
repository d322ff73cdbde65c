"""Tells by their content what files are that somebody gave to be verified."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import NamedTuple

PACK = re.compile(r'<script type="application/json" id="pack">(.*?)</script>', re.DOTALL)


class Given(NamedTuple):
    """Bundles as pairs of a name and a text, and the paths of receipts and of copies of logs."""

    bundles: list[tuple[str, str]]
    receipts: list[str]
    logs: list[str]


def sort_files(paths: list[str], read_text: Callable[[str], str]) -> Given:
    """
    Bundles, evidence packs, whose bundles are taken out, receipts, and folders with the tiles of a log. What is none
    of these counts as a bundle, whose verification says what is wrong with it. Raises ValueError for a pack that names
    no bundles.
    """
    given = Given([], [], [])
    for path in paths:
        if os.path.isdir(path):
            given.logs.append(path)
            continue
        text = read_text(path)
        pack = PACK.search(text)
        if text.startswith("c2sp.org/tlog-proof@"):
            given.receipts.append(path)
        elif pack is None:
            given.bundles.append((path, text))
        else:
            given.bundles.extend((f"{path} {name}", _part(text, name)) for name in _names(path, pack[1]))
    return given


def _part(text: str, name: str) -> str:
    # A part that is missing is no JSON: it fails, and hides no other record.
    found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)
    return "" if found is None else found[1]


def _names(path: str, manifest: str) -> list[str]:
    try:
        names = json.loads(manifest)["bundles"]
    except (ValueError, KeyError, TypeError):
        names = []
    found = [name for name in names if isinstance(name, str) and re.fullmatch(r"bundle-[1-9]\d{0,3}", name)]
    if not found:
        raise ValueError(f"{path} is an evidence pack that names no bundles; ask for another copy")
    return found
