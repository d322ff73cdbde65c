import { equalBytes } from '@answer-evidence/encoding';
import type { Certificate } from './certificate.ts';
import { KEY_USAGE } from './extensions.ts';
import { TimestampError } from './timestamp-error.ts';
import { verifySignature } from './verify-signature.ts';

/** Certificates between the signer's and a pinned one; public authorities have one or two. */
const INTERMEDIATES_MAX = 6;
/** A token chooses how many certificates have one name; this bounds what trying them costs. */
const SIGNATURES_MAX = 32;

const OID_TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const OID_ANY_PURPOSE = '2.5.29.37.0';

/** From the certificate of a signer upwards. */
export type CertificateChain = readonly [Certificate, ...Certificate[]];

/** What a chain may be made of, and when it must have been valid. */
type ChainMaterial = {
  /** From the token: no more than candidates. */
  readonly intermediates: readonly Certificate[];
  /** Where trust begins. */
  readonly pins: readonly Certificate[];
  readonly atMicros: number;
};

/**
 * Finds a chain of signatures from the certificate to a pinned one, which may be the certificate itself, and returns
 * it. Every certificate in it, the pinned one too, was valid at that time, and those above the first may issue
 * certificates (RFC 5280 section 6). Revocation is not looked at. When no chain is good, the first reason met is
 * thrown, as a `TimestampError`.
 */
export async function verifyChain(leaf: Certificate, material: ChainMaterial): Promise<CertificateChain> {
  assertValidAt(leaf, material.atMicros);
  if (isPinned(leaf, material)) return [leaf];
  const search: Search = { material, signatures: 0, firstFault: undefined };
  const chain = await findChain([leaf], search);
  if (chain !== undefined) return chain;
  throw search.firstFault ?? new TimestampError('untrusted', 'no chain leads to a pinned certificate');
}

type Search = { readonly material: ChainMaterial; signatures: number; firstFault: TimestampError | undefined };

/** Depth first, pinned certificates before others. `path` goes from the signer's certificate upwards. */
async function findChain(path: CertificateChain, search: Search): Promise<CertificateChain | undefined> {
  const { pins, intermediates } = search.material;
  const last = path.at(-1) ?? path[0];
  for (const issuer of [...pins, ...intermediates]) {
    if (!equalBytes(issuer.subject.raw, last.issuer)) continue;
    if (path.some((known) => equalBytes(known.raw, issuer.raw))) continue;
    if (!(await isIssuer(issuer, path, search))) continue;
    if (isPinned(issuer, search.material)) return [...path, issuer];
    if (path.length > INTERMEDIATES_MAX) continue;
    const chain = await findChain([...path, issuer], search);
    if (chain !== undefined) return chain;
  }
  return undefined;
}

async function isIssuer(issuer: Certificate, path: readonly Certificate[], search: Search): Promise<boolean> {
  const last = path.at(-1);
  if (last === undefined) return false;
  search.signatures += 1;
  if (search.signatures > SIGNATURES_MAX) throw new TimestampError('too_large', 'too many candidates for a chain');
  try {
    assertMayIssue(issuer, path, isPinned(issuer, search.material));
    assertValidAt(issuer, search.material.atMicros);
    await verifySignature(issuer.publicKey(), last.signatureAlgorithm, last.tbs, last.signature);
    return true;
  } catch (error) {
    if (!(error instanceof TimestampError)) throw error;
    // Another certificate of that name may fit; if none does, this is what was wrong with the first.
    search.firstFault ??= error;
    return false;
  }
}

function isPinned(certificate: Certificate, { pins }: ChainMaterial): boolean {
  return pins.some((pin) => equalBytes(pin.raw, certificate.raw));
}

function assertValidAt(certificate: Certificate, atMicros: number): void {
  if (atMicros < certificate.notBeforeMicros) {
    throw new TimestampError('certificate_not_yet_valid', 'a certificate of the chain was not valid yet at that time');
  }
  // Whole seconds: a certificate is good to the end of the second that it names.
  if (atMicros >= certificate.notAfterMicros + 1_000_000) {
    throw new TimestampError('certificate_expired', 'a certificate of the chain had expired at that time');
  }
}

/** `path` holds what is below: the signer's certificate and the issuers between. */
function assertMayIssue({ extensions, isVersion3 }: Certificate, path: readonly Certificate[], isPin: boolean): void {
  const { basicConstraints, keyUsage, extendedKeyUsage, hasUnread } = extensions;
  // Roots from before version 3 have no extensions at all; that one may issue is then what pinning it says.
  const isOldPin = isPin && !isVersion3;
  if (basicConstraints?.isCa !== true && !isOldPin) throw notAnIssuer('it is not an authority');
  if (keyUsage !== undefined && !keyUsage(KEY_USAGE.keyCertSign))
    throw notAnIssuer('its key must not sign certificates');
  const purposes = extendedKeyUsage?.purposes;
  if (purposes !== undefined && !purposes.includes(OID_TIME_STAMPING) && !purposes.includes(OID_ANY_PURPOSE)) {
    throw notAnIssuer('it has other purposes');
  }
  const pathLength = path.slice(1).filter((below) => !equalBytes(below.subject.raw, below.issuer)).length;
  if (pathLength > (basicConstraints?.pathLengthMax ?? Infinity))
    throw notAnIssuer('the chain is longer than it allows');
  if (hasUnread) {
    throw new TimestampError(
      'unknown_critical_extension',
      'a certificate of the chain has an unknown critical extension',
    );
  }
}

function notAnIssuer(reason: string): TimestampError {
  return new TimestampError('not_an_issuer', `a certificate may not issue the one below it: ${reason}`);
}
