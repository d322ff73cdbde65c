import { ledgerCheckReport, logKeyList, proofBundle } from '@answer-evidence/contracts';
import type { LedgerCheckReport, LogKeyList, ProofBundle } from '@answer-evidence/contracts';
import { request } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on the evidence itself. */
export type TrustApi = {
  /** The proof bundle of a record, for a verifier that trusts nobody; nothing is dropped from it. */
  proof(id: string): Promise<ProofBundle>;
  keys(): Promise<LogKeyList>;
  /** Has the service re-derive its whole ledger, which can take minutes; so it is never asked twice on a lost answer. */
  checkLedger(): Promise<LedgerCheckReport>;
};

/** The fetch of Node waits no longer than this for the head of an answer. */
const LEDGER_CHECK_TIMEOUT_MS = 300_000;

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
    async checkLedger() {
      const call = { method: 'POST', path: '/api/trust/ledger-checks', body: {}, repeat: 'unprocessed' } as const;
      return (await request(send, { ...call, timeoutMs: LEDGER_CHECK_TIMEOUT_MS }, ledgerCheckReport)).value;
    },
  };
}
