import {
  createdEvidenceAsset,
  type CreateEvidenceRequest,
  type DownloadEvidenceRequest,
  evidenceAccessList,
  evidenceAsset,
  evidenceAssetList,
  type EvidenceFilters,
  type EvidenceMetadata,
  retrievedEvidence,
  type RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import { type EvidenceFile, formatForm } from './form.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { OpenStream, Send } from './transport.ts';

/** Where to put an asset, and its idempotency key; the default is a random key, which makes retries safe. */
export type EvidencePlace = { readonly recordId?: string; readonly idempotencyKey?: string };

/** Operations on evidence assets. */
export type EvidenceApi = ReturnType<typeof createEvidenceApi>;

const PATH = '/api/evidence-assets';

/** The operations on evidence over a transport. */
export function createEvidenceApi(send: Send, openStream: OpenStream, createKey: () => string) {
  const { get, change } = createRequests(send);
  const assetPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
  const recordPath = (id: string): string => `/api/answer-audit-logs/${encodeURIComponent(id)}/evidence-assets`;
  const placed = ({ recordId, idempotencyKey }: EvidencePlace, last: 'upload' | 'register') => ({
    path: recordId === undefined ? PATH : `${recordPath(recordId)}/${last}`,
    options: { headers: { 'idempotency-key': idempotencyKey ?? createKey() }, repeat: 'safe' as const },
  });
  return {
    /** Keeps a file, streamed. With a `recordId` it is put beside that record. */
    async upload(file: EvidenceFile, metadata: EvidenceMetadata = {}, place: EvidencePlace = {}) {
      const { path, options } = placed(place, 'upload');
      const upload = formatForm(JSON.stringify(metadata), file, crypto.randomUUID());
      return change('POST', path, undefined, createdEvidenceAsset, { ...options, upload });
    },
    /** Keeps passages, a small content in base64, or a reference to something that lies elsewhere. */
    async register(body: CreateEvidenceRequest, place: EvidencePlace = {}) {
      const { path, options } = placed(place, 'register');
      return change('POST', path, body, createdEvidenceAsset, options);
    },
    list: async (filters: EvidenceFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(PATH, { ...filters, ...page }), evidenceAssetList),
    get: async (id: string) => get(assetPath(id), evidenceAsset),
    /** Each is an access that the service logs, so it is not repeated when an answer was lost. */
    retrieve: async (id: string, body: RetrieveEvidenceRequest = {}) =>
      change('POST', `${assetPath(id)}/retrieve`, body, retrievedEvidence),
    /** The original, or a part of it, piece by piece. An access too; the header `evidence-access-event-id` names it. */
    async download(id: string, body: DownloadEvidenceRequest = {}, recordId?: string) {
      const path = recordId === undefined ? assetPath(id) : `${recordPath(recordId)}/${encodeURIComponent(id)}`;
      return openStream({ method: 'POST', path: `${path}/download`, body, repeat: 'unprocessed' });
    },
    /** Who accessed it, when and why; for managers. */
    accesses: async (id: string, page: PageRequest = {}) =>
      get(formatQuery(`${assetPath(id)}/accesses`, page), evidenceAccessList),
  };
}
