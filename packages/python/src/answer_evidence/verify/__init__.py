"""
Verifies answer evidence offline, from the published formats alone. It shares no code with the service or with its
TypeScript verifier, and needs nothing but Python; time-stamps of an authority also need the command `openssl`.
"""

from .canonical_json import Malformed
from .checks import CHECKS, RUN_CHECKS, verify_bundle, verify_log, verify_receipt, verify_reconciliation
from .outcomes import LogUnreachable, Result
from .tiles import read_folder, read_url

__all__ = [
    "CHECKS",
    "RUN_CHECKS",
    "LogUnreachable",
    "Malformed",
    "Result",
    "read_folder",
    "read_url",
    "verify_bundle",
    "verify_log",
    "verify_receipt",
    "verify_reconciliation",
]
