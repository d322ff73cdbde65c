import { describeHost, getIdentity } from '@answer-evidence/contracts/operations';
import { createAuthApi, createMembersApi } from './accounts.ts';
import { createApprovalsApi } from './approvals.ts';
import { createCalls } from './calls.ts';
import { createAssertSame } from './compare/refuse.ts';
import { createDeadLettersApi } from './dead-letters.ts';
import { createEntriesApi } from './entries.ts';
import { createEvidenceApi } from './evidence.ts';
import { createHoldsApi } from './holds.ts';
import { createNotificationsApi } from './notifications.ts';
import { createOtelApi } from './otel.ts';
import { createOverviewApi } from './overview.ts';
import { createProofLinksApi } from './proof-links.ts';
import { createReceiptGuard, type ReceiptOptions } from './receipt-guard.ts';
import { createReconciliationsApi } from './reconciliations.ts';
import { createRecordsApi } from './records.ts';
import { createSearchApi } from './search.ts';
import { createStreamsApi } from './streams.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { createTrustApi } from './trust.ts';
import { createHashKeysApi, createSettingsApi, createTokensApi } from './workspace.ts';

/** What a client is made of. */
export type ClientOptions = TransportOptions & {
  /** Makes the idempotency keys that callers do not give; default `crypto.randomUUID`. */
  readonly createIdempotencyKey?: () => string;
  /** Verifies the receipt of each record that is created, changed or read. Left out: nothing is verified. */
  readonly receipts?: ReceiptOptions;
  /** A response that differs from what was sent is given all the same, to be shown as damaged. Default: refused. */
  readonly takesDifferent?: boolean;
};

/**
 * The service's API, typed. Every method throws `ApiError` or `UnreachableError`, and `MismatchError` for a response
 * that is not about what was sent.
 */
export type Client = ReturnType<typeof createClient>;

/** A client of one workspace host. It sends nothing until used. Throws a `TypeError` for invalid options. */
export function createClient(options: ClientOptions) {
  const { send, openStream } = createTransport(options);
  const { call } = createCalls(send);
  const assertReceipt = options.receipts && createReceiptGuard(options.receipts, openStream);
  const assertSame =
    options.takesDifferent === true ? () => Promise.resolve() : createAssertSame(options.receipts?.store);
  const createKey = options.createIdempotencyKey ?? (() => crypto.randomUUID());
  return {
    records: createRecordsApi(send, createKey, assertSame, assertReceipt),
    evidence: createEvidenceApi(send, openStream, createKey, assertSame),
    reconciliations: createReconciliationsApi(send, openStream, createKey, assertSame),
    trust: createTrustApi(send, openStream, assertSame),
    settings: createSettingsApi(send, assertSame),
    search: createSearchApi(send, assertSame),
    proofLinks: createProofLinksApi(send, assertSame),
    approvals: createApprovalsApi(send, assertSame),
    entries: createEntriesApi(send, assertSame),
    holds: createHoldsApi(send, assertSame),
    hashKeys: createHashKeysApi(send),
    tokens: createTokensApi(send, assertSame),
    members: createMembersApi(send, assertSame),
    auth: createAuthApi(send, assertSame),
    deadLetters: createDeadLettersApi(send, assertSame),
    notifications: createNotificationsApi(send, assertSame),
    streams: createStreamsApi(send, assertSame),
    overview: createOverviewApi(send),
    otel: createOtelApi(send, assertSame),
    whoami: async () => call(getIdentity, {}),
    /** What the host is; sent without the token, as signing in is. */
    describeHost: async () => call(describeHost, {}),
  };
}
