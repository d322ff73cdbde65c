import {
  type CreateRunRequest,
  type CsvOptions,
  findingTriage,
  type FindingType,
  reconciliationFindingList,
  reconciliationProof,
  reconciliationRun,
  reconciliationRunList,
  triagedFindingList,
  type TriageState,
  type TriageStepRequest,
} from '@answer-evidence/contracts';
import { compareRun } from './compare/compare-run.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { OpenStream, Send } from './transport.ts';

/** Which runs a list holds. */
export type RunListFilters = { readonly application_key?: string; readonly environment?: string };

/** Which findings a list of the work on them holds. `assignee`: a member's id, `me` or `none`. */
export type TriageListFilters = {
  readonly type?: FindingType;
  readonly state?: TriageState;
  readonly assignee?: string;
};

/** Operations on runs of reconciliation. */
export type ReconciliationsApi = ReturnType<typeof createReconciliationsApi>;

const PATH = '/api/reconciliations/runs';
const CREATE_TIMEOUT_MS = 120_000;

/** The operations on reconciliation over a transport. */
export function createReconciliationsApi(
  send: Send,
  openStream: OpenStream,
  createKey: () => string,
  assertSame: AssertSame,
) {
  const { get, change } = createRequests(send);
  const runPath = (runId: string) => `${PATH}/${encodeURIComponent(runId)}`;
  return {
    /** Asks for a run, under an idempotency key of its own unless one is given, so a retry starts no second one. */
    async create(body: CreateRunRequest, idempotencyKey = createKey()) {
      const headers = { 'idempotency-key': idempotencyKey };
      const options = { headers, repeat: 'safe', timeoutMs: CREATE_TIMEOUT_MS } as const;
      const run = await change('POST', PATH, body, reconciliationRun, options);
      await assertSame(compareRun(body, run));
      return run;
    },
    /** Newest first. */
    list: async (filters: RunListFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(PATH, { ...filters, ...page }), reconciliationRunList),
    async get(runId: string) {
      const run = await get(runPath(runId), reconciliationRun);
      await assertSame(differencesOf({ '/id': [runId.toLowerCase(), run.id] }));
      return run;
    },
    findings: async (runId: string, filters: { readonly type?: FindingType } = {}, page: PageRequest = {}) =>
      get(formatQuery(`${runPath(runId)}/findings`, { ...filters, ...page }), reconciliationFindingList),
    /** Every finding as one file, piece by piece. A broken connection throws in the middle. */
    exportFindings: async (
      runId: string,
      format: 'jsonl' | 'csv',
      type?: FindingType,
      csv: CsvOptions = {},
    ): Promise<AsyncIterable<Uint8Array>> =>
      openStream({
        method: 'GET',
        path: formatQuery(`${runPath(runId)}/findings`, { format, type, ...csv }),
        repeat: 'safe',
      }),
    /** Findings with the work on them. */
    triage: async (runId: string, filters: TriageListFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(`${runPath(runId)}/triage`, { ...filters, ...page }), triagedFindingList),
    /** One of them, with every step. */
    findingTriage: async (runId: string, position: number) =>
      get(`${runPath(runId)}/triage/${position}`, findingTriage),
    /** Adds a step. With the `version` that was read, it is refused when somebody else came first. */
    takeStep: async (runId: string, position: number, step: TriageStepRequest) =>
      change('POST', `${runPath(runId)}/triage/${position}/steps`, step, findingTriage),
    /** For a verifier that trusts nobody; nothing is dropped from it. */
    async proof(runId: string) {
      const proof = await get(`${runPath(runId)}/proof`, reconciliationProof, { isExact: true });
      const { core, proof: receipt, entry } = proof.run;
      await assertSame(differencesOf({ '/run/core/run_id': [runId.toLowerCase(), core.run_id] }), {
        receipt,
        ledger: { entry },
      });
      return proof;
    },
    /** The record set as JSONL, piece by piece, however large it is. A broken connection throws in the middle. */
    records: async (runId: string): Promise<AsyncIterable<Uint8Array>> =>
      openStream({ method: 'GET', path: `${runPath(runId)}/records`, repeat: 'safe' }),
  };
}
