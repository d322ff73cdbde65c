"""Forms of JSON values, out of which the forms of bundles, proofs and trust files are made."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

from .canonical_json import SAFE, Json, Malformed

Predicate = Callable[[Json], bool]
Form = Any
# A form is a type, a pattern, a set of strings, or a function; `None` in a tuple allows null.


def predicate_of(form: Form) -> Predicate:
    """Whether a value has the form. Forms are made once, and asked of each part of each value."""
    if isinstance(form, re.Pattern):
        matches = form.fullmatch
        return lambda value: isinstance(value, str) and matches(value) is not None
    if isinstance(form, set):
        return lambda value: isinstance(value, str) and value in form
    if form is int:
        return between(0, SAFE)
    if isinstance(form, type):
        return lambda value: isinstance(value, form)
    return cast(Predicate, form)


def array(form: Form) -> Predicate:
    has_form = predicate_of(form)
    return lambda value: isinstance(value, list) and all(map(has_form, value))


def filled(array: Predicate) -> Predicate:
    return lambda value: array(value) and len(value) > 0


def object_with(members: Mapping[str, Form], optional: Collection[str] = ()) -> Predicate:
    predicates = {name: predicate_of(form) for name, form in members.items()}
    required = members.keys() - set(optional)

    def has_members(value: Json) -> bool:
        if not isinstance(value, dict) or not required <= value.keys() <= predicates.keys():
            return False
        return all(predicates[name](member) for name, member in value.items())

    return has_members


def nullable(form: Form) -> Predicate:
    has_form = predicate_of(form)
    return lambda value: value is None or has_form(value)


def between(least: int, most: int) -> Predicate:
    return lambda value: type(value) is int and least <= value <= most


def one_of(forms: Collection[Predicate]) -> Predicate:
    return lambda value: any(has_form(value) for has_form in forms)


def is_null(value: Json) -> bool:
    return value is None


def text(least: int, most: int) -> Predicate:
    """A string of so many UTF-16 code units."""
    return lambda value: isinstance(value, str) and least <= len(value.encode("utf-16-le")) // 2 <= most


def at_most(count: int, array: Predicate) -> Predicate:
    return lambda value: array(value) and len(value) <= count


TIME_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
EPOCH = datetime.datetime(1970, 1, 1)


def micros_of(time: Json) -> int | None:
    """Microseconds since 1970 of a time that exists in the calendar and is near enough to 1970, else None."""
    if not isinstance(time, str) or TIME_PATTERN.fullmatch(time) is None:
        return None
    try:
        since = datetime.datetime.fromisoformat(time[:-1]) - EPOCH
    except ValueError:
        return None
    count = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return count if abs(count) <= SAFE else None


def format_time(count: int) -> str:
    """The time that is this many microseconds after 1970. Such a count is at most 2^53 - 1, either way."""
    return (EPOCH + datetime.timedelta(microseconds=count)).isoformat(timespec="microseconds") + "Z"


def is_time(value: Json) -> bool:
    return micros_of(value) is not None


positive = between(1, SAFE)


def assert_form(value: Json, form: Form, what: str) -> None:
    """Raises Malformed unless the value has the form."""
    if not predicate_of(form)(value):
        raise Malformed(f"{what} is not of its format")
