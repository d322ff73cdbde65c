import { DEFAULT_TRUST_POLICY, type Scope } from '@answer-evidence/contracts';
import { runRequest, type Target } from './tenants.ts';
import { answer } from './test-service.ts';

/** Who may use a route, said again here and independently of the access matrix (docs: "Authentication and tenancy"). */
type Access = 'public' | { readonly application: Scope | 'any' | 'none'; readonly user: 'member' | 'manager' };

/** What a caller without rights to a target gets: a status, or their own view of the route without the target. */
type Outsider = number | 'own view';

/** A route with the request that reaches for a target. */
export type RouteRow = {
  readonly access: Access;
  readonly path: (target: Target) => string;
  readonly body?: (target: Target) => object;
  /** Status for the target's own people who have the access. */
  readonly own: number;
  readonly otherTenant: Outsider;
  /** For a token of the tenant's second application with every scope; `matrix` where no application is admitted. */
  readonly otherApplication: Outsider | 'matrix';
};

const reading = { application: 'answer_audit:read', user: 'member' } as const;
const retrieving = { application: 'answer_audit:evidence:read', user: 'member' } as const;
const keeping = { application: 'answer_audit:create', user: 'member' } as const;
const managing = { application: 'none', user: 'manager' } as const;
const reconciling = { application: 'answer_audit:reconcile', user: 'member' } as const;
const run = ({ runId }: Target) => `/api/reconciliations/runs/${runId}`;
const asset = ({ assetId }: Target) => `/api/evidence-assets/${assetId}`;
const record = ({ recordId }: Target) => `/api/answer-audit-logs/${recordId}`;

/** Every route of the service, by method and path of the OpenAPI document. */
export const ROUTE_TABLE: Readonly<Record<string, RouteRow>> = {
  'GET /api/reconciliations/runs': {
    access: reconciling,
    path: () => '/api/reconciliations/runs?size=200',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'own view',
  },
  'GET /api/reconciliations/runs/{run_id}': {
    access: reconciling,
    path: run,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/reconciliations/runs/{run_id}/findings': {
    access: reconciling,
    path: (target) => `${run(target)}/findings`,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/reconciliations/runs/{run_id}/records': {
    access: reconciling,
    path: (target) => `${run(target)}/records`,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/reconciliations/runs/{run_id}/proof': {
    access: reconciling,
    path: (target) => `${run(target)}/proof`,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/answer-audit-logs': {
    access: reading,
    path: () => '/api/answer-audit-logs?size=200',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'own view',
  },
  'GET /api/answer-audit-logs/export': {
    access: managing,
    path: () => '/api/answer-audit-logs/export?format=jsonl',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'GET /api/answer-audit-logs/{answer_log_id}': {
    access: reading,
    path: record,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'POST /api/answer-audit-logs/{answer_log_id}/events': {
    access: managing,
    path: (target) => `${record(target)}/events`,
    body: () => ({ event_type: 'retention_extended' }),
    own: 200,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'GET /api/evidence-assets': {
    access: retrieving,
    path: () => '/api/evidence-assets?size=200',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'own view',
  },
  'GET /api/evidence-assets/{asset_id}': {
    access: retrieving,
    path: asset,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/evidence-assets/{asset_id}/accesses': {
    access: managing,
    path: (target) => `${asset(target)}/accesses`,
    own: 200,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'POST /api/evidence-assets/{asset_id}/retrieve': {
    access: retrieving,
    path: (target) => `${asset(target)}/retrieve`,
    body: () => ({}),
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'POST /api/evidence-assets/{asset_id}/download': {
    access: retrieving,
    path: (target) => `${asset(target)}/download`,
    body: () => ({}),
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/upload': {
    access: keeping,
    path: (target) => `${record(target)}/evidence-assets/upload`,
    body: () => ({ segments: ['a passage'] }),
    own: 201,
    otherTenant: 404,
    otherApplication: 403,
  },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/register': {
    access: keeping,
    path: (target) => `${record(target)}/evidence-assets/register`,
    body: () => ({ external_uri: 'https://example.com/' }),
    own: 201,
    otherTenant: 404,
    otherApplication: 403,
  },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/{asset_id}/download': {
    access: retrieving,
    path: (target) => `${record(target)}/evidence-assets/${target.assetId}/download`,
    body: () => ({}),
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/answer-audit-logs/{answer_log_id}/ledger/verify': {
    access: reading,
    path: (target) => `${record(target)}/ledger/verify`,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/trust/proofs/answers/{answer_log_id}': {
    access: reading,
    path: ({ recordId }) => `/api/trust/proofs/answers/${recordId}`,
    own: 200,
    otherTenant: 404,
    otherApplication: 403,
  },
  'GET /api/trust/keys': {
    access: reading,
    path: () => '/api/trust/keys',
    own: 200,
    otherTenant: 'own view',
    // The log is the tenant's; its keys are every application's to read.
    otherApplication: 200,
  },
  'GET /api/trust/policy': {
    access: reading,
    path: () => '/api/trust/policy',
    own: 200,
    otherTenant: 'own view',
    // The log is the tenant's, and what vouches for it is every application's to read.
    otherApplication: 200,
  },
  'GET /api/trust/checkpoints': {
    access: reading,
    path: () => '/api/trust/checkpoints',
    own: 200,
    otherTenant: 'own view',
    // The log is the tenant's, and what vouches for it is every application's to read.
    otherApplication: 200,
  },
  'GET /api/trust/anchors': {
    access: reading,
    path: () => '/api/trust/anchors',
    own: 200,
    otherTenant: 'own view',
    // The log is the tenant's, and what vouches for it is every application's to read.
    otherApplication: 200,
  },
  'GET /api/trust/witnesses': {
    access: reading,
    path: () => '/api/trust/witnesses',
    own: 200,
    otherTenant: 'own view',
    // The log is the tenant's, and what vouches for it is every application's to read.
    otherApplication: 200,
  },
  'POST /api/trust/keys': {
    access: managing,
    path: () => '/api/trust/keys',
    body: () => ({}),
    own: 201,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/trust/keys/retire': {
    access: managing,
    path: () => '/api/trust/keys/retire',
    body: () => ({ vkey: 'the log has no such key' }),
    own: 404,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'PUT /api/trust/policy': {
    access: managing,
    path: () => '/api/trust/policy',
    body: () => DEFAULT_TRUST_POLICY,
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/trust/anchors/run': {
    access: managing,
    path: () => '/api/trust/anchors/run',
    body: () => ({}),
    own: 202,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/trust/ledger-checks': {
    access: managing,
    path: () => '/api/trust/ledger-checks',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'GET /tlog/{workspace}/{path}': {
    access: reading,
    path: ({ slug }) => `/tlog/${slug}/tile/0/000.p/1`,
    own: 200,
    otherTenant: 404,
    // The log is the tenant's, and holds no application's words.
    otherApplication: 200,
  },
  'GET /api/tenant/settings': {
    access: managing,
    path: () => '/api/tenant/settings',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'PATCH /api/tenant/settings': {
    access: managing,
    path: () => '/api/tenant/settings',
    body: () => ({ answer_audit_store_question_text: true }),
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'GET /api/tenant/hash-keys': {
    access: managing,
    path: () => '/api/tenant/hash-keys',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/tenant/hash-keys': {
    access: managing,
    path: () => '/api/tenant/hash-keys',
    own: 201,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'GET /api/dead-letters': {
    access: managing,
    path: () => '/api/dead-letters',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/dead-letters/{dead_letter_id}/replay': {
    access: managing,
    path: ({ deadLetterId }) => `/api/dead-letters/${deadLetterId}/replay`,
    own: 202,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'GET /api/tokens': {
    access: { application: 'none', user: 'member' },
    path: () => '/api/tokens',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/tokens': {
    access: { application: 'none', user: 'member' },
    path: () => '/api/tokens',
    body: () => ({ kind: 'user', name: `for the isolation test ${crypto.randomUUID()}` }),
    own: 201,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/tokens/{token_id}/rotate': {
    access: { application: 'none', user: 'member' },
    // A token of an application is a manager's, so this one is 404 for members of the same tenant as well.
    path: ({ tokenId }) => `/api/tokens/${tokenId}/rotate`,
    own: 201,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'DELETE /api/tokens/{token_id}': {
    access: { application: 'none', user: 'member' },
    path: ({ tokenId }) => `/api/tokens/${tokenId}`,
    own: 204,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'POST /api/answer-audit-logs': {
    access: { application: 'answer_audit:create', user: 'member' },
    path: () => '/api/answer-audit-logs',
    body: ({ applicationKey, idempotencyKey }) =>
      answer('a question of its own', 'an answer', {
        application_key: applicationKey,
        idempotency_key: `new ${idempotencyKey}`,
      }),
    own: 201,
    // A tenant's application keys are its own words, so the same word makes a record of the caller's tenant. It then
    // shows in that tenant's lists, which is why this row comes after them.
    otherTenant: 'own view',
    otherApplication: 403,
  },
  // After the lists, as the one above.
  'POST /api/evidence-assets': {
    access: keeping,
    path: () => '/api/evidence-assets',
    body: ({ applicationKey }) => ({ application_key: applicationKey, segments: ['a passage'] }),
    own: 201,
    // As with records: the same word makes an asset of the caller's tenant.
    otherTenant: 'own view',
    otherApplication: 403,
  },
  'POST /api/reconciliations/runs': {
    access: reconciling,
    path: () => '/api/reconciliations/runs',
    body: ({ applicationKey, idempotencyKey }) => runRequest(applicationKey, idempotencyKey),
    own: 202,
    otherTenant: 'own view',
    otherApplication: 403,
  },
  'POST /api/answer-audit-logs/otel': otlpRow('/api/answer-audit-logs/otel'),
  'POST /api/answer-audit-logs/otel/v1/traces': otlpRow('/api/answer-audit-logs/otel/v1/traces'),
  'POST /api/answer-audit-logs/otel/v1/logs': otlpRow('/api/answer-audit-logs/otel/v1/logs'),
  'GET /api/answer-audit-logs/otel/unattached': {
    access: reading,
    path: () => '/api/answer-audit-logs/otel/unattached',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'own view',
  },
  'GET /api/members': {
    access: managing,
    path: () => '/api/members',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/members': {
    access: managing,
    path: () => '/api/members',
    body: () => ({ username: `for-isolation-${crypto.randomUUID()}` }),
    own: 201,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'PATCH /api/members/{member_id}': {
    access: managing,
    path: ({ memberId }) => `/api/members/${memberId}`,
    body: () => ({ disabled: false }),
    own: 200,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  'DELETE /api/members/{member_id}': {
    access: managing,
    path: ({ memberId }) => `/api/members/${memberId}`,
    own: 204,
    otherTenant: 404,
    otherApplication: 'matrix',
  },
  // Ends the token of the request; the isolation test asks for it with tokens of its own.
  'POST /api/auth/logout': {
    access: { application: 'none', user: 'member' },
    path: () => '/api/auth/logout',
    own: 204,
    otherTenant: 'own view',
    otherApplication: 'matrix',
  },
  'POST /api/auth/login': publicRow('/api/auth/login'),
  'POST /api/auth/password': publicRow('/api/auth/password'),
  'GET /auth/password': publicRow('/auth/password'),
  'GET /api/whoami': {
    access: { application: 'any', user: 'member' },
    path: () => '/api/whoami',
    own: 200,
    otherTenant: 'own view',
    otherApplication: 200,
  },
  'GET /.well-known/answer-evidence': publicRow('/.well-known/answer-evidence'),
  'GET /.well-known/jwks.json': publicRow('/.well-known/jwks.json'),
  'GET /api/openapi.json': publicRow('/api/openapi.json'),
  'GET /api/docs': publicRow('/api/docs'),
  'GET /api/docs/{asset}': publicRow('/api/docs/start.js'),
};

/** An empty request: whose items it brings is judged item by item, and the service's own tests do that. */
function otlpRow(path: string): RouteRow {
  return {
    access: { application: 'answer_audit:create', user: 'member' },
    path: () => path,
    body: () => ({}),
    own: 200,
    otherTenant: 'own view',
    otherApplication: 'own view',
  };
}

function publicRow(path: string): RouteRow {
  return { access: 'public', path: () => path, own: 200, otherTenant: 'own view', otherApplication: 200 };
}
