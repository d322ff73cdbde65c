import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { commitPlain } from '@answer-evidence/commitments';
import type { FindingType } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';
import { type Asked, createReconciler, type Listed, type Recorded, RECORDS, RUNS } from './support/reconciling.ts';

const DEADLINE_MS = 120_000;
const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;
const MEBIBYTE = 1024 * 1024;

let service: TestService;
let authority: TestAuthority;
const { expectOk, create, reconcile } = createReconciler(() => service);
beforeAll(async () => {
  authority = await openTestAuthority();
  service = await openTestService();
}, DEADLINE_MS);
afterAll(async () => {
  await service.close();
  await authority.close();
});

describe('the edges of a run', () => {
  const application = 'edges';
  let records: readonly [Recorded, Recorded, Recorded];
  beforeAll(async () => {
    records = [await create(application, 'a'), await create(application, 'b'), await create(application, 'c')];
  });

  type Edge = readonly [
    what: string,
    ask: (of: readonly [Recorded, Recorded, Recorded]) => Pick<Asked, 'window' | 'references' | 'lateness'>,
    found: readonly (readonly [FindingType, 0 | 1 | 2 | 'b'])[],
  ];
  const EDGES: readonly Edge[] = [
    [
      'a record at the start is in the window, and one at the end is not',
      ([a, b, c]) => ({ window: [a.at, c.at], references: [{ reference_id: 'b', at: b.at }] }),
      [['unexpected_service', 0]],
    ],
    [
      'a microsecond later the first is out and the last is in',
      ([a, b, c]) => ({ window: [a.at + 1, c.at + 1], references: [{ reference_id: 'b', at: b.at }] }),
      [['unexpected_service', 2]],
    ],
    [
      'a record exactly at the lateness limit is not late',
      ([a, b]) => ({
        window: [a.at - DAY, a.at],
        references: [{ reference_id: 'b', at: b.at - 7 * SECOND }],
        lateness: 7,
      }),
      [],
    ],
    [
      'a microsecond above the limit it is',
      ([a, b]) => ({
        window: [a.at - DAY, a.at],
        references: [{ reference_id: 'b', at: b.at - 7 * SECOND - 1 }],
        lateness: 7,
      }),
      [['late_service', 1]],
    ],
    [
      'a record at the end of window and lateness came too late to count',
      ([, b]) => ({
        window: [b.at - DAY, b.at - 7 * SECOND],
        references: [{ reference_id: 'b', at: b.at - 7 * SECOND - 1 }],
        lateness: 7,
      }),
      [['missing_service', 'b']],
    ],
    [
      'a microsecond before it, it counts',
      ([, b]) => ({
        window: [b.at - DAY, b.at - 7 * SECOND + 1],
        references: [{ reference_id: 'b', at: b.at - 7 * SECOND }],
        lateness: 7,
      }),
      [],
    ],
  ];

  it.each(EDGES)(
    '%s',
    async (_what, ask, expected) => {
      const { found } = await reconcile({ application, ...ask(records) });
      expect(found).toEqual(expected.map(([type, about]) => [type, about === 'b' ? 'b' : records[about].id]));
    },
    DEADLINE_MS,
  );

  it(
    'are the same whatever zone times are written in',
    async () => {
      const [a, b, c] = records;
      const asked: Asked = { application, window: [a.at, c.at], references: [{ reference_id: 'b', at: b.at }] };
      const inZones = (['Z', '+05:45', '-11:00'] as const).map((zone) =>
        reconcile({ ...asked, write: (micros) => inZone(micros, zone) }),
      );
      const runs = await Promise.all(inZones);
      const proofs = await Promise.all(runs.map(async ({ path }) => (await expectOk('GET', `${path}/proof`)).body));
      const cores = proofs.map(({ run: { core } }) => [core.window_start, core.window_end, core.references.root]);
      expect(new Set(cores.map(String)).size).toBe(1);
      expect(cores[0]?.[0]).toBe(formatTimestamp(a.at));
      for (const { found } of runs) expect(found).toEqual([['unexpected_service', a.id]]);
    },
    DEADLINE_MS,
  );
});

/** The same time with another offset from UTC. */
function inZone(micros: number, zone: string): string {
  if (zone === 'Z') return formatTimestamp(micros);
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  const shift = (zone.startsWith('-') ? -minutes : minutes) * 60 * SECOND;
  return formatTimestamp(micros + shift).replace(/Z$/, zone);
}

describe('a run', () => {
  it(
    'tells a reference that is listed twice from a record that is there twice',
    async () => {
      const application = 'doubles';
      const first = await create(application, 'one', { external_message_id: 'm' });
      const second = await create(application, 'two', { external_message_id: 'm' });
      const references = [first.at, first.at - SECOND].map((at) => ({ reference_id: 'm', at }));
      const asked: Asked = {
        application,
        window: [first.at - DAY, second.at + 1],
        references,
        matchOn: 'external_message_id',
      };
      const { found, findings, counts } = await reconcile(asked);
      expect(found).toEqual([
        ['duplicate_reference', 'm'],
        ['duplicate_service', second.id],
      ]);
      expect(findings.map(({ detail }) => detail)).toMatchObject([
        { times: 2, differ: true, occurred_at: [first.at - SECOND, first.at].map(formatTimestamp) },
        { first_answer_log_id: first.id },
      ]);
      expect(counts).toMatchObject({ references: 2, repeated_references: 1, records: 2, matched: 1 });
      expect((await reconcile({ ...asked, references: references.toReversed() })).findings).toEqual(findings);
    },
    DEADLINE_MS,
  );

  it(
    'counts what was corrected, voided or redacted as served, and says what it is now',
    async () => {
      const application = 'changed';
      const events = {
        corrected: { event_type: 'correction_appended', payload: { corrected_answer_text: 'Three years.' } },
        redacted: { event_type: 'redacted', reason: 'asked for' },
        voided: { event_type: 'voided', reason: 'never to be used' },
      };
      const ids: string[] = [];
      const references: Listed[] = [];
      for (const [key, event] of Object.entries(events)) {
        const { id, at } = await create(application, key);
        await expectOk('POST', `${RECORDS}/${id}/events`, event);
        ids.push(id);
        references.push({ reference_id: key, at: at - 60 * SECOND, answer_hash: commitPlain('Two years.') });
      }
      const times = references.map(({ at }) => at);
      const window = [Math.min(...times), Math.max(...times) + 61 * SECOND] as const;
      const { counts, found, findings } = await reconcile({ application, window, references, lateness: 0 });
      expect(counts).toMatchObject({ matched: 3, late_service: 3, hash_mismatches: 0, hashes_not_comparable: 0 });
      expect(found).toEqual(ids.map((id) => ['late_service', id]));
      expect(findings.map(({ detail }) => detail)).toMatchObject(
        Object.keys(events).map((status) => ({ record_status: status, late_by_seconds: 60 })),
      );
    },
    DEADLINE_MS,
  );

  it(
    'finds nothing unexpected in a record after midnight that the list of the night before has named',
    async () => {
      const application = 'nightly';
      const late = await create(application, 'of the evening');
      const own = await create(application, 'of the morning');
      const midnight = late.at - SECOND;
      const evening = { reference_id: 'of the evening', at: midnight - SECOND };
      const morning = { reference_id: 'of the morning', at: own.at };
      const first = await reconcile({ application, window: [midnight - DAY, midnight], references: [evening] });
      expect([first.found, first.counts?.matched]).toEqual([[], 1]);
      const next: Asked = { application, window: [midnight, midnight + DAY], references: [morning] };
      const second = await reconcile(next);
      expect(second.found).toEqual([]);
      expect(second.counts).toMatchObject({ records: 2, matched: 1, named_earlier: 1, unexpected_service: 0 });
      // The first run named it by another field, which says nothing of this one.
      const byMessage = await reconcile({ ...next, matchOn: 'external_message_id' });
      expect(byMessage.found).toEqual([['unexpected_service', late.id]]);
    },
    DEADLINE_MS,
  );

  it(
    'compares a SHA-256 with a keyed record while its text is there, and counts it where it is not',
    async () => {
      const application = 'keyed';
      const patch = (body: object) => expectOk('PATCH', '/api/tenant/settings', body);
      await patch({ answer_audit_keyed_hash_enabled: true });
      await create(application, 'same');
      const other = await create(application, 'other', { answer: { text: 'Three years.' } });
      const redacted = await create(application, 'redacted');
      await expectOk('POST', `${RECORDS}/${redacted.id}/events`, { event_type: 'redacted' });
      await patch({ answer_audit_store_answer_text: false });
      const last = await create(application, 'discarded');
      await patch({ answer_audit_keyed_hash_enabled: false, answer_audit_store_answer_text: true });
      const references = ['same', 'other', 'redacted', 'discarded'].map((key) => {
        return { reference_id: key, at: last.at, answer_hash: commitPlain('Two years.') };
      });
      const window = [other.at - DAY, last.at + 1] as const;
      const { found, findings, counts } = await reconcile({ application, window, references });
      expect(found).toEqual([['missing_service', other.id]]);
      expect(findings[0]?.detail).toMatchObject({ reason: 'hash_mismatch', fields: ['answer'] });
      expect(counts).toMatchObject({ matched: 3, hash_mismatches: 1, hashes_not_comparable: 2 });
    },
    DEADLINE_MS,
  );

  it(
    'reports what no anchor holds only under a policy with one beyond the local file, and until it holds it',
    async () => {
      const application = 'anchored';
      const { id, at } = await create(application, 'one');
      const asked: Asked = { application, window: [at, at + 1], references: [{ reference_id: 'one', at }] };
      const file = { id: 'local', type: 'file' };
      await expectOk('PUT', '/api/trust/policy', { ...EAGER_POLICY, anchors: [file] });
      expect((await reconcile(asked)).found).toEqual([]);

      const outside = { id: 'authority', type: 'rfc3161', url: authority.url, certificate_pem: authority.rootPem };
      const policy = {
        ...EAGER_POLICY,
        anchor_interval_seconds: 3600,
        anchors: [{ ...outside, required: true }, file],
      };
      await expectOk('PUT', '/api/trust/policy', { ...policy, anchors_required: 1 });
      const before = await reconcile(asked);
      expect(before.found).toEqual([['unanchored_service', id]]);
      expect(before.findings[0]?.detail).toMatchObject({ anchored_tree_size: 0 });
      await expectOk('POST', '/api/trust/anchors/run', {});
      const verify = `${RECORDS}/${id}/ledger/verify`;
      await until(
        'it is anchored',
        async () => (await expectOk('GET', verify)).body.anchoring === 'ANCHORED',
        DEADLINE_MS,
      );
      expect((await reconcile(asked)).found).toEqual([]);
    },
    DEADLINE_MS,
  );

  it(
    'is no longer under way in the metrics when it is completed',
    async () => {
      const { at } = await create('counted', 'one');
      await reconcile({ application: 'counted', window: [at, at + 1], references: [{ reference_id: 'one', at }] });
      // Those of other workspaces of the same host count as well.
      await until('none under way', async () => {
        const metrics = await (await fetch(`${service.metricsUrlOf('reconciliation-worker')}/metrics`)).text();
        return /^reconciliation_runs_open 0$/m.test(metrics) && /^reconciliation_oldest_open_seconds 0$/m.test(metrics);
      });
    },
    DEADLINE_MS,
  );

  it(
    'of a body of 50 MiB is refused, and nothing of it is kept',
    async () => {
      const database = new pg.Client({ connectionString: service.databaseUrl });
      await database.connect();
      const { workspace } = (await service.call('GET', '/api/whoami')).body;
      const kept = async () => {
        const tables = ['reconciliation_runs', 'reconciliation_references', 'outbox'];
        const counts = tables.map(
          (table) => `(select count(*) from answer_evidence.${table} where workspace_id = $1) as ${table}`,
        );
        return (await database.query(`select ${counts.join(', ')}`, [workspace.id])).rows;
      };
      // The job of a run goes a moment after the run is completed.
      await until('no job to be left', async () => (await kept())[0]?.outbox === '0');
      const before = await kept();
      expect(await post(50, 'announced')).toEqual([413, 'body_too_large']);
      expect(await post(50, 'not announced')).toEqual([413, 'body_too_large']);
      expect(await kept()).toEqual(before);
      await database.end();
    },
    DEADLINE_MS,
  );
});

describe('a completed run that somebody has changed in the database', () => {
  it.each([
    ['its row', `update answer_evidence.reconciliation_runs set window_end = window_end + 1 where id = $1`],
    ['its row, which is gone,', `delete from answer_evidence.reconciliation_runs where id = $1`],
    ['its state', `update answer_evidence.reconciliation_states set entry_id = gen_random_uuid() where run_id = $1`],
    ['a finding', `update answer_evidence.reconciliation_findings set detail_json = '{' where run_id = $1`],
  ])(
    'fails the check that relies on it, by name, and no other: %s',
    async (what, damage) => {
      const application = `damaged: ${what}`;
      const { id, at } = await create(application, 'late');
      const references = [{ reference_id: 'late', at: at - SECOND }];
      const { path } = await reconcile({ application, window: [at - DAY, at + 1], references, lateness: 0 });
      const runId = path.slice(RUNS.length + 1);
      await asVandal((database) => database.query(damage, [runId]));
      const { checks } = (await expectOk('GET', `${RECORDS}/${id}/ledger/verify`)).body;
      const failed = checks.filter(({ outcome }: { outcome: string }) => outcome === 'FAIL');
      expect(failed).toMatchObject([{ check: 'reconciliation', detail: expect.stringContaining(runId) }]);
    },
    DEADLINE_MS,
  );
});

/** With a superuser's connection that no trigger stops. */
async function asVandal(damage: (database: pg.Client) => Promise<unknown>): Promise<void> {
  const database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  try {
    await database.query('set session_replication_role = replica');
    await damage(database);
  } finally {
    await database.end();
  }
}

/** Sends the start of a run and so many MiB of references while the server reads. Resolves to status and code. */
function post(mebibytes: number, length: 'announced' | 'not announced'): Promise<readonly [number, string]> {
  const start = `{"application_key":"large","match_on":"idempotency_key","references":[`;
  const piece = Buffer.alloc(MEBIBYTE, `{"reference_id":"one","occurred_at":"2026-01-01T00:00:00Z"},`);
  return new Promise((resolve, reject) => {
    const sent = request(`${service.baseUrl}${RUNS}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.managerToken}`,
        'Content-Type': 'application/json',
        ...(length === 'announced' ? { 'Content-Length': start.length + mebibytes * MEBIBYTE } : {}),
      },
    });
    sent.on('error', reject);
    sent.on('response', (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('error', reject);
      reply.on('end', () => {
        const { code } = JSON.parse(Buffer.concat(parts).toString()) as { code: string };
        resolve([reply.statusCode ?? 0, code]);
        sent.destroy();
      });
    });
    sent.write(start);
    for (let n = 0; n < mebibytes; n++) sent.write(piece);
    sent.end();
  });
}
