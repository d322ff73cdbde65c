import { hashSegmentText } from '@answer-evidence/commitments';
import type {
  CreateEvidenceRequest,
  EvidenceAsset,
  EvidenceFilters,
  RetrievedEvidence,
  RetrievedSegment,
  RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import { readOr } from '@answer-evidence/encoding';
import { compareEntry, type Differences, differencesOf } from './differences.ts';

/** An asset with itself: its entry is about it. */
function compareShownAsset({ id: subject, evidence_hash: hash, ledger }: EvidenceAsset): Differences {
  return compareEntry(ledger.entry, { subject, type: 'evidence_registered', hash });
}

/** An asset that was asked for by its id. */
export function compareNamedAsset(id: string, asset: EvidenceAsset): Differences {
  return [...differencesOf({ '/id': [id.toLowerCase(), asset.id] }), ...compareShownAsset(asset)];
}

/** An asset with what was sent to be kept, under this key. What was erased since then is null. */
export function compareKept(
  sent: Partial<CreateEvidenceRequest>,
  idempotencyKey: string,
  asset: EvidenceAsset,
): Differences {
  const unlessGone = (wanted: string | undefined, shown: string | null) =>
    [shown === null ? undefined : wanted, shown] as const;
  const hash = sent.sha256 === undefined ? undefined : `sha256:${sent.sha256.toLowerCase()}`;
  return [
    ...differencesOf({
      '/application_key': [sent.application_key, asset.application_key],
      '/idempotency_key': [idempotencyKey, asset.idempotency_key],
      '/name': unlessGone(sent.name, asset.name),
      '/external_uri': unlessGone(sent.external_uri, asset.external_uri),
      '/content_hash': unlessGone(hash, asset.content_hash),
      '/segment_count': [sent.segments?.length, asset.segment_count],
    }),
    ...compareShownAsset(asset),
  ];
}

/** An asset in a list with what was asked of the list. */
export function compareListedAsset(filters: EvidenceFilters, asset: EvidenceAsset): Differences {
  const columns = ['application_key', 'kind', 'state'] as const;
  return differencesOf(Object.fromEntries(columns.map((name) => [`/${name}`, [filters[name], asset[name]]])));
}

/** What a retrieval brought with the asset and the segments that it asked for. */
export function compareRetrieved(
  assetId: string,
  { segment_ids: asked }: RetrieveEvidenceRequest,
  { source_ref: source, access_event_id: id, segments, ledger }: RetrievedEvidence,
): Differences {
  const subject = assetId.toLowerCase();
  const wanted = asked && [...new Set(asked.map((one) => one.toLowerCase()))].sort().join(' ');
  const shown = segments.map(({ segment_id: segment }) => segment).sort();
  return [
    ...differencesOf({
      '/source_ref/evidence_asset_id': [subject, source['evidence_asset_id']],
      '/source_ref/access_event_id': [id, source['access_event_id']],
      '/segments': [wanted, shown.join(' ')],
    }),
    ...segments.flatMap((segment, n) => (isOpenedBy(segment) ? [] : [`/segments/${n}/hash`])),
    ...compareEntry(ledger.entry, { id, subject, type: 'evidence_accessed' }),
  ];
}

/** Whether the text of a segment is the one that its hash commits to. */
function isOpenedBy(segment: RetrievedSegment): boolean {
  if (!('text' in segment)) return true;
  return readOr(() => hashSegmentText(segment.salt, segment.text) === segment.hash, false);
}
