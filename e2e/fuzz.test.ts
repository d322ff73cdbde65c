import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NOTIFICATION_TARGETS_MAX, PROBLEM_CODES, SCOPES, STREAMS_MAX } from '@answer-evidence/contracts';
import { findProblemFaults } from '@answer-evidence/testing';
import { type Operation, readOperations } from '../tools/api/examples/described-api.ts';
import { runRequest } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { KEY_MARK, MARK } from './fuzz/arbitraries.ts';
import { createRequests, type FuzzRequest, type Tokens } from './fuzz/requests.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_731);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);

let service: TestService;
let tokens: Tokens;
/** Ids that answers have named; never the callers' own, so that no request ends them. */
const pool = new Map<string, string[]>();
const RECORDS = '/api/answer-audit-logs';
const own = new Set<string>();

beforeAll(async () => {
  service = await openTestService();
  const body = { kind: 'application', name: 'fuzz', application_key: 'support-bot', scopes: SCOPES };
  const application = await service.call('POST', '/api/tokens', { body });
  tokens = { manager: service.managerToken, application: application.body.token };
  await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_proof_links_enabled: true } });
  const whoami = await service.call('GET', '/api/whoami');
  for (const id of [application.body.id, whoami.body.id, whoami.body.token_id]) own.add(id);
  for (const question of ['one', 'two', 'three'])
    harvest(RECORDS, (await service.call('POST', RECORDS, { body: answer(question) })).body);
  const made = [
    ['/api/evidence-assets', { application_key: 'support-bot', segments: ['a passage'] }],
    ['/api/reconciliations/runs', runRequest('support-bot', 'one')],
    // More than are removed: what a request makes up is no address that a notification may go to.
    ...Array.from({ length: NOTIFICATION_TARGETS_MAX - 1 }, (_, n) => {
      return ['/api/notifications/targets', { name: `target ${n}`, url: 'https://hooks.example.com/' }] as const;
    }),
    ...Array.from({ length: STREAMS_MAX - 1 }, (_, n) => {
      const destination = { type: 'https', url: 'https://siem.example.com/' };
      return ['/api/streams', { name: `stream ${n}`, destination }] as const;
    }),
  ] as const;
  for (const [path, body] of made) harvest(path, (await service.call('POST', path, { body })).body);
  const event = { answer_log_id: pool.get(RECORDS)?.[0], event_type: 'voided', reason: 'a test' };
  const asked = await service.call('POST', '/api/approvals', { body: { reason: 'a test', event } });
  harvest('/api/approvals', asked.body);
}, 60_000);
afterAll(() => service.close());

async function issueSpare(): Promise<string> {
  const issued = await service.call('POST', '/api/tokens', { body: { kind: 'user', name: 'to be ended' } });
  return issued.body.token;
}

/** Needs what no document can tell: a password, the secret of a link, or a code that a person approved. */
const NEEDS_WHAT_IS_KNOWN: readonly string[] = [
  'POST /api/auth/login',
  'POST /api/auth/password',
  'POST /api/auth/device/token',
  'POST /api/proof-links/open',
  // An address that notifications or entries may go to.
  'POST /api/notifications/targets',
  'POST /api/streams',
  // A mail server, and what it was sent.
  'POST /api/notifications/mail-targets',
  'POST /api/notifications/targets/{target_id}/confirm',
  'PUT /api/notifications/mine',
  'POST /api/notifications/mine/confirm',
  // One act of several, and another person.
  'POST /api/approvals',
  'POST /api/approvals/{approval_id}/approve',
  'POST /api/approvals/{approval_id}/decline',
];

/** The path of a collection, whose members its operations name. */
function kindOf({ path }: Operation): string {
  return path.replace(/\/\{.*$/, '');
}

/** Keeps the ids of the things that an answer is about or lists. */
function harvest(kind: string, body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const { id, items = [] } = body as { id?: unknown; items?: readonly { id?: unknown }[] };
  for (const found of [id, ...items.map((item) => item.id)]) {
    if (typeof found !== 'string' || own.has(found)) continue;
    pool.set(kind, [...(pool.get(kind) ?? []), found].slice(-50));
  }
}

type Answer = { readonly status: number; readonly type: string | undefined; readonly text: string; readonly body: any };

async function send({ method, url, headers, body }: FuzzRequest): Promise<Answer> {
  const response = await fetch(service.baseUrl + url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const type = response.headers.get('content-type')?.split(';')[0];
  const isJson = type === 'application/json' || type === 'application/problem+json';
  return { status: response.status, type, text, body: isJson ? JSON.parse(text) : text };
}

/** What is wrong with an answer; undefined when nothing is. */
function findFault(operation: Operation, { status, type, text, body }: Answer): string | undefined {
  // No operation is fuzzed while anything is down, so these would be faults too.
  if (status >= 500) return `${status}: ${text}`;
  // A path that became another one, or a method that HTTP itself refuses, is no business of this operation.
  const fault = operation.findFault(status, type, body);
  if (fault !== undefined) return `${status}: ${fault}: ${text}`;
  if (status < 400) return undefined;
  if (operation.hasOwnRefusals) {
    const isStatus = typeof body.code === 'number' && typeof body.message === 'string';
    if (type !== 'application/json' || !isStatus) return `${status}: no status: ${text}`;
    return text.includes(MARK) || text.includes(KEY_MARK) ? `it repeats submitted text: ${text}` : undefined;
  }
  if (type !== 'application/problem+json' || body.status !== status) return `${status}: no problem: ${text}`;
  if (!PROBLEM_CODES.includes(body.code)) return `the code ${body.code} is not in the list`;
  const pointers = JSON.stringify(body.errors.map(({ pointer }: { pointer: string }) => pointer));
  if (text.includes(MARK) && !pointers.includes(MARK)) return `it repeats submitted text: ${text}`;
  const [first] = body.errors;
  const withoutPointers = JSON.stringify({
    ...body,
    // It names the place of the first fault.
    detail: first === undefined ? body.detail : body.detail.replace(first.pointer, ''),
    errors: body.errors.map(({ detail }: { detail: string }) => detail),
  });
  if (withoutPointers.includes(KEY_MARK) || withoutPointers.includes(MARK)) return `it repeats submitted text: ${text}`;
  return findProblemFaults(body)[0];
}

/** A fault with the request that met it, without its token. */
function describe({ name }: Operation, n: number, { url, headers, body }: FuzzRequest, fault: string): string {
  const { authorization: _, ...shown } = headers;
  return `${name} #${n}: ${fault.slice(0, 500)} <- ${url.slice(0, 300)} ${JSON.stringify(shown)} ${body?.slice(0, 500) ?? ''}`;
}

it('answers whatever it is sent with what it documents, and a problem repeats nothing', async () => {
  process.stderr.write(`fuzzing with FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}\n`);
  const { body: document } = await service.call('GET', '/api/openapi.json', { token: null });
  const operations = readOperations(document);
  const statuses = new Map<string, number>();
  const succeeded = new Set<string>();
  const faults: string[] = [];
  for (const operation of operations) {
    const kind = kindOf(operation);
    // Ends the token that it is sent with, which must not be the one that goes on asking.
    const asking = operation.operationId === 'logout' ? { ...tokens, manager: await issueSpare() } : tokens;
    const requests = createRequests(document, operation, asking, () => pool.get(kind) ?? pool.get(RECORDS) ?? []);
    for (const [n, request] of fc.sample(requests, { seed: SEED, numRuns: RUNS }).entries()) {
      const reply = await send(request);
      const fault = findFault(operation, reply);
      if (fault !== undefined) faults.push(describe(operation, n, request, fault));
      if (reply.status < 300) succeeded.add(operation.name);
      statuses.set(String(reply.status), (statuses.get(String(reply.status)) ?? 0) + 1);
      harvest(kind, reply.body);
    }
  }
  process.stderr.write(`${JSON.stringify(Object.fromEntries(statuses))}\n`);
  expect(faults).toEqual([]);
  // Requests that never get past the schema would show little.
  const unreached = operations
    .map(({ name }) => name)
    .filter((name) => !succeeded.has(name) && !NEEDS_WHAT_IS_KNOWN.includes(name));
  process.stderr.write(`never succeeded: ${unreached.join(', ')}\n`);
  expect(unreached.length).toBeLessThan(operations.length / 6);
  for (const status of ['400', '401', '403', '404', '415', '422']) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
  const report = await service.call('POST', '/api/trust/ledger-checks');
  expect(report.body).toMatchObject({ outcome: 'PASS', findings: [] });
}, 600_000);
