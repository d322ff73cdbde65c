import {
  type CreateRunRequest,
  type CsvOptions,
  type FindingType,
  type TriageStepRequest,
} from '@answer-evidence/contracts';
import {
  appendTriageStep,
  createReconciliationRun,
  getFindingTriage,
  getReconciliationProof,
  getReconciliationRecords,
  getReconciliationRun,
  listAssignees,
  listFindingTriage,
  listReconciliationFindings,
  listReconciliationRuns,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import {
  compareFinding,
  compareFindings,
  compareListedRuns,
  compareRun,
  compareRunFile,
  compareStep,
  compareTriage,
  type TriageListFilters,
} from './compare/compare-run.ts';
import { differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Call, OpenStream, Send } from './transport.ts';

/** Which runs a list holds. */
export type RunListFilters = { readonly application_key?: string; readonly environment?: string };

/** Operations on runs of reconciliation. */
export type ReconciliationsApi = ReturnType<typeof createReconciliationsApi>;

const CREATE_TIMEOUT_MS = 120_000;

/** The operations on reconciliation over a transport. */
export function createReconciliationsApi(
  send: Send,
  openStream: OpenStream,
  createKey: () => string,
  assertSame: AssertSame,
) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  const openFile = async (runId: string, file: Call) => {
    const pieces = await openStream(file);
    await assertSame(compareRunFile(runId, pieces.headers));
    return pieces;
  };
  return {
    /** Asks for a run, under an idempotency key of its own unless one is given, so a retry starts no second one. */
    async create(body: CreateRunRequest, idempotencyKey = createKey()) {
      const headers = { 'idempotency-key': idempotencyKey };
      const options = { headers, repeat: 'safe', timeoutMs: CREATE_TIMEOUT_MS } as const;
      const run = await call(createReconciliationRun, { body }, options);
      await assertSame(compareRun(body, run));
      return run;
    },
    /** Newest first. */
    list: async (filters: RunListFilters = {}, page: PageRequest = {}) =>
      agree(call(listReconciliationRuns, { query: { ...filters, ...page } }), (found) =>
        compareListedRuns(filters, found),
      ),
    get: async (runId: string) => agree(call(getReconciliationRun, { params: { run_id: runId } }), sameId(runId)),
    async findings(runId: string, filters: { readonly type?: FindingType } = {}, page: PageRequest = {}) {
      const input = { params: { run_id: runId }, query: { ...filters, ...page } };
      const found = await call(listReconciliationFindings, input);
      await assertSame(compareFindings(runId, filters, found));
      return found;
    },
    /** Every finding as one file, piece by piece. A broken connection throws in the middle. */
    exportFindings: async (
      runId: string,
      format: 'jsonl' | 'csv',
      type?: FindingType,
      csv: CsvOptions = {},
    ): Promise<AsyncIterable<Uint8Array>> =>
      openFile(
        runId,
        toCall(listReconciliationFindings, { params: { run_id: runId }, query: { format, type, ...csv } }),
      ),
    /** Who can have a finding, by name: of this run, or of any. */
    assignees: async (runId?: string) => (await call(listAssignees, { query: { run_id: runId } })).items,
    /** Findings with the work on them. */
    triage: async (runId: string, filters: TriageListFilters = {}, page: PageRequest = {}) =>
      agree(call(listFindingTriage, { params: { run_id: runId }, query: { ...filters, ...page } }), (found) =>
        compareTriage(runId, filters, found),
      ),
    /** One of them, with every step. */
    findingTriage: async (runId: string, position: number) =>
      agree(call(getFindingTriage, { params: { run_id: runId, position } }), (found) =>
        compareFinding(runId, position, found),
      ),
    /** Adds a step. With the `version` that was read, it is refused when somebody else came first. */
    takeStep: async (runId: string, position: number, step: TriageStepRequest) =>
      agree(call(appendTriageStep, { params: { run_id: runId, position }, body: step }), (found) =>
        compareStep(runId, position, step, found),
      ),
    /** For a verifier that trusts nobody; nothing is dropped from it. */
    async proof(runId: string) {
      const proof = await call(getReconciliationProof, { params: { run_id: runId } }, { isExact: true });
      const { core, proof: receipt, entry } = proof.run;
      await assertSame(differencesOf({ '/run/core/run_id': [runId.toLowerCase(), core.run_id] }), {
        receipt,
        ledger: { entry },
      });
      return proof;
    },
    /** The record set as JSONL, piece by piece, however large it is. A broken connection throws in the middle. */
    records: async (runId: string): Promise<AsyncIterable<Uint8Array>> =>
      openFile(runId, toCall(getReconciliationRecords, { params: { run_id: runId } })),
  };
}
