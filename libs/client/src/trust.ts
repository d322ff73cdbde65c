import {
  type AnchorItem,
  anchorList,
  anchorRunAccepted,
  type CheckpointItem,
  checkpointList,
  type LedgerCheckReport,
  ledgerCheckReport,
  type LogKeyItem,
  logKeyItem,
  type LogKeyList,
  logKeyList,
  type Page,
  type ProofBundle,
  proofBundle,
  type PutTrustPolicyRequest,
  type TrustPolicy,
  trustPolicy,
  type WitnessItem,
  witnessList,
} from '@answer-evidence/contracts';
import { formatQuery, request } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on the evidence itself. */
export type TrustApi = {
  /** The proof bundle of a record, for a verifier that trusts nobody; nothing is dropped from it. */
  proof(id: string): Promise<ProofBundle>;
  keys(): Promise<LogKeyList>;
  /** A further key, which signs beside the present one. Repeated only when it certainly did nothing. */
  addKey(): Promise<LogKeyItem>;
  retireKey(vkey: string): Promise<LogKeyList>;
  policy(): Promise<TrustPolicy>;
  /** Replaces the whole policy. Retried only when it certainly did nothing: each change is an entry of the ledger. */
  setPolicy(body: PutTrustPolicyRequest): Promise<TrustPolicy>;
  witnesses(): Promise<readonly WitnessItem[]>;
  /** Newest first. */
  checkpoints(page: TrustPageQuery): Promise<Page<CheckpointItem>>;
  /** Newest first. */
  anchors(page: TrustPageQuery): Promise<Page<AnchorItem>>;
  /** Has the service publish, ask the witnesses and anchor now; the request is kept when this returns. */
  runAnchors(): Promise<string>;
  /** Has the service re-derive its whole ledger. That can take minutes, so a lost response is never retried. */
  checkLedger(): Promise<LedgerCheckReport>;
};

/** A page of a list, from 1. */
export type TrustPageQuery = { readonly page?: number; readonly size?: number };

/** The fetch of Node waits no longer than this for the head of an answer. */
const LEDGER_CHECK_TIMEOUT_MS = 300_000;

const POLICY = '/api/trust/policy';

/** The operations on the evidence over a transport. */
export function createTrustApi(send: Send): TrustApi {
  return {
    async proof(id) {
      const path = `/api/trust/proofs/answers/${encodeURIComponent(id)}`;
      return (await request(send, { method: 'GET', path, repeat: 'safe', isExact: true }, proofBundle)).value;
    },
    async keys() {
      return (await request(send, { method: 'GET', path: '/api/trust/keys', repeat: 'safe' }, logKeyList)).value;
    },
    async addKey() {
      const call = { method: 'POST', path: '/api/trust/keys', body: {}, repeat: 'unprocessed' } as const;
      return (await request(send, call, logKeyItem)).value;
    },
    async retireKey(vkey) {
      const path = '/api/trust/keys/retire';
      return (await request(send, { method: 'POST', path, body: { vkey }, repeat: 'unprocessed' }, logKeyList)).value;
    },
    async policy() {
      return (await request(send, { method: 'GET', path: POLICY, repeat: 'safe' }, trustPolicy)).value;
    },
    async setPolicy(body) {
      return (await request(send, { method: 'PUT', path: POLICY, body, repeat: 'unprocessed' }, trustPolicy)).value;
    },
    async witnesses() {
      const call = { method: 'GET', path: '/api/trust/witnesses', repeat: 'safe' } as const;
      return (await request(send, call, witnessList)).value.items;
    },
    async checkpoints(page) {
      const path = formatQuery('/api/trust/checkpoints', page);
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, checkpointList)).value;
    },
    async anchors(page) {
      const path = formatQuery('/api/trust/anchors', page);
      return (await request(send, { method: 'GET', path, repeat: 'safe' }, anchorList)).value;
    },
    async runAnchors() {
      const call = { method: 'POST', path: '/api/trust/anchors/run', body: {}, repeat: 'safe' } as const;
      return (await request(send, call, anchorRunAccepted)).value.job_id;
    },
    async checkLedger() {
      const call = { method: 'POST', path: '/api/trust/ledger-checks', body: {}, repeat: 'unprocessed' } as const;
      return (await request(send, { ...call, timeoutMs: LEDGER_CHECK_TIMEOUT_MS }, ledgerCheckReport)).value;
    },
  };
}
