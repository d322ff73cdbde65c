import { hashItem, hashSegmentText, rootOfSegments } from '@answer-evidence/commitments';
import type { Actor } from '@answer-evidence/contracts';
import { sha256Hex } from '@answer-evidence/digest';
import { canonicalize, formatHex, MICROS_PER_DAY, parseHex } from '@answer-evidence/encoding';
import { createEvidenceAccessCommand, createEvidenceAssetCommand } from '@answer-evidence/ledger';
import { type Clock, newId } from '@answer-evidence/ports';
import type { EvidenceSegmentContentRow, EvidenceSegmentRow } from '@answer-evidence/tables';
import type { TestWorkspace } from './test-workspace.ts';

const ACTOR: Actor = { kind: 'application', id: 'support-bot', token_id: null };

/** An asset that stands in the log; nothing lies in an object store. */
export type TestAsset = {
  readonly id: string;
  readonly contentId: string;
  readonly segmentIds: readonly string[];
  readonly salts: readonly string[];
};

/** Where an asset is stored: a workspace with its ledger and the store that its rows are read from. */
type Place = Pick<TestWorkspace, 'workspace' | 'ledger' | 'random' | 'evidence'> & { readonly clock: Clock };

/** Registers a text with these segments, as the evidence stage does; equal segments make equal bytes. */
export async function registerTestAsset(
  place: Place,
  texts: readonly string[],
  { applicationKey = 'support-bot', retentionDays = 365, recordId }: AssetOptions = {},
): Promise<TestAsset> {
  const { vault } = place.workspace;
  const id = newId(place);
  const entryId = newId(place);
  const salt = (): string => formatHex(place.random.bytes(16));
  const text = texts.join('\n\n');
  const contentHash = { salt: salt(), item: `sha256:${sha256Hex(text)}` };
  const name = { salt: salt(), item: 'faq.md' };
  const segments = texts.map((segment) => {
    const at = { segment_id: newId(place), salt: salt(), text: segment };
    return { ...at, hash: hashSegmentText(at.salt, segment) };
  });
  const contentId = newId(place);
  const key = vault.createObjectKey(id);
  const details = { name, content_hash: contentHash, external_uri: null, attributes: null };
  await place.ledger.append(place.workspace.id, (settings) =>
    Promise.resolve(
      createEvidenceAssetCommand(id, entryId, settings.version, null, {
        row: {
          id,
          entry_id: entryId,
          nonce: place.random.bytes(16),
          application_key: applicationKey,
          idempotency_key: null,
          kind: 'file',
          content_type: 'text/plain',
          size_bytes: text.length,
          details_json: canonicalize({
            name: hashItem(name.salt, name.item),
            content_hash: hashItem(contentHash.salt, contentHash.item),
            external_uri: null,
            attributes: null,
          }),
          segments_root: `sha256:${formatHex(rootOfSegments(segments))}`,
          segment_count: segments.length,
          created_by_json: canonicalize(ACTOR),
          settings_version: settings.version,
        },
        keptForMicros: retentionDays * MICROS_PER_DAY,
        content: {
          id: contentId,
          content_hash: contentHash.item,
          size_bytes: text.length,
          wrapped_key: vault.createContentKey(contentId).wrapped,
        },
        segments: segments.map((segment, index): EvidenceSegmentRow => {
          const hash = segment.hash.slice('sha256:'.length);
          return { asset_id: id, segment_index: index, id: segment.segment_id, hash: parseHex(hash) };
        }),
        segmentContents: segments.map((segment, index): EvidenceSegmentContentRow => {
          const own = vault.createObjectKey(segment.segment_id);
          const sealed = own.seal('segment', JSON.stringify({ salt: segment.salt, text: segment.text }));
          return { asset_id: id, segment_index: index, wrapped_key: own.wrapped, sealed };
        }),
        details: {
          object_id: id,
          asset_id: id,
          wrapped_key: key.wrapped,
          sealed: key.seal('details', JSON.stringify(details)),
        },
        link:
          recordId === undefined
            ? null
            : {
                record_id: recordId,
                id: newId(place),
                asset_id: id,
                nonce: place.random.bytes(16),
                actor_json: canonicalize(ACTOR),
              },
      }),
    ),
  );
  const stored = await place.evidence.find(place.workspace.id, id);
  return {
    id,
    contentId: stored?.content?.id ?? '',
    segmentIds: segments.map((segment) => segment.segment_id),
    salts: segments.map((segment) => segment.salt),
  };
}

/** What an asset for a test is to be. */
export type AssetOptions = {
  readonly applicationKey?: string;
  readonly retentionDays?: number;
  /** The record that it is put beside. */
  readonly recordId?: string;
};

/** Notes an access to segments of an asset (null: all), with a purpose. Returns what a create takes to bind it. */
export async function accessTestAsset(
  place: Place,
  assetId: string,
  segments: readonly number[] | null,
  applicationKey = 'support-bot',
): Promise<{ readonly accessId: string; readonly sourceRefId: string }> {
  const accessId = newId(place);
  const sourceRefId = `evidence:${accessId}`;
  const purpose = { salt: formatHex(place.random.bytes(16)), item: 'to answer' };
  const key = place.workspace.vault.createObjectKey(accessId);
  const sealed = key.seal('details', JSON.stringify({ purpose }));
  await place.ledger.append(place.workspace.id, () =>
    Promise.resolve(
      createEvidenceAccessCommand({
        row: {
          id: accessId,
          asset_id: assetId,
          nonce: place.random.bytes(16),
          application_key: applicationKey,
          access: 'retrieve',
          segments_json: canonicalize(segments === null ? null : [...segments]),
          range_json: 'null',
          source_ref_id: sourceRefId,
          purpose_hash: hashItem(purpose.salt, purpose.item),
          actor_json: canonicalize(ACTOR),
        },
        details: { object_id: accessId, asset_id: assetId, wrapped_key: key.wrapped, sealed },
        needsOriginal: false,
      }),
    ),
  );
  return { accessId, sourceRefId };
}
