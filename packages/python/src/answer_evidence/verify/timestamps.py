"""Time-stamps over a checkpoint (docs/formats/trust.md, "Anchors"), as the openssl command judges them."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import tempfile

from .outcomes import Skip


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
