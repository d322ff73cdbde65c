"""Outcomes of checks. A check returns None for PASS, or raises (docs/formats/bundle.md, "Outcomes")."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .canonical_json import Malformed


class Result(NamedTuple):
    """The outcome of one check: PASS, FAIL, SKIP or NA, and for all but PASS the reason."""

    check: str
    outcome: str
    reason: str


class Skip(Exception):
    """It applies and cannot be decided with what is at hand."""


class NotApplicable(Exception):
    """It does not apply."""


def require(condition: object, sentence: str) -> None:
    if not condition:
        raise Malformed(sentence)


def judge(name: str, check: Callable[[], object]) -> Result:
    """Makes one check. Whatever the input makes go wrong is the failure of that check, and hides no other."""
    try:
        check()
        return Result(name, "PASS", "")
    except Skip as reason:
        return Result(name, "SKIP", str(reason))
    except NotApplicable as reason:
        return Result(name, "NA", str(reason))
    except Malformed as reason:
        return Result(name, "FAIL", str(reason))
    except LogUnreachable:
        raise
    except Exception as error:
        return Result(name, "FAIL", f"the check could not be made ({type(error).__name__})")


# Characters that act on a terminal or change how text reads: controls, line separators, turns of the direction.
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def show(text: str) -> str:
    """A line for a terminal. What is verified was written by strangers."""
    return ACTING.sub("", text)


class LogUnreachable(Exception):
    """The log at a URL did not respond, or responded with an error. It says nothing about the evidence."""
