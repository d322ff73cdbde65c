"""Chains of certificates (docs/formats/trust.md, "Anchors", `rfc3161`, rules 6 and 7)."""

from __future__ import annotations

from collections.abc import Sequence

from .canonical_json import Malformed
from .outcomes import require
from .signatures import assert_signed
from .x509 import KEY_CERT_SIGN, Certificate

INTERMEDIATES_MAX = 6
CANDIDATES_MAX = 32
TIME_STAMPING, ANY_PURPOSE = "1.3.6.1.5.5.7.3.8", "2.5.29.37.0"


class TooMany(Malformed):
    """More candidates than are tried."""


class Chain:
    """The search for a chain from a signer's certificate to a pinned one, through certificates of the token."""

    def __init__(self, pins: Sequence[Certificate], carried: Sequence[Certificate], at: int) -> None:
        self.pins, self.carried, self.at, self.tried = pins, carried, at, 0

    def path_of(self, signer: Certificate) -> list[Certificate]:
        """The chain from a signer to a pinned certificate. Raises Malformed where none leads to one."""
        self.assert_valid(signer)
        found = [signer] if self.is_pinned(signer) else self._climb([signer])
        if found is None:
            raise Malformed("no chain leads to a pinned certificate")
        return found

    def is_pinned(self, certificate: Certificate) -> bool:
        return any(pin.raw == certificate.raw for pin in self.pins)

    def assert_valid(self, certificate: Certificate) -> None:
        # A certificate is valid to the end of the second that it names.
        valid = certificate.not_before <= self.at < certificate.not_after + 1_000_000
        require(valid, "a certificate of the chain was not valid at that time")

    def _climb(self, path: list[Certificate]) -> list[Certificate] | None:
        """Depth first, pinned certificates before those of the token."""
        last = path[-1]
        for issuer in [*self.pins, *self.carried]:
            if issuer.subject != last.issuer or any(below.raw == issuer.raw for below in path):
                continue
            if not self._issued(issuer, path):
                continue
            if self.is_pinned(issuer):
                return [*path, issuer]
            found = self._climb([*path, issuer]) if len(path) <= INTERMEDIATES_MAX else None
            if found is not None:
                return found
        return None

    def _issued(self, issuer: Certificate, path: list[Certificate]) -> bool:
        self.tried += 1
        if self.tried > CANDIDATES_MAX:
            raise TooMany("too many candidates for a chain")
        try:
            self._assert_may_issue(issuer, path)
            self.assert_valid(issuer)
            assert_signed(issuer.key, path[-1].algorithm, path[-1].signed, path[-1].signature)
        except Malformed:
            # Another certificate of that name may fit.
            return False
        return True

    def _assert_may_issue(self, issuer: Certificate, path: list[Certificate]) -> None:
        # Before version 3 there were no extensions. That such a root may issue is what pinning it says.
        is_old_pin = not issuer.is_version_3 and self.is_pinned(issuer)
        require(issuer.is_authority or is_old_pin, "an issuer is not an authority")
        require(issuer.usages is None or KEY_CERT_SIGN in issuer.usages, "a key must not sign certificates")
        fits = issuer.purposes is None or TIME_STAMPING in issuer.purposes or ANY_PURPOSE in issuer.purposes
        require(fits, "an issuer has other purposes")
        below = sum(one.subject != one.issuer for one in path[1:])
        require(issuer.path_length is None or below <= issuer.path_length, "a chain is longer than an issuer allows")
        require(not issuer.has_unknown, "an issuer has an unknown critical extension, or constraints on names")
