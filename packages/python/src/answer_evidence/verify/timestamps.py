"""Time-stamps over a checkpoint (docs/formats/trust.md, "Anchors"), as the openssl command judges them."""

from __future__ import annotations

import datetime
import functools
import hashlib
import os
import re
import subprocess
import tempfile

from .outcomes import Skip, require


@functools.lru_cache(maxsize=1024)
def is_stamped(text: str, response: bytes, certificates: str) -> bool:
    """
    Whether openssl believes the TimeStampResp over this text with these certificates in PEM. Dates of certificates are
    not looked at: openssl would compare them with today, and the formats with the time of the token. Raises Skip where
    there is no openssl.
    """
    with tempfile.TemporaryDirectory() as folder:
        token, pinned = os.path.join(folder, "token.tsr"), os.path.join(folder, "pinned.pem")
        with open(token, "wb") as file:
            file.write(response)
        with open(pinned, "w", encoding="ascii") as file:
            file.write(certificates)
        command = ["openssl", "ts", "-verify", "-digest", hashlib.sha256(text.encode()).hexdigest(), "-in", token]
        command += ["-CAfile", pinned, "-partial_chain", "-no_check_time"]
        try:
            run = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            raise Skip("time-stamps need the command openssl, which is not installed") from None
        return run.returncode == 0 and b"Verification: OK" in run.stdout + run.stderr


@functools.lru_cache(maxsize=1024)
def stamped_at(response: bytes) -> int:
    """The time that a TimeStampResp states, which `is_stamped` believed, in microseconds since 1970."""
    with tempfile.TemporaryDirectory() as folder:
        token = os.path.join(folder, "token.tsr")
        with open(token, "wb") as file:
            file.write(response)
        run = subprocess.run(["openssl", "ts", "-reply", "-in", token, "-text"], capture_output=True, check=False)
    found = re.search(r"^Time stamp: (.*?)(\.\d+)? (\d{4}) GMT$", run.stdout.decode(errors="replace"), re.MULTILINE)
    require(found, "the time of a time-stamp cannot be read")
    assert found is not None
    date = datetime.datetime.strptime(f"{found[1]} {found[3]} +0000", "%b %d %H:%M:%S %Y %z")
    return int(date.timestamp()) * 1_000_000 + int(f"{found[2] or '.0'}"[1:7].ljust(6, "0"))
