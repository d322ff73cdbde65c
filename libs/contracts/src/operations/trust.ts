import * as z from 'zod';
import { anchorRequest } from '../anchor-types.ts';
import {
  addLogKeyRequest,
  anyBundle,
  logKeyItem,
  logKeyList,
  proofBundle,
  proofQuery,
  retireLogKeyRequest,
} from '../bundles.ts';
import { createPackRequest } from '../packs.ts';
import { revealRequest } from '../reveals.ts';
import {
  anchorList,
  anchorRunAccepted,
  checkpointList,
  putTrustPolicyRequest,
  runAnchorsRequest,
  trustPolicy,
  witnessList,
} from '../trust.ts';
import { testWitnessRequest, trustTest } from '../trust-tests.ts';
import { ledgerCheckReport, verification } from '../verification.ts';
import { get, post, put } from './operation.ts';
import { NO_RECORD, NOT_CURRENT, numberedPage, ofRecord, versioned, WITHOUT_BODY } from './parts.ts';

const PROOF = '/api/trust/proofs/answers/{answer_log_id}';
const TRUST_POLICY_BYTES_MAX = 512 * 1024;

export const addLogKey = post('/api/trust/keys', 'addLogKey', 'trust.manage', {
  summary: 'Add a key to the log',
  body: addLogKeyRequest,
  bodyOptional: true,
  responses: {
    201: { description: 'The key; it also signs every checkpoint from now on', schema: logKeyItem },
    409: { description: 'Two keys of this algorithm already sign, or the policy asks for none of it' },
  },
});

export const checkLedger = post('/api/trust/ledger-checks', 'checkLedger', 'ledger.check', {
  summary: 'Check the whole ledger',
  query: z.strictObject({
    format: z.enum(['jsonl']).optional(),
    /** Begins where the last check without a fault ended; the report says what it did not look at again. */
    since: z.enum(['last_check']).optional(),
  }),
  ...WITHOUT_BODY,
  responses: {
    200: {
      description:
        'What was re-derived, and the faults; with `format`, lines that say how far it is, and the report in the last',
      schema: ledgerCheckReport,
      contentType: ['application/json', 'application/jsonl'],
    },
  },
});

export const createPack = post('/api/trust/packs', 'createPack', 'packs', {
  summary: 'Make an evidence pack of records',
  givesTexts: 'file',
  body: createPackRequest,
  responses: {
    200: {
      description: 'One HTML file that verifies itself when it is opened from disk (answer-evidence-pack/v1)',
      contentType: 'text/html',
      headers: { 'Content-Disposition': 'An attachment, with a file name' },
    },
    ...NO_RECORD,
    409: { description: 'A second person must approve it, or what was approved is another pack, or was used' },
  },
});

export const getTrustPolicy = get('/api/trust/policy', 'getTrustPolicy', 'trust.read', {
  summary: 'Read the trust policy',
  responses: {
    200: versioned('The policy; secrets of anchors are never shown', trustPolicy),
  },
});

export const listAnchors = get('/api/trust/anchors', 'listAnchors', 'trust.read', {
  summary: 'List anchors of published checkpoints, newest first',
  query: numberedPage,
  responses: { 200: { description: 'The anchors, newest first', schema: anchorList } },
});

export const listCheckpoints = get('/api/trust/checkpoints', 'listCheckpoints', 'trust.read', {
  summary: 'List published checkpoints, newest first',
  query: numberedPage,
  responses: { 200: { description: 'The checkpoints, newest first', schema: checkpointList } },
});

export const listLogKeys = get('/api/trust/keys', 'listLogKeys', 'trust.read', {
  summary: 'List the keys of the log',
  responses: { 200: { description: 'The keys', schema: logKeyList } },
});

export const listWitnesses = get('/api/trust/witnesses', 'listWitnesses', 'trust.read', {
  summary: 'List the witnesses of the trust policy',
  responses: {
    200: {
      description: 'The witnesses, as the policy lists them',
      schema: witnessList,
    },
  },
});

export const getAnswerProof = get(PROOF, 'getAnswerProof', 'trust.read', {
  summary: 'Get the proof bundle of a record',
  givesTexts: 'record',
  params: ofRecord,
  query: proofQuery,
  responses: {
    200: {
      description: 'The bundle: answer-evidence-bundle/v1, and without texts answer-evidence-bundle/v2',
      schema: anyBundle,
    },
    ...NO_RECORD,
  },
});

export const putTrustPolicy = put('/api/trust/policy', 'putTrustPolicy', 'trust.manage', {
  summary: 'Set the trust policy',
  body: putTrustPolicyRequest,
  bodyBytesMax: TRUST_POLICY_BYTES_MAX,
  responses: {
    200: versioned('The new policy; unchanged if the request has no effect', trustPolicy),
    ...NOT_CURRENT,
  },
});

export const readTlog = get('/tlog/{workspace}/{+path}', 'readTlog', 'trust.read', {
  summary: 'Read the log as C2SP tlog-tiles',
  params: z.strictObject({ workspace: z.string().max(63), path: z.string().max(100) }),
  responses: {
    200: {
      description: 'A signed checkpoint, a tile of hashes, or a bundle of entries',
      contentType: ['application/octet-stream', 'text/plain'],
    },
    404: { description: 'The log has no such resource' },
  },
});

export const retireLogKey = post('/api/trust/keys/retire', 'retireLogKey', 'trust.manage', {
  summary: 'Retire a key of the log',
  body: retireLogKeyRequest,
  responses: {
    200: { description: 'The keys of the log', schema: logKeyList },
    404: { description: 'The log has no such key' },
    409: { description: 'It is the only signing key of its algorithm, or is already retired' },
  },
});

export const revealAnswerProof = post(`${PROOF}/reveal`, 'revealAnswerProof', 'texts.read', {
  summary: 'Get the proof bundle of a record with its texts, for a reason that the log keeps',
  params: ofRecord,
  body: revealRequest,
  responses: {
    200: { description: 'The bundle (answer-evidence-bundle/v1)', schema: proofBundle },
    ...NO_RECORD,
  },
});

export const runAnchors = post('/api/trust/anchors/run', 'runAnchors', 'trust.manage', {
  summary: 'Publish, cosign and anchor now, or renew all time-stamps',
  body: runAnchorsRequest,
  bodyOptional: true,
  responses: { 202: { description: 'Queued; it starts within about a second', schema: anchorRunAccepted } },
});

export const testAnchor = post('/api/trust/anchors/test', 'testAnchor', 'trust.manage', {
  summary: 'Try an anchor before it is in the policy, without storing anything',
  body: anchorRequest,
  responses: { 200: { description: 'What came of it', schema: trustTest } },
});

export const testWitness = post('/api/trust/witnesses/test', 'testWitness', 'trust.manage', {
  summary: 'Try a witness before it is in the policy, without storing anything',
  body: testWitnessRequest,
  responses: { 200: { description: 'What came of it', schema: trustTest } },
});

export const verifyAnswerRecord = get(
  '/api/answer-audit-logs/{answer_log_id}/ledger/verify',
  'verifyAnswerRecord',
  'records.read',
  {
    summary: 'Verify a record against its ledger',
    params: ofRecord,
    responses: {
      200: { description: 'One outcome per check; there is no overall result', schema: verification },
      ...NO_RECORD,
    },
  },
);
