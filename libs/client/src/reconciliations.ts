import {
  type CreateRunRequest,
  type FindingType,
  type Page,
  pageOf,
  type ReconciliationFinding,
  reconciliationFinding,
  type ReconciliationProof,
  reconciliationProof,
  type ReconciliationRun,
  reconciliationRun,
  reconciliationRunList,
} from '@answer-evidence/contracts';
import type { PageRequest } from './records.ts';
import { formatQuery, request } from './request.ts';
import type { OpenStream, Send } from './transport.ts';

/** Which runs a list holds. */
export type RunListFilters = { readonly application_key?: string; readonly environment?: string };

/** Operations on runs of reconciliation. */
export type ReconciliationsApi = {
  /** Asks for a run, under an idempotency key of its own unless one is given, so that a retry starts no second one. */
  create(body: CreateRunRequest, idempotencyKey?: string): Promise<ReconciliationRun>;
  /** Newest first. */
  list(filters?: RunListFilters, page?: PageRequest): Promise<Page<ReconciliationRun>>;
  get(runId: string): Promise<ReconciliationRun>;
  findings(
    runId: string,
    filters?: { readonly type?: FindingType },
    page?: PageRequest,
  ): Promise<Page<ReconciliationFinding>>;
  /** Every finding as one file, piece by piece. A broken connection throws in the middle. */
  exportFindings(runId: string, format: 'jsonl' | 'csv', type?: FindingType): Promise<AsyncIterable<Uint8Array>>;
  /** For a verifier that trusts nobody; nothing is dropped from it. */
  proof(runId: string): Promise<ReconciliationProof>;
  /** The record set as JSONL, piece by piece, however large it is. A broken connection throws in the middle. */
  records(runId: string): Promise<AsyncIterable<Uint8Array>>;
};

const PATH = '/api/reconciliations/runs';
const CREATE_TIMEOUT_MS = 120_000;

const findingPage = pageOf(reconciliationFinding);

function runPath(runId: string): string {
  return `${PATH}/${encodeURIComponent(runId)}`;
}

/** The operations on reconciliation over a transport. */
export function createReconciliationsApi(
  send: Send,
  openStream: OpenStream,
  createKey: () => string,
): ReconciliationsApi {
  return {
    async create(body, idempotencyKey = createKey()) {
      const headers = { 'idempotency-key': idempotencyKey };
      const call = { method: 'POST', path: PATH, body, headers, repeat: 'safe', timeoutMs: CREATE_TIMEOUT_MS } as const;
      return (await request(send, call, reconciliationRun)).value;
    },
    async list(filters = {}, page = {}) {
      const path = formatQuery(PATH, { ...filters, ...page });
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, reconciliationRunList)).value;
    },
    async get(runId) {
      return (await request(send, { method: 'GET', path: runPath(runId), repeat: 'safe' }, reconciliationRun)).value;
    },
    async findings(runId, filters = {}, page = {}) {
      const path = formatQuery(`${runPath(runId)}/findings`, { ...filters, ...page });
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, findingPage)).value;
    },
    exportFindings(runId, format, type) {
      const path = formatQuery(`${runPath(runId)}/findings`, { format, type });
      return openStream({ method: 'GET', path, repeat: 'safe' });
    },
    async proof(runId) {
      const path = `${runPath(runId)}/proof`;
      return (await request(send, { method: 'GET', path, repeat: 'safe', isExact: true }, reconciliationProof)).value;
    },
    records(runId) {
      return openStream({ method: 'GET', path: `${runPath(runId)}/records`, repeat: 'safe' });
    },
  };
}
