import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import type { Stores } from '../libs/runtime/src/open/open-stores.ts';
import { addMemberWith, useLink } from '../tools/scenery/members-with.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { type ProvokedIn, typesProvokedIn } from './support/provoked-types.ts';
import { type About, openToldTarget, PRIVATE, TARGETS, type ToldTarget } from './support/told-target.ts';
import { openReceiver } from './support/webhook-receiver.ts';

const RECORDS = '/api/answer-audit-logs';
const RUNS = '/api/reconciliations/runs';
const HOLD = { matter: 'Case 7', reason: PRIVATE, filters: { environment: 'nobody' } };

let service: TestService;
let stores: Stores;
let target: ToldTarget;

beforeAll(async () => {
  service = await openTestService();
  ({ stores } = await openStoresOn(service));
  target = await openToldTarget(service);
});
afterAll(async () => {
  await stores.close();
  await service.close();
  await target.close();
});

async function call(method: string, path: string, body?: object, token?: string): Promise<any> {
  const by = token === undefined ? {} : { token };
  const reply = await service.call(method, path, body === undefined ? by : { ...by, body });
  expect([path, reply.status < 300, reply.body?.code]).toEqual([path, true, undefined]);
  return reply.body;
}

async function record(): Promise<string> {
  const more = { source_refs: [{ source_ref_id: 'faq', source_name: PRIVATE }] };
  return (await call('POST', RECORDS, answer(`${PRIVATE}?`, `${PRIVATE}.`, more))).id;
}

async function append(event_type: 'voided' | 'redacted'): Promise<About> {
  const id = await record();
  const { events } = await call('POST', `${RECORDS}/${id}/events`, { event_type, reason: `${PRIVATE}!` });
  return { answer_log_id: id, event_id: events.at(-1).id, event_type, application_key: 'support-bot' };
}

/** Has two people demanded, and two people end the demand: what is told of their request. */
async function endDemand(): Promise<About> {
  const demand = (acts: readonly string[]) => ({ answer_audit_two_people: { acts, expires_within: 3_600 } });
  const { workspace } = await call('GET', '/api/whoami');
  const invited = await addMemberWith(service, stores, workspace.id, { role: 'manager' });
  const second = await useLink(service, stores, workspace.id, invited);
  await call('PATCH', '/api/tenant/settings', demand(['redaction']));
  const { id } = await call('POST', '/api/approvals', { reason: PRIVATE, settings: demand([]) });
  await call('POST', `/api/approvals/${id}/approve`, undefined, second.token);
  return { approval_id: id, act: 'settings' };
}

const addHook = (url: string): Promise<any> => call('POST', TARGETS, { name: `hook ${crypto.randomUUID()}`, url });

/** Has each type told, and says what it is about. */
const PROVOCATIONS: Readonly<Record<ProvokedIn<'notifications-of-entries'>, () => Promise<About>>> = {
  'record.voided': () => append('voided'),
  'record.redacted': () => append('redacted'),
  'run.findings': async () => {
    const now = Date.now();
    const at = (millis: number) => new Date(now + millis).toISOString();
    const { id } = await call('POST', RUNS, {
      ...{ application_key: 'support-bot', match_on: 'idempotency_key', max_lateness_seconds: 0 },
      ...{ window_start: at(-3_600_000), window_end: at(-1_800_000) },
      references: [{ reference_id: PRIVATE, occurred_at: at(-2_000_000) }],
    });
    return { run_id: id, application_key: 'support-bot', findings: 1 };
  },
  'hold.placed': async () => {
    const { id } = await call('POST', '/api/holds', HOLD);
    return { hold_id: id, matter: HOLD.matter };
  },
  'hold.released': async () => {
    const { id } = await call('POST', '/api/holds', HOLD);
    await call('POST', `/api/holds/${id}/release`, { reason: 'over' });
    return { hold_id: id, matter: HOLD.matter };
  },
  'approval.requested': endDemand,
  'approval.decided': async () => ({ ...(await endDemand()), decision: 'approved' }),
  'export.made': async () => {
    await record();
    await call('GET', `${RECORDS}/export?format=csv`);
    return { format: 'csv' };
  },
  'texts.read_in_bulk': async () => {
    for (let n = 0; n < 20; n++) await call('GET', `${RECORDS}/${await record()}`);
    return { within_seconds: 3_600 };
  },
  'policy.changed': async () => {
    const { version } = await call('PUT', '/api/trust/policy', {
      ...DEFAULT_TRUST_POLICY,
      checkpoint_interval_seconds: 1,
    });
    return { version };
  },
  'settings.changed': async () => {
    const { version } = await call('PATCH', '/api/tenant/settings', { answer_audit_default_retention_days: 300 });
    return { version };
  },
  'member.changed': async () => {
    const { id } = await call('POST', '/api/members', { username: 'nina' });
    await call('PATCH', `/api/members/${id}`, { role: 'manager' });
    return { member_id: id, username: 'nina', role: 'manager', changes: ['role_changed'] };
  },
  'token.revoked': async () => {
    const { id } = await call('POST', '/api/tokens', { kind: 'user', name: 'unneeded' });
    await call('DELETE', `/api/tokens/${id}`);
    return { token_id: id };
  },
  'keys.changed': async () => {
    await call('POST', '/api/trust/keys', {});
    return { key: 'ledger', change: 'added' };
  },
  'target.changed': async () => {
    const { id, name } = await addHook('https://hooks.example.com/');
    await call('DELETE', `${TARGETS}/${id}`);
    return { target_id: id, name, change: 'removed' };
  },
  'target.disabled': async () => {
    const gone = await openReceiver();
    gone.responds(() => 410);
    const { id, name } = await addHook(gone.url);
    await call('POST', `${TARGETS}/${id}/test`);
    await target.told('target.disabled', { target_id: id });
    await gone.close();
    return { target_id: id, name, reason: 'gone' };
  },
  test: async () => {
    const { items } = await call('GET', TARGETS);
    await call('POST', `${TARGETS}/${items[0].id}/test`);
    return {};
  },
};

describe('a target is told once, verifiably and without any text', () => {
  it.each(typesProvokedIn('notifications-of-entries'))('%s', async (type) => {
    await target.expectOnce(type, await PROVOCATIONS[type]());
  });
});
