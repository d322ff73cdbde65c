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

const application = (needed: Scope | 'any' | 'none', user: 'member' | 'manager' = 'member') => ({
  access: { application: needed, user },
});
const reading = application('answer_audit:read');
const creating = application('answer_audit:create');
const retrieving = application('answer_audit:evidence:read');
const reconciling = application('answer_audit:reconcile');
const using = application('none');
const managing = application('none', 'manager');

/** One thing of an application. */
const ofApplication = { own: 200, otherTenant: 404, otherApplication: 403 } as const;
/** Whatever the caller's application has. */
const listed = { own: 200, otherTenant: 'own view', otherApplication: 'own view' } as const;
/** The tenant's, and for every application of theirs to read: the log, its keys and what vouches for it. */
const ofTenant = { own: 200, otherTenant: 'own view', otherApplication: 200 } as const;
/** The tenant's, and for no application; by its id, or as a whole. */
const keptById = { own: 200, otherTenant: 404, otherApplication: 'matrix' } as const;
const kept = { own: 200, otherTenant: 'own view', otherApplication: 'matrix' } as const;
/** A tenant's keys are its own words: the same word makes a thing of the caller's. So these rows follow the lists. */
const made = { own: 201, otherTenant: 'own view', otherApplication: 403 } as const;
const open = { access: 'public', ...ofTenant } as const;
const nothing = () => ({});
const reason = () => ({ reason_code: 'review', reason: 'a test' });
const code = () => ({ code: '0123456789abcdef01234567' });
/** An empty request: whose items it brings is judged item by item, and the service's own tests do that. */
const otlp = { ...creating, ...listed, body: nothing };

/** Rows whose `path` is left out ask for the path of their name, with the target's ids in the place of its braces. */
const ROWS: Readonly<Record<string, Omit<RouteRow, 'path'> & Partial<Pick<RouteRow, 'path'>>>> = {
  'GET /api/reconciliations/runs': { ...reconciling, ...listed, path: () => '/api/reconciliations/runs?size=200' },
  'GET /api/reconciliations/runs/{run_id}': { ...reconciling, ...ofApplication },
  'GET /api/reconciliations/runs/{run_id}/findings': { ...reconciling, ...ofApplication },
  'GET /api/reconciliations/runs/{run_id}/records': { ...reconciling, ...ofApplication },
  'GET /api/reconciliations/runs/{run_id}/proof': { ...reconciling, ...ofApplication },
  'GET /api/reconciliations/assignees': { ...using, ...kept },
  'GET /api/reconciliations/runs/{run_id}/triage': { ...using, ...keptById },
  'GET /api/reconciliations/runs/{run_id}/triage/{position}': { ...using, ...keptById },
  'POST /api/reconciliations/runs/{run_id}/triage/{position}/steps': {
    ...using,
    ...keptById,
    body: () => ({ action: 'comment', text: 'looked at' }),
  },
  'GET /api/answer-audit-logs': { ...reading, ...listed, path: () => '/api/answer-audit-logs?size=200' },
  'GET /api/answer-audit-logs/export': {
    ...managing,
    ...kept,
    path: () => '/api/answer-audit-logs/export?format=jsonl',
  },
  // Whose workspace shows no records by links is told so, and everybody else what they are told of every record.
  'POST /api/answer-audit-logs/{answer_log_id}/proof-links': {
    ...application('answer_audit:read', 'manager'),
    ...ofApplication,
    own: 422,
    body: nothing,
  },
  'GET /api/answer-audit-logs/{answer_log_id}/proof-links': {
    ...application('answer_audit:read', 'manager'),
    ...ofApplication,
  },
  'DELETE /api/answer-audit-logs/{answer_log_id}/proof-links/{proof_link_id}': {
    ...application('answer_audit:read', 'manager'),
    ...ofApplication,
    own: 404,
  },
  'POST /api/proof-links/open': {
    access: 'public',
    own: 404,
    otherTenant: 404,
    otherApplication: 404,
    body: () => ({ token: 'the token of no link' }),
  },
  'GET /proof/': { ...open },
  'GET /proof/{path}': { ...open, path: () => '/proof/anything' },
  'POST /api/trust/packs': { ...managing, ...keptById, body: ({ recordId }) => ({ answer_log_ids: [recordId] }) },
  'GET /api/answer-audit-logs/{answer_log_id}': { ...reading, ...ofApplication },
  'POST /api/answer-audit-logs/{answer_log_id}/reveal': { ...reading, ...ofApplication, body: reason },
  'POST /api/trust/proofs/answers/{answer_log_id}/reveal': { ...reading, ...ofApplication, body: reason },
  'POST /api/answer-audit-logs/{answer_log_id}/events': {
    ...managing,
    ...keptById,
    body: () => ({ event_type: 'retention_extended' }),
  },
  'POST /api/search': { ...reading, ...listed, body: ({ recordId }) => ({ text: recordId }) },
  'POST /api/search/sessions': { ...reading, ...listed, own: 201, body: reason },
  'GET /api/search/words': { ...reading, ...listed },
  'GET /api/search/values': { ...reading, ...listed },
  'GET /api/search/records': { ...reading, ...listed, path: () => '/api/search/records?size=200' },
  'GET /api/search/answered': { ...reading, ...listed },
  'POST /api/search/texts': {
    ...reading,
    ...ofApplication,
    body: ({ recordId }) => ({ answer_log_ids: [recordId], reason_code: 'review', reason: 'a test' }),
  },
  'GET /api/search/views': { ...using, ...kept },
  'POST /api/search/views': {
    ...using,
    ...kept,
    own: 201,
    body: () => ({ name: `for isolation ${crypto.randomUUID()}`, filters: {} }),
  },
  'DELETE /api/search/views/{view_id}': { ...using, ...keptById, own: 204 },
  'GET /api/holds': { ...managing, ...kept },
  'POST /api/holds': {
    ...managing,
    ...kept,
    own: 201,
    body: () => ({ matter: 'for isolation', reason: 'a test', filters: { application_key: 'nobody' } }),
  },
  'GET /api/holds/of-record/{answer_log_id}': { ...managing, ...keptById },
  'GET /api/holds/{hold_id}': { ...managing, ...keptById },
  'GET /api/holds/{hold_id}/records': { ...managing, ...keptById },
  'POST /api/holds/{hold_id}/release': { ...managing, ...keptById, body: () => ({ reason: 'a test' }) },
  'GET /api/evidence-assets': { ...retrieving, ...listed, path: () => '/api/evidence-assets?size=200' },
  'GET /api/evidence-assets/{asset_id}': { ...retrieving, ...ofApplication },
  'GET /api/evidence-assets/{asset_id}/accesses': { ...managing, ...keptById },
  'POST /api/evidence-assets/{asset_id}/retrieve': { ...retrieving, ...ofApplication, body: nothing },
  'POST /api/evidence-assets/{asset_id}/download': { ...retrieving, ...ofApplication, body: nothing },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/upload': {
    ...creating,
    ...ofApplication,
    own: 201,
    body: () => ({ segments: ['a passage'] }),
  },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/register': {
    ...creating,
    ...ofApplication,
    own: 201,
    body: () => ({ external_uri: 'https://example.com/' }),
  },
  'POST /api/answer-audit-logs/{answer_log_id}/evidence-assets/{asset_id}/download': {
    ...retrieving,
    ...ofApplication,
    body: nothing,
  },
  'GET /api/answer-audit-logs/{answer_log_id}/ledger/verify': { ...reading, ...ofApplication },
  'GET /api/trust/proofs/answers/{answer_log_id}': { ...reading, ...ofApplication },
  'GET /api/trust/keys': { ...reading, ...ofTenant },
  'GET /api/trust/policy': { ...reading, ...ofTenant },
  'GET /api/trust/checkpoints': { ...reading, ...ofTenant },
  'GET /api/trust/anchors': { ...reading, ...ofTenant },
  'GET /api/trust/witnesses': { ...reading, ...ofTenant },
  'POST /api/trust/keys': { ...managing, ...kept, own: 201, body: nothing },
  'POST /api/trust/keys/retire': {
    ...managing,
    ...keptById,
    own: 404,
    body: () => ({ vkey: 'the log has no such key' }),
  },
  'PUT /api/trust/policy': { ...managing, ...kept, body: () => DEFAULT_TRUST_POLICY },
  'POST /api/trust/anchors/run': { ...managing, ...kept, own: 202, body: nothing },
  'POST /api/trust/anchors/test': { ...managing, ...kept, body: () => ({ id: 'beside', type: 'file' }) },
  'POST /api/trust/witnesses/test': {
    ...managing,
    ...kept,
    own: 422,
    body: () => ({ vkey: 'none', url: 'https://witness.example' }),
  },
  'POST /api/trust/ledger-checks': { ...managing, ...kept },
  'GET /tlog/{workspace}/{path}': {
    ...reading,
    ...ofTenant,
    path: ({ slug }) => `/tlog/${slug}/tile/0/000.p/1`,
    otherTenant: 404,
  },
  'GET /api/tenant/settings': { ...managing, ...kept },
  'PATCH /api/tenant/settings': { ...managing, ...kept, body: () => ({ answer_audit_store_question_text: true }) },
  'GET /api/tenant/retention-forecast': { ...managing, ...kept },
  'GET /api/tenant/entries': { ...managing, ...kept, path: () => '/api/tenant/entries?size=200' },
  'GET /api/tenant/entries/{entry_id}': { ...managing, ...keptById },
  'GET /api/readings': { ...managing, ...kept, path: () => '/api/readings?size=200' },
  'GET /api/tenant/hash-keys': { ...managing, ...kept },
  'POST /api/tenant/hash-keys': { ...managing, ...kept, own: 201 },
  'POST /api/tenant/id-hashes': { ...managing, ...kept, body: () => ({ kind: 'actor', id: 'anna' }) },
  'GET /api/overview': { ...using, ...kept, path: () => '/api/overview?days=3660' },
  'GET /api/notifications/targets': { ...managing, ...kept },
  'POST /api/notifications/targets': {
    ...managing,
    ...kept,
    own: 201,
    body: () => ({ name: `for isolation ${crypto.randomUUID()}`, url: 'https://hooks.example.com/' }),
  },
  'POST /api/notifications/mail-targets': {
    ...managing,
    ...kept,
    // Nothing is to be sent to anybody.
    own: 422,
    body: () => ({ name: `for isolation ${crypto.randomUUID()}`, address: 'anna@localhost' }),
  },
  'GET /api/notifications/mine': { ...using, ...kept },
  'PUT /api/notifications/mine': { ...using, ...kept, own: 422, body: () => ({ address: 'anna@localhost' }) },
  'POST /api/notifications/mine/confirm': { ...using, ...kept, own: 404, body: code },
  'DELETE /api/notifications/mine': { ...using, ...kept, own: 404 },
  'POST /api/notifications/targets/{target_id}/confirm': { ...managing, ...keptById, own: 422, body: code },
  'GET /api/notifications/targets/{target_id}': { ...managing, ...keptById },
  'PATCH /api/notifications/targets/{target_id}': { ...managing, ...keptById, body: () => ({ state: 'disabled' }) },
  'POST /api/notifications/targets/{target_id}/rotate': { ...managing, ...keptById, own: 201 },
  'POST /api/notifications/targets/{target_id}/test': { ...managing, ...keptById, own: 202 },
  'GET /api/notifications/targets/{target_id}/deliveries': { ...managing, ...keptById },
  'POST /api/notifications/targets/{target_id}/deliveries/{notification_id}/replay': {
    ...managing,
    ...keptById,
    own: 202,
  },
  'DELETE /api/notifications/targets/{target_id}': { ...managing, ...keptById, own: 204 },
  'GET /api/streams': { ...managing, ...kept },
  'POST /api/streams': {
    ...managing,
    ...kept,
    own: 201,
    body: () => ({
      name: `for isolation ${crypto.randomUUID()}`,
      destination: { type: 'https', url: 'https://siem.example.com/' },
    }),
  },
  'GET /api/streams/{stream_id}': { ...managing, ...keptById },
  'PATCH /api/streams/{stream_id}': { ...managing, ...keptById, body: () => ({ state: 'disabled' }) },
  'POST /api/streams/{stream_id}/test': { ...managing, ...keptById },
  'DELETE /api/streams/{stream_id}': { ...managing, ...keptById, own: 204 },
  'GET /api/approvals': { ...managing, ...kept, path: () => '/api/approvals?size=200' },
  'POST /api/approvals': {
    ...managing,
    ...keptById,
    own: 201,
    body: ({ recordId }) => ({ reason: 'a test', event: { answer_log_id: recordId, event_type: 'redacted' } }),
  },
  'GET /api/approvals/{approval_id}': { ...managing, ...keptById },
  'POST /api/approvals/{approval_id}/approve': { ...managing, ...keptById, own: 409 },
  'POST /api/approvals/{approval_id}/decline': { ...managing, ...keptById, own: 409 },
  'POST /api/approvals/{approval_id}/withdraw': { ...managing, ...keptById, own: 409 },
  'GET /api/dead-letters': { ...managing, ...kept },
  'POST /api/dead-letters/{dead_letter_id}/replay': { ...managing, ...keptById, own: 202 },
  'GET /api/tokens': { ...using, ...kept },
  'POST /api/tokens': {
    ...using,
    ...kept,
    own: 201,
    body: () => ({ kind: 'user', name: `for the isolation test ${crypto.randomUUID()}` }),
  },
  // A token of an application is a manager's, so this one is 404 for members of the same tenant as well.
  'GET /api/tokens/{token_id}': { ...using, ...keptById },
  'POST /api/tokens/{token_id}/rotate': { ...using, ...keptById, own: 201 },
  'DELETE /api/tokens/{token_id}': { ...using, ...keptById, own: 204 },
  'POST /api/answer-audit-logs': {
    ...creating,
    ...made,
    body: ({ applicationKey, idempotencyKey }) =>
      answer('a question of its own', 'an answer', {
        application_key: applicationKey,
        idempotency_key: `new ${idempotencyKey}`,
      }),
  },
  'POST /api/answer-audit-logs/batch': {
    ...creating,
    ...made,
    own: 200,
    body: ({ applicationKey, idempotencyKey }) => ({
      records: [
        answer('a question of many', 'an answer', {
          application_key: applicationKey,
          idempotency_key: `one of many ${idempotencyKey}`,
        }),
      ],
    }),
  },
  'POST /api/evidence-assets': {
    ...creating,
    ...made,
    body: ({ applicationKey }) => ({ application_key: applicationKey, segments: ['a passage'] }),
  },
  'POST /api/reconciliations/runs': {
    ...reconciling,
    ...made,
    own: 202,
    body: ({ applicationKey, idempotencyKey }) => runRequest(applicationKey, idempotencyKey),
  },
  'POST /api/answer-audit-logs/otel': otlp,
  'POST /api/answer-audit-logs/otel/v1/traces': otlp,
  'POST /api/answer-audit-logs/otel/v1/logs': otlp,
  'POST /api/answer-audit-logs/otel/explain': otlp,
  'POST /api/answer-audit-logs/otel/explain/rules': {
    ...otlp,
    body: () => ({ request_base64: '', content_type: 'application/x-protobuf', rules: [] }),
  },
  'GET /api/answer-audit-logs/otel/unattached': { ...reading, ...listed },
  'GET /api/answer-audit-logs/otel/ignored': { ...reading, ...listed },
  'GET /api/answer-audit-logs/otel/traces/{trace_id}': { ...reading, ...listed },
  'GET /api/members': { ...managing, ...kept },
  'POST /api/members': {
    ...managing,
    ...kept,
    own: 201,
    body: () => ({ username: `for-isolation-${crypto.randomUUID()}` }),
  },
  'GET /api/members/{member_id}': { ...managing, ...keptById },
  'PATCH /api/members/{member_id}': { ...managing, ...keptById, body: () => ({ disabled: false }) },
  'DELETE /api/members/{member_id}': { ...managing, ...keptById, own: 204 },
  // Ends the token of the request; the isolation test asks for it with tokens of its own.
  'POST /api/auth/logout': { ...using, ...kept, own: 204 },
  'POST /api/auth/login': open,
  'POST /api/auth/device': open,
  'POST /api/auth/device/token': open,
  'POST /api/auth/password': open,
  'GET /auth/password': open,
  'GET /api/whoami': { ...application('any'), ...ofTenant },
  'GET /.well-known/answer-evidence': open,
  'GET /.well-known/jwks.json': open,
  'GET /api/openapi.json': open,
  'GET /api/docs': open,
  'GET /api/docs/{asset}': { ...open, path: () => '/api/docs/start.js' },
};

/** Every route of the service, by method and path of the OpenAPI document. */
export const ROUTE_TABLE: Readonly<Record<string, RouteRow>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [
    name,
    { path: (target) => fill(name.replace(/^\S+ /, ''), target), ...row },
  ]),
);

function fill(path: string, target: Target): string {
  const ids: Readonly<Record<string, string>> = {
    answer_log_id: target.recordId,
    approval_id: target.approvalId,
    asset_id: target.assetId,
    dead_letter_id: target.deadLetterId,
    entry_id: target.entryId,
    member_id: target.memberId,
    notification_id: target.notificationId,
    target_id: target.targetId,
    position: '0',
    // Of none, which is found out last.
    proof_link_id: target.recordId,
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    run_id: target.runId,
    stream_id: target.streamId,
    token_id: target.tokenId,
    view_id: target.viewId,
    hold_id: target.holdId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`the path ${path} needs a path of its own`);
    return id;
  });
}
