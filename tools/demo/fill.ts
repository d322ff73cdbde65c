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
    await makeTokens(call);
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
    await call('PATCH', '/api/tenant/settings', { answer_audit_word_search_enabled: true });
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
  const make = (username: string, role: string) => call<Made>('POST', '/api/members', { username, role });
  const username = 'ada';
  const password = randomBytes(9).toString('base64url');
  const ada = await make(username, 'manager');
  const anonymous = createCalls(baseUrl, '');
  await anonymous('POST', '/api/auth/password', { secret: ada.password_link.secret, password });
  const { id: memberId } = await make('ben', 'member');
  await make('carla', 'member');
  return { username, password, memberId };
}

async function makeTokens(call: CallService): Promise<void> {
  const scopes = ['answer_audit:create'];
  for (const key of ['support-bot', 'kundendienst', 'hr-assistant', 'ops-copilot'])
    await call('POST', '/api/tokens', { kind: 'application', name: `${key}-2026`, application_key: key, scopes });
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
      await call('POST', steps, { action: 'assign', assignee_id: assignee });
      if (n < runIds.length / 2)
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
