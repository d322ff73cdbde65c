import { equalBytes } from '@answer-evidence/encoding';
import { type AlgorithmIdentifier, readAlgorithm } from './algorithms.ts';
import type { CertificateChain } from './chain.ts';
import { contextConstructed, type DerNode, malformed, parseDer, TAG } from './der.ts';
import { KEY_USAGE } from './extensions.ts';
import { createFields, onlyChild, readOctetsOfBitString, readSmallInteger } from './fields.ts';
import { readOcspStatements } from './ocsp-response.ts';
import {
  asNothing,
  isHarmlessReasonDer,
  refuseCritical,
  type Revocation,
  type RevocationStatement,
} from './revocation.ts';
import { readTime } from './time.ts';
import { TimestampError } from './timestamp-error.ts';
import { verifySignature } from './verify-signature.ts';

/** CertificateList (RFC 5280 section 5.1), as far as it is read. */
type RevocationList = {
  readonly tbs: Uint8Array;
  readonly issuer: Uint8Array;
  readonly issuedAtMicros: number;
  readonly entries: readonly (Revocation & { readonly serialNumber: Uint8Array })[];
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
};

const OID_REASON = '2.5.29.21';
const VERSION_2 = 1;
const WHAT = 'a revocation list';

/**
 * What lists, and responses of OCSP among them, say of a chain. A list counts only for certificates that the
 * certificate above them in the chain issued, if that one may sign lists and did. One that cannot be read, or has a
 * critical extension, says nothing: anyone who shows lists could have left it out.
 */
export async function readRevocations(
  chain: CertificateChain,
  lists: readonly Uint8Array[],
): Promise<readonly RevocationStatement[]> {
  const statements: RevocationStatement[] = [];
  for (const der of lists) {
    const list = await asNothing(() => parseRevocationList(der));
    if (list === undefined) {
      statements.push(...(await readOcspStatements(chain, der)));
      continue;
    }
    for (const [n, issuer] of chain.slice(1).entries()) {
      const below = chain[n];
      if (below === undefined || !equalBytes(issuer.subject.raw, list.issuer)) continue;
      if (issuer.extensions.keyUsage?.(KEY_USAGE.cRLSign) === false) continue;
      const isSigned = await asNothing(async () => {
        await verifySignature(issuer.publicKey(), list.signatureAlgorithm, list.tbs, list.signature);
        return true;
      });
      if (isSigned !== true) continue;
      const revoked = list.entries.filter(({ serialNumber }) => equalBytes(serialNumber, below.serialNumber));
      statements.push({ issuedAtMicros: list.issuedAtMicros, revoked });
    }
  }
  return statements;
}

/** Whether it is a revocation list that can be read here. */
export function isRevocationList(der: Uint8Array): boolean {
  try {
    parseRevocationList(der);
    return true;
  } catch (error) {
    if (error instanceof TimestampError) return false;
    throw error;
  }
}

/** Throws `TimestampError` for what is no revocation list that can be read here. */
export function assertRevocationList(der: Uint8Array): void {
  parseRevocationList(der);
}

function parseRevocationList(der: Uint8Array): RevocationList {
  const outer = createFields(parseDer(der), WHAT);
  const tbs = outer.take(TAG.sequence);
  const signatureAlgorithm = readAlgorithm(outer.take(TAG.sequence));
  const signature = readOctetsOfBitString(outer.take(TAG.bitString), WHAT);
  outer.end();
  const fields = createFields(tbs, WHAT);
  const version = fields.optional(TAG.integer);
  if (version !== undefined && readSmallInteger(version, WHAT) !== VERSION_2) throw malformed(WHAT);
  if (!equalBytes(fields.take(TAG.sequence).raw, signatureAlgorithm.raw)) throw malformed(WHAT);
  const issuer = fields.take(TAG.sequence).raw;
  const issuedAtMicros = readTime(fields.take(TAG.utcTime, TAG.generalizedTime), WHAT);
  const next = fields.optional(TAG.utcTime) ?? fields.optional(TAG.generalizedTime);
  if (next !== undefined) readTime(next, WHAT);
  const entries = fields.optional(TAG.sequence)?.children ?? [];
  const extensions = fields.optional(contextConstructed(0));
  fields.end();
  if (extensions !== undefined) refuseCritical(onlyChild(extensions, WHAT), WHAT);
  return { tbs: tbs.raw, issuer, issuedAtMicros, entries: entries.map(readEntry), signatureAlgorithm, signature };
}

function readEntry(node: DerNode): RevocationList['entries'][number] {
  const fields = createFields(node, WHAT);
  const serialNumber = fields.take(TAG.integer).content;
  const atMicros = readTime(fields.take(TAG.utcTime, TAG.generalizedTime), WHAT);
  const extensions = fields.optional(TAG.sequence);
  fields.end();
  const reason = extensions === undefined ? undefined : refuseCritical(extensions, WHAT).get(OID_REASON);
  return { serialNumber, atMicros, isHarmless: reason !== undefined && isHarmlessReasonDer(reason, WHAT) };
}
