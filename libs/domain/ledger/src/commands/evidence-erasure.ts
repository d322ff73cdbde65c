import { hashCoreText } from '@answer-evidence/commitments';
import { canonicalize } from '@answer-evidence/encoding';
import {
  EVIDENCE_EXPIRIES,
  EVIDENCE_REDACTIONS,
  type EvidenceDetailRow,
  type EvidenceExpiryRow,
  type EvidenceRedactionRow,
  type JobRow,
} from '@answer-evidence/tables';
import type { LogState, NewEntry, Write } from '../append-command.ts';
import { coreOf } from '../stored-cores.ts';

/** What is to go of one asset, prepared when it had been erased `atErasures` times. */
export type PreparedEvidenceErasure = {
  readonly assetId: string;
  readonly atErasures: number;
  /** Indexes of segments; null: everything. The original goes in every case. */
  readonly segments: readonly number[] | null;
  /** Whose sealed details go: the asset itself and accesses of it; null: of the asset and of every access. */
  readonly detailsOf: readonly string[] | null;
  /** What of the asset's details stays, sealed anew; null: nothing. */
  readonly details: EvidenceDetailRow | null;
  /** The job that deletes the bytes, should the content go too; its subject is set to the content. */
  readonly purge: Omit<JobRow, 'topic' | 'subject'>;
};

/** A redaction of one asset. */
export type PreparedEvidenceRedaction = PreparedEvidenceErasure & { readonly row: EvidenceRedactionRow };

/** An expiry of one asset. */
export type PreparedEvidenceExpiry = PreparedEvidenceErasure & { readonly row: EvidenceExpiryRow };

/**
 * Decides the redactions of several assets under the lock; undefined if one of them has changed since the preparation.
 * A content and its key are deleted if no other asset refers to it.
 */
export function decideEvidenceRedactions(
  view: LogState,
  prepared: readonly PreparedEvidenceRedaction[],
): { readonly entries: readonly NewEntry[]; readonly writes: readonly Write[] } | undefined {
  const released = new Map<string, number>();
  const entries: NewEntry[] = [];
  const writes: Write[] = [];
  for (const redaction of prepared) {
    const erased = decideErasure(view, redaction, released);
    if (erased === undefined) return undefined;
    const { row, assetId } = redaction;
    const hash = hashCoreText('evidence_redacted', canonicalize(coreOf(EVIDENCE_REDACTIONS, row)));
    entries.push({ type: 'evidence_redacted', id: row.id, subject: assetId, seq: 0, hash });
    writes.push({ kind: 'insert', table: 'evidence_redactions', row }, ...erased);
    writes.push({ kind: 'replace', table: 'evidence_states', row: { asset_id: assetId, state: 'redacted' } });
  }
  return { entries, writes };
}

/** What the expiry of one asset comes to under the lock; undefined when the asset is not any more as it was. */
export function decideEvidenceExpiry(
  view: LogState,
  prepared: PreparedEvidenceExpiry,
): { readonly entries: readonly NewEntry[]; readonly writes: readonly Write[] } | undefined {
  const erased = decideErasure(view, prepared, new Map());
  if (erased === undefined) return undefined;
  const { row, assetId } = prepared;
  const hash = hashCoreText('evidence_expired', canonicalize(coreOf(EVIDENCE_EXPIRIES, row)));
  return {
    entries: [{ type: 'evidence_expired', id: row.id, subject: assetId, seq: 0, hash }],
    writes: [
      { kind: 'insert', table: 'evidence_expiries', row },
      ...erased,
      { kind: 'replace', table: 'evidence_states', row: { asset_id: assetId, state: 'expired' } },
    ],
  };
}

/** `released` counts, over one command, how many references to each content its erasures have taken away. */
function decideErasure(
  view: LogState,
  { assetId, atErasures, segments, detailsOf, details, purge }: PreparedEvidenceErasure,
  released: Map<string, number>,
): readonly Write[] | undefined {
  const asset = view.findAsset(assetId);
  if (asset === undefined || asset.erasures !== atErasures) return undefined;
  const { contentId } = asset;
  const writes: Write[] = [];
  let lastOf: string | null = null;
  if (contentId !== null) {
    const count = (released.get(contentId) ?? 0) + 1;
    released.set(contentId, count);
    if ((view.findContent(contentId)?.references ?? 0) <= count) lastOf = contentId;
    writes.push({
      kind: 'insert',
      table: 'evidence_purges',
      row: { asset_id: assetId, content_id: contentId, deleted_at: null },
    });
  }
  writes.unshift({ kind: 'erase_evidence', assetId, segments, detailsOf, contentId: lastOf });
  if (details !== null) writes.push({ kind: 'insert', table: 'evidence_details', row: details });
  // In the transaction that destroys the key, so that whatever happens the bytes are not forgotten.
  if (lastOf !== null)
    writes.push({ kind: 'insert', table: 'outbox', row: { ...purge, topic: 'evidence.purge', subject: lastOf } });
  return writes;
}
