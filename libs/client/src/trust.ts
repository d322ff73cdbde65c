import {
  anchorList,
  anchorRunAccepted,
  checkpointList,
  type CreatePackRequest,
  ledgerCheckLine,
  type LedgerCheckProgress,
  type LedgerCheckReport,
  ledgerCheckReport,
  logKeyItem,
  logKeyList,
  proofBundle,
  type PutTrustPolicyRequest,
  type RevealRequest,
  trustPolicy,
  withheldBundle,
  witnessList,
} from '@answer-evidence/contracts';
import { compareBundle, type ComparedBundle, comparePack } from './compare/compare-bundle.ts';
import { compareRepeated } from './compare/compare-repeated.ts';
import type { AssertSame } from './compare/refuse.ts';
import { ApiError } from './errors.ts';
import { readLines } from './read-lines.ts';
import { createRequests, formatQuery, request } from './request.ts';
import { parseReply } from './schema.ts';
import { type OpenStream, readJson, type Send } from './transport.ts';

/** Operations on the evidence itself. */
export type TrustApi = ReturnType<typeof createTrustApi>;

/** A page of a list, from 1. */
export type TrustPageQuery = { readonly page?: number; readonly size?: number };

/** The fetch of Node waits no longer than this for the head of an answer. */
const LEDGER_CHECK_TIMEOUT_MS = 300_000;

/** 200 large bundles take their time. */
const PACK_TIMEOUT_MS = 300_000;

const LEDGER_CHECKS = '/api/trust/ledger-checks';
const KEYS = '/api/trust/keys';
const POLICY = '/api/trust/policy';

/** The operations on the evidence over a transport. */
export function createTrustApi(send: Send, openStream: OpenStream, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  const proven = async <T extends ComparedBundle>(id: string, bundle: T): Promise<T> => {
    await assertSame(compareBundle(id, bundle), { receipt: bundle.record.proof, ledger: bundle.record });
    return bundle;
  };
  return {
    /** The proof bundle of a record, for a verifier that trusts nobody; nothing is dropped from it. */
    proof: async (id: string) =>
      proven(id, await get(`/api/trust/proofs/answers/${encodeURIComponent(id)}`, proofBundle, { isExact: true })),
    /** The same without the texts of question, answer and corrections; a verifier says SKIP where it needs them. */
    async proofWithoutTexts(id: string) {
      const path = `/api/trust/proofs/answers/${encodeURIComponent(id)}?texts=withheld`;
      return proven(id, await get(path, withheldBundle, { isExact: true }));
    },
    /** The bundle with its texts; the log first says who read them and why. */
    async revealProof(id: string, body: RevealRequest) {
      const path = `/api/trust/proofs/answers/${encodeURIComponent(id)}/reveal`;
      return proven(id, await change('POST', path, body, proofBundle, { isExact: true }));
    },
    /** An evidence pack of records: an HTML file. Each one is an entry of the ledger, so none is asked for twice. */
    async pack(body: CreatePackRequest): Promise<Uint8Array> {
      const call = { method: 'POST', path: '/api/trust/packs', body, repeat: 'unprocessed' } as const;
      const { bytes } = await send({ ...call, timeoutMs: PACK_TIMEOUT_MS });
      await assertSame(comparePack(body, bytes));
      return bytes;
    },
    keys: async () => get(KEYS, logKeyList),
    /** A further key, which signs beside the present one. */
    addKey: async () => change('POST', KEYS, {}, logKeyItem),
    retireKey: async (vkey: string) => change('POST', `${KEYS}/retire`, { vkey }, logKeyList),
    policy: async () => get(POLICY, trustPolicy),
    /** Replaces the whole policy; each change is an entry of the ledger. */
    async setPolicy(body: PutTrustPolicyRequest) {
      const policy = await change('PUT', POLICY, body, trustPolicy);
      await assertSame(compareRepeated(body, policy));
      return policy;
    },
    witnesses: async () => (await get('/api/trust/witnesses', witnessList)).items,
    /** Newest first. */
    checkpoints: async (page: TrustPageQuery) => get(formatQuery('/api/trust/checkpoints', page), checkpointList),
    /** Newest first. */
    anchors: async (page: TrustPageQuery) => get(formatQuery('/api/trust/anchors', page), anchorList),
    /** Has the service publish, ask the witnesses and anchor now; the request is kept when this returns. */
    runAnchors: async () =>
      (await change('POST', '/api/trust/anchors/run', {}, anchorRunAccepted, { repeat: 'safe' })).job_id,
    /**
     * Has the service re-derive its whole ledger. That can take minutes, so a lost response is never retried. With
     * `onProgress` the service says how far it is, and it may take as long as it goes on.
     */
    async checkLedger(onProgress?: (progress: LedgerCheckProgress) => void): Promise<LedgerCheckReport> {
      const call = { method: 'POST', body: {}, repeat: 'unprocessed', timeoutMs: LEDGER_CHECK_TIMEOUT_MS } as const;
      if (onProgress === undefined)
        return (await request(send, { ...call, path: LEDGER_CHECKS }, ledgerCheckReport)).value;
      const pieces = await openStream({ ...call, path: `${LEDGER_CHECKS}?format=jsonl` });
      for await (const text of readLines(pieces)) {
        const parsed = parseReply(ledgerCheckLine, readJson(text));
        if ('fault' in parsed)
          throw new ApiError(200, `the response does not match the API contract (${parsed.fault})`);
        if (parsed.value.kind === 'report') return parsed.value.report;
        onProgress(parsed.value);
      }
      throw new ApiError(200, 'the response does not match the API contract (it ends without a report)');
    },
  };
}
