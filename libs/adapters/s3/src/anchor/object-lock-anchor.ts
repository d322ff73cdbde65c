import { sha256 } from '@answer-evidence/digest';
import { canonicalize, equalBytes, formatHex, formatTimestamp, MICROS_PER_DAY, utf8 } from '@answer-evidence/encoding';
import {
  type Anchor,
  type AnchorOutcome,
  type AnchorRequest,
  type Clock,
  OutboundError,
  type OutboundMethods,
} from '@answer-evidence/ports';
import { type Bucket, type LockedVersion, openBucket } from './locking-bucket.ts';
import { objectKeyOf } from './object-key.ts';
import { StoreRefusal } from './store-refusal.ts';

/** What the anchor needs. */
export type ObjectLockParts = {
  readonly outbound: OutboundMethods;
  readonly clock: Clock;
  /** For one request; an attempt makes at most eight. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/**
 * Anchors by the checkpoint's text as an object in an S3 bucket, under COMPLIANCE retention: until then nobody can
 * delete or change that version, the bucket's owner included. Bytes, mode and date are read back before the anchor is
 * confirmed. A repeated attempt finds the object and extends its retention.
 */
export function createObjectLockAnchor(parts: ObjectLockParts): Anchor {
  return {
    async submit(request) {
      try {
        return await lock(parts, request);
      } catch (error) {
        if (error instanceof OutboundError || error instanceof StoreRefusal) return failed(error.message);
        throw error;
      }
    },
  };
}

async function lock(parts: ObjectLockParts, request: AnchorRequest): Promise<AnchorOutcome> {
  const { config, digest, checkpointText, signal } = request;
  if (config.type !== 'object-lock') throw new Error('an anchor of another type was given to object-lock');
  if (!equalBytes(sha256(checkpointText), digest)) throw new Error('the digest is not that of the checkpoint');
  if (config.secret_access_key === undefined)
    return failed('the secret of this anchor is missing; send the policy again with it');
  const key = objectKeyOf(config.prefix, checkpointText, digest);
  if (key === undefined)
    return failed('the prefix is not portable across S3 servers; use letters, digits and ". _ / -"');

  const limits = { timeoutMs: parts.timeoutMs ?? TIMEOUT_MS, signal };
  const bucket = openBucket({ ...config, secret_access_key: config.secret_access_key }, parts.outbound, limits);
  if (!(await bucket.hasObjectLock())) return failed('the bucket was created without object lock; create one with it');
  const content = utf8(checkpointText);
  const versionId = (await findVersion(bucket, key, content)) ?? (await bucket.put(key, content));
  if (versionId === undefined) return failed('versioning is off in the bucket; turn it on');
  const untilMicros = toWholeMillis(parts.clock.nowMicros() + config.retention_days * MICROS_PER_DAY);
  await bucket.retain(key, versionId, untilMicros);
  return await readBack(bucket, { key, versionId, content, untilMicros });
}

/** The newest version, if it is this content already. Versions that others wrote are not ours and prove nothing. */
async function findVersion(bucket: Bucket, key: string, content: Uint8Array): Promise<string | undefined> {
  const newest = await bucket.findNewest(key);
  if (newest === undefined || newest.sizeBytes !== content.length) return undefined;
  return equalBytes(await bucket.read(key, newest.versionId), content) ? newest.versionId : undefined;
}

type Wanted = {
  readonly key: string;
  readonly versionId: string;
  readonly content: Uint8Array;
  readonly untilMicros: number;
};

/** What was asked for is not what counts: only what the server says about this version is. */
async function readBack(bucket: Bucket, { key, versionId, content, untilMicros }: Wanted): Promise<AnchorOutcome> {
  const version: LockedVersion = await bucket.readLock(key, versionId);
  if (version.mode !== 'COMPLIANCE') return failed('the object is not under COMPLIANCE retention');
  // Servers may keep whole seconds.
  if (version.retainUntilMicros < untilMicros - 1_000_000)
    return failed('the object is retained for less time than requested');
  if (!equalBytes(await bucket.read(key, versionId), content)) return failed('the object contains other bytes');
  const until = formatTimestamp(version.retainUntilMicros);
  const artefact = canonicalize({
    bucket: bucket.name,
    etag: version.etag,
    key,
    retain_until: until,
    version_id: versionId,
  });
  return {
    kind: 'confirmed',
    artefact: utf8(artefact),
    at: version.lastModifiedMicros,
    detail: `an object under COMPLIANCE retention until ${until}, sha256:${formatHex(sha256(content))}`,
  };
}

/** S3 has milliseconds. */
function toWholeMillis(micros: number): number {
  return Math.ceil(micros / 1000) * 1000;
}

function failed(detail: string): AnchorOutcome {
  return { kind: 'failed', detail };
}
