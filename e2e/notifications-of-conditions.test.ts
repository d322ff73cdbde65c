import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestAuthority } from '@answer-evidence/testing';
import { answerSpan, OTEL, traces } from '../tools/scenery/otlp.ts';
import { startWitness, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { activeVkeyOf, EAGER_POLICY, vkeyOf } from './support/attested-log.ts';
import { type ProvokedIn, typesProvokedIn } from './support/provoked-types.ts';
import { openSwitchedServer } from './support/switched-server.ts';
import { type About, openToldTarget, PRIVATE, TARGETS, type ToldTarget } from './support/told-target.ts';

const LIVED_MICROS = 10 * 86_400_000_000;
/** What needs somebody is looked at four times a minute, and witnesses and anchors are asked again by their pauses. */
const DEADLINE_MS = 180_000;

type Type = ProvokedIn<'notifications-of-conditions'>;
type Server = Awaited<ReturnType<typeof openSwitchedServer>>;

let service: TestService;
let target: ToldTarget;
let servers: { readonly witness: Server; readonly authority: Server };
let runId = '';
const closes: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await openTestService();
  closes.push(() => service.close());
  target = await openToldTarget(service);
  closes.push(() => target.close());
});
afterAll(async () => {
  for (const close of closes.toReversed()) await close();
});

async function call(method: string, path: string, body?: object): Promise<any> {
  const reply = await service.call(method, path, body === undefined ? {} : { body });
  expect([path, reply.status < 300, reply.body?.code]).toEqual([path, true, undefined]);
  return reply.body;
}

/** A policy that requires a witness and an authority, neither of which can be reached yet. */
async function requireBoth(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
  const process = startWitness(['--name', 'w.example', '--log', await activeVkeyOf(service)], { dataDir: folder });
  const authority = await openTestAuthority();
  const witnessUrl = await process.ready;
  servers = {
    witness: await openSwitchedServer(witnessUrl),
    authority: await openSwitchedServer(authority.url),
  };
  closes.push(
    () => rm(folder, { recursive: true, force: true }),
    () => process.stop(),
    () => authority.close(),
    () => servers.witness.close(),
    () => servers.authority.close(),
  );
  const anchor = { id: 'tsa', type: 'rfc3161', url: servers.authority.url, certificate_pem: authority.rootPem };
  await call('PUT', '/api/trust/policy', {
    ...EAGER_POLICY,
    anchors: [{ ...anchor, required: true }],
    anchors_required: 1,
    witness_policy: `witness w1 ${vkeyOf(process.stderr)} ${servers.witness.url}\nquorum w1\n`,
  });
  await call('POST', '/api/trust/anchors/run', {});
}

/** Changes rows past the service and past the triggers that would refuse it. */
async function alter(sql: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(sql, [...values]);
  await client.end();
}

/** A token that ends within the hour, as if it had been issued ten days ago. */
async function addEndingToken(): Promise<About> {
  const scopes = ['answer_audit:create'];
  const bound = { kind: 'application', application_key: 'support-bot', scopes, expires_in_seconds: 3_600 };
  const { id } = await call('POST', '/api/tokens', { ...bound, name: 'nightly' });
  await alter('update answer_evidence.tokens set created_at = created_at - $2 where id = $1', [id, LIVED_MICROS]);
  return { name: 'nightly', object_id: id, application_key: 'support-bot', severity: 'low' };
}

/** A target whose address was damaged, so that the jobs which deliver there are given up. */
async function damageTarget(): Promise<void> {
  const { id } = await call('POST', TARGETS, { name: 'damaged', url: 'https://hooks.example.com/' });
  await alter(`update answer_evidence.notification_targets set sealed = '' where id = $1`, [id]);
  await service.call('POST', `${TARGETS}/${id}/test`);
}

/** Begins what each type is told of; what ends, by what has begun. */
const PROVOCATIONS: Readonly<Record<Type, () => Promise<About>>> = {
  // The first policy names nobody.
  'log.unattested': () => Promise.resolve({ name: null }),
  'answers.missing': async () => {
    const now = Date.now();
    const at = (millis: number) => new Date(now + millis).toISOString();
    const { id } = await call('POST', '/api/reconciliations/runs', {
      ...{ application_key: 'support-bot', match_on: 'idempotency_key', max_lateness_seconds: 0 },
      ...{ window_start: at(-3_600_000), window_end: at(-1_800_000) },
      references: [{ reference_id: PRIVATE, occurred_at: at(-2_000_000) }],
    });
    runId = id;
    return { application_key: 'support-bot', object_id: id, count: 1, severity: 'high' };
  },
  'findings.overdue': async () => {
    const run = `/api/reconciliations/runs/${runId}`;
    await until('the run', async () => (await call('GET', run)).status === 'completed');
    const due = new Date(Date.now() + 1).toISOString();
    await call('POST', `${run}/triage/0/steps`, { action: 'schedule', due_at: due });
    return { application_key: 'support-bot', object_id: runId, count: 1, severity: 'medium' };
  },
  'telemetry.refused': async () => {
    const { body } = await service.call('POST', OTEL, {
      body: traces([answerSpan(1, PRIVATE, PRIVATE)], 'x'.repeat(300)),
    });
    expect(body.partialSuccess.rejectedSpans).toBe('1');
    return { count: 1 };
  },
  'token.ends': addEndingToken,
  'anchor.failing': async () => {
    await target.told('log.unattested');
    await requireBoth();
    return { name: 'tsa', severity: 'high' };
  },
  'witness.failing': () => Promise.resolve({ name: 'w1', severity: 'high' }),
  'log.attested': () => Promise.resolve({ name: null }),
  'jobs.given_up': async () => {
    await damageTarget();
    return { severity: 'medium' };
  },
  'anchor.back': async () => {
    await target.told('anchor.failing');
    servers.authority.switchOn();
    await call('POST', '/api/trust/anchors/run', {});
    return { name: 'tsa' };
  },
  'witness.back': async () => {
    await target.told('witness.failing');
    servers.witness.switchOn();
    return { name: 'w1' };
  },
};

describe('a target is told once, verifiably and without any text', () => {
  const about = new Map<string, About>();
  beforeAll(async () => {
    for (const [type, provoke] of Object.entries(PROVOCATIONS)) about.set(type, await provoke());
  }, DEADLINE_MS);

  it.each(typesProvokedIn('notifications-of-conditions'))(
    '%s',
    async (type) => {
      await target.expectOnce(type, about.get(type) ?? {});
    },
    DEADLINE_MS,
  );
});
