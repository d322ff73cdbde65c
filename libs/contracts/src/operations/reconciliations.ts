import * as z from 'zod';
import { csvQuery } from '../csv.ts';
import { decimal, pageQuery } from '../pages.ts';
import { anyUuid, key } from '../primitives.ts';
import { findingType, reconciliationFindingList } from '../reconciliation-findings.ts';
import { reconciliationProof } from '../reconciliation-proofs.ts';
import { createRunRequest, RECONCILIATION_BODY_BYTES_MAX, reconciliationRun } from '../reconciliations.ts';
import {
  assigneeList,
  assigneeQuery,
  findingTriage,
  reconciliationRunList,
  triagedFindingList,
  triageFilters,
  triageStepRequest,
} from '../triage.ts';
import { get, post } from './operation.ts';
import { versioned } from './parts.ts';

const RUNS = '/api/reconciliations/runs';
const RUN = `${RUNS}/{run_id}`;
const ofRun = z.strictObject({ run_id: anyUuid });
const ofFinding = z.strictObject({ run_id: anyUuid, position: decimal(0, 2_147_483_647) });
const NO_RUN = { 404: { description: 'No such run' } } as const;
const NO_FINDING = { 404: { description: 'No such run, or it has no finding at this position' } } as const;
const NOT_COMPLETED = { 409: { description: 'The run is not completed yet' } } as const;

export const appendTriageStep = post(`${RUN}/triage/{position}/steps`, 'appendTriageStep', 'triage', {
  summary: 'Assign, schedule, comment, resolve or reopen a finding, or erase a comment',
  params: ofFinding,
  body: triageStepRequest,
  responses: {
    200: versioned('The finding, and every step, the new one last', findingTriage, 'work'),
    ...NO_FINDING,
    409: { description: 'The state does not permit the step, or `version` in the body is not the current one' },
    412: { description: 'If-Match names another version' },
  },
});

export const createReconciliationRun = post(RUNS, 'createReconciliationRun', 'reconciliations.run', {
  summary: 'Reconcile a list of answers with the records',
  body: createRunRequest,
  bodyBytesMax: RECONCILIATION_BODY_BYTES_MAX,
  responses: {
    202: {
      description: 'The run is stored with all references; it starts within about a second',
      schema: reconciliationRun,
      headers: {
        Location: 'Path of the run',
        'Idempotency-Replayed': '`true` when an earlier request with this Idempotency-Key created the run',
      },
    },
    409: { description: 'The Idempotency-Key was used with another payload' },
  },
});

export const getReconciliationRun = get(RUN, 'getReconciliationRun', 'reconciliations.read', {
  summary: 'Read a run',
  params: ofRun,
  responses: {
    200: { description: 'The run', schema: reconciliationRun },
    ...NO_RUN,
  },
});

export const getFindingTriage = get(`${RUN}/triage/{position}`, 'getFindingTriage', 'triage.read', {
  summary: 'Read the work on a finding',
  params: ofFinding,
  responses: {
    200: versioned('The finding, and every step, oldest first', findingTriage, 'work'),
    ...NO_FINDING,
    ...NOT_COMPLETED,
  },
});

export const listReconciliationFindings = get(`${RUN}/findings`, 'listReconciliationFindings', 'reconciliations.read', {
  summary: 'List the findings of a completed run',
  params: ofRun,
  query: pageQuery.extend({
    type: findingType.optional(),
    format: z.enum(['jsonl', 'csv']).optional(),
    ...csvQuery.shape,
  }),
  responses: {
    200: {
      description: 'One page; with `format`, all findings as JSON lines or CSV (RFC 4180)',
      schema: reconciliationFindingList,
      contentType: ['application/json', 'application/jsonl', 'text/csv'],
      headers: { 'Content-Disposition': 'With `format`: an attachment, with a file name' },
    },
    ...NO_RUN,
    ...NOT_COMPLETED,
  },
});

export const getReconciliationRecords = get(`${RUN}/records`, 'getReconciliationRecords', 'reconciliations.read', {
  summary: 'Export the record set of a completed run',
  params: ofRun,
  responses: {
    200: {
      description: 'The record set as JSON lines in log order; each line is the hashed JCS text',
      contentType: 'application/jsonl',
      headers: { 'Content-Disposition': 'An attachment, with a file name' },
    },
    ...NO_RUN,
    ...NOT_COMPLETED,
  },
});

export const listReconciliationRuns = get(RUNS, 'listReconciliationRuns', 'reconciliations.read', {
  summary: 'List runs, newest first',
  query: pageQuery.extend({ application_key: key.optional(), environment: key.optional() }),
  responses: { 200: { description: 'One page', schema: reconciliationRunList } },
});

export const listAssignees = get('/api/reconciliations/assignees', 'listAssignees', 'triage', {
  summary: 'List who can have a finding',
  query: assigneeQuery,
  responses: {
    200: {
      description: 'Active members whose role works on findings, by name; with `run_id`, on those of this run',
      schema: assigneeList,
    },
    ...NO_RUN,
  },
});

export const listFindingTriage = get(`${RUN}/triage`, 'listFindingTriage', 'triage.read', {
  summary: 'List findings with the work on them',
  params: ofRun,
  query: pageQuery.extend(triageFilters),
  responses: {
    200: { description: 'One page', schema: triagedFindingList },
    ...NO_RUN,
    ...NOT_COMPLETED,
  },
});

export const getReconciliationProof = get(`${RUN}/proof`, 'getReconciliationProof', 'reconciliations.read', {
  summary: 'Get the proof of a completed run',
  params: ofRun,
  responses: {
    200: { description: 'The proof (answer-evidence-reconciliation/v1)', schema: reconciliationProof },
    ...NO_RUN,
    ...NOT_COMPLETED,
  },
});
