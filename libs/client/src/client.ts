import { type HostDescription, hostDescription, type Identity, identity } from '@answer-evidence/contracts';
import { type AuthApi, createAuthApi, createMembersApi, type MembersApi } from './accounts.ts';
import { createDeadLettersApi, type DeadLettersApi } from './dead-letters.ts';
import { createEvidenceApi, type EvidenceApi } from './evidence.ts';
import { createOtelApi, type OtelApi } from './otel.ts';
import { createReconciliationsApi, type ReconciliationsApi } from './reconciliations.ts';
import { createRecordsApi, type RecordsApi } from './records.ts';
import { request } from './request.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { createTrustApi, type TrustApi } from './trust.ts';
import {
  createHashKeysApi,
  createSettingsApi,
  createTokensApi,
  type HashKeysApi,
  type SettingsApi,
  type TokensApi,
} from './workspace.ts';

/** What a client is made of. */
export type ClientOptions = TransportOptions & {
  /** Makes the idempotency keys that callers do not give; default `crypto.randomUUID`. */
  readonly createIdempotencyKey?: () => string;
};

/** The service's API, typed. Every method throws `ApiError` or `UnreachableError`. */
export type Client = {
  readonly records: RecordsApi;
  readonly evidence: EvidenceApi;
  readonly reconciliations: ReconciliationsApi;
  readonly trust: TrustApi;
  readonly settings: SettingsApi;
  readonly hashKeys: HashKeysApi;
  readonly tokens: TokensApi;
  readonly members: MembersApi;
  readonly auth: AuthApi;
  readonly deadLetters: DeadLettersApi;
  readonly otel: OtelApi;
  whoami(): Promise<Identity>;
  /** What the host is; sent without the token, as signing in is. */
  describeHost(): Promise<HostDescription>;
};

/** A client of one workspace host. It sends nothing until used. Throws a `TypeError` for invalid options. */
export function createClient(options: ClientOptions): Client {
  const { send, openStream } = createTransport(options);
  const createKey = options.createIdempotencyKey ?? (() => crypto.randomUUID());
  return {
    records: createRecordsApi(send, createKey),
    evidence: createEvidenceApi(send, openStream, createKey),
    reconciliations: createReconciliationsApi(send, openStream, createKey),
    trust: createTrustApi(send),
    settings: createSettingsApi(send),
    hashKeys: createHashKeysApi(send),
    tokens: createTokensApi(send),
    members: createMembersApi(send),
    auth: createAuthApi(send),
    deadLetters: createDeadLettersApi(send),
    otel: createOtelApi(send),
    async whoami() {
      return (await request(send, { method: 'GET', path: '/api/whoami', repeat: 'safe' }, identity)).value;
    },
    async describeHost() {
      const path = '/.well-known/answer-evidence';
      return (await request(send, { method: 'GET', path, repeat: 'safe', isPublic: true }, hostDescription)).value;
    },
  };
}
