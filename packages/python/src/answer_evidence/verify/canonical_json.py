"""Strict JSON reading and the JCS form of RFC 8785 (docs/formats/README.md, "Conventions")."""

from __future__ import annotations

import json
import math
import re
from typing import Any

# What a JSON text holds. The forms say what it must be before a check reads it.
Json = Any

SAFE = 2**53 - 1
DEPTH_MAX = 64
# U+0000 and lone surrogates, which no string may hold.
FORBIDDEN = re.compile("[\0\ud800-\udfff]")
# Escapes what JCS escapes, in the same way.
_string = json.JSONEncoder(ensure_ascii=False).encode
# As JCS writes a value, but for names beyond ASCII, whose order is another one, and for numbers with an exponent.
_quick = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode
EXPONENT = re.compile(r"[0-9]e[+-][0-9]")


class Malformed(Exception):
    """Not of the form that the formats ask for."""


def read_json(text: str) -> Json:
    """Reads one JSON value; refuses what the formats refuse. Raises Malformed."""
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error
    # Most texts cannot hold what is looked for here.
    if "\\u" in text or FORBIDDEN.search(text) or text.count("{") + text.count("[") > DEPTH_MAX:
        _check(value, 0)
    return value


def canonical(value: Json) -> str:
    """The JCS text of a value."""
    text = _quick(value)
    return text if text.isascii() and not EXPONENT.search(text) else _canonical(value)


def _canonical(value: Json) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, list):
        return "[" + ",".join(_canonical(item) for item in value) + "]"
    # Surrogates order as code units do, which is not the order of code points.
    names = sorted(value) if all(map(str.isascii, value)) else sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(_string(name) + ":" + _canonical(value[name]) for name in names) + "}"


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("a member name stands twice")
    return members


def _refuse(name: str) -> None:
    raise Malformed(f"{name} is no JSON number")


def _integer(value: int) -> int:
    if abs(value) > SAFE:
        raise Malformed("an integer is beyond 2^53 - 1")
    return value


def _float(text: str) -> int | float:
    """`3.0` and `3e0` are the integer 3, as a value and in JCS."""
    value = float(text)
    if not math.isfinite(value):
        raise Malformed("a number overflows")
    return _integer(int(value)) if value.is_integer() else value


_decoder = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_constant=_refuse,
    parse_float=_float,
    parse_int=lambda text: _integer(int(text)),
)


def _check(value: Json, depth: int) -> None:
    if isinstance(value, str):
        if FORBIDDEN.search(value):
            raise Malformed("a string holds U+0000 or a lone surrogate")
    elif isinstance(value, (list, dict)):
        if depth >= DEPTH_MAX:
            raise Malformed("nests too deep")
        for part in value if isinstance(value, list) else [*value.keys(), *value.values()]:
            _check(part, depth + 1)


def _number(value: int | float) -> str:
    """As ECMAScript writes it: Number::toString, from the shortest digits, which Python's repr has too."""
    if value == int(value) and abs(value) <= SAFE:
        return str(int(value))
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = ("+" if point > 0 else "-") + str(abs(point - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + power
