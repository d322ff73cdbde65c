"""Forms of JSON values, out of which the forms of bundles, proofs and trust files are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from .canonical_json import SAFE, Json, Malformed

Predicate = Callable[[Json], bool]
Form = Any
# A form is a type, a pattern, a set of strings, or a function; `None` in a tuple allows null.


def array(form: Form) -> Predicate:
    return lambda value: isinstance(value, list) and all(fits(item, form) for item in value)


def filled(array: Predicate) -> Predicate:
    return lambda value: array(value) and len(value) > 0


def object_with(members: Mapping[str, Form], optional: Collection[str] = ()) -> Predicate:
    def has_members(value: Json) -> bool:
        if not isinstance(value, dict) or not set(value) <= set(members):
            return False
        return all(name in value or name in optional for name in members) and all(
            fits(value[name], members[name]) for name in value
        )

    return has_members


def nullable(form: Form) -> Predicate:
    return lambda value: value is None or fits(value, form)


def fits(value: Json, form: Form) -> bool:
    if isinstance(form, re.Pattern):
        return isinstance(value, str) and form.fullmatch(value) is not None
    if isinstance(form, set):
        return isinstance(value, str) and value in form
    if form is int:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE
    if isinstance(form, type):
        return isinstance(value, form)
    return bool(form(value))


def between(least: int, most: int) -> Predicate:
    return lambda value: type(value) is int and least <= value <= most


def one_of(forms: Collection[Form]) -> Predicate:
    return lambda value: any(fits(value, form) for form in forms)


def is_null(value: Json) -> bool:
    return value is None


def text(least: int, most: int) -> Predicate:
    """A string of so many UTF-16 code units."""
    return lambda value: isinstance(value, str) and least <= len(value.encode("utf-16-le")) // 2 <= most


def at_most(count: int, array: Predicate) -> Predicate:
    return lambda value: array(value) and len(value) <= count


def positive(value: Json) -> bool:
    return fits(value, int) and value > 0


def assert_form(value: Json, form: Form, what: str) -> None:
    """Raises Malformed unless the value has the form."""
    if not fits(value, form):
        raise Malformed(f"{what} is not of its format")
