"""Whatever this package raises or reports. No message holds a token or a submitted text."""

from __future__ import annotations

import builtins
from typing import Any


class EvidenceError(Exception):
    """The base of all errors of this package. `code` says what went wrong, for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ConfigurationError(EvidenceError):
    """An option or an environment variable is missing or invalid. The message says which, and what to do."""

    def __init__(self, message: str) -> None:
        super().__init__("configuration", message)


class ProblemError(EvidenceError):
    """
    The service refused the request, or could not serve it. `code` is one of the service's documented error codes,
    `problem` the whole response (RFC 9457) with the place of each fault in `errors`. Name `request_id` to the operator.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(problem["code"], f"{status} {problem['code']}: {problem.get('detail', '')}")
        self.status = status
        self.problem = problem
        self.request_id = str(problem.get("request_id", ""))
        self.retry_after = retry_after


class ResponseError(EvidenceError):
    """A response that is not the service's, such as the page of a proxy or a redirect. Check the URL."""

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        super().__init__("unexpected_response", message)
        self.status = status
        self.retry_after = retry_after


class TransportError(EvidenceError):
    """No whole response came. Whether the request took effect is unknown; repeating it with its key is safe."""

    def __init__(self, message: str, code: str = "unreachable") -> None:
        super().__init__(code, message)


class TimeoutError(TransportError, builtins.TimeoutError):
    """No whole response came in time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "timeout")


class QueueError(EvidenceError):
    """
    The queue does not hold an answer, or no longer does.

    - `queue_full`: it held as many as it may.
    - `queue_closed`: `close` was called.
    - `queue_unwritable`: its folder could not be written.
    - `queue_damaged`: a file in its folder cannot be read as an answer. It is in `rejected/` now.
    - `queue_abandoned`: the process ended before the answer was sent.
    - `queue_taken`: another process with the folder of the queue has sent it, and knows its record.
    - `queue_forked`: it was handed over before a fork, and the parent process sends it.
    """


class VerificationError(EvidenceError):
    """
    A receipt must not be relied on. What it is about was recorded all the same. Keep both checkpoints: they are signed.

    - `receipt_untrusted`: the keys that the trust file pins for this log did not sign it.
    - `receipt_invalid`: it does not prove that the entry is in its tree.
    - `receipt_inconsistent`: its tree and one that was verified before cannot belong to one log.
    - `receipt_unproven`: the service did not prove that both trees belong to one log.
    """

    def __init__(
        self, code: str, reason: str, receipt: str, *, given: str | None = None, remembered: str | None = None
    ) -> None:
        super().__init__(code, f"the receipt is refused ({code.removeprefix('receipt_')}): {reason}")
        self.receipt: str | None = receipt
        self.given = given
        self.remembered = remembered


class MismatchError(VerificationError):
    """
    A response is about something else than what was sent, whatever its receipt proves (`response_mismatch`). `fields`
    are JSON pointers into the response, `entry` and `receipt` what it showed. Nobody knows whether what was sent was
    recorded: sending it again with its key is safe.
    """

    def __init__(
        self, fields: tuple[str, ...], *, entry: str | None = None, receipt: str | None = None, given: str | None = None
    ) -> None:
        message = f"the response is not about what was sent: {', '.join(fields)} differ"
        EvidenceError.__init__(self, "response_mismatch", message)
        self.fields, self.entry = fields, entry
        self.receipt, self.given, self.remembered = receipt, given, None
