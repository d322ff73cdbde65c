import {
  type CreateEvidenceRequest,
  type DownloadEvidenceRequest,
  type EvidenceAccess,
  evidenceAccess,
  type EvidenceAsset,
  evidenceAsset,
  type EvidenceFilters,
  type EvidenceMetadata,
  type Page,
  pageOf,
  type RetrievedEvidence,
  retrievedEvidence,
  type RetrieveEvidenceRequest,
} from '@answer-evidence/contracts';
import { type EvidenceFile, formatForm } from './form.ts';
import type { PageRequest } from './records.ts';
import { formatQuery, request } from './request.ts';
import type { OpenStream, Send, StreamReply } from './transport.ts';

/** Where to put an asset, and its idempotency key; the default is a random key, which makes retries safe. */
export type EvidencePlace = { readonly recordId?: string; readonly idempotencyKey?: string };

/** Operations on evidence assets. */
export type EvidenceApi = {
  /** Keeps a file, streamed. With a `recordId` it is put beside that record. */
  upload(file: EvidenceFile, metadata?: EvidenceMetadata, place?: EvidencePlace): Promise<EvidenceAsset>;
  /** Keeps passages, a small content in base64, or a reference to something that lies elsewhere. */
  register(body: CreateEvidenceRequest, place?: EvidencePlace): Promise<EvidenceAsset>;
  list(filters?: EvidenceFilters, page?: PageRequest): Promise<Page<EvidenceAsset>>;
  get(id: string): Promise<EvidenceAsset>;
  /** Each is an access that the service logs, so it is not repeated when an answer was lost. */
  retrieve(id: string, body?: RetrieveEvidenceRequest): Promise<RetrievedEvidence>;
  /** The original, or a part of it, piece by piece. An access too; the header `evidence-access-event-id` names it. */
  download(id: string, body?: DownloadEvidenceRequest, recordId?: string): Promise<StreamReply>;
  /** Who accessed it, when and why; for managers. */
  accesses(id: string, page?: PageRequest): Promise<Page<EvidenceAccess>>;
};

const PATH = '/api/evidence-assets';
const assetPage = pageOf(evidenceAsset);
const accessPage = pageOf(evidenceAccess);

/** The operations on evidence over a transport. */
export function createEvidenceApi(send: Send, openStream: OpenStream, createKey: () => string): EvidenceApi {
  const assetPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
  const recordPath = (id: string): string => `/api/answer-audit-logs/${encodeURIComponent(id)}/evidence-assets`;
  const keyed = ({ idempotencyKey }: EvidencePlace) => ({ 'idempotency-key': idempotencyKey ?? createKey() });
  return {
    async upload(file, metadata = {}, place = {}) {
      const path = place.recordId === undefined ? PATH : `${recordPath(place.recordId)}/upload`;
      const upload = formatForm(JSON.stringify(metadata), file, crypto.randomUUID());
      const call = { method: 'POST', path, upload, headers: keyed(place), repeat: 'safe' } as const;
      return (await request(send, call, evidenceAsset)).value;
    },
    async register(body, place = {}) {
      const path = place.recordId === undefined ? PATH : `${recordPath(place.recordId)}/register`;
      const call = { method: 'POST', path, body, headers: keyed(place), repeat: 'safe' } as const;
      return (await request(send, call, evidenceAsset)).value;
    },
    async list(filters = {}, page = {}) {
      const path = formatQuery(PATH, { ...filters, ...page });
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, assetPage)).value;
    },
    async get(id) {
      return (await request(send, { method: 'GET', path: assetPath(id), repeat: 'safe' }, evidenceAsset)).value;
    },
    async retrieve(id, body = {}) {
      const call = { method: 'POST', path: `${assetPath(id)}/retrieve`, body, repeat: 'unprocessed' } as const;
      return (await request(send, call, retrievedEvidence)).value;
    },
    download(id, body = {}, recordId) {
      const path = recordId === undefined ? assetPath(id) : `${recordPath(recordId)}/${encodeURIComponent(id)}`;
      return openStream({ method: 'POST', path: `${path}/download`, body, repeat: 'unprocessed' });
    },
    async accesses(id, page = {}) {
      const path = formatQuery(`${assetPath(id)}/accesses`, page);
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, accessPage)).value;
    },
  };
}
