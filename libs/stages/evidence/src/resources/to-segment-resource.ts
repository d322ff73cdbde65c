import {
  RETRIEVED_SEGMENT_BYTES_MAX,
  type RetrievedSegment,
  ServiceError,
  type Tombstone,
} from '@answer-evidence/contracts';
import { concatBytes, formatBase64, formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { isTouched, parseSegmentIndexes } from '@answer-evidence/ledger';
import { type StoredAsset, StoredDamageError, type StoredSegment, type Workspace } from '@answer-evidence/ports';
import type { EvidenceContentRow, SegmentContents } from '@answer-evidence/tables';
import type { EvidenceDeps } from '../deps.ts';
import { readOriginal } from '../read-original.ts';

/** The reason code in the tombstone of what expired. */
const EXPIRED = 'retention_expired';

/** A segment for a retrieval, a tombstone if gone; `stored` is the asset as read after it. Throws as `readOriginal`. */
export async function toSegmentResource(
  deps: Pick<EvidenceDeps, 'objects' | 'evidence'>,
  workspace: Workspace,
  stored: StoredAsset,
  { segment, contents }: StoredSegment,
): Promise<RetrievedSegment> {
  const identity = {
    segment_id: segment.id,
    index: segment.segment_index,
    hash: `sha256:${formatHex(segment.hash)}`,
  };
  if (contents === undefined) return { ...identity, tombstone: tombstoneOf(stored, segment.segment_index) };
  const key = workspace.vault.openObjectKey(segment.id, contents.wrapped_key);
  // What authenticates was written by this service, so its shape needs no check.
  const { salt, text } = parseJsonText(key.open('segment', contents.sealed)) as SegmentContents;
  if (text !== null) return { ...identity, salt, text };
  const { content, asset } = stored;
  if (content === undefined) return { ...identity, tombstone: tombstoneOf(stored, segment.segment_index) };
  if (content.size_bytes > RETRIEVED_SEGMENT_BYTES_MAX) return { ...identity, salt, omitted: 'too_large' };
  const bytes = await readWhole(deps, workspace, asset.id, content);
  if (bytes === undefined) {
    const erased = await deps.evidence.find(workspace.id, asset.id);
    if (erased === undefined) throw new StoredDamageError('an asset is gone');
    return { ...identity, tombstone: tombstoneOf(erased, segment.segment_index) };
  }
  const asText = asset.content_type?.startsWith('text/') === true ? readText(bytes) : undefined;
  return asText === undefined
    ? { ...identity, salt, content_base64: formatBase64(bytes) }
    : { ...identity, salt, text: asText };
}

/** All bytes of an original; undefined when an erasure was faster. */
async function readWhole(
  deps: Pick<EvidenceDeps, 'objects' | 'evidence'>,
  workspace: Workspace,
  assetId: string,
  content: EvidenceContentRow,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of readOriginal(deps, workspace, { assetId, content })) pieces.push(piece);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'gone_redacted') return undefined;
    throw error;
  }
  return concatBytes(...pieces);
}

/** The bytes as text where nothing is lost by that, so that its hash is that of the bytes. */
function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What the log says became of a segment: the first that erased it. Throws `StoredDamageError` when nothing did. */
function tombstoneOf({ redactions, expiries }: StoredAsset, index: number): Tombstone {
  const redaction = redactions.find((one) => isTouched([index], parseSegmentIndexes(one.redaction.segments_json)));
  if (redaction !== undefined)
    return {
      event_id: redaction.redaction.event_id,
      reason_code: redaction.reasonCode,
      redacted_at: formatTimestamp(redaction.leaf.at),
    };
  const [expiry] = expiries;
  if (expiry === undefined) throw new StoredDamageError('a segment is gone and no leaf says why');
  return { event_id: expiry.expiry.id, reason_code: EXPIRED, redacted_at: formatTimestamp(expiry.leaf.at) };
}
