import { hashCoreText } from '@answer-evidence/commitments';
import { ServiceError } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import {
  EVIDENCE_LINKS,
  type EvidenceAssetRow,
  type EvidenceContentRow,
  type EvidenceDetailRow,
  type EvidenceLinkRow,
  type EvidenceSegmentContentRow,
  type EvidenceSegmentRow,
} from '@answer-evidence/tables';
import type { AppendCommand, NewEntry, Write } from '../append-command.ts';
import { evidenceRegisteredCoreOf } from '../evidence-cores.ts';
import { coreOf } from '../stored-cores.ts';
import { decideReplay, type IdempotencyClaim, readsOf } from './idempotent.ts';

/** An asset, prepared under one version of the settings. Its bytes are in the object store already. */
export type PreparedAsset = {
  readonly row: Omit<EvidenceAssetRow, 'leaf_index' | 'retention_until'>;
  /** How long it is kept, counted from the time of its entry. */
  readonly keptForMicros: number;
  /** The uploaded content; a stored one of the same bytes takes its place. Null without an original. */
  readonly content: EvidenceContentRow | null;
  readonly segments: readonly EvidenceSegmentRow[];
  readonly segmentContents: readonly EvidenceSegmentContentRow[];
  readonly details: EvidenceDetailRow | null;
  /** The record that it is put beside; null: none. */
  readonly link: EvidenceLinkRow | null;
};

/** Registers an asset, and links it to the record it was made for. `prepared` is the asset, or its refusal. */
export function createEvidenceAssetCommand(
  assetId: string,
  entryId: string,
  settingsVersion: number,
  idempotency: IdempotencyClaim | null,
  prepared: PreparedAsset | ServiceError,
): AppendCommand {
  const asset = prepared instanceof ServiceError ? undefined : prepared;
  return {
    subject: assetId,
    entryIds: [entryId],
    settingsVersion,
    reads: {
      ...readsOf(idempotency),
      ...(asset?.content ? { contentHash: asset.content.content_hash } : {}),
      ...(asset?.link ? { recordId: asset.link.record_id } : {}),
    },
    sizeBytes: asset === undefined ? 0 : sizeOf(asset),
    decide(view) {
      const replay = decideReplay(view, idempotency);
      if (replay !== undefined) return replay;
      if (view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      if (prepared instanceof ServiceError) return { kind: 'refuse', error: prepared };
      const { content, link } = prepared;
      const row = { ...prepared.row, retention_until: view.at + prepared.keptForMicros };
      const hash = hashCoreText('evidence_registered', canonicalize(evidenceRegisteredCoreOf(row)));
      if (link !== null && view.findRecord(link.record_id) === undefined)
        return {
          kind: 'refuse',
          error: new ServiceError('not_found', 'no such record exists in this workspace; check its id'),
        };
      const entries: NewEntry[] = [{ type: 'evidence_registered', id: entryId, subject: assetId, seq: 0, hash }];
      const writes: Write[] = [
        { kind: 'insert', table: 'evidence_assets', row: { ...row, leaf_index: view.leafIndex } },
      ];
      if (content !== null) {
        // Decided under the lock: equal uploads keep one content; an earlier redaction leaves none to refer to.
        const stored = view.findContentByHash(content.content_hash);
        if (stored === undefined) writes.push({ kind: 'insert', table: 'evidence_contents', row: content });
        const original = { asset_id: assetId, content_id: stored?.id ?? content.id };
        writes.push({ kind: 'insert', table: 'evidence_originals', row: original });
      }
      writes.push({
        kind: 'insert',
        table: 'evidence_dues',
        row: { asset_id: assetId, due_at: row.retention_until },
      });
      for (const row of prepared.segments) writes.push({ kind: 'insert', table: 'evidence_segments', row });
      for (const row of prepared.segmentContents)
        writes.push({ kind: 'insert', table: 'evidence_segment_contents', row });
      if (prepared.details !== null) writes.push({ kind: 'insert', table: 'evidence_details', row: prepared.details });
      if (idempotency !== null) writes.push({ kind: 'insert', table: 'idempotency_keys', row: idempotency.row });
      if (link !== null) {
        const linked = hashCoreText('evidence_linked', canonicalize(coreOf(EVIDENCE_LINKS, link)));
        entries.push({ type: 'evidence_linked', id: link.id, subject: link.record_id, seq: 0, hash: linked });
        writes.push({ kind: 'insert', table: 'evidence_links', row: link });
      }
      return { kind: 'append', entries, writes };
    },
  };
}

function sizeOf({ segmentContents, details }: PreparedAsset): number {
  return segmentContents.reduce((sum, { sealed }) => sum + 400 + sealed.length, 2_000 + (details?.sealed.length ?? 0));
}
