import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { ApplicationCaller } from '@answer-evidence/access';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import {
  createHostPolicy,
  createHttpApp,
  createRequestLimits,
  openServer,
  parseRateLimits,
} from '@answer-evidence/http-edge';
import { createMasterVault, systemClock, systemRandom } from '@answer-evidence/node-crypto';
import { createVkey, ED25519, formatVkey } from '@answer-evidence/note';
import { type ClockGuard, createTreeSigner, newId, type Workspace } from '@answer-evidence/ports';
import { createIngestStage, type IngestDeps } from '@answer-evidence/stage-ingest';
import { createLogger } from '../../observability/logger.ts';
import { createMemoryLedger } from './memory-ledger.ts';

/** A create is compiled after about so many. */
const CREATES_MAX = 2_000;
/** A slow machine does fewer of them, and so does one whose processors others have: a start has to stay short. */
const PROCESSOR_MS_MAX = 1_500;
const DURATION_MS_MAX = 5_000;
const LANES = 16;
const HOST = '127.0.0.1';
const PATH = '/api/answer-audit-logs';
const APPLICATION_KEY = 'rehearsal';
const MASTER_KEY_BYTES = 32;

/**
 * Sends creates through the whole of the HTTP edge and the stage to a log in memory, before anybody may send one: the
 * first callers would otherwise wait for code that is not compiled yet, several times as long as all others. Keys,
 * workspace, caller and log exist for this alone; no database is used and nothing is kept. The port is closed again
 * before the service is ready. Returns how many were sent.
 */
export async function rehearseCreates(): Promise<number> {
  const server = await openServer({ handler: createHandler(createWorkspace()), host: HOST, port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const end = performance.now() + DURATION_MS_MAX;
  const processorEnd = readProcessorMs() + PROCESSOR_MS_MAX;
  const mayGoOn = () => sent < CREATES_MAX && performance.now() < end && readProcessorMs() < processorEnd;
  let sent = 0;
  try {
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        while (mayGoOn()) await sendCreate(agent, server.port, sent++);
      }),
    );
    return sent;
  } finally {
    agent.destroy();
    await server.close();
  }
}

/** What this process has used so far, with the threads that compile for it. */
function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function createWorkspace(): Workspace {
  const id = newId({ clock: systemClock, random: systemRandom });
  const origin = `${HOST}/rehearsal/${id.slice(0, 8)}`;
  const master = createMasterVault(systemRandom.bytes(MASTER_KEY_BYTES));
  const secrets = master.createWorkspaceSecrets(id);
  const vault = master.openWorkspace(id, secrets.wrappedKey, secrets.wrappedLedgerSeed);
  const vkey = formatVkey(createVkey(origin, ED25519, vault.firstLedgerKey.publicKey));
  return { id, slug: 'rehearsal', displayName: 'Rehearsal', logId: id, origin, vkey, vault };
}

/** A clock that is behind is no reason not to start: it refuses creates, and nobody wrote these. */
const CLOCK_GUARD: ClockGuard = { judge: () => ({ state: 'plausible' }), recent: () => ({ state: 'plausible' }) };

function createHandler(workspace: Workspace) {
  const caller: ApplicationCaller = {
    kind: 'application',
    workspaceId: workspace.id,
    tokenId: workspace.id,
    applicationKey: APPLICATION_KEY,
    scopes: ['answer_audit:create'],
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
  const settings = { version: 1, values: DEFAULT_SETTINGS, updatedAt: 0 };
  const signer = createTreeSigner(workspace, [], () => {
    throw new Error('the log of a rehearsal has one key');
  });
  const directory = { get: () => Promise.resolve(workspace) };
  // A create that is new uses nothing else.
  const deps = {
    ledger: createMemoryLedger(settings, () => systemClock.nowMicros(), signer),
    directory,
    clock: systemClock,
    clockGuard: CLOCK_GUARD,
    random: systemRandom,
  } as unknown as IngestDeps;
  const { handler } = createHttpApp({
    routes: createIngestStage(deps).routes,
    authenticator: { authenticate: () => Promise.resolve(caller), wasGood: () => true },
    hosts: createHostPolicy(`http://${HOST}`, { findBySlug: () => Promise.resolve(undefined) }),
    limits: createRequestLimits({ limits: parseRateLimits('off'), trustedProxies: 0 }),
    logger: createLogger({ level: 'silent', destination: { write: () => undefined } }),
    metrics: { requestStarted: () => undefined, requestEnded: () => undefined, damageFound: () => undefined },
    openapi: { title: 'Rehearsal', description: '', serverUrl: `http://${HOST}` },
  });
  return handler;
}

/** Sends a create as callers do, and waits for the whole of its 201. */
function sendCreate(agent: Agent, port: number, number: number): Promise<void> {
  const body = JSON.stringify({
    application_key: APPLICATION_KEY,
    idempotency_key: `rehearsal-${number}`,
    question: { text: 'How long may I keep the device before I have to send it back?' },
    answer: { text: `You may keep it for ${number} days. `.repeat(20) },
    semantic_refs: [{ kind: 'intent', name: 'return-period', score: 0.93 }],
    source_refs: [{ source_ref_id: 'kb-17', uri: 'https://kb.example/returns', version: '2026-05-04' }],
    external_trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  });
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: 'Bearer rehearsal',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const sent = request({ agent, host: HOST, port, path: PATH, method: 'POST', headers }, (response) => {
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 201) resolve();
        else reject(new Error(`a rehearsed create was answered ${response.statusCode}`));
      });
      response.resume();
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
