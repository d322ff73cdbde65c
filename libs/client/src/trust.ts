import {
  type AddLogKeyRequest,
  type AnchorRequest,
  type CreatePackRequest,
  ledgerCheckLine,
  type LedgerCheckProgress,
  type LedgerCheckReport,
  proofBundle,
  type PutTrustPolicyRequest,
  type RevealRequest,
  type RunAnchorsRequest,
  type TestWitnessRequest,
  withheldBundle,
} from '@answer-evidence/contracts';
import {
  addLogKey,
  checkLedger,
  createPack,
  getAnswerProof,
  getTrustPolicy,
  listAnchors,
  listCheckpoints,
  listLogKeys,
  listWitnesses,
  putTrustPolicy,
  retireLogKey,
  revealAnswerProof,
  runAnchors,
  testAnchor,
  testWitness,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import { compareBundle, type ComparedBundle, comparePack } from './compare/compare-bundle.ts';
import { compareRepeated } from './compare/compare-repeated.ts';
import type { AssertSame } from './compare/refuse.ts';
import { ApiError } from './errors.ts';
import { readLines } from './read-lines.ts';
import { reasonHeaders } from './reason-headers.ts';
import { request } from './request.ts';
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

/** The operations on the evidence over a transport. */
export function createTrustApi(send: Send, openStream: OpenStream, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const proven = async <T extends ComparedBundle>(id: string, bundle: T): Promise<T> => {
    await assertSame(compareBundle(id, bundle), { receipt: bundle.record.proof, ledger: bundle.record });
    return bundle;
  };
  return {
    /** The proof bundle of a record, for a verifier that trusts nobody; nothing is dropped from it. */
    async proof(id: string, reason?: RevealRequest) {
      const options = { isExact: true, ...reasonHeaders(reason) };
      const asked = toCall(getAnswerProof, { params: { answer_log_id: id } }, options);
      return proven(id, (await request(send, asked, proofBundle)).value);
    },
    /** The same without the texts of question, answer and corrections; a verifier says SKIP where it needs them. */
    async proofWithoutTexts(id: string) {
      const input = { params: { answer_log_id: id }, query: { texts: 'withheld' } };
      const asked = toCall(getAnswerProof, input, { isExact: true });
      return proven(id, (await request(send, asked, withheldBundle)).value);
    },
    /** The bundle with its texts; the log first says who read them and why. */
    revealProof: async (id: string, body: RevealRequest) =>
      proven(id, await call(revealAnswerProof, { params: { answer_log_id: id }, body }, { isExact: true })),
    /** An evidence pack of records: an HTML file. Each one is an entry of the ledger, so none is asked for twice. */
    async pack(body: CreatePackRequest, reason?: RevealRequest): Promise<Uint8Array> {
      const options = { timeoutMs: PACK_TIMEOUT_MS, ...reasonHeaders(reason) };
      const { bytes } = await send(toCall(createPack, { body }, options));
      await assertSame(comparePack(body, bytes));
      return bytes;
    },
    keys: async () => call(listLogKeys, {}),
    /** A further key, which signs beside the present one. */
    addKey: async (body: AddLogKeyRequest = {}) => call(addLogKey, { body }),
    retireKey: async (vkey: string) => call(retireLogKey, { body: { vkey } }),
    policy: async () => call(getTrustPolicy, {}),
    /** Replaces the whole policy; each change is an entry of the ledger. */
    async setPolicy(body: PutTrustPolicyRequest) {
      const policy = await call(putTrustPolicy, { body });
      // When the policy was changed before says nothing of when it is changed now.
      const { updated_at: _, ...sent } = body;
      await assertSame(compareRepeated(sent, policy));
      return policy;
    },
    witnesses: async () => (await call(listWitnesses, {})).items,
    /** Newest first. */
    checkpoints: async (query: TrustPageQuery) => call(listCheckpoints, { query }),
    /** Newest first. */
    anchors: async (query: TrustPageQuery) => call(listAnchors, { query }),
    /**
     * Has the service publish, ask the witnesses and anchor now, or with `renew` renew all time-stamps, by another
     * `hash` where SHA-256 weakens; the request is kept when this returns.
     */
    runAnchors: async (options?: RunAnchorsRequest) =>
      (await call(runAnchors, { body: options ?? {} }, { repeat: 'safe' })).job_id,
    /** Tries an anchor; neither the service nor the anchor's place keeps anything of it. */
    testAnchor: async (anchor: AnchorRequest) => call(testAnchor, { body: anchor }, { repeat: 'safe' }),
    /** Tries a witness; neither the service nor the witness keeps anything of it. */
    testWitness: async (witness: TestWitnessRequest) => call(testWitness, { body: witness }, { repeat: 'safe' }),
    /**
     * Has the service re-derive its whole ledger. That can take minutes, so a lost response is never retried. With
     * `onProgress` the service says how far it is, and it may take as long as it goes on.
     */
    async checkLedger(
      onProgress?: (progress: LedgerCheckProgress) => void,
      since: { readonly since?: 'last_check' } = {},
    ): Promise<LedgerCheckReport> {
      const options = { timeoutMs: LEDGER_CHECK_TIMEOUT_MS };
      if (onProgress === undefined) return call(checkLedger, { query: since }, options);
      const pieces = await openStream(toCall(checkLedger, { query: { format: 'jsonl', ...since } }, options));
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
