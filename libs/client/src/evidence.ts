import {
  createdEvidenceAsset,
  type CreateEvidenceRequest,
  type DownloadEvidenceRequest,
  type EvidenceAccess,
  evidenceAccessList,
  evidenceAsset,
  evidenceAssetList,
  type EvidenceFilters,
  type EvidenceMetadata,
  retrievedEvidence,
  type RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import { compareKept, compareListedAsset, compareNamedAsset, compareRetrieved } from './compare/compare-evidence.ts';
import { below, type Differences, differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import { type EvidenceFile, formatForm } from './form.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { OpenStream, Send } from './transport.ts';

/** Where to put an asset, and its idempotency key; the default is a random key, which makes retries safe. */
export type EvidencePlace = { readonly recordId?: string; readonly idempotencyKey?: string };

/** Operations on evidence assets. */
export type EvidenceApi = ReturnType<typeof createEvidenceApi>;

const PATH = '/api/evidence-assets';
/** So many accesses are remembered. */
const ACCESSES_MAX = 1_000;

/** The operations on evidence over a transport. */
export function createEvidenceApi(send: Send, openStream: OpenStream, createKey: () => string, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  const assetPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
  const recordPath = (id: string): string => `/api/answer-audit-logs/${encodeURIComponent(id)}/evidence-assets`;
  const placed = ({ recordId, idempotencyKey: key = createKey() }: EvidencePlace, last: 'upload' | 'register') => ({
    key,
    path: recordId === undefined ? PATH : `${recordPath(recordId)}/${last}`,
    options: { headers: { 'idempotency-key': key }, repeat: 'safe' as const },
  });
  const accesses = new Set<string>();
  /** Each retrieval is an access of its own: an id that was given before is that of another one. */
  const compareAccess = (accessId: string | null): Differences => {
    if (accessId === null) return [];
    if (accesses.has(accessId)) return [''];
    accesses.add(accessId);
    for (const oldest of accesses) if (accesses.size > ACCESSES_MAX) accesses.delete(oldest);
    return [];
  };
  return {
    /** Keeps a file, streamed. With a `recordId` it is put beside that record. */
    async upload(file: EvidenceFile, metadata: EvidenceMetadata = {}, place: EvidencePlace = {}) {
      const { key, path, options } = placed(place, 'upload');
      const upload = formatForm(JSON.stringify(metadata), file, crypto.randomUUID());
      const asset = await change('POST', path, undefined, createdEvidenceAsset, { ...options, upload });
      await assertSame(compareKept(metadata, key, asset), asset);
      return asset;
    },
    /** Keeps passages, a small content in base64, or a reference to something that lies elsewhere. */
    async register(body: CreateEvidenceRequest, place: EvidencePlace = {}) {
      const { key, path, options } = placed(place, 'register');
      const asset = await change('POST', path, body, createdEvidenceAsset, options);
      await assertSame(compareKept(body, key, asset), asset);
      return asset;
    },
    async list(filters: EvidenceFilters = {}, page: PageRequest = {}) {
      const found = await get(formatQuery(PATH, { ...filters, ...page }), evidenceAssetList);
      await assertSame(found.items.flatMap((item, n) => below(`/items/${n}`, compareListedAsset(filters, item))));
      return found;
    },
    async get(id: string) {
      const asset = await get(assetPath(id), evidenceAsset);
      await assertSame(compareNamedAsset(id, asset), asset);
      return asset;
    },
    /** Each is an access that the service logs, so it is not repeated when an answer was lost. */
    async retrieve(id: string, body: RetrieveEvidenceRequest = {}) {
      const retrieved = await change('POST', `${assetPath(id)}/retrieve`, body, retrievedEvidence);
      const access = compareAccess(retrieved.access_event_id);
      await assertSame([...compareRetrieved(id, body, retrieved), ...below('/access_event_id', access)], retrieved);
      return retrieved;
    },
    /** The original, or a part of it, piece by piece. An access too; the header `evidence-access-event-id` names it. */
    async download(id: string, body: DownloadEvidenceRequest = {}, recordId?: string) {
      const path = recordId === undefined ? assetPath(id) : `${recordPath(recordId)}/${encodeURIComponent(id)}`;
      const pieces = await openStream({ method: 'POST', path: `${path}/download`, body, repeat: 'unprocessed' });
      // An older service does not name the asset.
      const of = pieces.headers.get('evidence-asset-id') ?? id.toLowerCase();
      const access = compareAccess(pieces.headers.get('evidence-access-event-id'));
      const asset = differencesOf({ '/evidence-asset-id': [id.toLowerCase(), of] });
      await assertSame([...asset, ...below('/evidence-access-event-id', access)]);
      return pieces;
    },
    /** Who accessed it, when and why; for managers. */
    async accesses(id: string, page: PageRequest = {}) {
      const found = await get(formatQuery(`${assetPath(id)}/accesses`, page), evidenceAccessList);
      const of = (item: EvidenceAccess) => differencesOf({ '/asset_id': [id.toLowerCase(), item.asset_id] });
      await assertSame(found.items.flatMap((item, n) => below(`/items/${n}`, of(item))));
      return found;
    },
  };
}
