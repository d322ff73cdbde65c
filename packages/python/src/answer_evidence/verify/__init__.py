"""
Verifies answer evidence offline, from the published formats alone. It shares no code with the service or with its
TypeScript verifier, and needs nothing but Python; time-stamps of an authority also need the library `cryptography`.
"""

from .canonical_json import Malformed
from .checks import CHECKS, RUN_CHECKS, examine_bundle, verify_bundle, verify_log, verify_receipt, verify_reconciliation
from .outcomes import LogUnreachable, Result
from .tiles import read_folder, read_url
from .windows import BundleVerification

__all__ = [
    "CHECKS",
    "RUN_CHECKS",
    "BundleVerification",
    "LogUnreachable",
    "Malformed",
    "Result",
    "examine_bundle",
    "read_folder",
    "read_url",
    "verify_bundle",
    "verify_log",
    "verify_receipt",
    "verify_reconciliation",
]
