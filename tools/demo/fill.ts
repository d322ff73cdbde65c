import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { openService, parseConfig } from '@answer-evidence/runtime';
import { openWitness } from '@answer-evidence/runtime/open-witness';
import { ROLES } from '@answer-evidence/runtime/roles';
import { type CallService, createCalls } from './call-service.ts';
import { createDraw } from './draw.ts';
import { openMovingClock } from './moving-clock.ts';
import { readDocuments } from './read-documents.ts';
import { SILENT_AUTHORITY_PEM } from './silent-authority.ts';
import { DOCUMENTS } from './texts.ts';
import { writeDays } from './write-days.ts';

const DAY_MS = 86_400_000;
const SEED = 20_260_731;
const WITNESS_NAME = 'witness.example/demonstration';
const LOOK_MS = 100;
const RUN_MS = 60_000;
const DAY_SECONDS = DAY_MS / 1_000;
/** How long a token may last, and how long the one of the first day still does. */
const TOKEN_DAYS_MAX = 90;
const TOKEN_LEFT_DAYS = 3;
/** How many corrected answers are on hold. */
const HELD = 5;
/** Of runs whose findings somebody has, the newest: their work is not late yet. */
const LATEST_DUE = 9;
const configFile = z.object({ auth: z.object({ token: z.string() }) });

/** What a demonstration is started again with. */
export const demoState = z.strictObject({
  username: z.string(),
  password: z.string(),
  witnessPort: z.int(),
  witnessedLog: z.string(),
  records: z.int(),
});
type DemoState = z.infer<typeof demoState>;

/** Settings of every start of a demonstration: its outsiders are on this machine. */
export function settingsOf(folder: string): Record<string, string> {
  return { SERVICE_DATA_DIR: folder, SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*', SERVICE_LOG_LEVEL: 'error' };
}

type Progress = (line: string) => void;

/** Fills an empty folder with so many days, and returns what it is started again with. The port names the log. */
export async function fillDemo(folder: string, days: number, port: number, progress: Progress): Promise<DemoState> {
  const clock = openMovingClock(Date.now() - days * DAY_MS);
  const draw = createDraw(SEED);
  const fail = (error: Error): never => {
    throw error;
  };
  const config = parseConfig({ ...settingsOf(folder), SERVICE_HTTP_PORT: String(port), SERVICE_METRICS_PORT: '0' });
  const service = await openService(
    config,
    { stages: ROLES['all-in-one'], firstWorkspace: true },
    () => undefined,
    fail,
  );
  const closing: { close(): Promise<void> }[] = [service];
  try {
    const baseUrl = `http://127.0.0.1:${String(service.port)}`;
    const { auth } = configFile.parse(parse(await readFile(join(folder, 'config.yaml'), 'utf8')));
    const call = createCalls(baseUrl, auth.token);
    const people = await makePeople(call, baseUrl);
    // Made on the first day, it ends soon now.
    await makeToken('support-bot', Math.min(TOKEN_DAYS_MAX, days + TOKEN_LEFT_DAYS), call);
    const log = await activeVkey(call);
    let vkey = '';
    const witness = await openWitness(
      {
        config: parseConfig({
          SERVICE_DATA_DIR: folder,
          SERVICE_HTTP_PORT: '0',
          SERVICE_METRICS_PORT: '0',
          SERVICE_LOG_LEVEL: 'error',
        }),
        name: WITNESS_NAME,
        vkeys: [log],
        logsFile: undefined,
      },
      (line) => {
        vkey = /^witness key: (\S+)$/.exec(line)?.[1] ?? vkey;
      },
    );
    closing.push(witness);
    const policy = {
      checkpoint_interval_seconds: 1,
      anchor_interval_seconds: 60,
      anchors: [{ id: 'copy', type: 'file' }],
      anchors_required: 0,
      witness_policy: `witness w1 ${vkey} http://127.0.0.1:${String(witness.port)}\nquorum w1\n`,
      public_log: false,
    };
    await call('PUT', '/api/trust/policy', policy);
    const read = await readDocuments(DOCUMENTS, call, draw);
    const written = await writeDays(days, {
      ...{ call, clock, draw },
      async onDay(day) {
        await read();
        progress(`day ${String(day + 1)} of ${String(days + 1)}`);
      },
    });
    clock.restore();
    await triage(written.runIds, people.memberId, call);
    for (const key of ['kundendienst', 'hr-assistant', 'ops-copilot']) await makeToken(key, TOKEN_DAYS_MAX, call);
    await placeHold(call);
    await inviteAuditor(call);
    // Nobody listens there: an authority that fails, so that it can be seen what that is like.
    const authority = {
      id: 'authority',
      type: 'rfc3161',
      url: 'http://127.0.0.1:9/',
      certificate_pem: SILENT_AUTHORITY_PEM,
      required: true,
    };
    await call('PUT', '/api/trust/policy', { ...policy, anchors: [...policy.anchors, authority], anchors_required: 1 });
    // At the end, so that it is filled in as little time as before; texts are indexed when it runs.
    await call('PATCH', '/api/tenant/settings', {
      answer_audit_word_search_enabled: true,
      answer_audit_proof_links_enabled: true,
    });
    const state: DemoState = {
      username: people.username,
      password: people.password,
      witnessPort: witness.port,
      witnessedLog: log,
      records: written.records,
    };
    await writeFile(join(folder, 'demo.json'), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
    return state;
  } finally {
    clock.restore();
    for (const one of closing.toReversed()) await one.close();
  }
}

/** A manager with a password, and others. */
async function makePeople(call: CallService, baseUrl: string) {
  type Made = { readonly id: string; readonly password_link: { readonly secret: string } };
  const make = (username: string, role: string) => call<Made>('POST', '/api/members', { username, access: { role } });
  const username = 'ada';
  const password = randomBytes(9).toString('base64url');
  const anonymous = createCalls(baseUrl, '');
  // All of them have set a password; only that of the manager is told.
  const enter = async (name: string, role: string, secret: string) => {
    const { id, password_link: link } = await make(name, role);
    await anonymous('POST', '/api/auth/password', { secret: link.secret, password: secret });
    return id;
  };
  await enter(username, 'manager', password);
  const memberId = await enter('ben', 'member', randomBytes(9).toString('base64url'));
  await enter('carla', 'reviewer', randomBytes(9).toString('base64url'));
  return { username, password, memberId };
}

/** Somebody from outside, who has not come yet. */
async function inviteAuditor(call: CallService): Promise<void> {
  await call('POST', '/api/members', { username: 'dana', access: { role: 'auditor' } });
}

async function makeToken(key: string, days: number, call: CallService): Promise<void> {
  await call('POST', '/api/tokens', {
    ...{ kind: 'application', name: `${key}-2026`, application_key: key, scopes: ['answer_audit:create'] },
    expires_in_seconds: days * DAY_SECONDS,
  });
}

/** What a dispute is about is kept. */
async function placeHold(call: CallService): Promise<void> {
  const { items } = await call<{ items: readonly { id: string }[] }>(
    'GET',
    `/api/answer-audit-logs?status=corrected&size=${String(HELD)}`,
  );
  if (items.length === 0) return;
  await call('POST', '/api/holds', {
    matter: 'complaint 4471',
    reason: 'A customer disputes these answers.',
    answer_log_ids: items.map(({ id }) => id),
  });
}

async function activeVkey(call: CallService): Promise<string> {
  const { items } = await call<{ items: readonly { state: string; vkey: string }[] }>('GET', '/api/trust/keys');
  const active = items.find(({ state }) => state === 'active');
  if (active === undefined) throw new Error('the log has no active key');
  return active.vkey;
}

/** What people did about the findings of the older runs; the newest are untouched. */
async function triage(runIds: readonly string[], assignee: string, call: CallService): Promise<void> {
  for (const [n, id] of runIds.entries()) {
    const path = `/api/reconciliations/runs/${id}`;
    await finished(path, call);
    if (n >= runIds.length - 6) continue;
    const { items } = await call<{ items: readonly { position: number }[] }>('GET', `${path}/triage`);
    for (const { position } of items) {
      const steps = `${path}/triage/${String(position)}/steps`;
      // The older half is resolved; of the others, what is due by now is overdue, and the last ones are due this week.
      const isLate = n < runIds.length - LATEST_DUE;
      const due = new Date(Date.now() + (isLate ? -2 : 3) * DAY_MS).toISOString();
      const isResolved = n < runIds.length / 2;
      await call('POST', steps, { action: 'assign', assignee_id: assignee, ...(isResolved ? {} : { due_at: due }) });
      if (isResolved)
        await call('POST', steps, {
          action: 'resolve',
          resolution: 'cause_fixed',
          text: 'the connection pool was full',
        });
    }
  }
}

async function finished(path: string, call: CallService): Promise<void> {
  for (const began = performance.now(); performance.now() - began < RUN_MS;) {
    const { status } = await call<{ status: string }>('GET', path);
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(`${path} has failed`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`${path} did not end within ${String(RUN_MS / 1_000)} s`);
}
