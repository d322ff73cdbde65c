import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ROUTE_TABLE } from '../tools/scenery/route-table.ts';
import { openTenants, type Tenant } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';

let service: TestService;
let ours: Tenant;
let owner: pg.Client;
let workspaceOf: string;
beforeAll(async () => {
  service = await openTestService();
  ({ ours } = await openTenants(service));
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query<{ definition: string }>(
    `select pg_get_functiondef('answer_evidence.current_workspace'::regproc) as definition`,
  );
  workspaceOf = rows[0]?.definition ?? '';
}, 60_000);
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** While it runs, every look at a table of a workspace fails with the SQLSTATE: its policy asks this function. */
async function whileFailing<T>(state: string, action: () => Promise<T>): Promise<T> {
  await owner.query(
    `create or replace function answer_evidence.current_workspace() returns uuid language plpgsql stable as $$
     begin raise exception 'the database is in trouble' using errcode = '${state}'; end $$`,
  );
  try {
    return await action();
  } finally {
    await owner.query(workspaceOf);
  }
}

describe('while PostgreSQL is in trouble', () => {
  const unavailable = ['25006', '53100', '53200', '57000', '57014', '58000', '58030', '58P01', 'XX000'];
  // A damaged page or index is no outage that anybody waits for.
  const damaged = ['XX001', 'XX002'];
  it.each([
    ...unavailable.map((state) => [state, 'the ledger is unavailable', 503, 'ledger_unavailable'] as const),
    ...damaged.map((state) => [state, 'what is stored is damaged', 500, 'content_damaged'] as const),
  ])(
    'with SQLSTATE %s, every route says that %s, and none that it failed',
    async (state, _, status, code) => {
      const faults = await whileFailing(state, async () => {
        const found: string[] = [];
        for (const [name, row] of Object.entries(ROUTE_TABLE)) {
          const body = row.body?.(ours.target);
          const options = { token: service.managerToken, ...(body === undefined ? {} : { body }) };
          const reply = await service.call(name.split(' ')[0] ?? '', row.path(ours.target), options);
          // An exporter keeps its batch on 503 alone.
          const isKnown = reply.status === status || (reply.status === 503 && name.includes('/otel'));
          const isRefused = isKnown && reply.text.includes(code);
          // What needs no workspace is answered, and what is wrong in itself refused.
          if (reply.status >= 500 && !isRefused) found.push(`${name}: ${reply.status} ${reply.text}`);
          if (reply.status === 503 && reply.headers.get('retry-after') === null) found.push(`${name}: no Retry-After`);
          if (isRefused && /trouble|current_workspace/.test(reply.text)) found.push(`${name}: shows ${reply.text}`);
        }
        const created = await service.call('POST', '/api/answer-audit-logs', { body: answer(`asked during ${state}`) });
        expect([created.status, created.body.code]).toEqual([status, code]);
        const listed = await service.call('GET', '/api/answer-audit-logs');
        expect([listed.status, listed.body.code]).toEqual([status, code]);
        return found;
      });
      expect(faults).toEqual([]);
      const again = await service.call('POST', '/api/answer-audit-logs', { body: answer(`asked after ${state}`) });
      expect(again.status).toBe(201);
    },
    60_000,
  );
});
