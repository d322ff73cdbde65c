import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '@answer-evidence/contracts';
import { ROUTE_TABLE, type RouteRow } from '../tools/scenery/route-table.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { issueExpired, openTenants, SCOPE_SETS, type Target, type Tenant } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
let ours: Tenant;
let theirs: Tenant;
let operations: readonly string[];

beforeAll(async () => {
  service = await openTestService();
  ({ ours, theirs } = await openTenants(service));
  const { body } = await service.call('GET', '/api/openapi.json', { token: null });
  operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object)
      .filter((name) => ['get', 'post', 'put', 'patch', 'delete'].includes(name))
      .map((method) => `${method.toUpperCase()} ${path.replace('{+', '{')}`),
  );
}, 60_000);
afterAll(() => service.close());

/** Asks for the faults of one route after the other. */
async function forEachRoute(
  check: (name: string, row: RouteRow) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [name, row] of Object.entries(ROUTE_TABLE)) faults.push(...(await check(name, row)));
  return faults;
}

async function send(name: string, row: RouteRow, target: Target, given: string | null): Promise<Reply> {
  const method = name.split(' ')[0] ?? '';
  const token = name === 'POST /api/auth/logout' ? await spare(given) : given;
  const body = row.body?.(target);
  return service.call(method, row.path(target), { token, ...(body === undefined ? {} : { body }) });
}

/** Another token of the same user, for a route that ends the token it is called with; other tokens stay as they are. */
async function spare(token: string | null): Promise<string | null> {
  const body = { kind: 'user', name: `spare ${crypto.randomUUID()}` };
  const issued = await service.call('POST', '/api/tokens', { token, body });
  return issued.status === 201 ? issued.body.token : token;
}

/** Faults of a reply that should have this status and hold none of the marks. */
function faultsOf(what: string, reply: Reply, status: number, marks: readonly string[]): readonly string[] {
  const faults: string[] = [];
  if (reply.status !== status) faults.push(`${what}: ${reply.status} instead of ${status}`);
  // A path is the caller's own words; what the service adds is in the body and the headers.
  const shown = `${reply.text} ${JSON.stringify([...reply.headers])}`;
  for (const mark of marks) if (shown.includes(mark)) faults.push(`${what}: shows ${mark}`);
  return faults;
}

/** Marks that the request itself does not hold, which its own reply may repeat. */
function marksBeyond(row: RouteRow, target: Target): readonly string[] {
  const request = row.path(target) + JSON.stringify(row.body?.(target) ?? {});
  return target.marks.filter((mark) => !request.includes(mark));
}

describe('isolation', () => {
  it('is tested for every route that the service describes', () => {
    expect(operations.toSorted()).toEqual(Object.keys(ROUTE_TABLE).toSorted());
  });

  it('answers 401 to no token, garbage, a revoked and an expired one, and shows nothing', async () => {
    const bound = { kind: 'application', application_key: ours.target.applicationKey, scopes: SCOPES };
    const revoked: string[] = [];
    for (const body of [
      { kind: 'user', name: 'revoked user' },
      { ...bound, name: 'revoked application' },
    ]) {
      const issued = await service.call('POST', '/api/tokens', { body });
      expect((await service.call('DELETE', `/api/tokens/${issued.body.id}`)).status).toBe(204);
      revoked.push(issued.body.token);
    }
    const { stores } = await openStoresOn(service);
    const { id: userId } = (await service.call('GET', '/api/whoami')).body;
    const expired = await issueExpired(stores, ours.workspaceId, userId);
    await stores.close();
    const [header, claims, signature = ''] = ours.first.split('.');
    const forged = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${claims}.`;
    const bad = {
      none: null,
      garbage: 'garbage',
      forged,
      unsigned,
      truncated: service.managerToken.slice(0, -1),
      expired,
    };
    const tokens: [string, string | null][] = [
      ...Object.entries(bad),
      ['revoked user', revoked[0] ?? ''],
      ['revoked application', revoked[1] ?? ''],
    ];
    const faults = await forEachRoute(async (name, row) => {
      if (row.access === 'public') return [];
      const found = [];
      for (const [kind, token] of tokens) {
        const reply = await send(name, row, ours.target, token);
        found.push(...faultsOf(`${name} with ${kind}`, reply, 401, marksBeyond(row, ours.target)));
        if (!/^Bearer /.test(reply.headers.get('www-authenticate') ?? '')) found.push(`${name}: no WWW-Authenticate`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  });

  // A test for each route: with every set of scopes they are thousands of requests, for which a minute may be short.
  it.each(Object.entries(ROUTE_TABLE).filter(([, { access }]) => access !== 'public' && access.application !== 'any'))(
    'lets an application do what its scopes say and nothing else, for every set of scopes: %s',
    async (name, row) => {
      if (row.access === 'public' || row.access.application === 'any') throw new Error('it is left out above');
      const { application } = row.access;
      const found = [];
      for (const scopes of SCOPE_SETS) {
        const isIn = application !== 'none' && scopes.includes(application);
        const reply = await send(name, row, ours.target, ours.scoped[scopes.join(' ')] ?? null);
        const marks = isIn ? [] : marksBeyond(row, ours.target);
        found.push(...faultsOf(`${name} with ${scopes.join(' ')}`, reply, isIn ? row.own : 403, marks));
      }
      expect(found).toEqual([]);
    },
  );

  it('lets a member do what is not a manager’s, and answers 403 to the rest', async () => {
    const faults = await forEachRoute(async (name, row) => {
      // To a member, the token of an application is as if it were not there.
      if (row.access === 'public' || name.includes('/api/tokens/{')) return [];
      const isIn = row.access.user === 'member';
      const reply = await send(name, row, ours.target, ours.member);
      return faultsOf(name, reply, isIn ? row.own : 403, isIn ? [] : marksBeyond(row, ours.target));
    });
    expect(faults).toEqual([]);
    const [, tokensRow] = Object.entries(ROUTE_TABLE).find(([name]) => name === 'DELETE /api/tokens/{token_id}') ?? [];
    if (tokensRow === undefined) throw new Error('the table names the route');
    expect((await send('DELETE', tokensRow, ours.target, ours.member)).status).toBe(404);
    const seen = await service.call('GET', '/api/tokens', { token: ours.member });
    expect(seen.body.items.map(({ kind }: { kind: string }) => kind)).not.toContain('application');
  });

  it('keeps the other tenant’s manager, member and applications from everything by its id, and shows them their own', async () => {
    const faults = await forEachRoute(async (name, row) => {
      const found = [];
      const callers = { manager: ours.manager, member: ours.member, application: ours.first };
      for (const [kind, token] of Object.entries(callers)) {
        if (row.access === 'public') continue;
        const isIn =
          kind === 'application' ? row.access.application !== 'none' : kind === row.access.user || kind === 'manager';
        // A create for an application key that is not the token's own is the application's fence, not the tenant's.
        const isBound = kind === 'application' && row.otherTenant === 'own view' && row.otherApplication === 403;
        const own = row.otherTenant === 'own view' ? row.own : row.otherTenant;
        const reply = await send(name, row, theirs.target, token);
        const what = `${name} by the other tenant’s ${kind}`;
        found.push(...faultsOf(what, reply, isIn && !isBound ? own : 403, marksBeyond(row, theirs.target)));
      }
      return found;
    });
    expect(faults).toEqual([]);
  });

  it('keeps an application of the same tenant from another one’s records, which a user reads', async () => {
    const faults = await forEachRoute(async (name, row) => {
      if (row.access === 'public') return [];
      const outside = row.otherApplication;
      const status = outside === 'matrix' ? 403 : outside === 'own view' ? row.own : outside;
      const reply = await send(name, row, ours.target, ours.second);
      // The ledger's keys and the token's own description name the tenant, which is also theirs.
      const marks = outside === 200 ? [] : marksBeyond(row, ours.target).filter((mark) => mark !== ours.workspaceId);
      const found = [...faultsOf(`${name} by the second application`, reply, status, marks)];
      if (outside !== 403) return found;
      // The same request by somebody who is bound to no application: the binding was all that stood in the way.
      const { user } = row.access;
      const open = await send(name, row, ours.target, ours[user]);
      return [...found, ...faultsOf(`${name} by a ${user}`, open, row.own, [])];
    });
    expect(faults).toEqual([]);
  });

  it('narrows an application’s lists to itself and refuses its filter for another', async () => {
    const list = await service.call('GET', '/api/answer-audit-logs', { token: ours.second });
    const keys = list.body.items.map((item: { application_key: string }) => item.application_key);
    expect(new Set(keys)).toEqual(new Set(['ours-second-app']));
    expect(list.body.total).toBe(keys.length);
    const path = `/api/answer-audit-logs?application_key=${ours.target.applicationKey}`;
    const refused = await service.call('GET', path, { token: ours.second });
    expect([refused.status, refused.body.code]).toEqual([403, 'application_not_allowed']);
  });

  it('takes no cursor of another tenant or another view', async () => {
    const path = `/api/answer-audit-logs?size=1&cursor=${theirs.target.cursor}`;
    expect((await service.call('GET', path, { token: theirs.manager })).status).toBe(200);
    for (const token of [ours.manager, ours.member, ours.first, theirs.first]) {
      const reply = await service.call('GET', path, { token });
      expect([reply.status, reply.body.code]).toEqual([422, 'cursor_not_valid']);
    }
  });

  it('knows no idempotency key of another tenant or another application', async () => {
    const create = (token: string, applicationKey: string) => {
      const more = { application_key: applicationKey, idempotency_key: theirs.target.idempotencyKey };
      return service.call('POST', '/api/answer-audit-logs', { token, body: answer('ours', 'ours', more) });
    };
    for (const made of [
      await create(ours.manager, theirs.target.applicationKey),
      await create(ours.manager, 'ours-second-app'),
      await create(theirs.manager, 'theirs-second-app'),
    ]) {
      expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null]);
      expect(made.body.id).not.toBe(theirs.target.recordId);
    }
    const known = await create(theirs.manager, theirs.target.applicationKey);
    expect([known.status, known.body.code]).toEqual([409, 'idempotency_payload_mismatch']);
    expect(faultsOf('409', known, 409, [theirs.target.recordId, 'theirs-question-text'])).toEqual([]);
  });
});
