import { sha256 } from '@answer-evidence/digest';
import { canonicalize, equalBytes, formatHex, formatTimestamp, MICROS_PER_DAY, utf8 } from '@answer-evidence/encoding';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import {
  type Anchor,
  type AnchorFault,
  type AnchorOutcome,
  type AnchorQuery,
  type AnchorRequest,
  type Clock,
  OutboundError,
  type OutboundMethods,
  PUBLISHED_NOTES_MAX,
  type PublishedNote,
  tellTenant,
} from '@answer-evidence/ports';
import { type Bucket, type LockedVersion, openBucket } from './locking-bucket.ts';
import { folderOf, objectNameOf } from './object-key.ts';
import { storeCodeOf, StoreRefusal } from './store-refusal.ts';

/** What the anchor needs. */
export type ObjectLockDeps = {
  readonly outbound: OutboundMethods;
  readonly clock: Clock;
  /** For one request; an attempt makes at most eight. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
/** Versions and marks of deletion that are looked at: those of more checkpoints than are read. */
const VERSIONS_LISTED = 32;

/**
 * Anchors by the checkpoint's note as an object in an S3 bucket, under COMPLIANCE retention: until then nobody can
 * delete or change that version, the bucket's owner included. Bytes, mode and date are read back before the anchor is
 * confirmed. A repeated attempt finds the object and extends its retention.
 */
export function createObjectLockAnchor(deps: ObjectLockDeps): Anchor {
  return {
    async submit(request) {
      try {
        return await lock(deps, request);
      } catch (error) {
        if (error instanceof OutboundError) return failed(tellTenant(error));
        if (error instanceof StoreRefusal) return failed(error.message);
        throw error;
      }
    },
    async readNewest(query) {
      try {
        return { kind: 'read', notes: await readNewest(deps, query) };
      } catch (error) {
        if (error instanceof OutboundError) return failed(tellTenant(error));
        if (error instanceof StoreRefusal) return failed(error.message);
        throw error;
      }
    },
    async examine({ config, signal }) {
      if (config.type !== 'object-lock' || config.secret_access_key === undefined) return undefined;
      const limits = { timeoutMs: deps.timeoutMs ?? TIMEOUT_MS, signal };
      const access = { ...config, secret_access_key: config.secret_access_key };
      try {
        const bucket = await openBucket(access, deps.outbound, limits);
        return (await bucket.hasObjectLock()) ? undefined : 'no-object-lock';
      } catch (error) {
        if (error instanceof OutboundError) return undefined;
        if (error instanceof StoreRefusal) return FAULTS[storeCodeOf(error.cause) ?? ''];
        throw error;
      }
    },
  };
}

/** What a store says of a place that nobody else will change. */
const FAULTS: Readonly<Record<string, AnchorFault>> = {
  NoSuchBucket: 'no-such-bucket',
  InvalidAccessKeyId: 'unknown-key',
  SignatureDoesNotMatch: 'wrong-secret',
  AuthorizationHeaderMalformed: 'another-region',
};

async function lock(deps: ObjectLockDeps, { config, digest, note, signal }: AnchorRequest): Promise<AnchorOutcome> {
  const { text } = parseNote(note);
  if (!equalBytes(sha256(text), digest)) throw new Error('the digest is not that of the checkpoint');
  const { origin, size } = parseCheckpoint(text);
  const { bucket, folder, retentionDays } = await openPlace(deps, { config, origin, signal });
  if (!(await bucket.hasObjectLock())) return failed('the bucket was created without object lock; create one with it');
  const key = folder + objectNameOf(size, digest);
  const content = utf8(note);
  const versionId = (await findVersion(bucket, key, content)) ?? (await bucket.put(key, content));
  if (versionId === undefined) return failed('versioning is off in the bucket; turn it on');
  const untilMicros = toWholeMillis(deps.clock.nowMicros() + retentionDays * MICROS_PER_DAY);
  await bucket.retain(key, versionId, untilMicros);
  return await readBack(bucket, { key, versionId, content, digest, untilMicros });
}

/** Where the notes of a log lie. Rejects with `StoreRefusal` for a configuration that cannot be used. */
async function openPlace(
  deps: ObjectLockDeps,
  { config, origin, signal }: AnchorQuery,
): Promise<{ readonly bucket: Bucket; readonly folder: string; readonly retentionDays: number }> {
  if (config.type !== 'object-lock') throw new Error('an anchor of another type was given to object-lock');
  if (config.secret_access_key === undefined)
    throw new StoreRefusal('the secret of this anchor is missing; send the policy again with it');
  const folder = folderOf(config.prefix, origin);
  if (folder === undefined)
    throw new StoreRefusal('the prefix is not portable across S3 servers; use letters, digits and ". _ / -"');
  const limits = { timeoutMs: deps.timeoutMs ?? TIMEOUT_MS, signal };
  const bucket = await openBucket({ ...config, secret_access_key: config.secret_access_key }, deps.outbound, limits);
  return { bucket, folder, retentionDays: config.retention_days };
}

/**
 * By their versions, and not by what the bucket shows now: anyone who may delete can put a mark over a locked version,
 * and anyone who may write another version, but neither removes it.
 */
async function readNewest(deps: ObjectLockDeps, query: AnchorQuery): Promise<readonly PublishedNote[]> {
  const { bucket, folder } = await openPlace(deps, query);
  const versions = (await bucket.listVersions(folder, VERSIONS_LISTED)).slice(0, PUBLISHED_NOTES_MAX);
  const notes: PublishedNote[] = [];
  for (const { key, versionId } of versions) {
    const note = await readNote(bucket, key, versionId, query.signal);
    notes.push({ note, place: `${key} in the bucket ${bucket.name}` });
  }
  return notes;
}

/** Empty where one object is refused: a stray one must not hide the others. */
async function readNote(bucket: Bucket, key: string, versionId: string, signal: AbortSignal): Promise<string> {
  try {
    return new TextDecoder().decode(await bucket.read(key, versionId));
  } catch (error) {
    if (signal.aborted || !(error instanceof OutboundError || error instanceof StoreRefusal)) throw error;
    return '';
  }
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
  readonly digest: Uint8Array;
  readonly untilMicros: number;
};

/** What was asked for is not what counts: only what the server says about this version is. */
async function readBack(
  bucket: Bucket,
  { key, versionId, content, digest, untilMicros }: Wanted,
): Promise<AnchorOutcome> {
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
    detail: `an object under COMPLIANCE retention until ${until}, sha256:${formatHex(digest)}`,
  };
}

/** S3 has milliseconds. */
function toWholeMillis(micros: number): number {
  return Math.ceil(micros / 1000) * 1000;
}

function failed(detail: string): { readonly kind: 'failed'; readonly detail: string } {
  return { kind: 'failed', detail };
}
