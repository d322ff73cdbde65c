import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MEMBER_ROLES, type MemberRole, READING_RULES, type ReadingRule } from '@answer-evidence/contracts';
import { addMemberWith } from '../tools/scenery/members-with.ts';
import { ROUTE_TABLE, type RouteRow } from '../tools/scenery/route-table.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { openTenants, type Target, type Tenant } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const MARKS = ['MARKED-QUESTION', 'MARKED-ANSWER', 'MARKED-CORRECTION', 'MARKED-EVIDENCE'];
/** These end the token that the others are asked with, or take a second each and read nothing. */
const LEFT_OUT = ['POST /api/auth/logout', 'POST /api/auth/password', 'POST /api/trust/ledger-checks'];
const WHY = { 'Service-Reason-Code': 'audit', 'Service-Reason': encodeURIComponent('Prüfung der Antworten') };
/** Where the request itself says why. */
const REVEALS = [
  `POST ${RECORDS}/{answer_log_id}/reveal`,
  'POST /api/trust/proofs/answers/{answer_log_id}/reveal',
  'POST /api/search/texts',
];
/** Every operation by which a person gets texts; each is found again by what its replies have. */
const OF_RECORDS = [
  `GET ${RECORDS}/export`,
  `GET ${RECORDS}/{answer_log_id}`,
  'GET /api/trust/proofs/answers/{answer_log_id}',
  `POST ${RECORDS}`,
  `POST ${RECORDS}/{answer_log_id}/events`,
  'POST /api/trust/packs',
];
const OF_EVIDENCE = [
  `POST ${RECORDS}/{answer_log_id}/evidence-assets/{asset_id}/download`,
  'POST /api/evidence-assets/{asset_id}/download',
  'POST /api/evidence-assets/{asset_id}/retrieve',
];
const ALL = [...OF_RECORDS, ...OF_EVIDENCE, ...REVEALS].toSorted();
const OF_MEMBERS = ALL.filter((name) => !/export$|packs$|events$/.test(name));
const OF_READERS = OF_MEMBERS.filter((name) => name !== `POST ${RECORDS}`);
/** By which operations each role is given texts. */
const GIVEN: Readonly<Record<MemberRole, readonly string[]>> = {
  manager: ALL,
  member: OF_MEMBERS,
  reviewer: OF_READERS,
  application_operator: [],
  auditor: [],
  read_only: OF_READERS,
};

let service: TestService;
let ours: Tenant;
let target: Target;
let rows: Readonly<Record<string, RouteRow>>;
let operationIds: ReadonlyMap<string, string>;
/** Tokens of members in each role. */
let inRoles: ReadonlyMap<MemberRole, string>;

beforeAll(async () => {
  service = await openTestService();
  ({ ours } = await openTenants(service));
  const payload = answer('MARKED-QUESTION', 'MARKED-ANSWER', {
    application_key: ours.target.applicationKey,
    idempotency_key: 'read-by-rule',
  });
  const { id: recordId } = (await call('POST', RECORDS, payload)).body;
  const correction = { event_type: 'correction_appended', payload: { corrected_answer_text: 'MARKED-CORRECTION' } };
  await call('POST', `${RECORDS}/${recordId}/events`, correction);
  const upload = `${RECORDS}/${recordId}/evidence-assets/upload`;
  const { id: assetId } = (await call('POST', upload, { segments: ['MARKED-EVIDENCE'] })).body;
  target = { ...ours.target, recordId, assetId };
  // The request that is repeated: hashes are not what this caller has, but a replay gives what is stored.
  rows = { ...ROUTE_TABLE, [`POST ${RECORDS}`]: { ...must(`POST ${RECORDS}`), body: () => payload } };
  const { stores } = await openStoresOn(service);
  const tokens: [MemberRole, string][] = [];
  for (const role of MEMBER_ROLES)
    tokens.push([role, (await addMemberWith(service, stores, ours.workspaceId, { role })).token]);
  await stores.close();
  inRoles = new Map(tokens);
  const { paths } = (await call('GET', '/api/openapi.json')).body as { paths: Record<string, Record<string, any>> };
  operationIds = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[`${method.toUpperCase()} ${path}`, String(operationId)] as const],
      ),
    ),
  );
}, 90_000);
afterAll(() => service.close());

function must(name: string): RouteRow {
  const row = ROUTE_TABLE[name];
  if (row === undefined) throw new Error(`${name} has no row in the table of routes`);
  return row;
}

type Asked = { readonly token?: string; readonly headers?: Record<string, string> };

function call(method: string, path: string, body?: object, { token = ours.manager, headers }: Asked = {}) {
  const given = { ...(body === undefined ? {} : { body }), ...(headers === undefined ? {} : { headers }) };
  return service.call(method, path, { token, ...given });
}

const shows = (reply: Reply) => MARKS.filter((mark) => reply.text.includes(mark));
const readings = async () => (await call('GET', `/api/readings?answer_log_id=${target.recordId}`)).body;
const accesses = async () => (await call('GET', `/api/evidence-assets/${target.assetId}/accesses`)).body;

/**
 * Asks every documented operation, and returns those whose replies have texts. Each of these left one entry that came
 * with it, and the others left none.
 */
async function walk(asked: Asked, mustBeNoted: boolean, reason: string | null): Promise<readonly string[]> {
  const shown: string[] = [];
  let read: number = (await readings()).total;
  let accessed: number = (await accesses()).total;
  for (const [name, operationId] of operationIds) {
    if (LEFT_OUT.includes(name)) continue;
    const row = rows[name] ?? must(name);
    const reply = await call(name.split(' ')[0] ?? '', row.path(target), row.body?.(target), asked);
    if (shows(reply).length === 0) continue;
    shown.push(name);
    if (OF_EVIDENCE.includes(name)) {
      const { total, items } = await accesses();
      const purpose = reason === null ? null : `audit: ${reason}`;
      expect([name, total, items[0].purpose]).toEqual([name, ++accessed, purpose]);
    } else if (mustBeNoted) {
      const { total, items } = await readings();
      expect([name, total]).toEqual([name, ++read]);
      // What was asked for by a reason has that; the entry of a reveal is older than the name of its operation.
      const operation = name.endsWith('/reveal') ? null : operationId;
      const said = { operation, reason: REVEALS.includes(name) ? 'a test' : reason };
      expect(items[0]).toMatchObject({ ...said, answer_log_ids: expect.arrayContaining([target.recordId]) });
    }
  }
  expect((await accesses()).total).toBe(accessed);
  if (mustBeNoted) expect((await readings()).total).toBe(read);
  return shown.toSorted();
}

async function setRule(rule: ReadingRule): Promise<void> {
  expect((await call('PATCH', '/api/tenant/settings', { answer_audit_reading_rule: rule })).status).toBe(200);
}

describe('a workspace that was just made', () => {
  it('gives texts to people after an entry, and says so in its settings', async () => {
    expect((await call('GET', '/api/tenant/settings')).body.answer_audit_reading_rule).toBe('logged');
  });
});

describe.each(READING_RULES)('under the rule %s', (rule) => {
  beforeAll(() => setRule(rule));

  it('a manager is given texts by the known operations alone, after an entry where the rule wants one', async () => {
    expect(await walk({}, rule !== 'open', null)).toEqual(rule === 'reasoned' ? REVEALS.toSorted() : ALL);
  }, 120_000);

  it('a reason that a manager gives is in the entry, whatever the rule', async () => {
    expect(await walk({ headers: WHY }, true, 'Prüfung der Antworten')).toEqual(ALL);
  }, 120_000);

  it.each(MEMBER_ROLES)(
    '%s is given them in the same way, by what the role may do, or never',
    async (role) => {
      const asked = { token: inRoles.get(role) ?? '' };
      const theirs = GIVEN[role];
      const unasked = theirs.filter((name) => rule !== 'reasoned' || REVEALS.includes(name));
      expect(await walk(asked, rule !== 'open', null)).toEqual(unasked);
      expect(await walk({ ...asked, headers: WHY }, true, 'Prüfung der Antworten')).toEqual(theirs);
    },
    120_000,
  );

  it('an application reads by its scopes, and leaves no entry', async () => {
    const before = (await readings()).total;
    for (const path of [`${RECORDS}/${target.recordId}`, `/api/trust/proofs/answers/${target.recordId}`])
      expect(shows(await call('GET', path, undefined, { token: ours.scoped['answer_audit:read'] ?? '' }))).toEqual(
        MARKS.slice(0, 3),
      );
    expect((await readings()).total).toBe(before);
  });
});

describe('without a reason, where one is needed', () => {
  beforeAll(() => setRule('reasoned'));

  it('a record comes without its texts and says so; what would be another thing without them is refused', async () => {
    const record = await call('GET', `${RECORDS}/${target.recordId}`);
    expect([record.status, record.headers.get('service-texts'), record.body.answer]).toMatchObject([
      200,
      'withheld',
      { text: null, text_state: 'stored' },
    ]);
    const refused = [
      await call('GET', `/api/trust/proofs/answers/${target.recordId}`),
      await call('GET', `${RECORDS}/export?format=csv`),
      await call('POST', '/api/trust/packs', { answer_log_ids: [target.recordId] }),
      await call('POST', `/api/evidence-assets/${target.assetId}/retrieve`, {}),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([422, 'reason_required']);
    const proof = await call('GET', `/api/trust/proofs/answers/${target.recordId}?texts=withheld`);
    expect([proof.status, shows(proof)]).toEqual([200, []]);
  });

  it.each([
    ['a code without words', { 'Service-Reason-Code': 'audit' }],
    ['an unknown code', { 'Service-Reason-Code': 'curiosity', 'Service-Reason': 'x' }],
    ['nothing visible', { 'Service-Reason': '%20%E2%80%8B' }],
    ['half an encoding', { 'Service-Reason': '%C3' }],
    ['too many words', { 'Service-Reason': 'x'.repeat(501) }],
  ])('%s is refused, and nothing is read', async (_, headers: Record<string, string>) => {
    const before = (await readings()).total;
    const reply = await call('GET', `${RECORDS}/${target.recordId}`, undefined, { headers });
    expect([reply.status, reply.body.code, shows(reply)]).toEqual([422, 'schema_violation', []]);
    expect((await readings()).total).toBe(before);
  });
});

describe('the report of readings', () => {
  it('names the records of one in bulk, and finds it by each of them and by its reader', async () => {
    await setRule('logged');
    const second = (await call('POST', RECORDS, answer('q', 'a', { application_key: 'of-the-report' }))).body.id;
    const ids = [target.recordId, second];
    expect((await call('POST', '/api/trust/packs', { answer_log_ids: ids }, { headers: WHY })).status).toBe(200);
    const reader = (await readings()).items[0].actor.id;
    for (const id of ids) {
      const { items } = (await call('GET', `/api/readings?answer_log_id=${id}&actor_id=${reader}`)).body;
      expect(items[0]).toMatchObject({ answer_log_ids: ids, operation: 'createPack', actor: { id: reader } });
    }
    const others = (await call('GET', `/api/readings?answer_log_id=${second}&actor_id=nobody`)).body;
    expect([others.items, others.total]).toEqual([[], 0]);
    const member = await call('GET', '/api/readings', undefined, { token: ours.member });
    expect(member.status).toBe(403);
  });

  it('is what the log has: the whole ledger holds', async () => {
    const { body } = await call('POST', '/api/trust/ledger-checks');
    expect(body.findings).toEqual([]);
  });
});
