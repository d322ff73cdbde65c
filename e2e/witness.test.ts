import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendLeaves, planConsistency } from '@answer-evidence/merkle';
import { verifySignature } from '@answer-evidence/node-crypto';
import { evaluateQuorum, parseCheckpoint, parseNote, parseWitnessPolicy } from '@answer-evidence/note';
import { createOutboundHttp } from '@answer-evidence/outbound-http';
import { findFreePort, openTestDatabase } from '@answer-evidence/testing';
import { createFixtureLog } from '../libs/domain/witness/fixtures/fixture-log.ts';
import { askWitness } from '../libs/stages/trust/src/witnessing/ask-witness.ts';
import { runOperatorCommand, type ServiceProcess, startWitness, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { copyDatabase } from './support/copy-database.ts';

const DEADLINE_MS = 300_000;
const log = createFixtureLog('example.com/log', 1);
const fork = createFixtureLog('example.com/log', 1, 'fork');

let dataDir: string;
let running: ServiceProcess[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-witness-'));
  running = [];
});
afterEach(async () => {
  for (const witness of running) witness.kill('SIGKILL');
  await Promise.all(running.map(({ exited }) => exited));
  await rm(dataDir, { recursive: true, force: true });
});

async function start(args: readonly string[], folder = dataDir): Promise<{ process: ServiceProcess; url: string }> {
  const process = startWitness(args, { dataDir: folder });
  running.push(process);
  return { process, url: await process.ready };
}

const add = (url: string, body: string) => fetch(`${url}/add-checkpoint`, { method: 'POST', body });
const keyOf = ({ stderr }: ServiceProcess) => stderr.join('\n').match(/witness key: (\S+)/)?.[1] ?? '';

describe('a witness that is killed', () => {
  it('never forgets what it cosigned, and never cosigns another history', async () => {
    const arguments_ = ['--name', 'witness.example/w1', '--log', log.vkey];
    let cosigned = 0;
    let key: string | undefined;
    for (const killAfterMs of [0, 3, 9, undefined]) {
      const { process, url } = await start(arguments_);
      key ??= keyOf(process);
      expect(keyOf(process)).toBe(key);

      const conflict = await add(url, log.request(39, 40));
      expect(conflict.status).toBe(409);
      const known = Number(await conflict.text());
      // What was answered is known; the last request may have been kept and not been answered any more.
      expect([cosigned, cosigned + 1]).toContain(known);
      cosigned = known;
      for (let more = 0; more < 3; more++) {
        expect((await add(url, log.request(cosigned, cosigned + 1))).status).toBe(200);
        cosigned++;
      }
      expect((await add(url, fork.request(cosigned, cosigned + 1))).status).toBe(422);
      expect((await add(url, fork.request(cosigned, cosigned))).status).toBe(422);
      if (killAfterMs === undefined) {
        expect(await process.stop()).toEqual({ code: 0, signal: null });
        continue;
      }
      const last = add(url, log.request(cosigned, cosigned + 1)).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, killAfterMs));
      process.kill('SIGKILL');
      if ((await last)?.status === 200) cosigned++;
      await process.exited;
    }
  });
});

describe('two witnesses of one data folder', () => {
  it('cosign one history between them', async () => {
    const arguments_ = ['--name', 'witness.example/w1', '--log', log.vkey];
    const { url } = await start(arguments_);
    const { url: other } = await start(arguments_);
    for (let size = 0; size < 10; size++) {
      const requests = [log, fork].flatMap((of) => [url, other].map((to) => add(to, of.request(size, size + 1))));
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

describe('a witness that cannot be started', () => {
  it('says in one line what to do', async () => {
    for (const [args, words] of [
      [['--log', log.vkey], 'needs a name'],
      [['--name', 'w.example'], 'needs a log'],
      [['--name', 'w example', '--log', log.vkey], 'name of the witness'],
    ] as const) {
      const process = startWitness(args, { dataDir });
      running.push(process);
      expect((await process.exited).code).toBe(1);
      expect(process.stderr).toEqual([expect.stringContaining(words)]);
    }
  });

  it('names an option that it does not have, and shows those that it has', async () => {
    const process = startWitness(['--nmae', 'w.example'], { dataDir });
    running.push(process);
    expect((await process.exited).code).toBe(2);
    expect(process.stderr[0]).toContain("Unknown option '--nmae'");
    expect(process.stderr.slice(1).join(' ')).toContain('--name');
  });
});

/** The newest published checkpoint: none for a moment after a start, when the reply says to ask again. */
async function readCheckpointNote(service: TestService): Promise<string> {
  let reply = await service.call('GET', '/tlog/demo/checkpoint');
  while (reply.status === 404) reply = await service.call('GET', '/tlog/demo/checkpoint');
  expect(reply.status).toBe(200);
  return reply.text;
}

describe('a log of the service and a witness of its own', () => {
  it('reach a quorum, and go on after the log has grown', async () => {
    const service = await openTestService();
    try {
      const { items } = (await service.call('GET', '/api/trust/keys')).body;
      const { process, url } = await start(['--name', 'witness.example/w1', '--log', items[0].vkey]);
      const policy = parseWitnessPolicy(`witness w1 ${keyOf(process)} ${url}\nquorum w1\n`);
      const [witness] = policy.witnesses;
      if (witness === undefined) throw new Error('the policy has a witness');
      const parts = {
        outbound: createOutboundHttp({ allowList: new Set(['127.0.0.1:*']) }),
        verifySignature,
      };
      let knownSize: number | undefined;
      for (let round = 0; round < 3; round++) {
        const created = await service.call('POST', '/api/answer-audit-logs', {
          body: { application_key: 'bot', question: { text: 'q' }, answer: { text: `a${round}` } },
        });
        expect(created.status).toBe(201);
        const note = await readCheckpointNote(service);
        const { size } = parseCheckpoint(parseNote(note).text);
        const leaves = await readLeaves(service, size);
        const readProof = (from: number) => Promise.resolve(proofOf(leaves, from, size));
        // The second round knows the size from the first; the third has forgotten it and is told.
        const outcome = await askWitness(parts, {
          witness,
          note,
          knownSize: round === 2 ? undefined : knownSize,
          readProof,
        });
        expect(outcome).toMatchObject({ kind: 'cosigned', size });
        if (outcome.kind !== 'cosigned') continue;
        expect(evaluateQuorum(policy, [outcome.cosignature.publicKeyHex]).isMet).toBe(true);
        knownSize = size;
      }
    } finally {
      await service.close();
    }
  });
});

type Service = Awaited<ReturnType<typeof openTestService>>;

async function readLeaves({ baseUrl, managerToken }: Service, size: number): Promise<readonly Uint8Array[]> {
  const reply = await fetch(`${baseUrl}/tlog/demo/tile/0/000.p/${size}`, {
    headers: { authorization: `Bearer ${managerToken}` },
  });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return Array.from({ length: size }, (_, i) => bytes.slice(32 * i, 32 * (i + 1)));
}

function proofOf(leaves: readonly Uint8Array[], from: number, to: number): readonly Uint8Array[] {
  const { nodes, fold } = planConsistency(from, to);
  return fold(
    nodes.map(
      ({ level, index }) => appendLeaves(0, [], leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)).root,
    ),
  );
}

describe('a log that was rolled back behind its witness', () => {
  it(
    'is stopped by the witness, at the next start and while it runs, and says so everywhere',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-witnessed-'));
      const database = await openTestDatabase();
      const share = { databaseUrl: database.url, dataDir: join(folder, 'data') };
      const metrics = String(await findFreePort());
      const environment = { SERVICE_METRICS_PORT: metrics };
      const lookAt = (path: string) => fetch(`http://127.0.0.1:${metrics}${path}`).then((reply) => reply.text());
      const create = (service: Service) =>
        service.call('POST', '/api/answer-audit-logs', {
          body: { application_key: 'bot', question: { text: 'q' }, answer: { text: 'a' } },
        });
      try {
        const first = await openTestService({ share, environment });
        const { items } = (await first.call('GET', '/api/trust/keys')).body;
        const { process, url } = await start(['--name', 'witness.example/w1', '--log', items[0].vkey]);
        const { body: policy } = await first.call('GET', '/api/trust/policy');
        const { version: _version, updated_at: _updatedAt, ...rest } = policy;
        const [, mlDsa44 = ''] = /witness key of ML-DSA-44: (\S+)/.exec(process.stderr.join('\n')) ?? [];
        const witness_policy = `witness w1 ${keyOf(process)} ${url}
witness w1-pq ${mlDsa44} ${url}
group both all w1 w1-pq
quorum both
`;
        const put = await first.call('PUT', '/api/trust/policy', {
          body: { ...rest, checkpoint_interval_seconds: 1, witness_policy },
        });
        expect(put.status).toBe(200);
        await cosigned(first, 1);
        await first.stop();
        const older = await copyDatabase(database.url);

        const second = await openTestService({ share, environment });
        const { body: last } = await create(second);
        await cosigned(second, last.ledger.leaf_index + 1);
        await second.stop();

        // The older database, with the heads lost and the log adopted: nobody but the witness knows better.
        const rolledBack = { databaseUrl: older, dataDir: share.dataDir };
        await rm(join(share.dataDir, 'heads'), { recursive: true });
        const adopted = await runOperatorCommand(['heads-adopt', '--all'], {
          dataDir: share.dataDir,
          environment: { DATABASE_URL: older },
        });
        expect(adopted.code).toBe(0);
        // The second time it is the claim beside the heads that speaks: the witness is not there to be asked.
        for (const isThere of [true, false]) {
          if (!isThere) await process.stop();
          const stopped = await openTestService({ share: rolledBack, environment });
          expect(stopped.reports).toContainEqual(
            expect.stringMatching(
              /^a log is stopped: the ledger of "demo" was rolled back: the witness w1\S* has seen \d+ entries.*npm run operator -- ledger-recover/,
            ),
          );
          expect(await create(stopped)).toMatchObject({ status: 500, body: { code: 'content_damaged' } });
          const readiness = JSON.parse(await lookAt('/readyz'));
          expect(readiness).toMatchObject({ ok: false, failing: ['ledger'], stopped_logs: 1 });
          expect(await lookAt('/metrics')).toMatch(/^ledger_logs_stopped 1$/m);
          await stopped.stop();
        }
      } finally {
        await database.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    DEADLINE_MS,
  );
});

/** Resolves when the witness has cosigned a tree of that size, or a larger one, by both of its keys. */
async function cosigned({ call }: Service, size: number): Promise<void> {
  await call('POST', '/api/trust/anchors/run');
  await until('the cosignature', async () => {
    const { items } = (await call('GET', '/api/trust/witnesses')).body;
    return items.length === 2 && items.every((one: { tree_size: number | null }) => (one.tree_size ?? 0) >= size);
  });
}
