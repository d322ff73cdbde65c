"""Times as applications give them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

_DATE_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def as_sent(value: Any) -> Any:
    """The same value with each `datetime` in it as a text of RFC 3339. One without an offset is refused by the API."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: as_sent(one) for name, one in value.items()}
    return [as_sent(one) for one in value] if isinstance(value, list | tuple) else value


def read_time(value: Any) -> datetime.datetime | None:
    """
    A time of RFC 3339, cut to microseconds; None for anything else. The second 60 is the one after it, as the service
    reads it.
    """
    found = _DATE_TIME.fullmatch(as_sent(value)) if isinstance(value, str | datetime.datetime) else None
    if found is None:
        return None
    date, minute, second, fraction, offset = found.groups()
    is_leap = second == "60"
    zone = "+00:00" if offset in "Zz" else offset
    text = f"{date}T{minute}:{'59' if is_leap else second}.{(fraction or '')[:6].ljust(6, '0')}{zone}"
    try:
        return datetime.datetime.fromisoformat(text) + datetime.timedelta(seconds=int(is_leap))
    except (ValueError, OverflowError):
        return None
