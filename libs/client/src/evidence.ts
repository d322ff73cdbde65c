import type {
  CreateEvidenceRequest,
  DownloadEvidenceRequest,
  EvidenceAccess,
  EvidenceFilters,
  EvidenceMetadata,
  RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import {
  createEvidenceAsset,
  downloadEvidence,
  downloadRecordEvidence,
  getEvidenceAsset,
  listEvidenceAccesses,
  listEvidenceAssets,
  registerRecordEvidence,
  retrieveEvidence,
  uploadRecordEvidence,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import { compareKept, compareListedAsset, compareNamedAsset, compareRetrieved } from './compare/compare-evidence.ts';
import { below, type Differences, differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import { type EvidenceFile, formatForm } from './form.ts';
import type { PageRequest } from './records.ts';
import type { OpenStream, Send } from './transport.ts';

/** Where to put an asset, and its idempotency key; the default is a random key, which makes retries safe. */
export type EvidencePlace = { readonly recordId?: string; readonly idempotencyKey?: string };

/** Operations on evidence assets. */
export type EvidenceApi = ReturnType<typeof createEvidenceApi>;

/** So many accesses are remembered. */
const ACCESSES_MAX = 1_000;

/** The operations on evidence over a transport. */
export function createEvidenceApi(send: Send, openStream: OpenStream, createKey: () => string, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key }, repeat: 'safe' }) as const;
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
    async upload(
      file: EvidenceFile,
      metadata: EvidenceMetadata = {},
      { recordId, idempotencyKey: key = createKey() }: EvidencePlace = {},
    ) {
      const upload = formatForm(JSON.stringify(metadata), file, crypto.randomUUID());
      const options = { ...keyed(key), upload };
      const asset =
        recordId === undefined
          ? await call(createEvidenceAsset, {}, options)
          : await call(uploadRecordEvidence, { params: { answer_log_id: recordId } }, options);
      await assertSame(compareKept(metadata, key, asset), asset);
      return asset;
    },
    /** Keeps passages, a small content in base64, or a reference to something that lies elsewhere. */
    async register(body: CreateEvidenceRequest, { recordId, idempotencyKey: key = createKey() }: EvidencePlace = {}) {
      const asset =
        recordId === undefined
          ? await call(createEvidenceAsset, { body }, keyed(key))
          : await call(registerRecordEvidence, { params: { answer_log_id: recordId }, body }, keyed(key));
      await assertSame(compareKept(body, key, asset), asset);
      return asset;
    },
    list: async (filters: EvidenceFilters = {}, page: PageRequest = {}) =>
      agree(call(listEvidenceAssets, { query: { ...filters, ...page } }), (found) =>
        found.items.flatMap((item, n) => below(`/items/${n}`, compareListedAsset(filters, item))),
      ),
    async get(id: string) {
      const asset = await call(getEvidenceAsset, { params: { asset_id: id } });
      await assertSame(compareNamedAsset(id, asset), asset);
      return asset;
    },
    /** Each is an access that the service logs, so it is not repeated when an answer was lost. */
    async retrieve(id: string, body: RetrieveEvidenceRequest = {}) {
      const retrieved = await call(retrieveEvidence, { params: { asset_id: id }, body });
      const access = compareAccess(retrieved.access_event_id);
      await assertSame([...compareRetrieved(id, body, retrieved), ...below('/access_event_id', access)], retrieved);
      return retrieved;
    },
    /** The original, or a part of it, piece by piece. An access too; the header `evidence-access-event-id` names it. */
    async download(id: string, body: DownloadEvidenceRequest = {}, recordId?: string) {
      const pieces = await openStream(
        recordId === undefined
          ? toCall(downloadEvidence, { params: { asset_id: id }, body })
          : toCall(downloadRecordEvidence, { params: { answer_log_id: recordId, asset_id: id }, body }),
      );
      // An older service does not name the asset.
      const of = pieces.headers.get('evidence-asset-id') ?? id.toLowerCase();
      const access = compareAccess(pieces.headers.get('evidence-access-event-id'));
      const asset = differencesOf({ '/evidence-asset-id': [id.toLowerCase(), of] });
      await assertSame([...asset, ...below('/evidence-access-event-id', access)]);
      return pieces;
    },
    /** Who accessed it, when and why; for managers. */
    async accesses(id: string, page: PageRequest = {}) {
      const found = await call(listEvidenceAccesses, { params: { asset_id: id }, query: page });
      const of = (item: EvidenceAccess) => differencesOf({ '/asset_id': [id.toLowerCase(), item.asset_id] });
      await assertSame(found.items.flatMap((item, n) => below(`/items/${n}`, of(item))));
      return found;
    },
  };
}
